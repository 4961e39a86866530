#include "client/net/server_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace kibitz::client {
namespace {

absl::Status NotConnected(int error) { return absl::UnavailableError(std::strerror(error)); }

absl::StatusOr<Socket> ConnectTo(const addrinfo& address, absl::Time deadline) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return NotConnected(errno);
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0 && errno != EINPROGRESS) {
    return NotConnected(errno);
  }
  if (!AwaitSocket(socket, POLLOUT, deadline)) return NotConnected(ETIMEDOUT);
  int error = 0;
  socklen_t size = sizeof(error);
  if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return NotConnected(errno);
  if (error != 0) return NotConnected(error);
  return socket;
}

}  // namespace

std::optional<ServerAddress> ParseServerAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (host.empty() || port.empty()) return std::nullopt;
  return ServerAddress{.host = std::string(host), .port = std::string(port)};
}

bool IsLoopback(const ServerAddress& address) {
  if (absl::EqualsIgnoreCase(address.host, "localhost")) return true;
  in_addr four{};
  if (inet_pton(AF_INET, address.host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
  in6_addr six{};
  return inet_pton(AF_INET6, address.host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::StatusOr<ResolvedAddress> ResolvedAddress::Resolve(const ServerAddress& address) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(address.host.c_str(), address.port.c_str(), &wanted, &list);
  if (error == EAI_SERVICE) return absl::InvalidArgumentError(absl::StrCat("'", address.port, "' is no port"));
  if (error != 0) return absl::NotFoundError(gai_strerror(error));
  return ResolvedAddress(list);
}

std::vector<std::string> ResolvedAddress::Numbers() const {
  std::vector<std::string> numbers;
  for (const addrinfo* each = list_.get(); each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (getnameinfo(each->ai_addr, each->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0 &&
        std::find(numbers.begin(), numbers.end(), text.data()) == numbers.end()) {
      numbers.emplace_back(text.data());
    }
  }
  return numbers;
}

absl::StatusOr<Socket> ResolvedAddress::Connect(absl::Time deadline) const {
  absl::StatusOr<Socket> socket = absl::UnavailableError("there is no address");
  for (const addrinfo* each = list_.get(); each != nullptr && !socket.ok(); each = each->ai_next) {
    socket = ConnectTo(*each, deadline);
  }
  return socket;
}

bool AwaitSocket(const Socket& socket, short events, absl::Time deadline) {  // NOLINT: poll's own type
  pollfd descriptor{.fd = socket.get(), .events = events, .revents = 0};
  int ready = 0;
  do {
    // Rounded up, and bounded: a deadline may be infinite.
    const absl::Duration left = std::clamp(deadline - absl::Now(), absl::ZeroDuration(), absl::Hours(1));
    ready = poll(&descriptor, 1, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace kibitz::client
