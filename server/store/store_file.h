// The file of a store: its tables, and what is done to them. Also for those who look after a file that no server uses.

#ifndef KIBITZ_SERVER_STORE_STORE_FILE_H_
#define KIBITZ_SERVER_STORE_STORE_FILE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/sqlite/sqlite.h"
#include "server/store/result_store.h"

namespace kibitz::server {

// A file that is open for writing, for one thread at a time. Others may have it open as well, other processes too.
class StoreFile {
 public:
  // The version of the tables, and the number that tells that a file is ours.
  static constexpr int kSchemaVersion = 1;
  static constexpr int kApplicationId = 0x4b696274;  // "Kibt"

  // With the tables as this version has them: made if there are none, and brought up to date if they are older.
  static absl::StatusOr<StoreFile> Open(const std::string& path);

  // Keeps a result, unless a deeper one with as many lines is there.
  absl::Status Add(const std::string& position, const StoredResult& result);
  // A result was of use.
  absl::Status Use(const std::string& position, int lines, std::int64_t nodes);
  // Makes room: what was used least lately goes first, and what took long to find stays longer. Returns how many went.
  absl::StatusOr<std::int64_t> Prune(std::int64_t max_bytes);
  // Removes what was found before that.
  absl::StatusOr<std::int64_t> RemoveOlder(std::chrono::system_clock::time_point time);

  absl::StatusOr<std::int64_t> CountResults();
  // What is in use of the file, and how large it is.
  absl::StatusOr<std::int64_t> UsedBytes();
  absl::StatusOr<std::int64_t> FileBytes();
  // Every result, in the order of the positions, until `visit` fails.
  absl::Status ForEach(
      const std::function<absl::Status(const std::string& position, const StoredResult& result)>& visit);
  // Whether the file is whole: what is wrong with it is the error.
  absl::Status Check();

  absl::Status Begin() { return database_.Run("BEGIN IMMEDIATE"); }
  absl::Status Commit() { return database_.Run("COMMIT"); }
  void Rollback() { (void)database_.Run("ROLLBACK"); }
  // Gives what is not used of the file back to the system.
  absl::Status Vacuum() { return database_.Run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"); }

 private:
  StoreFile(SqliteDatabase database, SqliteStatement insert, SqliteStatement use)
      : database_(std::move(database)), insert_(std::move(insert)), use_(std::move(use)) {}

  SqliteDatabase database_;
  SqliteStatement insert_;
  SqliteStatement use_;
};

// Reads a file, for one thread at a time, while others write it.
class StoreFileReader {
 public:
  static absl::StatusOr<StoreFileReader> Open(const std::string& path);

  struct Found {
    StoredResult result;
    bool note_use;  // it has not been noted for a while that it is of use
  };

  // The deepest result that would do.
  absl::StatusOr<std::optional<Found>> Find(const std::string& position, const WantedResult& wanted);

 private:
  StoreFileReader(SqliteDatabase database, SqliteStatement find)
      : database_(std::move(database)), find_(std::move(find)) {}

  SqliteDatabase database_;
  SqliteStatement find_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_STORE_STORE_FILE_H_
