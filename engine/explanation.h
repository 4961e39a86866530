// The static evaluation of a position, explained: what each term adds to it. No search.

#ifndef KIBITZ_ENGINE_EXPLANATION_H_
#define KIBITZ_ENGINE_EXPLANATION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/search/score.h"

namespace kibitz {

// What a term looks at. The first are those of the classical evaluation, in its order, with a share for each side.
enum class ExplainedTerm : std::uint8_t {
  kMaterial,
  kPieceSquares,
  kPawns,
  kPassedPawns,
  kMobility,
  kPieces,
  kKingSafety,
  kThreats,
  kSpace,
  kTempo,       // the right to move
  kEndgame,     // known endgames: what cannot be won of a lead, and what helps to win it
  kFiftyMoves,  // what moves without a capture or a pawn move have taken off
};
inline constexpr int kNumExplainedTerms = 12;

// All values are in centipawns.
struct Explanation {
  struct Share {
    double middlegame = 0;
    double endgame = 0;
  };
  struct Term {
    bool has_shares = false;
    std::array<Share, kNumColors> shares;
    double value = 0;  // that it adds to the sum
  };

  std::array<Term, kNumExplainedTerms> terms;
  double sum = 0;         // of the terms' values: White's lead
  Score score;            // the same for the side to move, as the search has it
  int phase = 0;          // in per mille: 0 is a bare endgame
  int endgame_scale = 0;  // in per mille: how much of the stronger side's endgame lead counts
};

// By the classical evaluation.
Explanation Explain(const Position& position);

// What a net says, which has no terms. All values are in centipawns.
struct NetExplanation {
  struct PieceValue {
    Square square;
    double value = 0;  // what White's lead loses without the piece
  };

  std::string name;
  double lead = 0;  // White's
  Score score;      // the same for the side to move, as the search has it
  // All but the kings, and but those without which the position would not be legal.
  std::vector<PieceValue> pieces;
};

// By the net that searches use. Nothing if they use the classical evaluation.
std::optional<NetExplanation> ExplainNet(const Position& position);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EXPLANATION_H_
