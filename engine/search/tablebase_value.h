// What a tablebase's result is worth to the search.

#ifndef KIBITZ_ENGINE_SEARCH_TABLEBASE_VALUE_H_
#define KIBITZ_ENGINE_SEARCH_TABLEBASE_VALUE_H_

#include "engine/search/score.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {

// Wins and losses lie beyond every evaluation, the nearer to the root the better. What the fifty-move rule alone draws
// is worth next to nothing, but worth a try.
constexpr Value TablebaseValue(TablebaseResult result, int ply) {
  switch (result) {
    case TablebaseResult::kWin:
      return kTablebaseWin - ply;
    case TablebaseResult::kCursedWin:
      return kDraw + 1;
    case TablebaseResult::kDraw:
      return kDraw;
    case TablebaseResult::kBlessedLoss:
      return kDraw - 1;
    case TablebaseResult::kLoss:
      return -kTablebaseWin + ply;
  }
  return kDraw;
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_TABLEBASE_VALUE_H_
