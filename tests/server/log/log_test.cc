#include "server/log/log.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "nlohmann/json.hpp"
#include "spdlog/details/log_msg.h"

namespace kibitz::server {
namespace {

std::string Line(LogFormat format, const std::string& message, const std::string& logger = "") {
  const spdlog::log_clock::time_point time(std::chrono::milliseconds(1'790'000'000'060));
  const spdlog::details::log_msg entry(time, {}, logger, spdlog::level::info, message);
  spdlog::memory_buf_t line;
  MakeLogFormatter(format)->format(entry, line);
  return std::string(line.data(), line.size());
}

// Bytes of all kinds: text, controls, halves of characters.
std::string RandomBytes(std::mt19937& random) {
  static constexpr const char* kPieces[] = {
      "\n",       "\r\n", "\"",       "\\",           "{",           "}", "\x1b[31m", "\xe2\x82\xac",
      "\xe2\x82", "\xff", "\xc0\x80", "\xed\xa0\x80", "plain words", "=", "\t",       "\x7f"};
  std::string bytes;
  for (unsigned i = random() % 20; i > 0; --i) {
    if (random() % 4 == 0) {
      bytes.push_back(static_cast<char>(random()));  // NUL as well
    } else {
      bytes += kPieces[random() % std::size(kPieces)];
    }
  }
  return bytes;
}

TEST(LogTest, JsonIsAnObjectOnALine) {
  EXPECT_EQ(Line(LogFormat::kJson, "all \"is\" well"),
            "{\"time\":\"2026-09-21T14:13:20.060Z\",\"level\":\"info\",\"message\":\"all \\\"is\\\" well\"}\n");
}

TEST(LogTest, FieldsAreMembersOfTheObject) {
  EXPECT_EQ(Line(LogFormat::kJson, "\"message\":\"call\",\"nodes\":7", kFieldsLogger),
            "{\"time\":\"2026-09-21T14:13:20.060Z\",\"level\":\"info\",\"message\":\"call\",\"nodes\":7}\n");
}

TEST(LogTest, TextEscapesWhatATerminalWouldObey) {
  const std::string line = Line(LogFormat::kText, "two\nlines \x1b[31m\xff");
  EXPECT_NE(line.find(" info two\\x0alines \\x1b[31m\\xff\n"), std::string::npos) << line;
}

TEST(LogTest, WhateverIsLoggedIsOneLine) {
  std::mt19937 random(20260917);
  for (int i = 0; i < 20'000; ++i) {
    const std::string message = RandomBytes(random);
    const std::string json = Line(LogFormat::kJson, message);
    EXPECT_EQ(json.find('\n'), json.size() - 1);
    const nlohmann::json parsed = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(parsed.is_object()) << json;
    EXPECT_TRUE(parsed.at("message").is_string());
    const std::string text = Line(LogFormat::kText, message);
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    for (const char c : text.substr(0, text.size() - 1)) ASSERT_TRUE(c >= ' ' && c <= '~') << text;
  }
}

TEST(LogTest, ALongMessageIsCut) {
  const std::string message(1 << 20, 'a');
  EXPECT_LT(Line(LogFormat::kJson, message).size(), 5000u);
  EXPECT_LT(Line(LogFormat::kText, message).size(), 5000u);
}

}  // namespace
}  // namespace kibitz::server
