#include "server/store/store_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

// When there is not enough room so much of it is used afterwards, and so many rows go at a time.
constexpr double kRoomAfterPruning = 0.95;
constexpr int kPrunedAtATime = 16;

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
    "SELECT lines, depth, nodes, engine, evaluation, found, analysis, worth FROM result "
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

constexpr char kAll[] =
    "SELECT lines, depth, nodes, engine, evaluation, found, analysis, position FROM result ORDER BY position, lines";

std::int64_t ToSeconds(system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

// What is asked for again and again is written down as used no more often than this.
constexpr std::int64_t kUseSeconds = 10 * 60;

// What is used now is worth more than what was used before, and twice the work is worth a day.
std::int64_t WorthNow(std::int64_t nodes) {
  constexpr double kDay = 24 * 60 * 60;
  return ToSeconds(system_clock::now()) +
         static_cast<std::int64_t>(kDay * std::log2(static_cast<double>(std::max<std::int64_t>(nodes, 1))));
}

StoredResult ResultOf(const SqliteStatement& row) {
  return {.lines = static_cast<int>(row.Integer(0)),
          .depth = static_cast<int>(row.Integer(1)),
          .nodes = row.Integer(2),
          .engine = row.Text(3),
          .evaluation = row.Text(4),
          .found = system_clock::time_point(std::chrono::seconds(row.Integer(5))),
          .analysis = row.Bytes(6)};
}

absl::Status BringUpToDate(SqliteDatabase& database) {
  const absl::StatusOr<std::int64_t> id = database.Number("PRAGMA application_id");
  if (!id.ok()) return id.status();
  const absl::StatusOr<std::int64_t> version = database.Number("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const absl::StatusOr<std::int64_t> tables = database.Number("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables.status();
  if (*tables > 0 && *id != StoreFile::kApplicationId) {
    return absl::FailedPreconditionError("the file is a database of another program");
  }
  if (*version > StoreFile::kSchemaVersion) {
    return absl::FailedPreconditionError(absl::StrCat("the file was written by a newer Kibitz (tables of version ",
                                                      *version, ", not ", StoreFile::kSchemaVersion, ")"));
  }
  if (*version == StoreFile::kSchemaVersion) return absl::OkStatus();
  // Version 0 has no tables. Steps from older versions go here, each in its own transaction.
  return database.Run(absl::StrCat("BEGIN IMMEDIATE; ", kTables, "PRAGMA application_id = ", StoreFile::kApplicationId,
                                   "; PRAGMA user_version = ", StoreFile::kSchemaVersion, "; COMMIT;"));
}

}  // namespace

absl::StatusOr<StoreFile> StoreFile::Open(const std::string& path) {
  absl::StatusOr<SqliteDatabase> database = SqliteDatabase::Open(path, SqliteDatabase::Mode::kReadWrite);
  if (!database.ok()) return database.status();
  // A reader is never held up by the writer, and a process that is killed leaves a file that is whole.
  absl::Status status = database->Run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216;"
      "PRAGMA cache_size = -8192;");
  if (status.ok()) status = BringUpToDate(*database);
  if (!status.ok()) return status;
  absl::StatusOr<SqliteStatement> insert = database->Prepare(kInsert);
  if (!insert.ok()) return insert.status();
  absl::StatusOr<SqliteStatement> use = database->Prepare(kUse);
  if (!use.ok()) return use.status();
  return StoreFile(*std::move(database), *std::move(insert), *std::move(use));
}

absl::Status StoreFile::Add(const std::string& position, const StoredResult& result) {
  insert_.Bind(1, position);
  insert_.Bind(2, result.lines);
  insert_.Bind(3, result.depth);
  insert_.Bind(4, result.nodes);
  insert_.Bind(5, result.engine);
  insert_.Bind(6, result.evaluation);
  insert_.Bind(7, ToSeconds(result.found));
  insert_.Bind(8, WorthNow(result.nodes));
  insert_.BindBytes(9, result.analysis);
  const absl::Status status = insert_.Step().status();
  insert_.Reset();
  return status;
}

absl::Status StoreFile::Use(const std::string& position, int lines, std::int64_t nodes) {
  use_.Bind(1, position);
  use_.Bind(2, lines);
  use_.Bind(3, WorthNow(nodes));
  const absl::Status status = use_.Step().status();
  use_.Reset();
  return status;
}

