// The shape of the net: what it sees of a position, and how large it is. Trainer and search have it from here.
//
//   768 features x2 (both points of view)  ->  kHidden sums x2, clipped and squared  ->  1 value, by a bucket's weights
//
// A point of view sees each piece as (own or other, type, square), the board turned so that its own side moves up, and
// mirrored so that its king stands on the files a to d: what holds on one wing holds on the other.

#ifndef KIBITZ_ENGINE_EVAL_NNUE_ARCHITECTURE_H_
#define KIBITZ_ENGINE_EVAL_NNUE_ARCHITECTURE_H_

#include <bit>

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz::nnue {

inline constexpr int kFeatures = kNumColors * kNumPieceTypes * kNumSquares;
inline constexpr int kHidden = 256;
// By how many pieces there are: an endgame is another game.
inline constexpr int kBuckets = 8;

// Whether a point of view with its king there is mirrored.
constexpr bool IsMirrored(Square king) { return FileOf(king) >= 4; }

constexpr int FeatureIndex(Color view, bool mirrored, Color color, PieceType type, Square square) {
  const int turned = Index(square) ^ (view == Color::kWhite ? 0 : 56) ^ (mirrored ? 7 : 0);
  return ((color == view ? 0 : kNumPieceTypes) + Index(type)) * kNumSquares + turned;
}

constexpr int BucketOf(Bitboard occupied) { return (std::popcount(occupied) - 2) / 4; }
static_assert(BucketOf(~Bitboard{0} >> 32) == kBuckets - 1);

// How real numbers become integers. The hidden sums are whole at kOne, and clipped there; a product of a sum and an
// output weight fits into 16 bits.
inline constexpr int kOne = 255;
inline constexpr int kOutputOne = 64;
inline constexpr int kMaxHidden = 32767 / 33;  // all features and the bias, without overflow
inline constexpr int kMaxOutput = 32767 / kOne;
inline constexpr double kMaxHiddenWeight = static_cast<double>(kMaxHidden) / kOne;
inline constexpr double kMaxOutputWeight = static_cast<double>(kMaxOutput) / kOutputOne;

}  // namespace kibitz::nnue

#endif  // KIBITZ_ENGINE_EVAL_NNUE_ARCHITECTURE_H_
