#include "server/rpc/peer_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>
#include <vector>

namespace kibitz::server {
namespace {

IpAddress Address(const std::string& text) {
  const absl::StatusOr<std::vector<AddressRange>> ranges = ParseAddressRanges(text);
  EXPECT_TRUE(ranges.ok() && ranges->size() == 1) << text;
  return ranges->front().first;
}

bool Contains(const std::string& ranges, const std::string& address) {
  const absl::StatusOr<std::vector<AddressRange>> parsed = ParseAddressRanges(ranges);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  for (const AddressRange& range : *parsed) {
    if (range.Contains(Address(address))) return true;
  }
  return false;
}

TEST(PeerAddressTest, AddressesOfBothKindsAreRead) {
  sockaddr_storage socket{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(socket);
  v4.sin_family = AF_INET;
  inet_pton(AF_INET, "192.0.2.7", &v4.sin_addr);
  EXPECT_EQ(AddressOf(socket), Address("192.0.2.7"));
  EXPECT_EQ(AddressOf(socket), Address("::ffff:192.0.2.7"));
  sockaddr_storage other{};
  auto& v6 = reinterpret_cast<sockaddr_in6&>(other);
  v6.sin6_family = AF_INET6;
  inet_pton(AF_INET6, "2001:db8::7", &v6.sin6_addr);
  EXPECT_EQ(AddressOf(other), Address("2001:db8::7"));
}

TEST(PeerAddressTest, ReadsTheNamesThatGrpcGivesPeers) {
  EXPECT_EQ(AddressOf("ipv4:192.0.2.7:51234"), Address("192.0.2.7"));
  EXPECT_EQ(AddressOf("ipv6:%5B2001:db8::7%5D:51234"), Address("2001:db8::7"));
  for (const char* name : {"", "inproc", "ipv4:", "ipv4:nonsense:1", "ipv6:2001:db8::7:1", "unix:/socket"}) {
    EXPECT_EQ(AddressOf(name), IpAddress()) << name;
  }
}

TEST(PeerAddressTest, AnIpv4AddressStandsForItself) {
  EXPECT_EQ(PeerGroup(Address("192.0.2.7")), Address("192.0.2.7"));
  EXPECT_NE(PeerGroup(Address("192.0.2.7")), PeerGroup(Address("192.0.2.8")));
}

TEST(PeerAddressTest, TheSame64IsTheSamePeer) {
  EXPECT_EQ(PeerGroup(Address("2001:db8:1:2::1")), PeerGroup(Address("2001:db8:1:2:ffff::9")));
  EXPECT_NE(PeerGroup(Address("2001:db8:1:2::1")), PeerGroup(Address("2001:db8:1:3::1")));
}

TEST(PeerAddressTest, RangesContainWhatTheirBitsSay) {
  EXPECT_TRUE(Contains("127.0.0.0/8,::1", "127.9.9.9"));
  EXPECT_TRUE(Contains("127.0.0.0/8, ::1", "::1"));
  EXPECT_FALSE(Contains("127.0.0.0/8,::1", "128.0.0.1"));
  EXPECT_FALSE(Contains("127.0.0.0/8,::1", "::2"));
  EXPECT_TRUE(Contains("10.1.2.128/25", "10.1.2.129"));
  EXPECT_FALSE(Contains("10.1.2.128/25", "10.1.2.127"));
  EXPECT_TRUE(Contains("0.0.0.0/0", "198.51.100.1"));
  EXPECT_FALSE(Contains("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(Contains("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(Contains("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_FALSE(Contains("", "127.0.0.1"));
}

TEST(PeerAddressTest, WhatIsWrongIsNamed) {
  for (const char* text : {"localhost", "10.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8",
                           "127.0.0.1:80", "10.0.0.1;10.0.0.2"}) {
    const auto ranges = ParseAddressRanges(std::string("127.0.0.1,") + text);
    EXPECT_TRUE(absl::IsInvalidArgument(ranges.status())) << text;
    EXPECT_NE(ranges.status().message().find(text), std::string::npos) << ranges.status();
  }
}

}  // namespace
}  // namespace kibitz::server
