#include "server/store/sqlite_store.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

// Results that wait to be written, and how many are written at a time.
constexpr std::size_t kMaxJobs = 4096;
constexpr std::size_t kMaxBatch = 256;
// When there is not enough room, so much of it is made, and so many rows go at a time.
constexpr double kRoomAfterEviction = 0.95;
constexpr int kEvictedAtATime = 16;
constexpr std::chrono::seconds kCountInterval{10};

constexpr char kTables[] = R"(
  CREATE TABLE result (
    position TEXT NOT NULL,
    lines INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    engine TEXT NOT NULL,
    evaluation TEXT NOT NULL,
    found INTEGER NOT NULL,
    worth INTEGER NOT NULL,
    analysis BLOB NOT NULL,
    PRIMARY KEY (position, lines)
  ) WITHOUT ROWID;
  CREATE INDEX result_by_worth ON result (worth);
)";

constexpr char kFind[] =
    "SELECT lines, depth, nodes, engine, evaluation, found, analysis FROM result "
    "WHERE position = ?1 AND lines >= ?2 AND depth >= ?3 AND nodes >= ?4 "
    "AND (?5 = '' OR engine = ?5) AND (?6 = '' OR evaluation = ?6) ORDER BY depth DESC, nodes DESC LIMIT 1";
constexpr char kInsert[] =
    "INSERT INTO result (position, lines, depth, nodes, engine, evaluation, found, worth, analysis) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (position, lines) DO UPDATE SET "
    "depth = excluded.depth, nodes = excluded.nodes, engine = excluded.engine, evaluation = excluded.evaluation, "
    "found = excluded.found, worth = excluded.worth, analysis = excluded.analysis "
    "WHERE excluded.depth > depth OR (excluded.depth = depth AND "
    "(excluded.nodes >= nodes OR excluded.engine <> engine OR excluded.evaluation <> evaluation))";
constexpr char kUse[] = "UPDATE result SET worth = max(worth, ?3) WHERE position = ?1 AND lines = ?2";

std::int64_t ToSeconds(system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

// What is used now is worth more than what was used before, and twice the work is worth a day.
std::int64_t WorthNow(std::int64_t nodes) {
  constexpr double kDay = 24 * 60 * 60;
  return ToSeconds(system_clock::now()) +
         static_cast<std::int64_t>(kDay * std::log2(static_cast<double>(std::max<std::int64_t>(nodes, 1))));
}

absl::Status BringUpToDate(SqliteDatabase& database) {
  const absl::StatusOr<std::int64_t> id = database.Number("PRAGMA application_id");
  if (!id.ok()) return id.status();
  const absl::StatusOr<std::int64_t> version = database.Number("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const absl::StatusOr<std::int64_t> tables = database.Number("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables.status();
  if (*tables > 0 && *id != SqliteStore::kApplicationId) {
    return absl::FailedPreconditionError("the file is a database of another program");
  }
  if (*version > SqliteStore::kSchemaVersion) {
    return absl::FailedPreconditionError(absl::StrCat("the file was written by a newer Kibitz (tables of version ",
                                                      *version, ", not ", SqliteStore::kSchemaVersion, ")"));
  }
  if (*version == SqliteStore::kSchemaVersion) return absl::OkStatus();
  // Version 0 has no tables. Steps from older versions go here, each in its own transaction.
  return database.Run(absl::StrCat("BEGIN IMMEDIATE; ", kTables,
                                   "PRAGMA application_id = ", SqliteStore::kApplicationId,
                                   "; PRAGMA user_version = ", SqliteStore::kSchemaVersion, "; COMMIT;"));
}

}  // namespace

absl::StatusOr<SqliteDatabase> SqliteStore::OpenFile(const std::string& path) {
  absl::StatusOr<SqliteDatabase> database = SqliteDatabase::Open(path, SqliteDatabase::Mode::kReadWrite);
  if (!database.ok()) return database;
  // A reader is never held up by the writer, and a process that is killed leaves a file that is whole.
  absl::Status status = database->Run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216;"
      "PRAGMA cache_size = -8192;");
  if (status.ok()) status = BringUpToDate(*database);
  if (!status.ok()) return status;
  return database;
}

SqliteStore::SqliteStore(Options options) : options_(std::move(options)) {
  SetState(OpenAll());
  next_try_ = Clock::now() + options_.retry_time;
  thread_ = std::thread(&SqliteStore::RunWriter, this);
}

