#include "server/jobs/job_file.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/jobs/job_tables.h"

namespace kibitz::server {
namespace {

constexpr char kInsertJob[] =
    "INSERT INTO job (id, tenant, client_id, format, fingerprint, priority, engine, evaluation, positions, parts, "
    "part_size, submitted, deadline, keep, webhook, bytes, kind) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
constexpr char kReadJob[] =
    "SELECT id, tenant, client_id, format, fingerprint, priority, engine, evaluation, positions, parts, part_size, "
    "submitted, deadline, keep, webhook, state, revision, started, ended, removed, parts_done, parts_set_aside, "
    "positions_done, nodes, reason, message, kind FROM job WHERE number = ?1";
constexpr char kWriteStatus[] =
    "UPDATE job SET state = ?2, revision = ?3, started = ?4, ended = ?5, removed = ?6, parts_done = ?7, "
    "parts_set_aside = ?8, positions_done = ?9, nodes = ?10, reason = ?11, message = ?12 WHERE number = ?1";
constexpr char kAddResult[] =
    "INSERT INTO result (job, part, attempt, positions, set_aside, reason, message, node, engine, evaluation, nodes, "
    "elapsed, results) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING";
constexpr char kResults[] =
    "SELECT part, attempt, positions, set_aside, reason, message, node, engine, evaluation, nodes, elapsed, results "
    "FROM result WHERE job = ?1 AND part >= ?2 ORDER BY part";
constexpr char kOpenJobs[] =
    "SELECT number, 1 + max(coalesce((SELECT max(part) FROM part WHERE part.job = number), -1), "
    "coalesce((SELECT max(part) FROM result WHERE result.job = number), -1)) FROM job WHERE state < 3 ORDER BY number";

constexpr absl::string_view kByClientId = JobQueue::kByClientId;

std::int64_t ToNumber(JobTime time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}
std::int64_t ToNumber(const std::optional<JobTime>& time) { return time.has_value() ? ToNumber(*time) : 0; }

JobTime ToTime(std::int64_t number) {
  return JobTime(std::chrono::duration_cast<JobTime::duration>(std::chrono::nanoseconds(number)));
}
std::optional<JobTime> ToOptionalTime(std::int64_t number) {
  if (number == 0) return std::nullopt;
  return ToTime(number);
}

Job JobOf(const SqliteStatement& row) {
  const auto integer = [&](int column) { return static_cast<int>(row.Integer(column)); };
  Job job;
  job.spec.id = row.Text(0);
  job.spec.tenant = row.Text(1);
  job.spec.client_id = row.Text(2);
  job.spec.format = integer(3);
  job.spec.fingerprint = row.Bytes(4);
  job.spec.priority = static_cast<JobPriority>(row.Integer(5));
  job.spec.generation = {.engine = row.Text(6), .evaluation = row.Text(7)};
  job.spec.positions = integer(8);
  job.spec.parts = integer(9);
  job.spec.part_size = integer(10);
  job.spec.submitted = ToTime(row.Integer(11));
  job.spec.deadline = ToTime(row.Integer(12));
  job.spec.keep = std::chrono::seconds(row.Integer(13));
  job.spec.webhook = row.Text(14);
  job.status.state = static_cast<JobState>(row.Integer(15));
  job.status.revision = row.Integer(16);
  job.status.started = ToOptionalTime(row.Integer(17));
  job.status.ended = ToOptionalTime(row.Integer(18));
  job.status.removed = ToOptionalTime(row.Integer(19));
  job.status.parts_done = integer(20);
  job.status.parts_set_aside = integer(21);
  job.status.positions_done = integer(22);
  job.status.nodes = row.Integer(23);
  job.status.reason = row.Text(24);
  job.status.message = row.Text(25);
  job.spec.kind = static_cast<JobKind>(row.Integer(26));
  return job;
}

PartResult ResultOf(const SqliteStatement& row) {
  PartResult result;
  result.part = static_cast<int>(row.Integer(0));
  result.attempt = static_cast<int>(row.Integer(1));
  result.positions = static_cast<int>(row.Integer(2));
  result.set_aside = row.Integer(3) != 0;
  result.reason = row.Text(4);
  result.message = row.Text(5);
  result.node = row.Text(6);
  result.generation = {.engine = row.Text(7), .evaluation = row.Text(8)};
  result.nodes = row.Integer(9);
  result.elapsed = std::chrono::nanoseconds(row.Integer(10));
  result.results = row.Bytes(11);
  return result;
}

// What a result takes in the file, about.
std::int64_t SizeOf(const PartResult& result) {
  constexpr std::int64_t kRow = 100;
  return kRow + static_cast<std::int64_t>(result.results.size() + result.reason.size() + result.message.size());
}

}  // namespace

// A statement in use, ready for the next time when this ends.
class JobFile::Query {
 public:
  template <typename... Values>
  explicit Query(SqliteStatement& statement, const Values&... values) : statement_(statement) {
    int parameter = 0;
    (Bind(++parameter, values), ...);
  }
  ~Query() { statement_.Reset(); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  absl::StatusOr<bool> Step() { return statement_.Step(); }
  const SqliteStatement& row() const { return statement_; }

  // Bytes that are no text.
  struct Bytes {
    const std::string& bytes;
  };

 private:
  void Bind(int parameter, std::int64_t number) { statement_.Bind(parameter, number); }
  void Bind(int parameter, const std::string& text) { statement_.Bind(parameter, text); }
  void Bind(int parameter, const Bytes& bytes) { statement_.BindBytes(parameter, bytes.bytes); }

  SqliteStatement& statement_;
};

absl::StatusOr<JobFile> JobFile::Open(const std::string& path) {
  absl::StatusOr<SqliteDatabase> opened = SqliteDatabase::Open(path, SqliteDatabase::Mode::kReadWrite);
  if (!opened.ok()) return opened.status();
  auto database = std::make_unique<SqliteDatabase>(*std::move(opened));
  // Nobody else is let in, and no memory is shared with others for that. A process that is killed leaves a file that is
  // whole, and so does a machine that loses its power.
  absl::Status status = database->Run(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -8192; BEGIN IMMEDIATE; COMMIT;");
  if (status.ok()) status = BringUpToDate(*database, kApplicationId);
  if (absl::IsUnavailable(status)) return absl::UnavailableError("another process uses it");
  if (!status.ok()) return status;
  return JobFile(std::move(database));
}

absl::StatusOr<SqliteStatement*> JobFile::Statement(const char* sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) return &found->second;
  absl::StatusOr<SqliteStatement> statement = database_->Prepare(sql);
  if (!statement.ok()) return statement.status();
  return &statements_.emplace(sql, *std::move(statement)).first->second;
}

template <typename... Values>
absl::Status JobFile::Run(const char* sql, const Values&... values) {
  const absl::StatusOr<SqliteStatement*> statement = Statement(sql);
  if (!statement.ok()) return statement.status();
  return Query(**statement, values...).Step().status();
}

template <typename... Values>
absl::StatusOr<std::vector<std::int64_t>> JobFile::Numbers(const char* sql, const Values&... values) {
  const absl::StatusOr<SqliteStatement*> statement = Statement(sql);
  if (!statement.ok()) return statement.status();
  Query query(**statement, values...);
  std::vector<std::int64_t> numbers;
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return numbers;
    numbers.push_back(query.row().Integer(0));
  }
}

absl::StatusOr<std::int64_t> JobFile::Insert(const JobSpec& spec) {
  const auto bytes = static_cast<std::int64_t>(spec.request.size());
  absl::Status status =
      Run(kInsertJob, spec.id, spec.tenant, spec.client_id, spec.format, Query::Bytes{spec.fingerprint},
          static_cast<std::int64_t>(spec.priority), spec.generation.engine, spec.generation.evaluation, spec.positions,
          spec.parts, spec.part_size, ToNumber(spec.submitted), ToNumber(spec.deadline),
          std::int64_t{spec.keep.count()}, spec.webhook, bytes, static_cast<std::int64_t>(spec.kind));
  if (!status.ok()) return status;
  const absl::StatusOr<std::int64_t> number = database_->Number("SELECT last_insert_rowid()");
  if (!number.ok()) return number;
  status = Run("INSERT INTO request (job, request) VALUES (?1, ?2)", *number, Query::Bytes{spec.request});
  if (!status.ok()) return status;
  return number;
}

absl::StatusOr<std::optional<std::int64_t>> JobFile::Find(const std::string& tenant, const std::string& id) {
  const bool by_client_id = absl::StartsWith(id, kByClientId);
  const absl::StatusOr<std::vector<std::int64_t>> numbers =
      by_client_id ? Numbers("SELECT number FROM job WHERE tenant = ?1 AND client_id = ?2 AND client_id <> ''", tenant,
                             id.substr(kByClientId.size()))
                   : Numbers("SELECT number FROM job WHERE tenant = ?1 AND id = ?2", tenant, id);
  if (!numbers.ok()) return numbers.status();
  return numbers->empty() ? std::nullopt : std::optional<std::int64_t>(numbers->front());
}

absl::StatusOr<std::optional<std::int64_t>> JobFile::Find(const std::string& id) {
  const absl::StatusOr<std::vector<std::int64_t>> numbers = Numbers("SELECT number FROM job WHERE id = ?1", id);
  if (!numbers.ok()) return numbers.status();
  return numbers->empty() ? std::nullopt : std::optional<std::int64_t>(numbers->front());
}

absl::StatusOr<Job> JobFile::Read(std::int64_t number) {
  const absl::StatusOr<SqliteStatement*> statement = Statement(kReadJob);
  if (!statement.ok()) return statement.status();
  Query query(**statement, number);
  const absl::StatusOr<bool> row = query.Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::InternalError(absl::StrCat("there is no job number ", number));
  Job job = JobOf(query.row());
  const absl::StatusOr<SqliteStatement*> faults =
      Statement("SELECT part, attempt, node, time, reason, message FROM fault WHERE job = ?1 ORDER BY number");
  if (!faults.ok()) return faults.status();
  Query each(**faults, number);
  while (true) {
    const absl::StatusOr<bool> fault = each.Step();
    if (!fault.ok()) return fault.status();
    if (!*fault) return job;
    job.status.faults.push_back({.part = static_cast<int>(each.row().Integer(0)),
                                 .attempt = static_cast<int>(each.row().Integer(1)),
                                 .node = each.row().Text(2),
                                 .time = ToTime(each.row().Integer(3)),
                                 .reason = each.row().Text(4),
                                 .message = each.row().Text(5)});
  }
}

absl::StatusOr<std::string> JobFile::ReadRequest(std::int64_t number) {
  const absl::StatusOr<SqliteStatement*> statement = Statement("SELECT request FROM request WHERE job = ?1");
  if (!statement.ok()) return statement.status();
  Query query(**statement, number);
  const absl::StatusOr<bool> row = query.Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::InternalError(absl::StrCat("there is no request of job number ", number));
  return query.row().Bytes(0);
}

absl::Status JobFile::WriteStatus(std::int64_t number, const JobStatus& status) {
  return Run(kWriteStatus, number, static_cast<std::int64_t>(status.state), status.revision, ToNumber(status.started),
             ToNumber(status.ended), ToNumber(status.removed), status.parts_done, status.parts_set_aside,
             status.positions_done, status.nodes, status.reason, status.message);
}

absl::Status JobFile::AddFault(std::int64_t number, const PartFault& fault) {
  absl::Status status =
      Run("INSERT INTO fault (job, part, attempt, node, time, reason, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
          number, fault.part, fault.attempt, fault.node, ToNumber(fault.time), fault.reason, fault.message);
  if (!status.ok()) return status;
  return Run(
      "DELETE FROM fault WHERE job = ?1 AND number <= "
      "(SELECT number FROM fault WHERE job = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
      number, kMaxFaults);
}

absl::Status JobFile::Remove(std::int64_t number) {
  for (const char* const sql : {"DELETE FROM job WHERE number = ?1", "DELETE FROM request WHERE job = ?1",
                                "DELETE FROM part WHERE job = ?1", "DELETE FROM result WHERE job = ?1",
                                "DELETE FROM fault WHERE job = ?1", "DELETE FROM delivery WHERE job = ?1"}) {
    if (absl::Status status = Run(sql, number); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::pair<std::int64_t, Job>>> JobFile::List(const std::string& tenant,
                                                                        const std::vector<JobState>& states,
                                                                        std::int64_t before, int max_jobs) {
  // A set of bits, one for each state.
  std::int64_t wanted = states.empty() ? -1 : 0;
  for (const JobState state : states) wanted |= std::int64_t{1} << static_cast<int>(state);
  const absl::StatusOr<std::vector<std::int64_t>> numbers = Numbers(
      "SELECT number FROM job WHERE tenant = ?1 AND number < ?2 AND (?3 >> state) & 1 ORDER BY number DESC LIMIT ?4",
      tenant, before, wanted, max_jobs);
  if (!numbers.ok()) return numbers.status();
  std::vector<std::pair<std::int64_t, Job>> jobs;
  for (const std::int64_t number : *numbers) {
    absl::StatusOr<Job> job = Read(number);
    if (!job.ok()) return job.status();
    jobs.emplace_back(number, *std::move(job));
  }
  return jobs;
}

absl::StatusOr<std::vector<std::pair<std::int64_t, int>>> JobFile::Open() {
  const absl::StatusOr<SqliteStatement*> statement = Statement(kOpenJobs);
  if (!statement.ok()) return statement.status();
  Query query(**statement);
  std::vector<std::pair<std::int64_t, int>> jobs;
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return jobs;
    jobs.emplace_back(query.row().Integer(0), static_cast<int>(query.row().Integer(1)));
  }
}

absl::StatusOr<std::vector<std::int64_t>> JobFile::Overdue(JobTime now, int max_jobs) {
  return Numbers("SELECT number FROM job WHERE state < 3 AND deadline <= ?1 ORDER BY deadline LIMIT ?2", ToNumber(now),
                 max_jobs);
}

absl::StatusOr<std::vector<std::int64_t>> JobFile::Forgettable(JobTime now, int max_jobs) {
  return Numbers("SELECT number FROM job WHERE state >= 3 AND removed <= ?1 ORDER BY removed LIMIT ?2", ToNumber(now),
                 max_jobs);
}

absl::StatusOr<std::optional<JobTime>> JobFile::NextForgettable() {
  const absl::StatusOr<std::vector<std::int64_t>> times =
      Numbers("SELECT removed FROM job WHERE state >= 3 ORDER BY removed LIMIT 1");
  if (!times.ok()) return times.status();
  return times->empty() ? std::nullopt : ToOptionalTime(times->front());
}

absl::Status JobFile::PutPart(const BegunPart& part) {
  return Run(
      "INSERT INTO part (job, part, attempts, failures, losses, running) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT "
      "(job, part) DO UPDATE SET attempts = excluded.attempts, failures = excluded.failures, losses = excluded.losses, "
      "running = excluded.running",
      part.job, part.part, part.attempts, part.failures, part.losses, part.running ? 1 : 0);
}

absl::Status JobFile::RemovePart(std::int64_t number, int part) {
  return Run("DELETE FROM part WHERE job = ?1 AND part = ?2", number, part);
}

absl::Status JobFile::RemoveParts(std::int64_t number) { return Run("DELETE FROM part WHERE job = ?1", number); }

absl::StatusOr<std::vector<JobFile::BegunPart>> JobFile::BegunParts() {
  const absl::StatusOr<SqliteStatement*> statement =
      Statement("SELECT job, part, attempts, failures, losses, running FROM part ORDER BY job, part");
  if (!statement.ok()) return statement.status();
  Query query(**statement);
  std::vector<BegunPart> parts;
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return parts;
    const auto integer = [&](int column) { return static_cast<int>(query.row().Integer(column)); };
    parts.push_back({.job = query.row().Integer(0),
                     .part = integer(1),
                     .attempts = integer(2),
                     .failures = integer(3),
                     .losses = integer(4),
                     .running = integer(5) != 0});
  }
}

absl::Status JobFile::AddResult(std::int64_t number, const PartResult& result) {
  absl::Status status =
      Run(kAddResult, number, result.part, result.attempt, result.positions, result.set_aside ? 1 : 0, result.reason,
          result.message, result.node, result.generation.engine, result.generation.evaluation, result.nodes,
          std::int64_t{result.elapsed.count()}, Query::Bytes{result.results});
  if (!status.ok()) return status;
  return Run("UPDATE job SET bytes = bytes + ?2 WHERE number = ?1", number, SizeOf(result));
}

absl::StatusOr<std::vector<PartResult>> JobFile::Results(std::int64_t number, int first, std::int64_t max_bytes,
                                                         bool gaps) {
  const absl::StatusOr<SqliteStatement*> statement = Statement(kResults);
  if (!statement.ok()) return statement.status();
  Query query(**statement, number, first);
  std::vector<PartResult> results;
  std::int64_t bytes = 0;
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return results;
    PartResult result = ResultOf(query.row());
    if (!gaps && result.part != first + static_cast<int>(results.size())) return results;
    bytes += SizeOf(result);
    if (!results.empty() && bytes > max_bytes) return results;
    results.push_back(std::move(result));
  }
}

absl::Status JobFile::AddDelivery(std::int64_t number, JobTime due) {
  return Run("INSERT INTO delivery (job, attempt, due) VALUES (?1, 0, ?2)", number, ToNumber(due));
}

absl::StatusOr<std::vector<std::pair<std::int64_t, int>>> JobFile::DueDeliveries(JobTime now, int max_deliveries) {
  const absl::StatusOr<SqliteStatement*> statement =
      Statement("SELECT job, attempt FROM delivery WHERE due <= ?1 ORDER BY due LIMIT ?2");
  if (!statement.ok()) return statement.status();
  Query query(**statement, ToNumber(now), max_deliveries);
  std::vector<std::pair<std::int64_t, int>> due;
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return due;
    due.emplace_back(query.row().Integer(0), static_cast<int>(query.row().Integer(1)));
  }
}

