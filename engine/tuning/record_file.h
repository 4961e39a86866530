// Files of records: a line that says what they are, then one record after the other.

#ifndef KIBITZ_ENGINE_TUNING_RECORD_FILE_H_
#define KIBITZ_ENGINE_TUNING_RECORD_FILE_H_

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tuning/record.h"

namespace kibitz::tuning {

// Reads a file from its beginning, a block at a time, however large it is.
class RecordReader {
 public:
  static absl::StatusOr<RecordReader> Open(const std::string& path);

  // Puts up to `max` records into `records`; none at the end. What is less than a record at the end, as an interrupted
  // writer leaves it, is not read.
  void Next(std::size_t max, std::vector<Record>& records);
  // How many the file had when it was opened.
  std::size_t size() const { return size_; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  RecordReader(File file, std::size_t size) : file_(std::move(file)), size_(size) {}

  File file_;
  std::size_t size_;
};

// Adds to the end of a file, which is made if there is none.
class RecordWriter {
 public:
  // Keeps the first `keep` records that are there, and what follows is dropped. Fails if there are fewer.
  static absl::StatusOr<RecordWriter> Open(const std::string& path, std::size_t keep);

  absl::Status Add(const std::vector<Record>& records);
  // Until it is on the disk.
  absl::Status Sync();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  explicit RecordWriter(File file) : file_(std::move(file)) {}

  File file_;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_RECORD_FILE_H_
