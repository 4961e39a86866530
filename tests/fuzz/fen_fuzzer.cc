// Any bytes as a FEN of both variants. What is accepted must be a sound position.

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/zobrist.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {
namespace {

void RequireReadAgain(const Position& position) {
  for (CastlingNotation notation : {CastlingNotation::kXFen, CastlingNotation::kShredder}) {
    const absl::StatusOr<Position> again = ParseFen(ToFen(position, notation), position.variant());
    Require(again.ok(), "a written FEN can be read");
    RequireSame(*again, position);
  }
}

void RequireSoundMoves(Position& position) {
  const Position before = position;
  const MoveList moves = LegalMoves(position);
  Require(moves.size() == CountLegalMoves(position.board()), "moves are counted as listed");
  for (Move move : moves) {
    const bool gives_check = position.GivesCheck(move);
    position.MakeMove(move);
    const Board& board = position.board();
    Require(!board.IsAttacked(board.KingOf(~board.side_to_move), board.side_to_move, board.Occupied()),
            "no legal move leaves the king in check");
    Require(position.key() == zobrist::Compute(board), "the key is the board's");
    Require(position.InCheck() == gives_check, "checks are foreseen");
    Require(ParseFen(ToFen(position), position.variant()).ok(), "a legal move leads to a legal position");
    position.UnmakeMove(move);
    RequireSame(position, before);
  }
}

void Try(absl::string_view text, Variant variant) {
  absl::StatusOr<Position> position = ParseFen(text, variant);
  if (!position.ok()) return RequireGoodRefusal(position.status());
  RequireReadAgain(*position);
  RequireSoundMoves(*position);
  position->Status();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  Try(text, Variant::kStandard);
  Try(text, Variant::kChess960);
  return 0;
}

}  // namespace kibitz
