#include "tests/support/random_game.h"

#include <array>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/board/movegen.h"

namespace kibitz {
namespace {

constexpr char kFiles[] = "abcdefgh";

int Weight(const Position& position, Move move) {
  switch (move.kind()) {
    case Move::Kind::kEnPassant:
    case Move::Kind::kCastling:
      return 20;
    case Move::Kind::kPromotion:
      return 6;
    case Move::Kind::kNormal:
      break;
  }
  if (position.PieceOn(move.from()).type() == PieceType::kPawn) return 3;
  // Kings and castling rooks stay at home for a while, so that castling has its chance.
  if (Contains(position.board().castling_rooks | position.board().Of(PieceType::kKing), move.from())) return 1;
  return position.IsCapture(move) ? 3 : 2;
}

}  // namespace

std::string RandomGame::Chess960Start() {
  std::string row(8, ' ');
  const auto put_on_free = [&](char man, int nth) {
    for (char& square : row) {
      if (square == ' ' && nth-- == 0) {
        square = man;
        return;
      }
    }
  };
  row[2 * Below(4)] = 'b';
  row[2 * Below(4) + 1] = 'b';
  put_on_free('q', Below(6));
  put_on_free('n', Below(5));
  put_on_free('n', Below(4));
  for (char man : {'r', 'k', 'r'}) put_on_free(man, 0);
  const std::string rights = {kFiles[row.rfind('r')], kFiles[row.find('r')]};
  return absl::StrCat(row, "/pppppppp/8/8/8/8/PPPPPPPP/", absl::AsciiStrToUpper(row), " w ",
                      absl::AsciiStrToUpper(rights), rights, " - 0 1");
}

Move RandomGame::PickMove(const Position& position) {
  const MoveList moves = LegalMoves(position);
  int total = 0;
  for (Move move : moves) total += Weight(position, move);
  if (total == 0) return Move();
  int chosen = Below(total);
  for (Move move : moves) {
    chosen -= Weight(position, move);
    if (chosen < 0) return move;
  }
  return Move();
}

}  // namespace kibitz
