#include "engine/book/polyglot_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/board/uci_move.h"
#include "engine/book/polyglot_key.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

constexpr char kGnuChessBook[] = "/usr/share/games/gnuchess/book.bin";

void AppendBigEndian(std::string& bytes, std::uint64_t value, int count) {
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
}

// One entry; the move as the format writes it, with the promotion's number (1 knight to 4 queen).
std::string Entry(Key key, const std::string& from_to, int weight, int promotion = 0) {
  const auto at = [&](std::size_t i, char first) { return static_cast<unsigned>(from_to[i] - first); };
  const unsigned move =
      at(2, 'a') | at(3, '1') << 3 | at(0, 'a') << 6 | at(1, '1') << 9 | static_cast<unsigned>(promotion) << 12;
  std::string bytes;
  AppendBigEndian(bytes, key, 8);
  AppendBigEndian(bytes, move, 2);
  AppendBigEndian(bytes, static_cast<std::uint64_t>(weight), 2);
  AppendBigEndian(bytes, 0, 4);
  return bytes;
}

PolyglotBook MustRead(const std::string& bytes) {
  absl::StatusOr<PolyglotBook> book = PolyglotBook::FromBytes(bytes);
  EXPECT_TRUE(book.ok()) << book.status();
  return *std::move(book);
}

// "e2e4 2, d2d4 1"
std::string Text(const std::vector<BookMove>& moves, Variant variant = Variant::kStandard) {
  std::string text;
  for (const BookMove& each : moves) {
    text += (text.empty() ? "" : ", ") + ToUci(each.move, variant) + " " + std::to_string(each.weight);
  }
  return text;
}

TEST(PolyglotBookTest, GivesTheHeaviestMoveFirst) {
  const Position start;
  const Key key = PolyglotKey(start);
  const PolyglotBook book = MustRead(Entry(7, "a1a1", 9) + Entry(key, "d2d4", 1) + Entry(key, "e2e4", 2) +
                                     Entry(key, "g1f3", 0) + Entry(~Key{0}, "h8h8", 9));
  EXPECT_EQ(book.size(), 5u);
  EXPECT_EQ(Text(book.Moves(start)), "e2e4 2, d2d4 1, g1f3 0");
  EXPECT_EQ(book.BestMove(start), MustParseUci(start, "e2e4"));
}

TEST(PolyglotBookTest, KnowsNothingOfOtherPositions) {
  Position position;
  const PolyglotBook book = MustRead(Entry(PolyglotKey(position), "e2e4", 1));
  PlayUci(position, "e2e4");
  EXPECT_TRUE(book.Moves(position).empty());
  EXPECT_EQ(book.BestMove(position), std::nullopt);
  EXPECT_EQ(book.PickMove(position, 1), std::nullopt);
}

TEST(PolyglotBookTest, LeavesOutIllegalAndRepeatedMoves) {
  const Position start;
  const Key key = PolyglotKey(start);
  const PolyglotBook book = MustRead(Entry(key, "e2e5", 9) + Entry(key, "e2e4", 3) + Entry(key, "e2e4", 4) +
                                     Entry(key, "e2e4", 4, 4) + Entry(key, "e2e4", 4, 7) + Entry(key, "a1a1", 5));
  EXPECT_EQ(Text(book.Moves(start)), "e2e4 3");
}

TEST(PolyglotBookTest, UnderstandsBothWaysToWriteCastling) {
  const Position position = MustParse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  const Key key = PolyglotKey(position);
  const PolyglotBook book = MustRead(Entry(key, "e1h1", 2) + Entry(key, "e1c1", 1));
  EXPECT_EQ(Text(book.Moves(position)), "e1g1 2, e1c1 1");
}

TEST(PolyglotBookTest, CastlesInChess960) {
  // A step of the king that takes its own rook is castling; one that does not is a step.
  const Position position = MustParse("1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1", Variant::kChess960);
  const Key key = PolyglotKey(position);
  const PolyglotBook book = MustRead(Entry(key, "f1g1", 3) + Entry(key, "f1b1", 2) + Entry(key, "f1e1", 1));
  const std::vector<BookMove> moves = book.Moves(position);
  EXPECT_EQ(Text(moves, Variant::kChess960), "f1g1 3, f1b1 2, f1e1 1");
  EXPECT_EQ(moves[0].move.kind(), Move::Kind::kCastling);
  EXPECT_EQ(moves[1].move.kind(), Move::Kind::kCastling);
}

TEST(PolyglotBookTest, ReadsPromotions) {
  const Position position = MustParse("7k/P7/8/8/8/8/8/K7 w - - 0 1");
  const Key key = PolyglotKey(position);
  const PolyglotBook book = MustRead(Entry(key, "a7a8", 4, 1) + Entry(key, "a7a8", 3, 2) + Entry(key, "a7a8", 2, 3) +
                                     Entry(key, "a7a8", 1, 4) + Entry(key, "a7a8", 9));
  EXPECT_EQ(Text(book.Moves(position)), "a7a8n 4, a7a8b 3, a7a8r 2, a7a8q 1");
}

