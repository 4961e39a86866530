// What a worker has learnt elsewhere in the tree: which moves were good, and how far its evaluation was off.

#ifndef KIBITZ_ENGINE_SEARCH_HISTORY_H_
#define KIBITZ_ENGINE_SEARCH_HISTORY_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "engine/board/position.h"
#include "engine/search/corrections.h"
#include "engine/search/score.h"

namespace kibitz {

inline constexpr int kMaxHistory = 16384;

// A piece and its destination, 0 to 767: how continuation tables name a move.
using PieceTo = std::uint16_t;
inline constexpr int kNumPieceTo = kNumColors * kNumPieceTypes * kNumSquares;
inline PieceTo PieceToOf(const Position& position, Move move) {
  const Piece piece = position.PieceOn(move.from());
  return static_cast<PieceTo>((Index(piece.color()) * kNumPieceTypes + Index(piece.type())) * kNumSquares +
                              Index(move.to()));
}

inline PieceType CapturedType(const Position& position, Move move) {
  return move.kind() == Move::Kind::kEnPassant ? PieceType::kPawn : position.PieceOn(move.to()).type();
}

// Moves towards the bonus the more, the farther it is from it: the result stays within kMaxHistory.
inline void UpdateHistory(std::int16_t& entry, int bonus) {
  const int clamped = std::clamp(bonus, -kMaxHistory, kMaxHistory);
  entry = static_cast<std::int16_t>(entry + clamped - entry * std::abs(clamped) / kMaxHistory);
}

// What a result at this depth adds or takes.
constexpr int HistoryBonus(int depth) { return std::min(140 * depth - 60, 1700); }

// One worker's memory, about 1.3 MB. Not shared.
class History {
 public:
  // How moves that answer a given move have done.
  using Continuation = std::array<std::int16_t, kNumPieceTo>;

  void Clear() { *this = History(); }

  std::int16_t& Quiet(Color side, Move move) { return quiet_[Index(side)][Index(move.from())][Index(move.to())]; }
  std::int16_t& Capture(PieceTo piece_to, PieceType captured) { return capture_[piece_to][Index(captured)]; }
  Continuation& After(PieceTo previous) { return continuation_[previous]; }
  Move& Counter(PieceTo previous) { return counter_[previous]; }

  // By the pawns, for the side to move.
  Corrections<4096>& PawnCorrections(Color side) { return pawn_corrections_[Index(side)]; }
  // By the last two moves: see MovesKey.
  Corrections<16384>& MoveCorrections() { return move_corrections_; }
  static std::uint64_t MovesKey(PieceTo last, PieceTo before) {
    return (std::uint32_t{last} * kNumPieceTo + before) * 2654435769u >> 18;
  }

 private:
  std::array<std::array<std::array<std::int16_t, kNumSquares>, kNumSquares>, kNumColors> quiet_{};
  std::array<std::array<std::int16_t, kNumPieceTypes + 1>, kNumPieceTo> capture_{};
  std::array<Continuation, kNumPieceTo> continuation_{};
  std::array<Move, kNumPieceTo> counter_{};
  std::array<Corrections<4096>, kNumColors> pawn_corrections_{};
  Corrections<16384> move_corrections_{};
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_HISTORY_H_
