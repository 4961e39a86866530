#include "engine/eval/classical/endgame.h"

#include <algorithm>
#include <cstdlib>

#include "engine/eval/classical/trace.h"

namespace kibitz {
namespace {

int Distance(Square a, Square b) { return std::max(std::abs(FileOf(a) - FileOf(b)), std::abs(RankOf(a) - RankOf(b))); }

// The worth of pieces in pawns, pawns left out.
int Pieces(const Board& board, Color color) {
  return 3 * Count(board.Of(color, PieceType::kKnight) | board.Of(color, PieceType::kBishop)) +
         5 * Count(board.Of(color, PieceType::kRook)) + 9 * Count(board.Of(color, PieceType::kQueen));
}

bool IsBareKing(const Board& board, Color color) { return !MoreThanOne(board.Of(color)); }

// Rook pawns whose queening square the bishop cannot guard, with the defending king there: nothing to be done.
bool IsWrongBishop(const Board& board, Color stronger) {
  const Bitboard pawns = board.Of(stronger, PieceType::kPawn);
  const Bitboard bishops = board.Of(stronger, PieceType::kBishop);
  if (pawns == 0 || ((pawns & ~kFileA) != 0 && (pawns & ~kFileH) != 0)) return false;
  if (board.Of(stronger) & ~pawns & ~bishops & ~board.Of(PieceType::kKing)) return false;
  const Square corner = MakeSquare((pawns & kFileA) != 0 ? 0 : 7, RelativeRank(stronger, 7));
  const Bitboard corner_color = Contains(kLightSquares, corner) ? kLightSquares : kDarkSquares;
  return (bishops & corner_color) == 0 && Distance(board.KingOf(~stronger), corner) <= 1;
}

bool HasOppositeBishops(const Board& board) {
  const Bitboard white = board.Of(Color::kWhite, PieceType::kBishop);
  const Bitboard black = board.Of(Color::kBlack, PieceType::kBishop);
  if (Count(white) != 1 || Count(black) != 1) return false;
  return ((white & kLightSquares) != 0) != ((black & kLightSquares) != 0);
}

int ScaleWithoutPawns(const Board& board, Color stronger) {
  const int ours = Pieces(board, stronger);
  const int lead = ours - Pieces(board, ~stronger);
  const Bitboard knights = board.Of(stronger, PieceType::kKnight);
  if (ours <= 3) return 0;
  // Two knights cannot force mate.
  if (ours == 6 && Count(knights) == 2) return 0;
  if (lead <= 3 && board.Of(~stronger) != board.Of(~stronger, PieceType::kKing)) return ours <= 5 ? 4 : 14;
  return kFullScale;
}

}  // namespace

int EndgameScale(const Board& board, Color stronger) {
  const int pawns = Count(board.Of(stronger, PieceType::kPawn));
  if (IsWrongBishop(board, stronger)) return 0;
  if (pawns == 0) return ScaleWithoutPawns(board, stronger);
  if (HasOppositeBishops(board)) {
    const bool bishops_only = Pieces(board, Color::kWhite) == 3 && Pieces(board, Color::kBlack) == 3;
    return bishops_only ? std::min(kFullScale, 14 + 6 * pawns) : std::min(kFullScale, 36 + 4 * pawns);
  }
  // With few pawns left a small lead is hard to win.
  return std::min(kFullScale, 36 + 7 * pawns + (Pieces(board, stronger) - Pieces(board, ~stronger) >= 3 ? 24 : 0));
}

int MatingProgress(const Board& board, Color stronger) {
  if (!IsBareKing(board, ~stronger) || Pieces(board, stronger) < 5) return 0;
  if (Pieces(board, stronger) == 6 && Count(board.Of(stronger, PieceType::kKnight)) == 2) return 0;
  const Square hunted = board.KingOf(~stronger);
  const int from_edge = std::min({FileOf(hunted), 7 - FileOf(hunted), RankOf(hunted), 7 - RankOf(hunted)});
  int progress = 300 - 40 * from_edge + 10 * (7 - Distance(hunted, board.KingOf(stronger)));
  // Bishop and knight mate only in a corner of the bishop's colour.
  const bool bishop_and_knight = Pieces(board, stronger) == 6 && board.Of(stronger, PieceType::kKnight) != 0 &&
                                 board.Of(stronger, PieceType::kPawn) == 0;
  if (bishop_and_knight) {
    const bool light = (board.Of(stronger, PieceType::kBishop) & kLightSquares) != 0;
    const Square corners[] = {light ? Square::kH1 : Square::kA1, light ? Square::kA8 : Square::kH8};
    const int steps =
        std::min(std::abs(FileOf(hunted) - FileOf(corners[0])) + std::abs(RankOf(hunted) - RankOf(corners[0])),
                 std::abs(FileOf(hunted) - FileOf(corners[1])) + std::abs(RankOf(hunted) - RankOf(corners[1])));
    progress += 20 * (14 - steps);
  }
  return progress;
}

}  // namespace kibitz
