#include "server/sqlite/sqlite.h"

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

// How long a statement waits for another process to let go of the file, in milliseconds.
constexpr int kBusyTime = 2000;

absl::Status StatusOf(sqlite3* database, int code) {
  const std::string message = sqlite3_errmsg(database);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(message);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(message);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return absl::PermissionDeniedError(message);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(message);
    default:
      return absl::InternalError(message);
  }
}

}  // namespace

void SqliteStatement::Bind(int parameter, absl::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void SqliteStatement::BindBytes(int parameter, absl::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void SqliteStatement::Bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
}

absl::StatusOr<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return StatusOf(sqlite3_db_handle(statement_.get()), code);
}

void SqliteStatement::Reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t SqliteStatement::Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string SqliteStatement::Text(int column) const { return Bytes(column); }

std::string SqliteStatement::Bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

absl::StatusOr<SqliteDatabase> SqliteDatabase::Open(const std::string& path, Mode mode) {
  const int flags = mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* opened = nullptr;
  // It is given back even when it could not be opened.
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteDatabase database(opened);
  if (code != SQLITE_OK) return StatusOf(opened, code);
  sqlite3_busy_timeout(opened, kBusyTime);
  sqlite3_extended_result_codes(opened, 1);
  return database;
}

absl::StatusOr<SqliteStatement> SqliteDatabase::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return StatusOf(database_.get(), code);
  return SqliteStatement(statement);
}

absl::Status SqliteDatabase::Run(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : StatusOf(database_.get(), code);
}

absl::StatusOr<std::int64_t> SqliteDatabase::Number(absl::string_view sql) {
  absl::StatusOr<SqliteStatement> statement = Prepare(sql);
  if (!statement.ok()) return statement.status();
  const absl::StatusOr<bool> row = statement->Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::NotFoundError(absl::StrCat("no row: ", sql));
  return statement->Integer(0);
}

}  // namespace kibitz::server
