// How good a value is for a side, and how well moves were chosen by it. The formulas are those that Lichess publishes;
// docs/sites.md states them.

#ifndef KIBITZ_SERVER_REVIEW_CHANCES_H_
#define KIBITZ_SERVER_REVIEW_CHANCES_H_

#include <vector>

#include "kibitz/v1/analysis.pb.h"

namespace kibitz::server {

// From -1 (lost) to 1 (won), for the side that the score is for.
double WinningChance(const v1::Score& score);

// In hundredths of a pawn within ten pawns of even, where mates are too.
int BoundedCentipawns(const v1::Score& score);

// The same for the other side.
v1::Score Negated(const v1::Score& score);
v1::Wdl Negated(const v1::Wdl& wdl);

// How well a move was chosen, from 0 to 100, by the chances of its side before and after.
double MoveAccuracy(double chance_before, double chance_after);

// One move of either side, for the accuracy of a whole game.
struct JudgedMove {
  bool white = true;
  double chance_before = 0;  // White's
  double chance_after = 0;
  double accuracy = 100;
  bool counts = true;  // whether there was a choice
};

// How well one side chose its moves, from 0 to 100: moves in sharp phases weigh more, and bad moves are not forgotten
// over many good ones. 100 if it had no choice at all.
double SideAccuracy(const std::vector<JudgedMove>& moves, bool white);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_CHANCES_H_
