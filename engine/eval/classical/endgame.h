// What is known of endgames beyond the sum of the terms: how much of a lead can be won.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_ENDGAME_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_ENDGAME_H_

#include "engine/board/position.h"

namespace kibitz {

// What is left of the lead of `stronger` in the endgame, of kFullScale.
int EndgameScale(const Board& board, Color stronger);

// For a side that has enough to mate a bare king: how far it has come in driving that king to the edge. 0 otherwise.
int MatingProgress(const Board& board, Color stronger);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_ENDGAME_H_
