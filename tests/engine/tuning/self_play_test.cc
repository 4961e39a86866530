#include "engine/tuning/self_play.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/tuning/record.h"
#include "engine/tuning/start.h"

namespace kibitz::tuning {
namespace {

constexpr SelfPlayOptions kFast{.nodes = 300, .siblings = 2, .sibling_nodes = 100};

TEST(SelfPlayTest, TheSameSeedGivesTheSameGame) {
  const PlayedGame first = PlayGame(7, kFast);
  EXPECT_TRUE(first.records == PlayGame(7, kFast).records);
  EXPECT_FALSE(first.records == PlayGame(8, kFast).records);
}

TEST(SelfPlayTest, GivesQuietPositionsAndTheResultToThoseOfTheGame) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const PlayedGame game = PlayGame(seed, kFast);
    std::set<Origin> origins;
    for (const Record& record : game.records) {
      const absl::StatusOr<Position> position = Unpack(record);
      ASSERT_TRUE(position.ok()) << position.status().message();
      EXPECT_FALSE(position->InCheck()) << ToFen(*position);
      const Label label = LabelOf(record);
      origins.insert(label.origin);
      if (label.origin == Origin::kGame) {
        EXPECT_EQ(label.result, game.half_points / 2.0);
      } else {
        EXPECT_FALSE(label.result.has_value());
      }
    }
    EXPECT_EQ(origins.size(), 2u);
  }
}

TEST(StartTest, EveryKindGivesGamesThatGoOn) {
  std::mt19937_64 random(5);
  std::array<int, kNumStartKinds> drawn{};
  for (int i = 0; i < 200; ++i) {
    const StartKind kind = DrawStartKind(random);
    ++drawn[static_cast<std::size_t>(kind)];
    const Position position = DrawStart(kind, nullptr, random);
    EXPECT_EQ(position.Status(), GameStatus::kOngoing) << ToFen(position);
    EXPECT_EQ(position.variant() == Variant::kChess960, kind == StartKind::kChess960);
  }
  for (const int count : drawn) EXPECT_GT(count, 0);
}

// Random games from every kind of start: castling rights of both kinds, pawns that passed, promotions.
TEST(RecordTest, HoldsEveryPositionExactly) {
  std::mt19937_64 random(6);
  int passed = 0;
  for (int game = 0; game < 300; ++game) {
    Position position = DrawStart(DrawStartKind(random), nullptr, random);
    for (int ply = 0; ply < 80 && position.Status() == GameStatus::kOngoing; ++ply) {
      const Record record = Pack(position, {.value = -35, .result = 0.5, .origin = Origin::kSibling});
      const absl::StatusOr<Position> back = Unpack(record);
      ASSERT_TRUE(back.ok()) << ToFen(position) << ": " << back.status().message();
      EXPECT_EQ(ToFen(*back), ToFen(position));
      EXPECT_EQ(LabelOf(record).value, -35);
      EXPECT_EQ(LabelOf(record).result, 0.5);
      EXPECT_EQ(LabelOf(record).origin, Origin::kSibling);
      passed += position.board().en_passant != Square::kNone ? 1 : 0;
      const MoveList moves = LegalMoves(position);
      position.MakeMove(moves[static_cast<int>(random() % static_cast<std::uint64_t>(moves.size()))]);
    }
  }
  EXPECT_GT(passed, 0);
}

TEST(RecordTest, RefusesWhatIsNoPosition) {
  std::mt19937_64 random(7);
  EXPECT_FALSE(Unpack(Record()).ok());
  for (int i = 0; i < 10'000; ++i) {
    Record record = Pack(Position(), {});
    record.occupied ^= 1ULL << random() % 64;
    record.pieces[random() % 16] ^= static_cast<std::uint8_t>(random());
    record.side_to_move = static_cast<std::uint8_t>(random() % 3);
    const absl::StatusOr<Position> position = Unpack(record);
    if (position.ok()) EXPECT_FALSE(ToFen(*position).empty());
  }
}

}  // namespace
}  // namespace kibitz::tuning
