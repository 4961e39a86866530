#include "server/conversion/position.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "tests/server/conversion/expect_fault.h"

namespace kibitz::server {
namespace {

constexpr char kKiwipete[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

v1::Position WirePosition(const std::string& fen, const std::vector<std::string>& moves = {},
                          v1::Variant variant = v1::VARIANT_UNSPECIFIED) {
  v1::Position wire;
  wire.set_fen(fen);
  for (const std::string& move : moves) wire.add_moves(move);
  wire.set_variant(variant);
  return wire;
}

v1::LegalMovesResponse LegalMovesOf(const v1::Position& wire) {
  const absl::StatusOr<Position> position = ParsePosition(wire);
  v1::LegalMovesResponse response;
  if (position.ok()) WriteLegalMoves(*position, response);
  return response;
}

const v1::Move* Find(const v1::LegalMovesResponse& response, const std::string& uci) {
  for (const v1::Move& move : response.moves()) {
    if (move.uci() == uci) return &move;
  }
  return nullptr;
}

TEST(ParsePositionTest, EmptyIsTheStartPosition) {
  const absl::StatusOr<Position> position = ParsePosition(v1::Position());
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(ToFen(*position), kStartFen);
}

TEST(ParsePositionTest, PlaysTheMoves) {
  const absl::StatusOr<Position> position = ParsePosition(WirePosition("", {"e2e4", "e7e5", "g1f3"}));
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(ToFen(*position), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

TEST(ParsePositionTest, KnowsRepetitions) {
  const absl::StatusOr<Position> position =
      ParsePosition(WirePosition("", {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"}));
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(position->Repetitions(), 3);
}

TEST(ParsePositionTest, ReadsChess960) {
  const std::string fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
  EXPECT_TRUE(ParsePosition(WirePosition(fen, {}, v1::VARIANT_CHESS960)).ok());
  ExpectFault(ParsePosition(WirePosition(fen)).status(), "position.fen", "INVALID_FEN", "castling");
}

TEST(ParsePositionTest, RefusesABadFen) {
  ExpectFault(ParsePosition(WirePosition("8/8/8/8/8/8/8/8 w - - 0 1")).status(), "position.fen", "INVALID_FEN", "king");
  ExpectFault(ParsePosition(WirePosition(std::string("a\0b", 3))).status(), "position.fen", "INVALID_FEN", "field");
}

TEST(ParsePositionTest, RefusesAnIllegalMoveByItsPlace) {
  ExpectFault(ParsePosition(WirePosition("", {"e2e4", "e7e5", "e4e5"})).status(), "position.moves[2]", "ILLEGAL_MOVE",
              "e4e5");
  ExpectFault(ParsePosition(WirePosition("", {"Nf3"})).status(), "position.moves[0]", "ILLEGAL_MOVE", "UCI");
  ExpectFault(ParsePosition(WirePosition("", {"e2e4", ""})).status(), "position.moves[1]", "ILLEGAL_MOVE", "UCI");
}

TEST(ParsePositionTest, RefusesAnUnknownVariant) {
  ExpectFault(ParsePosition(WirePosition("", {}, static_cast<v1::Variant>(77))).status(), "position.variant",
              "UNKNOWN_ENUM_VALUE", "77");
}

TEST(ParsePositionTest, RefusesTooManyMovesWithoutPlayingThem) {
  v1::Position wire;
  for (int i = 0; i < kMaxGameMoves + 1; ++i) wire.add_moves("not a move");
  ExpectFault(ParsePosition(wire).status(), "position.moves", "TOO_MANY_MOVES", "12001");
}

TEST(ParsePositionTest, PlaysAsManyMovesAsAreAllowed) {
  v1::Position wire;
  const char* const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
  for (int i = 0; i < kMaxGameMoves; ++i) wire.add_moves(shuffle[i % 4]);
  const absl::StatusOr<Position> position = ParsePosition(wire);
  ASSERT_TRUE(position.ok()) << position.status().message();
  EXPECT_EQ(position->fullmove_number(), kMaxGameMoves / 2 + 1);
}

TEST(LegalMovesToWireTest, ListsAllMovesSortedByUci) {
  const v1::LegalMovesResponse response = LegalMovesOf(WirePosition(kKiwipete));
  EXPECT_EQ(response.moves_size(), 48);
  EXPECT_TRUE(std::is_sorted(response.moves().begin(), response.moves().end(),
                             [](const v1::Move& a, const v1::Move& b) { return a.uci() < b.uci(); }));
  EXPECT_EQ(response.fen(), kKiwipete);
  EXPECT_EQ(response.status(), v1::GAME_STATUS_ONGOING);
  EXPECT_EQ(response.side_to_move(), v1::COLOR_WHITE);
  EXPECT_EQ(response.repetitions(), 1);
  EXPECT_FALSE(response.in_check());
}

TEST(LegalMovesToWireTest, DescribesCapturesAndCastling) {
  const v1::LegalMovesResponse response = LegalMovesOf(WirePosition(kKiwipete));
  const v1::Move* capture = Find(response, "e5f7");
  ASSERT_NE(capture, nullptr);
  EXPECT_EQ(capture->san(), "Nxf7");
  EXPECT_EQ(capture->piece(), v1::PIECE_TYPE_KNIGHT);
  EXPECT_EQ(capture->captured(), v1::PIECE_TYPE_PAWN);
  EXPECT_FALSE(capture->castling());
  const v1::Move* castling = Find(response, "e1c1");
  ASSERT_NE(castling, nullptr);
  EXPECT_EQ(castling->san(), "O-O-O");
  EXPECT_EQ(castling->piece(), v1::PIECE_TYPE_KING);
  EXPECT_EQ(castling->captured(), v1::PIECE_TYPE_UNSPECIFIED);
  EXPECT_TRUE(castling->castling());
}

TEST(LegalMovesToWireTest, DescribesPromotionsChecksAndMates) {
  const v1::LegalMovesResponse response = LegalMovesOf(WirePosition("6k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1"));
  const v1::Move* queen = Find(response, "a7a8q");
  ASSERT_NE(queen, nullptr);
  EXPECT_EQ(queen->san(), "a8=Q#");
  EXPECT_EQ(queen->promotion(), v1::PIECE_TYPE_QUEEN);
  EXPECT_TRUE(queen->check());
  EXPECT_TRUE(queen->checkmate());
  const v1::Move* knight = Find(response, "a7a8n");
  ASSERT_NE(knight, nullptr);
  EXPECT_EQ(knight->promotion(), v1::PIECE_TYPE_KNIGHT);
  EXPECT_FALSE(knight->check());
}

TEST(LegalMovesToWireTest, DescribesEnPassant) {
  const v1::LegalMovesResponse response = LegalMovesOf(WirePosition("", {"e2e4", "a7a6", "e4e5", "d7d5"}));
  const v1::Move* capture = Find(response, "e5d6");
  ASSERT_NE(capture, nullptr);
  EXPECT_TRUE(capture->en_passant());
  EXPECT_EQ(capture->captured(), v1::PIECE_TYPE_PAWN);
}

TEST(LegalMovesToWireTest, TellsHowTheGameStands) {
  const v1::LegalMovesResponse mate = LegalMovesOf(WirePosition("", {"f2f3", "e7e5", "g2g4", "d8h4"}));
  EXPECT_EQ(mate.status(), v1::GAME_STATUS_CHECKMATE);
  EXPECT_TRUE(mate.in_check());
  EXPECT_EQ(mate.moves_size(), 0);
  EXPECT_EQ(LegalMovesOf(WirePosition("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).status(), v1::GAME_STATUS_STALEMATE);
  EXPECT_EQ(LegalMovesOf(WirePosition("7k/8/6K1/8/8/8/8/8 b - - 0 1")).status(), v1::GAME_STATUS_DEAD_POSITION);
  EXPECT_EQ(LegalMovesOf(WirePosition("7k/8/6K1/8/8/8/8/R7 b - - 100 80")).status(), v1::GAME_STATUS_FIFTY_MOVES);
  EXPECT_EQ(LegalMovesOf(WirePosition("7k/8/6K1/8/8/8/8/R7 b - - 150 99")).status(),
            v1::GAME_STATUS_SEVENTY_FIVE_MOVES);
}

}  // namespace
}  // namespace kibitz::server
