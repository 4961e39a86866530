// IP addresses of peers, and ranges of them.

#ifndef KIBITZ_SERVER_RPC_PEER_ADDRESS_H_
#define KIBITZ_SERVER_RPC_PEER_ADDRESS_H_

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

// IPv6, and IPv4 as a part of it: "::ffff:192.0.2.1".
using IpAddress = std::array<std::uint8_t, 16>;

IpAddress AddressOf(const sockaddr_storage& address);
// The same by the name that gRPC gives a peer: "ipv4:192.0.2.1:51234", "ipv6:%5B2001:db8::1%5D:51234". All zeros for
// one that has no address, such as a call from within the process.
IpAddress AddressOf(absl::string_view peer);

// What stands for everybody who may well be the same: an IPv4 address, or the /64 of an IPv6 address, because whoever
// has one address of it has them all.
IpAddress PeerGroup(const IpAddress& address);

struct AddressRange {
  IpAddress first{};
  int bits = 128;  // that all its addresses have in common

  bool Contains(const IpAddress& address) const;
};

// Reads "127.0.0.0/8, ::1"; empty: none. An error says which part of it is wrong.
absl::StatusOr<std::vector<AddressRange>> ParseAddressRanges(absl::string_view text);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_PEER_ADDRESS_H_
