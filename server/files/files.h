// Files that operators write: read whole, replaced whole, and looked at for changes.

#ifndef KIBITZ_SERVER_FILES_FILES_H_
#define KIBITZ_SERVER_FILES_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/files/file_descriptor.h"

namespace kibitz::server {

// What stands in a file of at most `max_size` bytes. An error names the file and says what is wrong with it.
absl::StatusOr<std::string> ReadFile(const std::string& path, std::size_t max_size);

// Writes a file that must not be there yet, for its owner alone.
absl::Status WriteNewFile(const std::string& path, absl::string_view content);

// Puts another content in the place of a file's, or writes a new one for its owner alone. Whoever reads it meanwhile,
// or after a crash, finds the old content or the new one. Owner and permissions stay as they were, but others than its
// owner and group lose theirs.
absl::Status ReplaceFile(const std::string& path, absl::string_view content);

// Waits for whoever changes a file in the same folder, and keeps others waiting for as long as the descriptor lives.
absl::StatusOr<FileDescriptor> LockFolderOf(const std::string& path);

// Tells when one of some files has been written to or replaced.
class FileWatch {
 public:
  explicit FileWatch(std::vector<std::string> paths) : paths_(std::move(paths)), seen_(Look()) {}

  // Whether there is something new since the last time, or since the beginning. Files that are read after this are at
  // least as new.
  bool Changed();

 private:
  // A file that is not there has zeros only.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified_ns = 0;  // its content
    std::int64_t changed_ns = 0;   // its content, name or permissions
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  std::vector<Stamp> Look() const;

  const std::vector<std::string> paths_;
  std::vector<Stamp> seen_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_FILES_FILES_H_
