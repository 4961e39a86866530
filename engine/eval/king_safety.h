// How safe a king is: its pawns, the enemy's storm, and the pieces that gather around it.

#ifndef KIBITZ_ENGINE_EVAL_KING_SAFETY_H_
#define KIBITZ_ENGINE_EVAL_KING_SAFETY_H_

#include "engine/board/position.h"
#include "engine/eval/attack_map.h"
#include "engine/eval/tapered.h"

namespace kibitz {

// For the side whose king it is.
template <Color kUs>
Tapered KingSafety(const Board& board, const AttackMap& attacks);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_KING_SAFETY_H_
