#include "server/metrics/exporter.h"

#include <gtest/gtest.h>

#include <string>

namespace kibitz::server {
namespace {

TEST(ExporterTest, APortAloneIsOneOfThisMachine) {
  ASSERT_TRUE(ParseMetricsAddress("9464").ok());
  EXPECT_EQ(ParseMetricsAddress("9464")->ToString(), "127.0.0.1:9464");
  EXPECT_EQ(ParseMetricsAddress("0.0.0.0:1")->ToString(), "0.0.0.0:1");
  EXPECT_EQ(ParseMetricsAddress("[::1]:1")->ToString(), "[::1]:1");
  for (const char* text : {"", "port", "65536", "-1", ":9464", "127.0.0.1:"}) {
    EXPECT_FALSE(ParseMetricsAddress(text).ok()) << text;
  }
}

TEST(ExporterTest, APortThatIsTakenIsAClearError) {
  const auto first = Exporter::Start({"127.0.0.1", 0}, [] { return ServerStatus(); });
  ASSERT_TRUE(first.ok()) << first.status();
  const std::string url = (*first)->url();
  const std::size_t colon = url.rfind(':');
  const int port = std::stoi(url.substr(colon + 1));
  EXPECT_GT(port, 0);
  const auto second = Exporter::Start({"127.0.0.1", port}, [] { return ServerStatus(); });
  ASSERT_FALSE(second.ok());
  EXPECT_NE(std::string(second.status().message()).find("is in use"), std::string::npos) << second.status();
  EXPECT_NE(std::string(second.status().message()).find("metrics"), std::string::npos) << second.status();
}

}  // namespace
}  // namespace kibitz::server
