// A file descriptor with an owner.

#ifndef KIBITZ_SERVER_FILES_FILE_DESCRIPTOR_H_
#define KIBITZ_SERVER_FILES_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace kibitz::server {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    Reset(other.Release());
    return *this;
  }
  ~FileDescriptor() { Reset(); }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }
  void Reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_FILES_FILE_DESCRIPTOR_H_
