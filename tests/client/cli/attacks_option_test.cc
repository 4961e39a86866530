#include "client/cli/attacks_option.h"

#include <gtest/gtest.h>

namespace kibitz::client {
namespace {

TEST(AttacksOptionTest, AcceptsASquare) {
  EXPECT_EQ(CheckAttacks("d4"), "");
  v1::BitboardsRequest request;
  SetAttacks("d4", request);
  EXPECT_EQ(request.square(), "d4");
  EXPECT_EQ(request.piece(), v1::PIECE_TYPE_UNSPECIFIED);
}

TEST(AttacksOptionTest, AcceptsAManOnASquare) {
  EXPECT_EQ(CheckAttacks("Rh8"), "");
  v1::BitboardsRequest request;
  SetAttacks("Rh8", request);
  EXPECT_EQ(request.square(), "h8");
  EXPECT_EQ(request.piece(), v1::PIECE_TYPE_ROOK);
  SetAttacks("Pa1", request);
  EXPECT_EQ(request.piece(), v1::PIECE_TYPE_PAWN);
  SetAttacks("Kb2", request);
  EXPECT_EQ(request.piece(), v1::PIECE_TYPE_KING);
}

TEST(AttacksOptionTest, RefusesAnythingElse) {
  for (const char* text : {"", "d", "d9", "i1", "D4", "Xd4", "rd4", "Rd44", "R d4"}) {
    EXPECT_NE(CheckAttacks(text), "") << text;
  }
}

}  // namespace
}  // namespace kibitz::client
