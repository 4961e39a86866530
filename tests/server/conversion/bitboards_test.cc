#include "server/conversion/bitboards.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/board/fen.h"
#include "tests/server/conversion/expect_fault.h"

namespace kibitz::server {
namespace {

v1::BitboardsRequest WireBitboards(const std::string& square, v1::PieceType piece = v1::PIECE_TYPE_UNSPECIFIED,
                                   v1::Color color = v1::COLOR_UNSPECIFIED) {
  v1::BitboardsRequest wire;
  wire.set_square(square);
  wire.set_piece(piece);
  wire.set_color(color);
  return wire;
}

v1::BitboardsResponse BitboardsOf(const v1::BitboardsRequest& wire) {
  const absl::StatusOr<BitboardsSpec> spec = ParseBitboards(wire);
  v1::BitboardsResponse response;
  if (spec.ok()) WriteBitboards(*spec, response);
  return response;
}

TEST(BitboardsTest, GivesTheTwelveSets) {
  const v1::BitboardsResponse response = BitboardsOf(WireBitboards(""));
  ASSERT_EQ(response.pieces_size(), 12);
  EXPECT_EQ(response.pieces(0).color(), v1::COLOR_WHITE);
  EXPECT_EQ(response.pieces(0).piece(), v1::PIECE_TYPE_PAWN);
  EXPECT_EQ(response.pieces(0).squares(), 0xff00u);
  EXPECT_EQ(response.pieces(11).color(), v1::COLOR_BLACK);
  EXPECT_EQ(response.pieces(11).piece(), v1::PIECE_TYPE_KING);
  EXPECT_EQ(response.pieces(11).squares(), 1ULL << 60);
  EXPECT_EQ(response.white(), 0xffffu);
  EXPECT_EQ(response.black(), 0xffffULL << 48);
  EXPECT_EQ(response.occupied(), response.white() | response.black());
  EXPECT_EQ(response.attacks_size(), 0);
}

TEST(BitboardsTest, AllSliderMethodsAgree) {
  const v1::BitboardsResponse response = BitboardsOf(WireBitboards("d4", v1::PIECE_TYPE_QUEEN));
  ASSERT_EQ(response.attacks_size(), 5);
  for (const auto& attacks : response.attacks()) {
    EXPECT_NE(attacks.method(), "");
    EXPECT_EQ(attacks.squares(), response.attacks(0).squares());
  }
  // From d4 on the start position: the ranks 3 to 6 freely, and the first men beyond.
  EXPECT_EQ(response.attacks(0).squares(), 0x00492a1cf71c2a00u);
}

TEST(BitboardsTest, TakesThePieceOnTheSquareUnlessToldOtherwise) {
  EXPECT_EQ(BitboardsOf(WireBitboards("b1")).attacks(0).squares(), 0x50800u);
  EXPECT_EQ(BitboardsOf(WireBitboards("b1")).attacks(0).method(), "lookup");
  const v1::BitboardsResponse pawn = BitboardsOf(WireBitboards("e7"));
  EXPECT_EQ(pawn.attacks(0).squares(), 1ULL << 43 | 1ULL << 45);
  const v1::BitboardsResponse white_pawn = BitboardsOf(WireBitboards("e7", v1::PIECE_TYPE_PAWN, v1::COLOR_WHITE));
  EXPECT_EQ(white_pawn.attacks(0).squares(), 1ULL << 59 | 1ULL << 61);
  // On an empty square the side to move.
  EXPECT_EQ(BitboardsOf(WireBitboards("e4", v1::PIECE_TYPE_PAWN)).attacks(0).squares(), 1ULL << 35 | 1ULL << 37);
}

TEST(BitboardsTest, ShowsChecksAndPins) {
  v1::BitboardsRequest wire;
  wire.mutable_position()->set_fen("4k3/8/8/8/1b6/8/3N4/R3K2r w Q - 0 1");
  const v1::BitboardsResponse response = BitboardsOf(wire);
  EXPECT_EQ(response.checkers(), 1ULL << 7);
  EXPECT_EQ(response.pinned(), 1ULL << 11);
}

TEST(BitboardsTest, RefusesWhatMakesNoSense) {
  ExpectFault(ParseBitboards(WireBitboards("e9")).status(), "square", "INVALID_SQUARE", "e9");
  ExpectFault(ParseBitboards(WireBitboards("\n")).status(), "square", "INVALID_SQUARE", "\\x0a");
  ExpectFault(ParseBitboards(WireBitboards("e4")).status(), "square", "EMPTY_SQUARE", "no piece on e4");
  ExpectFault(ParseBitboards(WireBitboards("", v1::PIECE_TYPE_ROOK)).status(), "square", "MISSING_FIELD", "piece");
  ExpectFault(ParseBitboards(WireBitboards("e4", static_cast<v1::PieceType>(7))).status(), "piece",
              "UNKNOWN_ENUM_VALUE", "7");
  ExpectFault(ParseBitboards(WireBitboards("e4", v1::PIECE_TYPE_ROOK, static_cast<v1::Color>(-1))).status(), "color",
              "UNKNOWN_ENUM_VALUE", "-1");
}

}  // namespace
}  // namespace kibitz::server
