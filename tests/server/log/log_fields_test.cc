#include "server/log/log_fields.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "nlohmann/json.hpp"

namespace kibitz::server {
namespace {

TEST(LogFieldsTest, TextAndJsonSayTheSame) {
  LogFields fields("call");
  fields.Add("method", "/a.B/C").Add("nodes", std::int64_t{1234}).Add("duration_ms", 0.25);
  EXPECT_EQ(fields.text(), "call method=/a.B/C nodes=1234 duration_ms=0.2");
  EXPECT_EQ(fields.json(), "\"message\":\"call\",\"method\":\"/a.B/C\",\"nodes\":1234,\"duration_ms\":0.2");
}

TEST(LogFieldsTest, AValueIsNeverTakenForMoreThanOne) {
  EXPECT_EQ(LogFields("call").Add("a", "one two").text(), "call a=\"one two\"");
  EXPECT_EQ(LogFields("call").Add("a", "x=\"y\"").text(), "call a=\"x=\\\"y\\\"\"");
  EXPECT_EQ(LogFields("call").Add("a", "").text(), "call a=\"\"");
}

TEST(LogFieldsTest, JsonHoldsWhateverTheValueHolds) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string value;
    for (unsigned j = random() % 12; j > 0; --j) value.push_back(static_cast<char>(random()));
    const LogFields fields = LogFields("call").Add("value", value).Add("after", std::int64_t{1});
    const auto parsed = nlohmann::json::parse("{" + fields.json() + "}", nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(parsed.is_object()) << fields.json();
    EXPECT_EQ(parsed.at("after"), 1);
    ASSERT_EQ(fields.text().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace kibitz::server
