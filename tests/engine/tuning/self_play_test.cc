#include "engine/tuning/self_play.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/tuning/sample.h"

namespace kibitz::tuning {
namespace {

constexpr SelfPlayOptions kFast{.nodes = 300};

TEST(SelfPlayTest, TheSameSeedGivesTheSameGame) {
  const std::vector<Sample> first = PlayGame(7, kFast);
  const std::vector<Sample> again = PlayGame(7, kFast);
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(ToLine(first[i]), ToLine(again[i]));
  EXPECT_NE(ToLine(PlayGame(8, kFast).front()), ToLine(first.front()));
}

TEST(SelfPlayTest, GivesQuietPositionsWithOneResult) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<Sample> samples = PlayGame(seed, kFast);
    ASSERT_FALSE(samples.empty());
    std::set<double> results;
    for (const Sample& sample : samples) {
      const absl::StatusOr<Position> position = ParseFen(sample.fen);
      ASSERT_TRUE(position.ok()) << sample.fen;
      EXPECT_FALSE(position->InCheck()) << sample.fen;
      results.insert(sample.result);
    }
    EXPECT_EQ(results.size(), 1u);
  }
}

TEST(SampleTest, GoesToTextAndBack) {
  const Sample sample{"8/8/8/4k3/8/8/8/R3K3 w - - 0 1", -35, 0.5};
  const absl::StatusOr<Sample> back = ParseSample(ToLine(sample));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->fen, sample.fen);
  EXPECT_EQ(back->value, sample.value);
  EXPECT_EQ(back->result, sample.result);
  for (const char* bad : {"", "a", "a\tb\t1", "a\t1\t2", "a\t1\t0.5\tx"}) EXPECT_FALSE(ParseSample(bad).ok()) << bad;
}

}  // namespace
}  // namespace kibitz::tuning
