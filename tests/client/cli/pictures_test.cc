#include "client/cli/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kibitz::client {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

void AddSet(v1::BitboardsResponse& bitboards, v1::Color color, v1::PieceType piece, std::uint64_t squares) {
  auto* set = bitboards.add_pieces();
  set->set_color(color);
  set->set_piece(piece);
  set->set_squares(squares);
}

// White: king a1, rook h1. Black: king e8.
v1::BitboardsResponse ThreeMen() {
  v1::BitboardsResponse bitboards;
  bitboards.set_white(0x81);
  bitboards.set_black(0x1000000000000000);
  bitboards.set_occupied(0x1000000000000081);
  for (int piece = v1::PIECE_TYPE_PAWN; piece <= v1::PIECE_TYPE_KING; ++piece) {
    const std::uint64_t squares = piece == v1::PIECE_TYPE_ROOK ? 0x80 : piece == v1::PIECE_TYPE_KING ? 0x01 : 0;
    AddSet(bitboards, v1::COLOR_WHITE, static_cast<v1::PieceType>(piece), squares);
  }
  AddSet(bitboards, v1::COLOR_BLACK, v1::PIECE_TYPE_KING, 0x1000000000000000);
  return bitboards;
}

void AddAttacks(v1::BitboardsResponse& bitboards, const std::string& method, std::uint64_t squares) {
  auto* attacks = bitboards.add_attacks();
  attacks->set_method(method);
  attacks->set_squares(squares);
}

TEST(PicturesTest, ShowThreePieceSetsToARow) {
  const std::string text = BitboardPictures(ThreeMen(), Palette());
  EXPECT_THAT(text, HasSubstr("     Rooks                      Queens                     King\n"));
  EXPECT_THAT(text, HasSubstr("  1  . . . . . . . 1         1  . . . . . . . .         1  1 . . . . . . .\n"));
}

TEST(PicturesTest, ShowOccupanciesAndTheWholeBoard) {
  const std::string text = BitboardPictures(ThreeMen(), Palette());
  EXPECT_THAT(text, HasSubstr("  8  . . . . . . . .         8  . . . . 1 . . .         8  . . . . 1 . . .\n"));
  EXPECT_THAT(text, HasSubstr("All together\n\n  8  . . . . k . . .\n"));
  EXPECT_THAT(text, EndsWith("  1  K . . . . . . R\n     a b c d e f g h\n"));
}

TEST(PicturesTest, ShowChecksAndPinsOnlyWhereThereAreAny) {
  v1::BitboardsResponse bitboards = ThreeMen();
  EXPECT_THAT(BitboardPictures(bitboards, Palette()), Not(HasSubstr("Checks and pins")));
  bitboards.set_checkers(0x80);
  EXPECT_THAT(BitboardPictures(bitboards, Palette()), HasSubstr("Checks and pins\n\n     Checkers\n"));
}

TEST(PicturesTest, SayThatAllMethodsAgree) {
  v1::BitboardsResponse bitboards = ThreeMen();
  AddAttacks(bitboards, "magic", 0x7e);
  AddAttacks(bitboards, "pext", 0x7e);
  const std::string text = AttackPictures(bitboards, "Rh1", Palette());
  EXPECT_THAT(text, HasSubstr("Attacks of Rh1\n\n     magic                      pext\n"));
  EXPECT_THAT(text, EndsWith("\n6 squares; all 2 methods agree.\n"));
}

TEST(PicturesTest, SayThatMethodsDisagree) {
  v1::BitboardsResponse bitboards = ThreeMen();
  AddAttacks(bitboards, "magic", 0x7e);
  AddAttacks(bitboards, "pext", 0x7f);
  EXPECT_THAT(AttackPictures(bitboards, "Rh1", Palette()), EndsWith("\nThe methods do not agree.\n"));
}

TEST(PicturesTest, PaintMenButNotTheNumbersOfTheRanks) {
  v1::BitboardsResponse bitboards;
  AddAttacks(bitboards, "lookup", 0x01);
  const Palette palette{.strong = fmt::emphasis::bold};
  EXPECT_THAT(AttackPictures(bitboards, "a1", palette), HasSubstr("\n  1  \x1b[1m1\x1b[0m . . . . . . .\n"));
}

}  // namespace
}  // namespace kibitz::client