SqliteStore::~SqliteStore() {
  {
    std::lock_guard lock(jobs_mutex_);
    ending_ = true;
  }
  jobs_changed_.notify_all();
  thread_.join();
}

absl::Status SqliteStore::OpenAll() {
  insert_.reset();
  use_.reset();
  writer_.reset();
  absl::StatusOr<SqliteDatabase> writer = OpenFile(options_.path);
  if (!writer.ok()) return writer.status();
  absl::StatusOr<SqliteStatement> insert = writer->Prepare(kInsert);
  if (!insert.ok()) return insert.status();
  absl::StatusOr<SqliteStatement> use = writer->Prepare(kUse);
  if (!use.ok()) return use.status();
  absl::StatusOr<SqliteDatabase> reader = SqliteDatabase::Open(options_.path, SqliteDatabase::Mode::kReadOnly);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = reader->Run("PRAGMA mmap_size = 268435456; PRAGMA cache_size = -8192"); !status.ok()) {
    return status;
  }
  absl::StatusOr<SqliteStatement> find = reader->Prepare(kFind);
  if (!find.ok()) return find.status();
  writer_ = *std::move(writer);
  insert_ = *std::move(insert);
  use_ = *std::move(use);
  {
    std::lock_guard lock(reader_mutex_);
    reader_.reset();
    reader_.emplace(Reader{*std::move(reader), *std::move(find)});
  }
  return Measure();
}

void SqliteStore::SetState(const absl::Status& state) {
  std::lock_guard lock(state_mutex_);
  working_ = state.ok();
  if (!state.ok()) ++failures_;
  if (state_.has_value() && state_->code() == state.code()) return;
  if (!state.ok()) {
    spdlog::error("the store {} cannot be used, and searches go on without it: {}", options_.path,
                  std::string(state.message()));
  } else if (state_.has_value()) {
    spdlog::info("the store {} can be used again", options_.path);
  }
  state_ = state;
}

std::optional<StoredResult> SqliteStore::Find(const std::string& position, const WantedResult& wanted) {
  if (!working_) return std::nullopt;
  absl::StatusOr<std::optional<StoredResult>> found = Read(position, wanted);
  if (!found.ok()) {
    SetState(found.status());
    return std::nullopt;
  }
  if (!found->has_value()) {
    ++misses_;
    return std::nullopt;
  }
  ++hits_;
  Enqueue(Use{position, (*found)->lines, (*found)->nodes});
  return *std::move(found);
}

absl::StatusOr<std::optional<StoredResult>> SqliteStore::Read(const std::string& position, const WantedResult& wanted) {
  std::lock_guard lock(reader_mutex_);
  if (!reader_.has_value()) return std::nullopt;
  SqliteStatement& find = reader_->find;
  find.Bind(1, position);
  find.Bind(2, wanted.lines);
  find.Bind(3, wanted.min_depth);
  find.Bind(4, wanted.min_nodes);
  find.Bind(5, wanted.engine);
  find.Bind(6, wanted.evaluation);
  const absl::StatusOr<bool> row = find.Step();
  std::optional<StoredResult> result;
  if (row.ok() && *row) {
    result = StoredResult{.lines = static_cast<int>(find.Integer(0)),
                          .depth = static_cast<int>(find.Integer(1)),
                          .nodes = find.Integer(2),
                          .engine = find.Text(3),
                          .evaluation = find.Text(4),
                          .found = system_clock::time_point(std::chrono::seconds(find.Integer(5))),
                          .analysis = find.Bytes(6)};
  }
  find.Reset();
  if (!row.ok()) return row.status();
  return result;
}

void SqliteStore::Put(const std::string& position, const StoredResult& result) { Enqueue(Write{position, result}); }

void SqliteStore::Enqueue(Job job) {
  std::lock_guard lock(jobs_mutex_);
  if (jobs_.size() >= kMaxJobs) {
    if (std::holds_alternative<Write>(job)) ++dropped_;
    return;
  }
  jobs_.push_back(std::move(job));
  jobs_changed_.notify_all();
}

void SqliteStore::Flush() {
  std::unique_lock lock(jobs_mutex_);
  jobs_changed_.wait(lock, [&] { return jobs_.empty() && !busy_; });
}