TEST(PolyglotBookTest, FindsAPositionUnderTheKeyOfAForbiddenEnPassant) {
  Position position = MustParse("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
  PlayUci(position, "d7d5");
  const PolyglotBook book = MustRead(Entry(PolyglotKeys(position).back(), "e1d2", 1));
  EXPECT_EQ(Text(book.Moves(position)), "e1d2 1");
}

TEST(PolyglotBookTest, PicksByWeight) {
  const Position start;
  const Key key = PolyglotKey(start);
  const PolyglotBook book =
      MustRead(Entry(key, "e2e4", 6) + Entry(key, "d2d4", 3) + Entry(key, "c2c4", 1) + Entry(key, "h2h4", 0));
  std::mt19937_64 random(1);
  std::map<std::string, int> counts;
  for (int i = 0; i < 10'000; ++i) ++counts[ToUci(*book.PickMove(start, random()), Variant::kStandard)];
  EXPECT_NEAR(counts["e2e4"], 6000, 200);
  EXPECT_NEAR(counts["d2d4"], 3000, 200);
  EXPECT_NEAR(counts["c2c4"], 1000, 200);
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_EQ(book.PickMove(start, 123), book.PickMove(start, 123));
}

TEST(PolyglotBookTest, PlaysNothingWithoutWeight) {
  const Position start;
  const PolyglotBook book = MustRead(Entry(PolyglotKey(start), "e2e4", 0));
  EXPECT_EQ(book.BestMove(start), std::nullopt);
  EXPECT_EQ(book.PickMove(start, 5), std::nullopt);
}

TEST(PolyglotBookTest, RefusesWhatIsNoBook) {
  const std::string two = Entry(1, "e2e4", 1) + Entry(2, "e2e4", 1);
  for (std::size_t size = 0; size < two.size(); ++size) {
    if (size != 16) EXPECT_FALSE(PolyglotBook::FromBytes(two.substr(0, size)).ok()) << size;
  }
  EXPECT_TRUE(PolyglotBook::FromBytes(two).ok());
  const absl::Status unsorted = PolyglotBook::FromBytes(two.substr(16) + two.substr(0, 16)).status();
  EXPECT_NE(unsorted.message().find("entry 1 is out of order"), absl::string_view::npos) << unsorted;
}

TEST(PolyglotBookTest, NamesTheFileThatItCannotOpen) {
  const std::string folder = testing::TempDir();
  const absl::Status missing = PolyglotBook::Open(folder + "/no-such-book.bin").status();
  EXPECT_NE(missing.message().find("no-such-book.bin: No such file"), absl::string_view::npos) << missing;
  EXPECT_NE(PolyglotBook::Open(folder).status().message().find("is not a file"), absl::string_view::npos);
  EXPECT_FALSE(PolyglotBook::Open("/dev/zero").ok());
}

TEST(PolyglotBookTest, OpensAFileAndNamesADamagedOne) {
  const std::string path = testing::TempDir() + "/polyglot_book_test.bin";
  const Position start;
  const std::string bytes = Entry(PolyglotKey(start), "e2e4", 1);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(Text(PolyglotBook::Open(path)->Moves(start)), "e2e4 1");
  std::ofstream(path, std::ios::binary) << bytes.substr(1);
  EXPECT_NE(PolyglotBook::Open(path).status().message().find(path), absl::string_view::npos);
  std::filesystem::remove(path);
}

TEST(PolyglotBookTest, SurvivesNoise) {
  // Any bytes in order of their keys are a book: asking it must do no harm.
  std::mt19937_64 random(2);
  const Position start;
  std::string bytes;
  for (int i = 0; i < 2000; ++i) {
    AppendBigEndian(bytes, PolyglotKey(start), 8);
    AppendBigEndian(bytes, random(), 8);
  }
  for (const BookMove& each : MustRead(bytes).Moves(start)) EXPECT_TRUE(start.IsLegal(each.move));
}

TEST(PolyglotBookTest, ReadsTheBookOfGnuChess) {
  if (!std::filesystem::exists(kGnuChessBook)) {
    GTEST_SKIP() << "no " << kGnuChessBook << " (Debian's gnuchess-book): nothing was compared";
  }
  const absl::StatusOr<PolyglotBook> book = PolyglotBook::Open(kGnuChessBook);
  ASSERT_TRUE(book.ok()) << book.status();
  EXPECT_EQ(book->size(), 180'358u);
  // Games played by weight stay in the book for a while, which wrong keys would not do.
  std::mt19937_64 random(3);
  int plies = 0;
  for (int game = 0; game < 100; ++game) {
    Position position;
    for (int ply = 0; ply < 40; ++ply) {
      const std::optional<Move> move = book->PickMove(position, random());
      if (!move) break;
      position.MakeMove(*move);
      ++plies;
    }
  }
  EXPECT_GE(plies, 100 * 12);
}

}  // namespace
}  // namespace kibitz
