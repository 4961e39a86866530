#include "client/uci/go_request.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "client/uci/command.h"

namespace kibitz::client::uci {
namespace {

using std::chrono::milliseconds;

Go ParseGo(const std::string& line) { return std::get<Go>(ParseCommand(line)); }

v1::AnalyzeRequest Request(const std::string& line, const Options& options = {}) {
  v1::GetServerInfoResponse::Caps caps;
  caps.set_max_depth(100);
  caps.set_max_threads(4);
  caps.set_max_multi_pv(10);
  return ToRequest(ParseGo(line), options, caps);
}

TEST(GoRequestTest, BringsNumbersWithinTheServersBounds) {
  EXPECT_EQ(Request("go depth 0").limits().depth(), 1);
  EXPECT_EQ(Request("go depth 1000000000000").limits().depth(), 100);
  EXPECT_EQ(Request("go nodes -3").limits().nodes(), 1);
  EXPECT_EQ(Request("go mate 1000").limits().mate(), 50);
  EXPECT_EQ(Request("go movetime 0").limits().movetime().nanos(), 1'000'000);
  EXPECT_EQ(Request("go movetime 999999999999").limits().movetime().seconds(), 24 * 60 * 60);
  EXPECT_EQ(Request("go", {.threads = 64, .multi_pv = 200}).threads(), 4);
  EXPECT_EQ(Request("go", {.threads = 64, .multi_pv = 200}).multi_pv(), 10);
}

TEST(GoRequestTest, PlaysByTheClock) {
  const v1::Limits limits = Request("go wtime 61500 btime -20 winc 100 movestogo 9", {.move_overhead_ms = 30}).limits();
  EXPECT_EQ(limits.clock().white_time().seconds(), 61);
  EXPECT_EQ(limits.clock().white_time().nanos(), 500'000'000);
  EXPECT_EQ(limits.clock().black_time().seconds(), 0);
  EXPECT_EQ(limits.clock().black_time().nanos(), 0);
  EXPECT_EQ(limits.clock().white_increment().nanos(), 100'000'000);
  EXPECT_EQ(limits.clock().moves_to_go(), 9);
  EXPECT_EQ(limits.move_overhead().nanos(), 30'000'000);
  EXPECT_FALSE(limits.infinite());
}

TEST(GoRequestTest, SearchesForEverWithoutALimit) {
  EXPECT_TRUE(Request("go").limits().infinite());
  EXPECT_TRUE(Request("go infinite").limits().infinite());
  EXPECT_TRUE(Request("go ponder").limits().infinite());
  EXPECT_FALSE(Request("go ponder depth 3").limits().infinite());
}

TEST(GoRequestTest, LimitsStrengthUnlessAnalysing) {
  EXPECT_EQ(Request("go depth 1", {.elo = 1800}).strength_elo(), 0);
  EXPECT_EQ(Request("go depth 1", {.limit_strength = true, .elo = 1800}).strength_elo(), 1800);
  EXPECT_EQ(Request("go depth 1", {.analyse_mode = true, .limit_strength = true, .elo = 1800}).strength_elo(), 0);
}

TEST(GoRequestTest, KnowsWhenAnAnswerIsOverdue) {
  const Options options{.move_overhead_ms = 10};
  EXPECT_EQ(LatestAnswer(ParseGo("go wtime 500 btime 900"), options, Color::kWhite), milliseconds(490));
  EXPECT_EQ(LatestAnswer(ParseGo("go wtime 500 btime 900"), options, Color::kBlack), milliseconds(890));
  EXPECT_EQ(LatestAnswer(ParseGo("go wtime -9"), options, Color::kWhite), milliseconds(20));
  EXPECT_EQ(LatestAnswer(ParseGo("go movetime 100"), options, Color::kWhite), milliseconds(2100));
  EXPECT_EQ(LatestAnswer(ParseGo("go depth 90"), options, Color::kWhite), std::nullopt);
  EXPECT_EQ(LatestAnswer(ParseGo("go infinite movetime 5"), options, Color::kWhite), std::nullopt);
}

}  // namespace
}  // namespace kibitz::client::uci
