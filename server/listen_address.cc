#include "server/listen_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// The errno of binding to the address, 0 when it works.
int TryBind(const addrinfo& address) {
  const int fd = socket(address.ai_family, address.ai_socktype, address.ai_protocol);
  if (fd < 0) return errno;
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const bool bound = bind(fd, address.ai_addr, address.ai_addrlen) == 0 && listen(fd, 1) == 0;
  const int error = bound ? 0 : errno;
  close(fd);
  return error;
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
    case 0:
      return "the address became free again: try once more";
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

absl::Status ExplainListenFailure(const ListenAddress& address) {
  const std::string intro = absl::StrCat("cannot listen on ", address.ToString(), ": ");
  const std::string node(absl::StripSuffix(absl::StripPrefix(address.host, "["), "]"));
  const std::string service = absl::StrCat(address.port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(node.c_str(), service.c_str(), &hints, &found); error != 0) {
    return absl::UnavailableError(absl::StrCat(intro, "the host is not known (", gai_strerror(error), ")"));
  }
  const AddressList list(found, &freeaddrinfo);
  int error = 0;
  for (const addrinfo* each = found; each != nullptr && error == 0; each = each->ai_next) error = TryBind(*each);
  return absl::UnavailableError(absl::StrCat(intro, Advice(error, address.port)));
}

}  // namespace kibitz::server
