#include "server/jobs/job_tables.h"

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

constexpr char kTables[] = R"(
  CREATE TABLE job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    client_id TEXT NOT NULL,
    kind INTEGER NOT NULL,
    format INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    priority INTEGER NOT NULL,
    engine TEXT NOT NULL,
    evaluation TEXT NOT NULL,
    positions INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    part_size INTEGER NOT NULL,
    submitted INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    keep INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1,
    started INTEGER NOT NULL DEFAULT 0,
    ended INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    parts_done INTEGER NOT NULL DEFAULT 0,
    parts_set_aside INTEGER NOT NULL DEFAULT 0,
    positions_done INTEGER NOT NULL DEFAULT 0,
    nodes INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',
    bytes INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX job_by_client_id ON job (tenant, client_id) WHERE client_id <> '';
  CREATE INDEX job_by_tenant ON job (tenant, number, bytes);
  CREATE INDEX job_by_deadline ON job (deadline) WHERE state < 3;
  CREATE INDEX job_by_removal ON job (removed) WHERE state >= 3;
  CREATE TABLE request (
    job INTEGER PRIMARY KEY,
    request BLOB NOT NULL
  );
  CREATE TABLE part (
    job INTEGER NOT NULL,
    part INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    running INTEGER NOT NULL,
    PRIMARY KEY (job, part)
  ) WITHOUT ROWID;
  CREATE TABLE result (
    job INTEGER NOT NULL,
    part INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    positions INTEGER NOT NULL,
    set_aside INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    node TEXT NOT NULL,
    engine TEXT NOT NULL,
    evaluation TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    elapsed INTEGER NOT NULL,
    results BLOB NOT NULL,
    PRIMARY KEY (job, part)
  );
  CREATE TABLE fault (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    job INTEGER NOT NULL,
    part INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    node TEXT NOT NULL,
    time INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL
  );
  CREATE INDEX fault_by_job ON fault (job, number);
  CREATE TABLE delivery (
    job INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    due INTEGER NOT NULL
  );
  CREATE INDEX delivery_by_due ON delivery (due);
)";

}  // namespace

absl::Status BringUpToDate(SqliteDatabase& database, int application_id) {
  const absl::StatusOr<std::int64_t> id = database.Number("PRAGMA application_id");
  if (!id.ok()) return id.status();
  const absl::StatusOr<std::int64_t> version = database.Number("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const absl::StatusOr<std::int64_t> tables = database.Number("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables.status();
  if (*tables > 0 && *id != application_id) {
    return absl::FailedPreconditionError("the file is a database of another kind");
  }
  if (*version > kJobTablesVersion) {
    return absl::FailedPreconditionError(absl::StrCat("the file was written by a newer Kibitz (tables of version ",
                                                      *version, ", not ", kJobTablesVersion, ")"));
  }
  if (*version == kJobTablesVersion) return absl::OkStatus();
  // Version 0 has no tables. Steps from older versions go here, each in its own transaction.
  return database.Run(absl::StrCat("BEGIN IMMEDIATE; ", kTables, "PRAGMA application_id = ", application_id,
                                   "; PRAGMA user_version = ", kJobTablesVersion, "; COMMIT;"));
}

}  // namespace kibitz::server
