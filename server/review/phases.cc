#include "server/review/phases.h"

#include <algorithm>

#include "engine/board/bitboard.h"

namespace kibitz::server {
namespace {

// Pieces beside kings and pawns.
constexpr int kOpeningPieces = 11;  // with fewer the opening is over
constexpr int kEndgamePieces = 6;   // with no more it is an endgame
// A side with fewer pieces on its back rank has developed.
constexpr int kBackRankPieces = 4;

bool HasDeveloped(const Board& board, Color color) {
  const Bitboard back_rank = RelativeRankMask(color, 0);
  return Count(board.Of(color) & back_rank) < kBackRankPieces;
}

v1::Phase PhaseOf(const Board& board) {
  const int pieces = Count(board.Occupied() & ~board.Of(PieceType::kPawn) & ~board.Of(PieceType::kKing));
  if (pieces <= kEndgamePieces) return v1::PHASE_ENDGAME;
  const bool developed = HasDeveloped(board, Color::kWhite) || HasDeveloped(board, Color::kBlack);
  return pieces < kOpeningPieces || developed ? v1::PHASE_MIDDLEGAME : v1::PHASE_OPENING;
}

}  // namespace

v1::Phase NextPhase(const Board& board, v1::Phase before) { return std::max(PhaseOf(board), before); }

}  // namespace kibitz::server
