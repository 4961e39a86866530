#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "client/http/backoff.h"
#include "client/http/json.h"
#include "client/http/request.h"

namespace kibitz::client::http {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

TEST(RequestTest, EscapesWhatServersHaveSaid) {
  EXPECT_EQ(PathOf({"api", "..", "a/../b", "x y", "ö"}), "/api/%2E%2E/a%2F..%2Fb/x%20y/%C3%B6");
  EXPECT_EQ(FormOf({{"a b", "c=d"}, {"e", ""}}), "a%20b=c%3Dd&e=");
}

TEST(RequestTest, AnswersHaveAMeaning) {
  EXPECT_TRUE(StatusOf({{.status = 204}, ""}).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(StatusOf({{.status = 429}, ""})));
  EXPECT_TRUE(absl::IsUnavailable(StatusOf({{.status = 502}, "<html>"})));
  EXPECT_TRUE(absl::IsPermissionDenied(StatusOf({{.status = 403}, ""})));
  EXPECT_EQ(StatusOf({{.status = 500}, R"({"error":{"x":[1]}})"}).message(), R"(HTTP status 500: {"x":[1]})");
  EXPECT_EQ(StatusOf({{.status = 500}, "{\"error\":\"\xff\"}"}).message(), "HTTP status 500");
  EXPECT_LT(StatusOf({{.status = 500}, R"({"error":")" + std::string(1000, 'x') + R"("})"}).message().size(), 300);
}

TEST(RequestTest, ReadsHowLongToWait) {
  const auto after = [](const char* value) { return RetryAfter({.headers = {{"retry-after", value}}}); };
  EXPECT_EQ(after("5"), absl::Seconds(5));
  EXPECT_EQ(after("1e9"), absl::Hours(24));
  EXPECT_EQ(after("-1"), std::nullopt);
  EXPECT_EQ(after("nan"), std::nullopt);
  EXPECT_EQ(after("Fri, 31 Dec 1999 23:59:59 GMT"), std::nullopt);
  EXPECT_EQ(RetryAfter({}), std::nullopt);
}

TEST(RequestTest, StrangersWordsAreHarmless) {
  EXPECT_EQ(OneLine("a\nb\x1b[2J\xc2\x9b"), "a b [2J??");
  EXPECT_EQ(OneLine("abcdef", 3), "abc...");
}

TEST(JsonTest, ReadsMembersOfTheRightKind) {
  const auto json = ParseJson(R"({"s":"x","b":true,"i":7,"f":1.5,"big":18446744073709551615,"o":{},"a":[]})");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(StringAt(*json, "s"), "x");
  EXPECT_EQ(StringAt(*json, "i"), std::nullopt);
  EXPECT_EQ(BoolAt(*json, "b"), true);
  EXPECT_EQ(IntegerAt(*json, "i"), 7);
  EXPECT_EQ(IntegerAt(*json, "f"), std::nullopt);
  EXPECT_EQ(IntegerAt(*json, "big"), std::nullopt);
  EXPECT_NE(ObjectAt(*json, "o"), nullptr);
  EXPECT_EQ(ObjectAt(*json, "a"), nullptr);
  EXPECT_NE(ArrayAt(*json, "a"), nullptr);
  EXPECT_EQ(StringAt((*json)["a"], "s"), std::nullopt);
}

TEST(JsonTest, RefusesWhatIsNone) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "\xff", "nul", "{\"a\":1}x", "1e999", "\"\\ud800\""}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseJson(text).status())) << text;
  }
}

TEST(JsonTest, RefusesWhatIsTooDeep) {
  EXPECT_TRUE(ParseJson(std::string(32, '[') + std::string(32, ']')).ok());
  EXPECT_FALSE(ParseJson(std::string(33, '[') + std::string(33, ']')).ok());
  EXPECT_THAT(ParseJson(std::string(1'000'000, '[')).status().message(), HasSubstr("levels deep"));
  EXPECT_TRUE(ParseJson("\"" + std::string(100, '[') + "\\\"[\"").ok()) << "brackets in a string are none";
}

TEST(BackoffTest, PausesGrowAndVary) {
  Backoff backoff({.first = absl::Seconds(1), .longest = absl::Seconds(5), .factor = 2, .jitter = 0.5}, 1);
  const absl::Duration pauses[] = {absl::Seconds(1), absl::Seconds(2), absl::Seconds(4), absl::Seconds(5),
                                   absl::Seconds(5)};
  for (const absl::Duration pause : pauses) EXPECT_THAT(backoff.Next(), AllOf(Ge(pause / 2), Le(pause)));
  EXPECT_NE(backoff.Next(), backoff.Next());
  backoff.Reset();
  EXPECT_LE(backoff.Next(), absl::Seconds(1));
}

}  // namespace
}  // namespace kibitz::client::http
