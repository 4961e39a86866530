// Where a server is, and the plain way there. For those who want to know why a call does not get through: calls
// themselves are gRPC's.

#ifndef KIBITZ_CLIENT_NET_SERVER_ADDRESS_H_
#define KIBITZ_CLIENT_NET_SERVER_ADDRESS_H_

#include <netdb.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kibitz::client {

struct ServerAddress {
  std::string host;
  std::string port;
};

// Reads HOST:PORT, with an IPv6 host in brackets. Nothing if it is none.
std::optional<ServerAddress> ParseServerAddress(std::string_view text);

// Whether what is sent there stays on this machine, by the name alone: localhost, 127.0.0.1 and its like, ::1. What
// other names mean is somebody else's word.
bool IsLoopback(const ServerAddress& address);

// A descriptor that is closed when its owner is done.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket();
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// The addresses that a name stands for. Kept by the system's own list, which is freed with the object.
class ResolvedAddress {
 public:
  // An error says in words why there are none.
  static absl::StatusOr<ResolvedAddress> Resolve(const ServerAddress& address);

  // In numbers: "127.0.0.1", "::1".
  std::vector<std::string> Numbers() const;
  // A connection to the first that takes one; it does not block. An error says why the last did not.
  absl::StatusOr<Socket> Connect(absl::Time deadline) const;

 private:
  explicit ResolvedAddress(addrinfo* list) : list_(list, freeaddrinfo) {}

  std::unique_ptr<addrinfo, void (*)(addrinfo*)> list_;
};

// Waits until a socket can be read from or written to, as poll(2) names it. False when the deadline comes first.
bool AwaitSocket(const Socket& socket, short events, absl::Time deadline);  // NOLINT: poll's own type

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_NET_SERVER_ADDRESS_H_
