#include "engine/board/san.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string San(absl::string_view fen, absl::string_view uci, Variant variant = Variant::kStandard) {
  const Position position = MustParse(fen, variant);
  return ToSan(position, MustParseUci(position, uci));
}

// What a text means, in UCI notation, or why it means nothing.
std::string Read(absl::string_view fen, absl::string_view san, Variant variant = Variant::kStandard) {
  const Position position = MustParse(fen, variant);
  const absl::StatusOr<Move> move = ParseSan(position, san);
  if (move.ok()) return ToUci(*move, variant);
  EXPECT_EQ(move.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(move.status().message());
}

constexpr char kCastling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

TEST(SanTest, WritesPlainMoves) {
  EXPECT_EQ(San(kStartFen, "e2e4"), "e4");
  EXPECT_EQ(San(kStartFen, "g1f3"), "Nf3");
  EXPECT_EQ(San("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "exd5");
  EXPECT_EQ(San("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5"), "Nxd5");
  EXPECT_EQ(San("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
}

TEST(SanTest, WritesPromotions) {
  EXPECT_EQ(San("1n6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q"), "a8=Q");
  EXPECT_EQ(San("1n6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7b8n"), "axb8=N");
  EXPECT_EQ(San("k7/8/8/8/8/8/5K1p/6B1 b - - 0 1", "h2g1r"), "hxg1=R");
  EXPECT_EQ(San("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"), "a8=Q+");
  EXPECT_EQ(San("7k/P7/7K/8/8/8/8/8 w - - 0 1", "a7a8r"), "a8=R#");
}

TEST(SanTest, WritesCastling) {
  EXPECT_EQ(San(kCastling, "e1g1"), "O-O");
  EXPECT_EQ(San(kCastling, "e1c1"), "O-O-O");
  EXPECT_EQ(San("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
  EXPECT_EQ(San("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "O-O-O#");
}

TEST(SanTest, WritesChess960CastlingBySide) {
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1b1", Variant::kChess960), "O-O-O");
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1g1", Variant::kChess960), "O-O");
  // The king's step to the same square is another move.
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", Variant::kChess960), "Kg1");
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", Variant::kChess960), "O-O");
}

TEST(SanTest, WritesCheckAndMate) {
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8+");
  EXPECT_EQ(San("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8#");
  EXPECT_EQ(San("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4c3"), "Nc3+") << "discovered";
  EXPECT_EQ(San("8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1", "e5d6"), "exd6+") << "both pawns leave the rank";
  EXPECT_EQ(San("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6"), "Kg6") << "stalemate has no sign";
}

TEST(SanTest, TellsMenApartByFile) {
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2"), "Nbd2");
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "f1d2"), "Nfd2");
  EXPECT_EQ(San("4k3/8/8/8/8/8/8/R4R1K w - - 0 1", "a1d1"), "Rad1");
}

TEST(SanTest, PrefersTheFileWhenBothWouldDo) {
  EXPECT_EQ(San("4k3/8/8/8/3N4/8/8/4K1N1 w - - 0 1", "g1f3"), "Ngf3");
  EXPECT_EQ(San("4k3/8/8/8/3N4/8/8/4K1N1 w - - 0 1", "d4f3"), "Ndf3");
}

TEST(SanTest, TellsMenApartByRank) {
  EXPECT_EQ(San("7k/8/8/R7/8/8/8/R6K w - - 0 1", "a1a3"), "R1a3");
  EXPECT_EQ(San("7k/8/8/R7/8/8/8/R6K w - - 0 1", "a5a3"), "R5a3");
}

TEST(SanTest, TellsMenApartByBoth) {
  // Queens on e4, h4 and h1 all reach e1: the one on h4 shares its file with one and its rank with the other.
  const char fen[] = "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1";
  EXPECT_EQ(San(fen, "h4e1"), "Qh4e1");
  EXPECT_EQ(San(fen, "e4e1"), "Qee1");
  EXPECT_EQ(San(fen, "h1e1"), "Q1e1");
}

TEST(SanTest, PinnedMenNeedNoTellingApart) {
  // The knight on e2 is pinned, so that only the other can go to c3.
  EXPECT_EQ(San("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3"), "Nc3");
  // A knight that would not answer the check is no rival either.
  EXPECT_EQ(San("4r2k/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "g1e2"), "Ne2");
}

TEST(SanTest, MenOfOtherKindsAreNoRivals) {
  EXPECT_EQ(San("7k/8/8/8/8/3B4/8/K4Q2 w - - 0 1", "d3e2"), "Be2");
  EXPECT_EQ(San("7k/8/8/8/8/8/3P4/KN6 w - - 0 1", "b1c3"), "Nc3");
}

TEST(SanTest, PawnCapturesAlwaysNameTheFile) {
  EXPECT_EQ(San("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4d5"), "cxd5");
  EXPECT_EQ(San("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "c4d5"), "cxd5");
}

TEST(SanTest, ReadsWithAndWithoutSigns) {
  const char fen[] = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
  for (const char* text : {"Ra8", "Ra8+", "Ra8#", "Ra8!", "Ra8??", "Ra8+!?", "Ra8#!!"})
    EXPECT_EQ(Read(fen, text), "a1a8") << text;
}

TEST(SanTest, ReadsMoreDisambiguationThanNeeded) {
  for (const char* text : {"Nf3", "Ngf3", "N1f3", "Ng1f3"}) EXPECT_EQ(Read(kStartFen, text), "g1f3") << text;
  for (const char* text : {"e4", "e2e4"}) EXPECT_EQ(Read(kStartFen, text), "e2e4") << text;
}

TEST(SanTest, ReadsPromotionsInBothForms) {
  const char fen[] = "1n6/P6k/8/8/8/8/8/K7 w - - 0 1";
  for (const char* text : {"a8=Q", "a8Q"}) EXPECT_EQ(Read(fen, text), "a7a8q") << text;
  for (const char* text : {"axb8=R", "axb8R", "a7xb8=R"}) EXPECT_EQ(Read(fen, text), "a7b8r") << text;
}

TEST(SanTest, ReadsCastlingWithLettersAndZeros) {
  for (const char* text : {"O-O", "0-0", "O-O+", "0-0!"}) EXPECT_EQ(Read(kCastling, text), "e1g1") << text;
  for (const char* text : {"O-O-O", "0-0-0", "O-O-O?!"}) EXPECT_EQ(Read(kCastling, text), "e1c1") << text;
}

TEST(SanTest, DoesNotReadCastlingAsAKingMove) {
  EXPECT_THAT(Read(kCastling, "Kg1"), HasSubstr("not legal"));
  EXPECT_EQ(Read("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "Kg1", Variant::kChess960), "f1g1");
  EXPECT_THAT(Read("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "Kxh1", Variant::kChess960), HasSubstr("not legal"));
}

TEST(SanTest, NamesTheCandidatesOfAnAmbiguousMove) {
  EXPECT_THAT(Read("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2"),
              AllOf(HasSubstr("'Nd2' is ambiguous"), HasSubstr("Nbd2"), HasSubstr("Nfd2"), Not(HasSubstr("Nc3"))));
  EXPECT_THAT(Read("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qhe1"),
              AllOf(HasSubstr("ambiguous"), HasSubstr("Qh4e1"), HasSubstr("Q1e1"), Not(HasSubstr("Qee1"))));
  EXPECT_THAT(Read("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Q4e1"), AllOf(HasSubstr("Qh4e1"), HasSubstr("Qee1")));
}

TEST(SanTest, DoesNotCallPinnedRivalsAmbiguous) {
  EXPECT_EQ(Read("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "Nc3"), "b1c3");
}

TEST(SanTest, RefusesIllegalMoves) {
  for (const char* text : {"e5", "Nd4", "Qh5", "O-O", "O-O-O", "exd3", "Nxf3", "Ke2", "Nbf3", "N2f3", "Ng2f3"}) {
    EXPECT_THAT(Read(kStartFen, text), HasSubstr("is not legal here")) << text;
  }
  const char fen[] = "1n6/P6k/8/8/8/8/8/K7 w - - 0 1";
  for (const char* text : {"a8", "axb8", "a8=N=", "Ka2=Q", "b8=Q"})
    EXPECT_THAT(Read(fen, text), HasSubstr("is not")) << text;
}

// A capture says so: "Nd5" for a capture or "Nxd5" for none may be another position's move.
TEST(SanTest, TakesTheCaptureSignSeriously) {
  const char fen[] = "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1";
  EXPECT_EQ(Read(fen, "Nxd5"), "e3d5");
  EXPECT_THAT(Read(fen, "Nxf5"), HasSubstr("is not legal here"));
}

TEST(SanTest, RefusesJunk) {
  for (absl::string_view text : {"",
                                 " ",
                                 "N",
                                 "e",
                                 "x",
                                 "=",
                                 "+",
                                 "e9",
                                 "i4",
                                 "Ni3",
                                 "Nf9",
                                 "nf3",
                                 "Sf3",
                                 "N f3",
                                 " Nf3",
                                 "Nf3 ",
                                 "Nf3\n",
                                 "Nf3+x",
                                 "NNf3",
                                 "Nggf3",
                                 "Ng11f3",
                                 "Nxxf3",
                                 "xNf3",
                                 "e4=",
                                 "e8=K",
                                 "e8=P",
                                 "=Q",
                                 "Q=Q",
                                 "O-O-O-O",
                                 "O-",
                                 "OO",
                                 "o-o",
                                 "0-O",
                                 "--",
                                 "0000",
                                 "Z0",
                                 "1.e4",
                                 "e4e",
                                 "e2-e4",
                                 "Ng1-f3",
                                 "e.p.",
                                 "\xe2\x99\x98"
                                 "f3",
                                 "\xff\xff"}) {
    EXPECT_THAT(Read(kStartFen, text), HasSubstr("is not a move in algebraic notation")) << text;
  }
  EXPECT_THAT(Read(kStartFen, absl::string_view("Nf3\0", 4)), HasSubstr("is not a move in algebraic notation"));
  EXPECT_THAT(Read(kStartFen, absl::string_view("\0", 1)), HasSubstr("is not a move in algebraic notation"));
}

TEST(SanTest, QuotesLongTextInPart) {
  for (char c : {'N', 'e', '4', '+', 'O'}) EXPECT_LT(Read(kStartFen, std::string(100'000, c)).size(), 200u) << c;
}

}  // namespace
}  // namespace kibitz
