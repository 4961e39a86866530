#include "server/files/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/files/file_descriptor.h"

namespace kibitz::server {
namespace {

constexpr mode_t kForTheOwner = S_IRUSR | S_IWUSR;

absl::Status Unusable(const std::string& path, absl::string_view what, int error) {
  return absl::ErrnoToStatus(error, absl::StrCat(path, " ", what));
}

absl::Status WriteAll(int fd, absl::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::ErrnoToStatus(errno, "");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(fd) == 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, "");
}

FileDescriptor OpenFolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return FileDescriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// The folder's own list of names is to survive a crash too.
void SyncFolderOf(const std::string& path) {
  const FileDescriptor fd = OpenFolderOf(path);
  if (fd.ok()) fsync(fd.get());
}

// The file itself where the path is a link to it.
std::string Resolved(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

// Gives a new file the owner and the permissions of the one that it is to replace.
absl::Status TakeAfter(const std::string& old, int fd) {
  struct stat status{};
  if (stat(old.c_str(), &status) != 0) {
    return errno == ENOENT ? absl::OkStatus() : absl::ErrnoToStatus(errno, "");
  }
  // Only root may give files away. What others write is theirs.
  if ((status.st_uid != geteuid() || status.st_gid != getegid()) && fchown(fd, status.st_uid, status.st_gid) != 0 &&
      errno != EPERM) {
    return absl::ErrnoToStatus(errno, "");
  }
  return fchmod(fd, status.st_mode & (S_IRWXU | S_IRWXG)) == 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, "");
}

std::int64_t Nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, std::size_t max_size) {
  // Whoever names a pipe by mistake is not to wait for it.
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.ok()) return Unusable(path, "cannot be read", errno);
  struct stat status{};
  if (fstat(fd.get(), &status) != 0) return Unusable(path, "cannot be read", errno);
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, " is not a file"));
  std::string content(max_size + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = read(fd.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unusable(path, "cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > max_size) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is larger than ", max_size, " bytes: is it the right file?"));
  }
  content.resize(size);
  return content;
}

absl::Status WriteNewFile(const std::string& path, absl::string_view content) {
  const FileDescriptor fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kForTheOwner));
  if (!fd.ok()) return Unusable(path, "cannot be written", errno);
  if (absl::Status written = WriteAll(fd.get(), content); !written.ok()) {
    unlink(path.c_str());
    return absl::Status(written.code(), absl::StrCat(path, " cannot be written", written.message()));
  }
  SyncFolderOf(path);
  return absl::OkStatus();
}

absl::Status ReplaceFile(const std::string& path, absl::string_view content) {
  const std::string target = Resolved(path);
  std::string temporary = target + ".XXXXXX";
  const FileDescriptor fd(mkostemp(temporary.data(), O_CLOEXEC));  // with permissions for its owner alone
  if (!fd.ok()) return Unusable(path, "cannot be written", errno);
  absl::Status written = TakeAfter(target, fd.get());
  if (written.ok()) written = WriteAll(fd.get(), content);
  if (written.ok() && std::rename(temporary.c_str(), target.c_str()) != 0) written = absl::ErrnoToStatus(errno, "");
  if (!written.ok()) {
    unlink(temporary.c_str());
    return absl::Status(written.code(), absl::StrCat(path, " cannot be written", written.message()));
  }
  SyncFolderOf(target);
  return absl::OkStatus();
}

absl::StatusOr<FileDescriptor> LockFolderOf(const std::string& path) {
  FileDescriptor folder = OpenFolderOf(Resolved(path));
  if (!folder.ok()) return Unusable(path, "is in a folder that cannot be read", errno);
  while (flock(folder.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return Unusable(path, "is in a folder that cannot be locked", errno);
  }
  return folder;
}

bool FileWatch::Changed() {
  const std::vector<Stamp> before = std::exchange(seen_, Look());
  return seen_ != before;
}

std::vector<FileWatch::Stamp> FileWatch::Look() const {
  std::vector<Stamp> stamps;
  for (const std::string& path : paths_) {
    struct stat status{};
    Stamp& stamp = stamps.emplace_back();
    if (stat(path.c_str(), &status) != 0) continue;
    stamp = {.device = status.st_dev,
             .inode = status.st_ino,
             .size = status.st_size,
             .modified_ns = Nanoseconds(status.st_mtim),
             .changed_ns = Nanoseconds(status.st_ctim)};
  }
  return stamps;
}

}  // namespace kibitz::server
