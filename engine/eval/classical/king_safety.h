// How safe a king is: its pawns, the enemy's storm, and the pieces that gather around it.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_KING_SAFETY_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_KING_SAFETY_H_

#include "engine/board/position.h"
#include "engine/eval/classical/attack_map.h"
#include "engine/eval/classical/evaluation_weights.h"
#include "engine/eval/classical/tapered.h"

namespace kibitz {

// For the side whose king it is. Defined for OwnWeights and GivenWeights.
template <Color kUs, typename WeightsPointer>
Tapered KingSafety(const Board& board, const AttackMap& attacks, WeightsPointer weights);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_KING_SAFETY_H_
