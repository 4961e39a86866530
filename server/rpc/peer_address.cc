#include "server/rpc/peer_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace kibitz::server {
namespace {

constexpr IpAddress kIpv4Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t kIpv4Start = 12;
constexpr int kIpv4Bits = 96;  // before those of the IPv4 address
constexpr std::size_t kGroupBytes = 8;

bool IsIpv4(const IpAddress& address) {
  return std::equal(kIpv4Prefix.begin(), kIpv4Prefix.begin() + kIpv4Start, address.begin());
}

IpAddress FromIpv4(const in_addr& v4) {
  IpAddress address = kIpv4Prefix;
  std::memcpy(&address[kIpv4Start], &v4, sizeof(v4));
  return address;
}

// False when the text is no address.
bool ParseIpv4(const std::string& text, IpAddress& address) {
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) != 1) return false;
  address = FromIpv4(v4);
  return true;
}

bool ParseIpv6(const std::string& text, IpAddress& address) {
  return inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

absl::StatusOr<AddressRange> ParseAddressRange(absl::string_view text) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('/', 1));
  AddressRange range;
  int most = 128;
  if (ParseIpv4(parts.first, range.first)) {
    most = 32;
  } else if (!ParseIpv6(parts.first, range.first)) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' is not an IP address or ADDRESS/BITS"));
  }
  int bits = most;
  const bool has_bits = absl::StrContains(text, '/');
  if (has_bits && (!absl::SimpleAtoi(parts.second, &bits) || bits < 0 || bits > most)) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': the bits are a number from 0 to ", most));
  }
  range.bits = most == 32 ? kIpv4Bits + bits : bits;
  return range;
}

}  // namespace

IpAddress AddressOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return FromIpv4(reinterpret_cast<const sockaddr_in&>(address).sin_addr);
  IpAddress result;
  std::memcpy(result.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, result.size());
  return result;
}

IpAddress AddressOf(absl::string_view peer) {
  IpAddress address{};
  absl::string_view text = peer.substr(0, peer.rfind(':'));
  if (absl::ConsumePrefix(&text, "ipv4:")) {
    ParseIpv4(std::string(text), address);
  } else if (absl::ConsumePrefix(&text, "ipv6:%5B") && absl::ConsumeSuffix(&text, "%5D")) {
    ParseIpv6(std::string(text), address);
  }
  return address;
}

IpAddress PeerGroup(const IpAddress& address) {
  IpAddress group = address;
  if (!IsIpv4(address)) std::fill(group.begin() + kGroupBytes, group.end(), 0);
  return group;
}

bool AddressRange::Contains(const IpAddress& address) const {
  for (int bit = 0; bit < bits; ++bit) {
    const int mask = 0x80 >> (bit % 8);
    if (((first[bit / 8] ^ address[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

absl::StatusOr<std::vector<AddressRange>> ParseAddressRanges(absl::string_view text) {
  std::vector<AddressRange> ranges;
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    absl::StatusOr<AddressRange> range = ParseAddressRange(absl::StripAsciiWhitespace(part));
    if (!range.ok()) return range.status();
    ranges.push_back(*range);
  }
  return ranges;
}

}  // namespace kibitz::server
