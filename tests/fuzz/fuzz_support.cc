#include "tests/fuzz/fuzz_support.h"

#include <cstdlib>
#include <iostream>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"

namespace kibitz {
namespace {

// Positions in which many kinds of moves are possible.
std::vector<Position> MakePositions() {
  std::vector<Position> positions;
  for (absl::string_view fen : {
           absl::string_view(kStartFen),
           absl::string_view("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),  // castling
           absl::string_view("n1n2k2/1P1P3P/8/8/8/2K5/pp2p1p1/5N1N b - - 0 1"),                        // promotions
           absl::string_view("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1"),                                       // ambiguity
           absl::string_view("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"),                                    // en passant
       }) {
    positions.push_back(*ParseFen(fen));
  }
  positions.push_back(*ParseFen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", Variant::kChess960));
  positions.push_back(*ParseFen("4k3/8/8/8/8/8/8/5K1R w H - 0 1", Variant::kChess960));
  return positions;
}

const Position& PositionOfDigit(char digit) {
  static const auto* const positions = new std::vector<Position>(MakePositions());
  const int index = digit - '0';
  return (*positions)[index >= 0 && index < static_cast<int>(positions->size()) ? index : 0];
}

}  // namespace

void Require(bool holds, absl::string_view what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << std::endl;
  std::abort();
}

void RequireGoodRefusal(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument, "bad input is an invalid argument");
  Require(!status.message().empty() && status.message().size() < 1000, "a refusal has words, but not too many");
  for (char c : status.message()) Require(absl::ascii_isprint(static_cast<unsigned char>(c)), "a refusal is printable");
}

void RequireSame(const Position& one, const Position& other) {
  Require(one.board() == other.board(), "same board");
  Require(one.key() == other.key() && one.pawn_key() == other.pawn_key(), "same keys");
  Require(one.checkers() == other.checkers(), "same checkers");
  Require(one.variant() == other.variant(), "same variant");
  Require(one.halfmove_clock() == other.halfmove_clock(), "same halfmove clock");
  Require(one.fullmove_number() == other.fullmove_number(), "same move number");
  for (int square = 0; square < kNumSquares; ++square) {
    Require(one.PieceOn(SquareAt(square)) == other.PieceOn(SquareAt(square)), "same mailbox");
  }
}

void TryMoves(absl::string_view text,
              const std::function<absl::StatusOr<Move>(const Position& position, absl::string_view word)>& read,
              const std::function<std::string(const Position& position, Move move)>& write) {
  if (text.empty()) return;
  Position position = PositionOfDigit(text[0]);
  for (absl::string_view word : absl::StrSplit(text.substr(1), ' ')) {
    const absl::StatusOr<Move> move = read(position, word);
    if (!move.ok()) {
      RequireGoodRefusal(move.status());
      continue;
    }
    Require(position.IsLegal(*move), "only legal moves are read");
    const absl::StatusOr<Move> again = read(position, write(position, *move));
    Require(again.ok() && *again == *move, "a written move can be read");
    position.MakeMove(*move);
  }
}

}  // namespace kibitz