void SqliteStore::RunWriter() {
  std::unique_lock lock(jobs_mutex_);
  while (true) {
    busy_ = false;
    jobs_changed_.notify_all();
    const auto has_work = [&] { return ending_ || !jobs_.empty(); };
    if (working_) {
      jobs_changed_.wait(lock, has_work);
    } else {
      jobs_changed_.wait_until(lock, next_try_, has_work);
    }
    if (jobs_.empty() && ending_) return;
    busy_ = true;
    const auto count = static_cast<std::ptrdiff_t>(std::min(jobs_.size(), kMaxBatch));
    std::vector<Job> jobs(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(jobs_.begin() + count));
    jobs_.erase(jobs_.begin(), jobs_.begin() + count);
    lock.unlock();
    if (!working_ && Clock::now() >= next_try_) {
      next_try_ = Clock::now() + options_.retry_time;
      SetState(OpenAll());
    }
    if (working_ && writer_.has_value()) {
      if (absl::Status status = WriteJobs(jobs); !status.ok()) {
        next_try_ = Clock::now() + options_.retry_time;
        SetState(status);
      }
    } else {
      dropped_ += std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.index() == 0; });
    }
    lock.lock();
  }
}

absl::Status SqliteStore::WriteJobs(const std::vector<Job>& jobs) {
  absl::Status status = writer_->Run("BEGIN IMMEDIATE");
  if (!status.ok()) return status;
  for (const Job& job : jobs) {
    status = std::visit([this](const auto& each) { return WriteJob(each); }, job);
    if (!status.ok()) break;
  }
  if (status.ok()) status = Evict();
  if (status.ok()) status = writer_->Run("COMMIT");
  if (!status.ok()) {
    (void)writer_->Run("ROLLBACK");
    dropped_ += std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.index() == 0; });
    return status;
  }
  return Measure();
}

absl::Status SqliteStore::WriteJob(const Write& write) {
  const StoredResult& result = write.result;
  insert_->Bind(1, write.position);
  insert_->Bind(2, result.lines);
  insert_->Bind(3, result.depth);
  insert_->Bind(4, result.nodes);
  insert_->Bind(5, result.engine);
  insert_->Bind(6, result.evaluation);
  insert_->Bind(7, ToSeconds(result.found));
  insert_->Bind(8, WorthNow(result.nodes));
  insert_->BindBytes(9, result.analysis);
  const absl::Status status = insert_->Step().status();
  insert_->Reset();
  if (status.ok()) ++writes_;
  return status;
}

absl::Status SqliteStore::WriteJob(const Use& use) {
  use_->Bind(1, use.position);
  use_->Bind(2, use.lines);
  use_->Bind(3, WorthNow(use.nodes));
  const absl::Status status = use_->Step().status();
  use_->Reset();
  return status;
}

absl::Status SqliteStore::Evict() {
  const auto used = [this] {
    return writer_->Number(
        "SELECT (pages.page_count - free.freelist_count) * size.page_size FROM pragma_page_count AS pages, "
        "pragma_freelist_count AS free, pragma_page_size AS size");
  };
  absl::StatusOr<std::int64_t> bytes = used();
  if (!bytes.ok() || *bytes <= options_.max_bytes) return bytes.status();
  const auto target = static_cast<std::int64_t>(static_cast<double>(options_.max_bytes) * kRoomAfterEviction);
  while (bytes.ok() && *bytes > target) {
    absl::Status status = writer_->Run(absl::StrCat(
        "DELETE FROM result WHERE (position, lines) IN (SELECT position, lines FROM result ORDER BY worth LIMIT ",
        kEvictedAtATime, ")"));
    if (!status.ok()) return status;
    if (writer_->changes() == 0) break;
    evictions_ += writer_->changes();
    bytes = used();
  }
  return bytes.status();
}

absl::Status SqliteStore::Measure() {
  const absl::StatusOr<std::int64_t> bytes =
      writer_->Number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  if (!bytes.ok()) return bytes.status();
  bytes_ = *bytes;
  // That takes a while in a large file.
  if (Clock::now() < next_count_) return absl::OkStatus();
  next_count_ = Clock::now() + kCountInterval;
  const absl::StatusOr<std::int64_t> results = writer_->Number("SELECT count(worth) FROM result");
  if (results.ok()) results_ = *results;
  return results.status();
}

StoreStatus SqliteStore::status() const {
  return {.working = working_,
          .results = results_,
          .bytes = bytes_,
          .max_bytes = options_.max_bytes,
          .hits = hits_,
          .misses = misses_,
          .writes = writes_,
          .evictions = evictions_,
          .dropped = dropped_,
          .failures = failures_};
}

}  // namespace kibitz::server
