#include "tests/client/http/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kibitz::client::http {
namespace {

// How often a wait looks whether the test is over.
constexpr int kLookMs = 20;

}  // namespace

bool RawPeer::Receive() {
  while (!leaving_) {
    pollfd readable{.fd = socket_, .events = POLLIN, .revents = 0};
    if (poll(&readable, 1, kLookMs) <= 0) continue;
    std::array<char, 65536> bytes;
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count <= 0) return false;
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }
  return false;
}

std::string RawPeer::ReadUntil(std::string_view text) {
  std::size_t found;
  while ((found = unread_.find(text)) == std::string::npos) {
    if (!Receive()) return "";
  }
  std::string read = unread_.substr(0, found + text.size());
  unread_.erase(0, read.size());
  return read;
}

std::string RawPeer::ReadRequest() {
  std::string request = ReadUntil("\r\n\r\n");
  const std::size_t length = request.find("Content-Length: ");
  if (length == std::string::npos) return request;
  const std::size_t size = std::strtoul(request.c_str() + length + 16, nullptr, 10);
  while (unread_.size() < size) {
    if (!Receive()) return "";
  }
  request += unread_.substr(0, size);
  unread_.erase(0, size);
  return request;
}

bool RawPeer::Say(std::string_view bytes) {
  while (!bytes.empty() && !leaving_) {
    pollfd writable{.fd = socket_, .events = POLLOUT, .revents = 0};
    if (poll(&writable, 1, kLookMs) <= 0) continue;
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return bytes.empty();
}

bool RawPeer::Answer(std::string_view status, std::string_view body, std::string_view headers) {
  return Say(absl::StrCat("HTTP/1.1 ", std::string(status), "\r\n", std::string(headers),
                          "Content-Length: ", body.size(), "\r\n\r\n", std::string(body)));
}

bool RawPeer::AwaitClose() {
  while (Receive()) {
  }
  return !leaving_;
}

void RawPeer::AwaitEnd() {
  while (!leaving_) usleep(kLookMs * 1000);
}

void RawPeer::Reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

RawServer::RawServer(std::function<void(RawPeer&)> serve) : serve_(std::move(serve)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool listens = bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       listen(listener_, 128) == 0 &&
                       getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!listens) std::abort();
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { Accept(); });
}

RawServer::~RawServer() {
  leaving_ = true;
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
  close(listener_);
}

void RawServer::Accept() {
  while (!leaving_) {
    pollfd readable{.fd = listener_, .events = POLLIN, .revents = 0};
    if (poll(&readable, 1, kLookMs) <= 0) continue;
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    ++connections_;
    threads_.emplace_back([this, socket] {
      RawPeer peer(socket, leaving_);
      serve_(peer);
      close(socket);
    });
  }
}

std::string RawServer::url() const { return absl::StrCat("http://127.0.0.1:", port_); }

}  // namespace kibitz::client::http
