// When a game is to be given up, or called a draw: by what our own searches have said for some moves.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_SCORE_WATCH_H_
#define KIBITZ_CLIENT_LICHESS_BOT_SCORE_WATCH_H_

#include <cstdlib>
#include <optional>

#include "client/lichess/bot/policy.h"
#include "client/lichess/bot/thinker.h"

namespace kibitz::client::lichess {

// Follows one game.
class ScoreWatch {
 public:
  ScoreWatch(const DrawPolicy& draw, const ResignPolicy& resign) : draw_(draw), resign_(resign) {}

  // After each search for a move of ours. A mate counts as more than any centipawns.
  void Add(const Answer& answer) {
    score_ = answer.centipawns;
    if (answer.mate_in) score_ = *answer.mate_in > 0 ? kMate : -kMate;
    if (!score_) return;
    balanced_ = std::abs(*score_) <= draw_.centipawns ? balanced_ + 1 : 0;
    losing_ = *score_ <= -resign_.centipawns ? losing_ + 1 : 0;
  }
  // What was taken back is forgotten.
  void Reset() {
    score_.reset();
    balanced_ = 0;
    losing_ = 0;
  }

  bool WantsToOffer(int move_number) const {
    return draw_.offer && move_number >= draw_.from_move && balanced_ >= draw_.moves;
  }
  bool WantsToAccept() const { return draw_.accept && score_ && *score_ <= draw_.centipawns; }
  // Of a draw that can be had by the rules.
  bool WantsToClaim() const { return score_ && *score_ <= 0; }
  bool WantsToResign() const { return resign_.moves > 0 && losing_ >= resign_.moves; }

 private:
  static constexpr int kMate = 1'000'000;

  const DrawPolicy draw_;
  const ResignPolicy resign_;
  std::optional<int> score_;
  int balanced_ = 0;
  int losing_ = 0;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_SCORE_WATCH_H_
