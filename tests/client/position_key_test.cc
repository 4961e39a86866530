#include "client/position_key.h"

#include <string>

#include "gtest/gtest.h"

namespace kibitz::client {
namespace {

v1::Position FromFen(const std::string& fen) {
  v1::Position position;
  position.set_fen(fen);
  return position;
}

TEST(PositionKeyTest, IsWhatTheGatewayMakes) {
  // tests/client/web/gateway/position_key.test.ts has the same ones.
  v1::Position position;
  EXPECT_EQ(PositionKey(position), "a4618d5705d2764e");
  position.add_moves("e2e4");
  EXPECT_EQ(PositionKey(position), "e00dedeb20e3dbf4");
  position.set_variant(v1::VARIANT_CHESS960);
  EXPECT_EQ(PositionKey(position), "b6308474f263f5c7");
}

TEST(PositionKeyTest, KnowsAPositionWithAnyClocks) {
  const std::string key = PositionKey(FromFen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
  EXPECT_EQ(PositionKey(FromFen("4k3/8/8/8/8/8/8/4K2R  w K - 13 40")), key);
  EXPECT_EQ(PositionKey(FromFen("4k3/8/8/8/8/8/8/4K2R w K -")), key);
  EXPECT_NE(PositionKey(FromFen("4k3/8/8/8/8/8/8/4K2R b K - 0 1")), key);
  EXPECT_EQ(PositionKey(FromFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")),
            PositionKey(v1::Position()));
}

TEST(PositionKeyTest, StaysTheSameOverAGame) {
  v1::Position position;
  for (int move = 0; move < 5; ++move) {
    position.add_moves("g1f3");
    position.add_moves("g8f6");
  }
  const std::string key = PositionKey(position);
  position.add_moves("e2e4");
  EXPECT_EQ(PositionKey(position), key);
}

}  // namespace
}  // namespace kibitz::client
