#include "engine/tablebase/tablebases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"
#include "tests/support/positions.h"
#include "tests/support/random_game.h"
#include "tests/support/syzygy.h"

namespace kibitz {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Tablebases> MustOpen() {
  absl::StatusOr<std::unique_ptr<Tablebases>> tables = Tablebases::Open(*FindSyzygyTables());
  EXPECT_TRUE(tables.ok()) << tables.status();
  return *std::move(tables);
}

// A fresh folder that goes with the test.
class TablebaseFolderTest : public testing::Test {
 protected:
  TablebaseFolderTest() { std::filesystem::create_directory(folder_); }
  ~TablebaseFolderTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "/tablebases";
};

TEST_F(TablebaseFolderTest, NamesAFolderThatIsMissing) {
  EXPECT_THAT(Tablebases::Open(folder_ + ":/nonexistent/tables").status().message(),
              HasSubstr("'/nonexistent/tables'"));
  EXPECT_FALSE(Tablebases::Open("").ok());
}

TEST_F(TablebaseFolderTest, SaysThatThereAreNoTables) {
  EXPECT_THAT(Tablebases::Open(folder_).status().message(), HasSubstr("no Syzygy tables in " + folder_));
}

TEST_F(TablebaseFolderTest, NamesAFileThatIsCutOff) {
  std::ofstream(folder_ + "/KQvK.rtbw") << "short";
  EXPECT_THAT(Tablebases::Open(folder_).status().message(), HasSubstr("KQvK.rtbw is damaged"));
}

TEST_F(TablebaseFolderTest, KeepsOneSetPerProcess) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  std::unique_ptr<Tablebases> first = MustOpen();
  std::unique_ptr<Tablebases> second = MustOpen();
  EXPECT_EQ(Tablebases::Open(folder_).status().code(), absl::StatusCode::kFailedPrecondition);
  first.reset();
  // What the second shares is still open.
  EXPECT_EQ(second->Probe(MustParse("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")), TablebaseResult::kWin);
  second.reset();
  EXPECT_EQ(Tablebases::Open(folder_).status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(MustOpen(), nullptr);
}

TEST(TablebasesTest, KnowsResults) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  EXPECT_EQ(tables->max_pieces(), 4);
  const auto probe = [&](const char* fen) { return tables->Probe(MustParse(fen)); };
  EXPECT_EQ(probe("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), TablebaseResult::kWin);
  EXPECT_EQ(probe("4k3/8/8/8/8/8/8/3QK3 b - - 0 1"), TablebaseResult::kLoss);
  EXPECT_EQ(probe("4k3/8/8/8/8/8/8/3NK3 w - - 0 1"), TablebaseResult::kDraw);
  // The opposition decides.
  EXPECT_EQ(probe("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), TablebaseResult::kLoss);
  EXPECT_EQ(probe("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), TablebaseResult::kDraw);
}

TEST(TablebasesTest, CountsEnPassant) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  // Only taking in passing wins.
  EXPECT_EQ(tables->Probe(MustParse("8/8/8/8/1pP2K2/8/8/1k6 b - c3 0 1")), TablebaseResult::kWin);
  EXPECT_EQ(tables->Probe(MustParse("8/8/8/8/1pP2K2/8/8/1k6 b - - 0 1")), TablebaseResult::kDraw);
}

TEST(TablebasesTest, SaysNothingWhereItKnowsNothing) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  for (const char* fen : {kStartFen, "4k3/8/8/8/8/8/8/3QKRR1 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}) {
    EXPECT_EQ(tables->Probe(MustParse(fen)), std::nullopt) << fen;
    EXPECT_TRUE(tables->RankMoves(MustParse(fen)).empty()) << fen;
  }
  EXPECT_EQ(tables->Probe(MustParse("4k3/8/8/8/8/8/8/3QK3 w - - 1 1")), std::nullopt) << "the clock runs";
}

// The position with an empty clock.
Position WithoutClock(const Position& position) {
  return *Position::FromSetup({.board = position.board(), .variant = position.variant()});
}

// Up to four pieces on random squares, or nothing if that is no legal position.
absl::StatusOr<Position> RandomPosition(RandomGame& random) {
  Setup setup;
  setup.board.side_to_move = random.Below(2) == 0 ? Color::kWhite : Color::kBlack;
  const auto place = [&](Color color, PieceType type) {
    const Bitboard square = Bit(SquareAt(random.Below(kNumSquares)));
    if (setup.board.Occupied() & square) return;
    setup.board.by_color[Index(color)] |= square;
    setup.board.by_type[Index(type)] |= square;
  };
  place(Color::kWhite, PieceType::kKing);
  place(Color::kBlack, PieceType::kKing);
  for (int i = 0; i < 2; ++i) {
    place(random.Below(2) == 0 ? Color::kWhite : Color::kBlack, static_cast<PieceType>(random.Below(5)));
  }
  return Position::FromSetup(setup);
}

TablebaseResult Opposite(TablebaseResult result) { return static_cast<TablebaseResult>(4 - static_cast<int>(result)); }

TEST(TablebasesTest, AgreesWithItsOwnAnswersOneMoveOn) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  RandomGame random(7);
  int checked = 0;
  while (checked < 2000) {
    const absl::StatusOr<Position> position = RandomPosition(random);
    if (!position.ok() || !position->HasLegalMove()) continue;
    const std::vector<RankedMove> ranking = tables->RankMoves(*position);
    ASSERT_EQ(static_cast<int>(ranking.size()), CountLegalMoves(position->board())) << ToFen(*position);
    for (const RankedMove& each : ranking) {
      Position next = *position;
      next.MakeMove(each.move);
      const TablebaseResult result = Opposite(*tables->Probe(WithoutClock(next)));
      ASSERT_EQ(each.result, result) << ToFen(*position) << " " << ToUci(each.move, Variant::kStandard);
    }
    ASSERT_EQ(*tables->Probe(*position), ranking.front().result) << ToFen(*position);
    ++checked;
  }
}

TEST(TablebasesTest, RanksTheMovesThatStillWinInTime) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  // A long mate with the clock far run down: nothing wins any more, but with a fresh clock much does.
  const std::vector<RankedMove> late = tables->RankMoves(MustParse("8/8/8/8/8/2k5/8/KBN5 w - - 90 100"));
  EXPECT_EQ(late.front().result, TablebaseResult::kCursedWin);
  EXPECT_EQ(tables->RankMoves(MustParse("8/8/8/8/8/2k5/8/KBN5 w - - 0 100")).front().result, TablebaseResult::kWin);
}

TEST(TablebasesTest, AnswersManyThreadsAtOnce) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  const std::unique_ptr<Tablebases> tables = MustOpen();
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&tables, seed] {
      RandomGame random(seed);
      for (int i = 0; i < 5000; ++i) {
        const absl::StatusOr<Position> position = RandomPosition(random);
        if (!position.ok() || !position->HasLegalMove()) continue;
        ASSERT_EQ(*tables->Probe(*position), tables->RankMoves(*position).front().result) << ToFen(*position);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace kibitz
