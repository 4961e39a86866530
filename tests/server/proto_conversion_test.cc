#include "server/proto_conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/perft.h"
#include "server/grpc_status.h"
#include "tests/server/error_details.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

constexpr char kKiwipete[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

v1::Position WirePosition(const std::string& fen, const std::vector<std::string>& moves = {},
                          v1::Variant variant = v1::VARIANT_UNSPECIFIED) {
  v1::Position wire;
  wire.set_fen(fen);
  for (const std::string& move : moves) wire.add_moves(move);
  wire.set_variant(variant);
  return wire;
}

ServerOptions Options() { return {.workers = 4, .perft_hash_mb = 256}; }

template <typename T>
void ExpectFault(const absl::StatusOr<T>& result, const std::string& field, const std::string& reason,
                 const std::string& words) {
  const grpc::Status status = ToGrpcStatus(result.status());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(DetailsOf(status).field, field);
  EXPECT_EQ(DetailsOf(status).reason, reason);
  EXPECT_THAT(DetailsOf(status).description, HasSubstr(words));
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
  ExpectFault(ParsePosition(WirePosition(fen)), "position.fen", "INVALID_FEN", "castling");
}

TEST(ParsePositionTest, RefusesABadFen) {
  ExpectFault(ParsePosition(WirePosition("8/8/8/8/8/8/8/8 w - - 0 1")), "position.fen", "INVALID_FEN", "king");
  ExpectFault(ParsePosition(WirePosition(std::string("a\0b", 3))), "position.fen", "INVALID_FEN", "field");
}

TEST(ParsePositionTest, RefusesAnIllegalMoveByItsPlace) {
  ExpectFault(ParsePosition(WirePosition("", {"e2e4", "e7e5", "e4e5"})), "position.moves[2]", "ILLEGAL_MOVE", "e4e5");
  ExpectFault(ParsePosition(WirePosition("", {"Nf3"})), "position.moves[0]", "ILLEGAL_MOVE", "UCI");
  ExpectFault(ParsePosition(WirePosition("", {"e2e4", ""})), "position.moves[1]", "ILLEGAL_MOVE", "UCI");
}

TEST(ParsePositionTest, RefusesAnUnknownVariant) {
  ExpectFault(ParsePosition(WirePosition("", {}, static_cast<v1::Variant>(77))), "position.variant",
              "UNKNOWN_ENUM_VALUE", "77");
}

TEST(ParsePositionTest, RefusesTooManyMovesWithoutPlayingThem) {
  v1::Position wire;
  for (int i = 0; i < kMaxGameMoves + 1; ++i) wire.add_moves("not a move");
  ExpectFault(ParsePosition(wire), "position.moves", "TOO_MANY_MOVES", "12001");
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

TEST(ParsePerftTest, TakesWhatIsWithinTheBounds) {
  const absl::StatusOr<PerftOrder> order = ParsePerft(PerftOf(kMaxPerftDepth, 4, 256), Options());
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->depth, kMaxPerftDepth);
  EXPECT_EQ(order->threads, 4);
  EXPECT_EQ(order->hash_mb, 256);
  EXPECT_TRUE(ParsePerft(PerftOf(1, 0, 0), Options()).ok());
}

TEST(ParsePerftTest, RefusesWhatIsBeyondThem) {
  for (const int depth : {0, -1, kMaxPerftDepth + 1, 1000}) {
    ExpectFault(ParsePerft(PerftOf(depth, 1, 0), Options()), "depth", "OUT_OF_RANGE", std::to_string(depth));
  }
  for (const int threads : {-1, 5}) {
    ExpectFault(ParsePerft(PerftOf(3, threads, 0), Options()), "threads", "OUT_OF_RANGE", "0 and 4");
  }
  for (const int hash_mb : {-1, 257}) {
    ExpectFault(ParsePerft(PerftOf(3, 1, hash_mb), Options()), "hash_mb", "OUT_OF_RANGE", "0 and 256");
  }
}

TEST(ParsePerftTest, RefusesABadPosition) {
  v1::PerftRequest wire = PerftOf(3, 1, 0);
  wire.mutable_position()->set_fen("nonsense");
  EXPECT_TRUE(absl::IsInvalidArgument(ParsePerft(wire, Options()).status()));
}

v1::BitboardsRequest WireBitboards(const std::string& square, v1::PieceType piece = v1::PIECE_TYPE_UNSPECIFIED,
                                   v1::Color color = v1::COLOR_UNSPECIFIED) {
  v1::BitboardsRequest wire;
  wire.set_square(square);
  wire.set_piece(piece);
  wire.set_color(color);
  return wire;
}

v1::BitboardsResponse BitboardsOf(const v1::BitboardsRequest& wire) {
  const absl::StatusOr<BitboardsOrder> order = ParseBitboards(wire);
  v1::BitboardsResponse response;
  if (order.ok()) WriteBitboards(*order, response);
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

TEST(BitboardsTest, TakesTheManOnTheSquareUnlessToldOtherwise) {
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
  ExpectFault(ParseBitboards(WireBitboards("e9")), "square", "INVALID_SQUARE", "e9");
  ExpectFault(ParseBitboards(WireBitboards("\n")), "square", "INVALID_SQUARE", "\\x0a");
  ExpectFault(ParseBitboards(WireBitboards("e4")), "square", "EMPTY_SQUARE", "no man on e4");
  ExpectFault(ParseBitboards(WireBitboards("", v1::PIECE_TYPE_ROOK)), "square", "MISSING_FIELD", "piece");
  ExpectFault(ParseBitboards(WireBitboards("e4", static_cast<v1::PieceType>(7))), "piece", "UNKNOWN_ENUM_VALUE", "7");
  ExpectFault(ParseBitboards(WireBitboards("e4", v1::PIECE_TYPE_ROOK, static_cast<v1::Color>(-1))), "color",
              "UNKNOWN_ENUM_VALUE", "-1");
}

TEST(PerftToWireTest, WritesDividesAndTotals) {
  const v1::PerftResponse divide = DivideToWire(Position(), Move(Square::kG1, Square::kF3), 400);
  EXPECT_EQ(divide.divide().uci(), "g1f3");
  EXPECT_EQ(divide.divide().san(), "Nf3");
  EXPECT_EQ(divide.divide().nodes(), 400u);
  const v1::PerftResponse total = TotalToWire(3000, std::chrono::milliseconds(1500));
  EXPECT_EQ(total.total().nodes(), 3000u);
  EXPECT_EQ(total.total().elapsed().seconds(), 1);
  EXPECT_EQ(total.total().elapsed().nanos(), 500'000'000);
  EXPECT_EQ(total.total().nps(), 2000u);
  EXPECT_EQ(TotalToWire(3000, std::chrono::nanoseconds(0)).total().nps(), 0u);
}

}  // namespace
}  // namespace kibitz::server
