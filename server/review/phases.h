// The parts of a game.

#ifndef KIBITZ_SERVER_REVIEW_PHASES_H_
#define KIBITZ_SERVER_REVIEW_PHASES_H_

#include "engine/board/board.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::server {

// The part of the game that a position belongs to, after one that belonged to `before`: a game does not go back.
v1::Phase NextPhase(const Board& board, v1::Phase before);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_PHASES_H_
