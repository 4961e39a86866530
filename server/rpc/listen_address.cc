#include "server/rpc/listen_address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr int kReceiveBytes = 128 << 10;

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// A socket that listens there; without one errno tells why.
FileDescriptor ListenOn(const addrinfo& address, int port) {
  sockaddr_storage where{};
  std::memcpy(&where, address.ai_addr, address.ai_addrlen);
  // The port is at the same place in both kinds of address.
  reinterpret_cast<sockaddr_in&>(where).sin_port = htons(static_cast<std::uint16_t>(port));
  FileDescriptor socket(
      ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol));
  if (!socket.ok()) return socket;
  const int on = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  // Connections inherit it. What waits there is still worked through after a connection has been cut off.
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBytes, sizeof(kReceiveBytes));
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&where), address.ai_addrlen) != 0 ||
      listen(socket.get(), SOMAXCONN) != 0) {
    const int error = errno;
    socket.Reset();
    errno = error;
  }
  return socket;
}

bool IsLoopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    return ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == IN_LOOPBACKNET);
}

int PortOf(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::string Advice(int error, int port) {
  switch (error) {
    case EADDRINUSE:
      return absl::StrCat("port ", port, " is in use, perhaps by another kibitzd: stop that, or choose another port ",
                          "(port 0 takes a free one)");
    case EADDRNOTAVAIL:
      return "this machine has no such address";
    case EACCES:
      return "ports below 1024 are for root: choose a higher one";
    default:
      return std::strerror(error);
  }
}

}  // namespace

std::string ListenAddress::ToString() const { return absl::StrCat(host, ":", port); }

absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text) {
  const auto fault = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", Printable(text), "\" is not HOST:PORT, such as 127.0.0.1:50051 or [::1]:50051: ", what));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return fault("it has no port");
  const absl::string_view host = text.substr(0, colon);
  const absl::string_view digits = text.substr(colon + 1);
  if (host.empty()) return fault("it has no host");
  const bool brackets = host.front() == '[' && host.back() == ']';
  if (!brackets && host.find(':') != absl::string_view::npos) return fault("an IPv6 address needs brackets");
  if (host.find_first_of(" /\t") != absl::string_view::npos) return fault("the host has a character that no host has");
  int port = 0;
  if (digits.empty() || digits.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(digits, &port) || port > 65535) {
    return fault("the port is not a number from 0 to 65535");
  }
  return ListenAddress{std::string(host), port};
}

absl::StatusOr<ListeningSockets> OpenSockets(const ListenAddress& address) {
  const std::string intro = absl::StrCat("cannot listen on ", address.ToString(), ": ");
  const std::string node(absl::StripSuffix(absl::StripPrefix(address.host, "["), "]"));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(node.c_str(), nullptr, &hints, &found); error != 0) {
    return absl::UnavailableError(absl::StrCat(intro, "the host is not known (", gai_strerror(error), ")"));
  }
  const AddressList list(found, &freeaddrinfo);
  ListeningSockets listening{.sockets = {}, .port = address.port};
  int failure = EADDRNOTAVAIL;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    FileDescriptor socket = ListenOn(*each, listening.port);
    if (socket.ok()) {
      listening.port = PortOf(socket.get());
      listening.loopback = listening.loopback && IsLoopback(*each->ai_addr);
      listening.sockets.push_back(std::move(socket));
      continue;
    }
    failure = errno;
    // A host may have an address of a kind that this machine does without. All else is in the way.
    if (failure != EADDRNOTAVAIL && failure != EAFNOSUPPORT) {
      return absl::UnavailableError(absl::StrCat(intro, Advice(failure, address.port)));
    }
  }
  if (listening.sockets.empty()) return absl::UnavailableError(absl::StrCat(intro, Advice(failure, address.port)));
  return listening;
}

}  // namespace kibitz::server