absl::StatusOr<std::int64_t> StoreFile::Prune(std::int64_t max_bytes) {
  std::int64_t removed = 0;
  absl::StatusOr<std::int64_t> bytes = UsedBytes();
  if (!bytes.ok() || *bytes <= max_bytes) return bytes.ok() ? absl::StatusOr<std::int64_t>(0) : bytes;
  const auto target = static_cast<std::int64_t>(static_cast<double>(max_bytes) * kRoomAfterPruning);
  while (bytes.ok() && *bytes > target) {
    absl::Status status = database_.Run(absl::StrCat(
        "DELETE FROM result WHERE (position, lines) IN (SELECT position, lines FROM result ORDER BY worth LIMIT ",
        kPrunedAtATime, ")"));
    if (!status.ok()) return status;
    if (database_.changes() == 0) break;
    removed += database_.changes();
    bytes = UsedBytes();
  }
  if (!bytes.ok()) return bytes;
  return removed;
}

absl::StatusOr<std::int64_t> StoreFile::RemoveOlder(system_clock::time_point time) {
  absl::Status status = database_.Run(absl::StrCat("DELETE FROM result WHERE found < ", ToSeconds(time)));
  if (!status.ok()) return status;
  return database_.changes();
}

absl::StatusOr<std::int64_t> StoreFile::CountResults() {
  // By the index, which is smaller.
  return database_.Number("SELECT count(worth) FROM result");
}

absl::StatusOr<std::int64_t> StoreFile::UsedBytes() {
  return database_.Number(
      "SELECT (pages.page_count - free.freelist_count) * size.page_size FROM pragma_page_count AS pages, "
      "pragma_freelist_count AS free, pragma_page_size AS size");
}

absl::StatusOr<std::int64_t> StoreFile::FileBytes() {
  return database_.Number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
}

absl::Status StoreFile::ForEach(
    const std::function<absl::Status(const std::string& position, const StoredResult& result)>& visit) {
  absl::StatusOr<SqliteStatement> all = database_.Prepare(kAll);
  if (!all.ok()) return all.status();
  while (true) {
    const absl::StatusOr<bool> row = all->Step();
    if (!row.ok() || !*row) return row.status();
    if (absl::Status status = visit(all->Text(7), ResultOf(*all)); !status.ok()) return status;
  }
}

absl::Status StoreFile::Check() {
  absl::StatusOr<SqliteStatement> check = database_.Prepare("PRAGMA integrity_check(10)");
  if (!check.ok()) return check.status();
  std::string problems;
  while (true) {
    const absl::StatusOr<bool> row = check->Step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    if (const std::string problem = check->Text(0); problem != "ok") {
      absl::StrAppend(&problems, problems.empty() ? "" : "; ", problem);
    }
  }
  return problems.empty() ? absl::OkStatus() : absl::DataLossError(problems);
}

absl::StatusOr<StoreFileReader> StoreFileReader::Open(const std::string& path) {
  absl::StatusOr<SqliteDatabase> database = SqliteDatabase::Open(path, SqliteDatabase::Mode::kReadOnly);
  if (!database.ok()) return database.status();
  absl::Status status = database->Run("PRAGMA mmap_size = 268435456; PRAGMA cache_size = -8192");
  if (!status.ok()) return status;
  absl::StatusOr<SqliteStatement> find = database->Prepare(kFind);
  if (!find.ok()) return find.status();
  return StoreFileReader(*std::move(database), *std::move(find));
}

absl::StatusOr<std::optional<StoreFileReader::Found>> StoreFileReader::Find(const std::string& position,
                                                                            const WantedResult& wanted) {
  find_.Bind(1, position);
  find_.Bind(2, wanted.lines);
  find_.Bind(3, wanted.min_depth);
  find_.Bind(4, wanted.min_nodes);
  find_.Bind(5, wanted.engine);
  find_.Bind(6, wanted.evaluation);
  const absl::StatusOr<bool> row = find_.Step();
  std::optional<Found> found;
  if (row.ok() && *row) {
    found = {.result = ResultOf(find_), .note_use = false};
    found->note_use = WorthNow(found->result.nodes) - find_.Integer(7) >= kUseSeconds;
  }
  find_.Reset();
  if (!row.ok()) return row.status();
  return found;
}

}  // namespace kibitz::server
