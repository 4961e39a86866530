// Perft counts its last two plies at once, one ply alone with the common generator. Here each checks the other, where
// the rules are at their oddest.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position.h"
#include "tests/support/perft_suite.h"
#include "tests/support/positions.h"
#include "tests/support/random_game.h"

namespace kibitz {
namespace {

// Three plies end with two at once, two with one.
void ExpectSameCounts(const Position& position) {
  std::uint64_t one_by_one = 0;
  for (Move move : LegalMoves(position)) {
    Position after = position;
    after.MakeMove(move);
    one_by_one += *Perft(after, 2);
  }
  ASSERT_EQ(*Perft(position, 3), one_by_one) << ToFen(position);
}

class LastPliesTest : public testing::TestWithParam<SuitePosition> {};

TEST_P(LastPliesTest, CountsTheSuiteLikeOneByOne) {
  Position position = GetParam().Parse();
  ForEachNode(position, 1, [](const Position& node, int) { ExpectSameCounts(node); });
}

INSTANTIATE_TEST_SUITE_P(Suite, LastPliesTest, EverySuitePosition(), SuiteName);

// Men anywhere, kings and rooks often at home, where both sides may have castling rights of Chess960.
class RandomBoard {
 public:
  explicit RandomBoard(RandomGame& random) : random_(random) {
    const bool home = random.Below(2) == 0;
    Place('K', home ? 1 : 0, home ? 7 : 64);
    Place('k', home ? 57 : 0, home ? 63 : 64);
    for (int i = 0; home && i < 2; ++i) {
      Place('R', 0, 8);
      Place('r', 56, 64);
    }
    constexpr char kMen[] = "PPPPppppNnBbRrQqPpBbRrQq";
    for (int i = random.Below(30); i >= 0; --i) {
      const char man = kMen[random.Below(sizeof(kMen) - 1)];
      const bool pawn = man == 'P' || man == 'p';
      Place(man, pawn ? 8 : 0, pawn ? 56 : 64);
    }
  }

  std::string Fen() {
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
      for (int file = 0; file < 8; ++file) fen += men_[rank * 8 + file] == 0 ? '1' : men_[rank * 8 + file];
      if (rank > 0) fen += '/';
    }
    // Consecutive empty squares are one number.
    for (int run = 8; run > 1; --run) {
      const std::string ones(run, '1');
      for (std::size_t at; (at = fen.find(ones)) != std::string::npos;) fen.replace(at, run, 1, '0' + run);
    }
    const std::string rights = Rights('K', 'R', 0) + Rights('k', 'r', 56);
    return fen + (random_.Below(2) == 0 ? " w " : " b ") + (rights.empty() ? "-" : rights) + " - 0 1";
  }

 private:
  void Place(char man, int from, int to) {
    const int square = from + random_.Below(to - from);
    if (men_[square] == 0) men_[square] = man;
  }

  // The outermost rooks of a king on its back rank, each perhaps.
  std::string Rights(char king, char rook, int rank) {
    std::string back(&men_[rank], 8);
    const std::size_t home = back.find(king);
    if (home == std::string::npos) return "";
    std::string rights;
    for (std::size_t at : {back.find(rook), back.rfind(rook)}) {
      const bool outermost = at != std::string::npos && (at < home) == (at == back.find(rook));
      if (!outermost || random_.Below(4) == 0) continue;
      rights += static_cast<char>((rank == 0 ? 'A' : 'a') + at);
    }
    return rights;
  }

  RandomGame& random_;
  std::array<char, 64> men_{};
};

TEST(LastPliesRandomTest, CountsOddBoardsLikeOneByOne) {
  RandomGame random(20261119);
  int boards = 0, castlers = 0;
  for (int i = 0; i < 20'000 && !testing::Test::HasFatalFailure(); ++i) {
    const absl::StatusOr<Position> position = ParseFen(RandomBoard(random).Fen(), Variant::kChess960);
    if (!position.ok()) continue;  // a king in check on the wrong turn, too many men
    ++boards;
    castlers += position->board().castling_rooks != 0;
    ExpectSameCounts(*position);
  }
  EXPECT_GT(boards, 2'000);
  EXPECT_GT(castlers, 300);
}

TEST(LastPliesRandomTest, SeesAnAttackOnTheRooksSquareWhereItsKingWouldCastleTo) {
  ExpectSameCounts(MustParse("r1k3r1/8/4P3/4PB2/n7/8/8/RK4R1 w AGag - 0 1", Variant::kChess960));
}

}  // namespace
}  // namespace kibitz
