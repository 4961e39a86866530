// Random games, compared with Stockfish at every ply: legal moves, counts below each of them, FEN. The games are the
// same in every run; other games are played by bazel test --test_arg=--gtest_random_seed=N, with N from 1 to 99999.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/support/perft_suite.h"
#include "tests/support/positions.h"
#include "tests/support/random_game.h"
#include "tests/support/stockfish.h"

namespace kibitz {
namespace {

constexpr int kDepth = 2;
constexpr int kEnPassantField = 3;

std::map<std::string, std::uint64_t> Divide(const Position& position) {
  std::map<std::string, std::uint64_t> divide;
  PerftOptions options;
  options.on_root_move = [&](Move move, std::uint64_t nodes) { divide[ToUci(move, position.variant())] = nodes; };
  EXPECT_TRUE(Perft(position, kDepth, options).ok());
  return divide;
}

bool CanCaptureEnPassant(const Position& position) {
  for (Move move : LegalMoves(position)) {
    if (move.kind() == Move::Kind::kEnPassant) return true;
  }
  return false;
}

// Stockfish names the en-passant square whenever a pawn stands ready, we only if it may legally capture. The moves have
// been found equal, so they tell which of the two holds.
std::string AsWeWriteIt(const std::string& stockfish_fen, const Position& position) {
  std::vector<std::string> fields = absl::StrSplit(stockfish_fen, ' ');
  if (!CanCaptureEnPassant(position)) fields[kEnPassantField] = "-";
  return absl::StrJoin(fields, " ");
}

class DifferentialTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::optional<std::string> program = Stockfish::Find();
    if (!program) GTEST_SKIP() << "no Stockfish on PATH or in /usr/games: nothing was compared";
    absl::StatusOr<Stockfish> started = Stockfish::Start(*program);
    ASSERT_TRUE(started.ok()) << started.status();
    stockfish_.emplace(*std::move(started));
  }

  void TearDown() override { RecordProperty("positions_compared", compared_); }

  static RandomGame Random(std::uint64_t test) {
    return RandomGame(test + 10 * static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)));
  }

  // Plays up to `plies` moves and compares after each.
  void Play(const std::string& fen, Variant variant, int plies, RandomGame& random) {
    Position position = MustParse(fen, variant);
    std::vector<std::string> moves;
    for (int ply = 0; ply <= plies; ++ply) {
      SCOPED_TRACE(absl::StrCat("position fen ", fen, " moves ", absl::StrJoin(moves, " ")));
      ASSERT_NO_FATAL_FAILURE(Compare(position, fen, moves));
      const Move move = random.PickMove(position);
      if (move.IsNone()) break;
      moves.push_back(ToUci(move, variant));
      position.MakeMove(move);
    }
  }

  void Compare(const Position& position, const std::string& fen, const std::vector<std::string>& moves) {
    const absl::StatusOr<Stockfish::Report> theirs = stockfish_->Look(position.variant(), fen, moves, kDepth);
    ASSERT_TRUE(theirs.ok()) << theirs.status();
    ASSERT_EQ(Divide(position), theirs->divide);
    ASSERT_EQ(ToFen(position, CastlingNotation::kShredder), AsWeWriteIt(theirs->fen, position));
    ++compared_;
  }

  std::optional<Stockfish> stockfish_;
  int compared_ = 0;
};

TEST_F(DifferentialTest, AgreesOnStandardGames) {
  RandomGame random = Random(1);
  for (int game = 0; game < 24; ++game) ASSERT_NO_FATAL_FAILURE(Play(kStartFen, Variant::kStandard, 100, random));
  EXPECT_GT(compared_, 1500);
}

TEST_F(DifferentialTest, AgreesOnChess960Games) {
  RandomGame random = Random(2);
  for (int game = 0; game < 24; ++game) {
    ASSERT_NO_FATAL_FAILURE(Play(random.Chess960Start(), Variant::kChess960, 100, random));
  }
  EXPECT_GT(compared_, 1500);
}

TEST_F(DifferentialTest, AgreesOnGamesFromRarePositions) {
  RandomGame random = Random(3);
  for (const SuitePosition& start : PerftSuite()) {
    ASSERT_NO_FATAL_FAILURE(Play(start.fen, start.variant, 10, random));
  }
  EXPECT_GT(compared_, 1500);
}

}  // namespace
}  // namespace kibitz