absl::Status JobFile::PutDelivery(std::int64_t number, int attempt, JobTime due) {
  return Run("UPDATE delivery SET attempt = ?2, due = ?3 WHERE job = ?1", number, attempt, ToNumber(due));
}

absl::Status JobFile::HastenDeliveries(JobTime due) {
  return Run("UPDATE delivery SET due = ?1 WHERE due > ?1", ToNumber(due));
}

absl::Status JobFile::RemoveDelivery(std::int64_t number) { return Run("DELETE FROM delivery WHERE job = ?1", number); }

absl::StatusOr<std::array<std::int64_t, JobCounts::kStates>> JobFile::CountJobs() {
  const absl::StatusOr<SqliteStatement*> statement = Statement("SELECT state, count(*) FROM job GROUP BY state");
  if (!statement.ok()) return statement.status();
  Query query(**statement);
  std::array<std::int64_t, JobCounts::kStates> counts{};
  while (true) {
    const absl::StatusOr<bool> row = query.Step();
    if (!row.ok()) return row.status();
    if (!*row) return counts;
    const auto state = static_cast<std::size_t>(query.row().Integer(0));
    if (state < counts.size()) counts[state] = query.row().Integer(1);
  }
}

absl::StatusOr<std::int64_t> JobFile::BytesOf(const std::string& tenant) {
  const absl::StatusOr<std::vector<std::int64_t>> sum =
      Numbers("SELECT coalesce(sum(bytes), 0) FROM job WHERE tenant = ?1", tenant);
  if (!sum.ok()) return sum.status();
  return sum->front();
}

absl::StatusOr<std::int64_t> JobFile::UsedBytes() {
  return database_->Number(
      "SELECT (pages.page_count - free.freelist_count) * size.page_size FROM pragma_page_count AS pages, "
      "pragma_freelist_count AS free, pragma_page_size AS size");
}

}  // namespace kibitz::server
