#include "client/cli/line_input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace kibitz::client {

bool LineInput::Next(std::string& line) {
  while (!HasLine()) Read();
  if (begin_ == text_.size()) return false;
  const std::size_t end = text_.find('\n', begin_);
  line = text_.substr(begin_, end == std::string::npos ? end : end - begin_);
  begin_ = end == std::string::npos ? text_.size() : end + 1;
  return true;
}

bool LineInput::IsReady() {
  pollfd input{.fd = fd_, .events = POLLIN, .revents = 0};
  while (!HasLine()) {
    if (poll(&input, 1, 0) <= 0) return false;
    Read();
  }
  return true;
}

void LineInput::Read() {
  std::array<char, 64 << 10> bytes;
  const ssize_t size = read(fd_, bytes.data(), bytes.size());
  if (size < 0 && errno == EINTR) return;
  // What cannot be read any further ends like a file.
  ended_ = size <= 0;
  text_.erase(0, begin_);
  begin_ = 0;
  if (size > 0) text_.append(bytes.data(), static_cast<std::size_t>(size));
}

}  // namespace kibitz::client
