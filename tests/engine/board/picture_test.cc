#include "engine/board/picture.h"

#include <gtest/gtest.h>

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

TEST(PictureTest, DrawsABoard) {
  EXPECT_EQ(BoardPicture(MustParse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").board()),
            "8  r . . . k . . r\n"
            "7  p . p p q p b .\n"
            "6  b n . . p n p .\n"
            "5  . . . P N . . .\n"
            "4  . p . . P . . .\n"
            "3  . . N . . Q . p\n"
            "2  P P P B B P P P\n"
            "1  R . . . K . . R\n"
            "\n"
            "   a b c d e f g h\n");
}

TEST(PictureTest, DrawsABitboard) {
  EXPECT_EQ(BitboardPicture(Bit(Square::kA1) | Bit(Square::kH8) | Bit(Square::kE4) | FileMask(2)),
            "8  . . 1 . . . . 1\n"
            "7  . . 1 . . . . .\n"
            "6  . . 1 . . . . .\n"
            "5  . . 1 . . . . .\n"
            "4  . . 1 . 1 . . .\n"
            "3  . . 1 . . . . .\n"
            "2  . . 1 . . . . .\n"
            "1  1 . 1 . . . . .\n"
            "\n"
            "   a b c d e f g h\n");
}

}  // namespace
}  // namespace kibitz
