// The evaluation, term by term, for those who want to know why.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_TRACE_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_TRACE_H_

#include <array>
#include <cstdint>

#include "engine/board/types.h"
#include "engine/eval/classical/tapered.h"

namespace kibitz {

enum class Term : std::uint8_t {
  kMaterial,
  kPieceSquares,
  kPawns,
  kPassedPawns,
  kMobility,
  kPieces,
  kKingSafety,
  kThreats,
  kSpace,
};
inline constexpr int kNumTerms = 9;

inline constexpr int kFullPhase = 24;
// A scale of kFullScale leaves a lead as it is, 0 makes a draw of it.
inline constexpr int kFullScale = 64;

// Each side's share of each term, and how they were put together.
struct EvaluationTrace {
  std::array<std::array<Tapered, kNumColors>, kNumTerms> terms{};
  int phase = 0;  // of kFullPhase: 0 is a bare endgame
  int scale = 0;  // of kFullScale: what is left of the stronger side's endgame value
  int lead = 0;   // White's, put together, before the fifty-move rule is near
  int tempo = 0;
  int value = 0;  // for the side to move

  void Add(Term term, Color color, Tapered share) { terms[static_cast<int>(term)][Index(color)] += share; }
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_TRACE_H_
