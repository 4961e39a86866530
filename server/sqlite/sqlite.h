// SQLite with C++'s manners: what is opened is closed, and what goes wrong is a status.

#ifndef KIBITZ_SERVER_SQLITE_SQLITE_H_
#define KIBITZ_SERVER_SQLITE_SQLITE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

// A prepared statement of a database, which it must not outlive. Parameters and columns count as SQLite counts them:
// the former from 1, the latter from 0.
class SqliteStatement {
 public:
  void Bind(int parameter, absl::string_view text);
  void BindBytes(int parameter, absl::string_view bytes);
  void Bind(int parameter, std::int64_t number);

  // True: there is a row. False: it is done.
  absl::StatusOr<bool> Step();
  // For the next time.
  void Reset();

  std::int64_t Integer(int column) const;
  std::string Text(int column) const;
  std::string Bytes(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// One connection to a database file, for one thread at a time.
class SqliteDatabase {
 public:
  enum class Mode : std::uint8_t { kReadOnly, kReadWrite };

  // Makes the file if it is to be written and is not there.
  static absl::StatusOr<SqliteDatabase> Open(const std::string& path, Mode mode);

  absl::StatusOr<SqliteStatement> Prepare(absl::string_view sql);
  // One statement or several, without parameters.
  absl::Status Run(const std::string& sql);
  // The number in the first column of the first row.
  absl::StatusOr<std::int64_t> Number(absl::string_view sql);
  // How many rows the last statement has changed.
  std::int64_t changes() const { return sqlite3_changes64(database_.get()); }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  explicit SqliteDatabase(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SQLITE_SQLITE_H_
