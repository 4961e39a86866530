// The tables of a file of jobs, by their versions.

#ifndef KIBITZ_SERVER_JOBS_JOB_TABLES_H_
#define KIBITZ_SERVER_JOBS_JOB_TABLES_H_

#include "absl/status/status.h"
#include "server/sqlite/sqlite.h"

namespace kibitz::server {

inline constexpr int kJobTablesVersion = 1;

// Makes the tables of a file that has none, and brings older ones up to date. Files of other programs, and of newer
// versions of this one, are left alone, with an error.
absl::Status BringUpToDate(SqliteDatabase& database, int application_id);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_TABLES_H_
