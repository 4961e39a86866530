#include "client/match/adjudication.h"

#include <cstdlib>

namespace kibitz::client {
namespace {

constexpr int kMate = 100'000;

int Centipawns(const PlayerScore& score) {
  if (!score.is_mate) return score.value;
  return score.value > 0 ? kMate : -kMate;
}

}  // namespace

std::optional<Adjudicator::Verdict> Adjudicator::AfterMove(Color side, const std::optional<PlayerScore>& score,
                                                           int full_moves) {
  // Without a score nobody agrees to anything.
  const int own = score ? Centipawns(*score) : 0;
  const int white = side == Color::kWhite ? own : -own;
  white_winning_ = score && white >= rules_.resign_centipawns ? white_winning_ + 1 : 0;
  black_winning_ = score && white <= -rules_.resign_centipawns ? black_winning_ + 1 : 0;
  const bool late = full_moves >= rules_.draw_from_move;
  balanced_ = score && late && std::abs(white) <= rules_.draw_centipawns ? balanced_ + 1 : 0;

  if (rules_.resign_moves > 0 && white_winning_ >= 2 * rules_.resign_moves) {
    return Verdict{GameOutcome::kWhiteWins, "White wins by adjudication: both players agree"};
  }
  if (rules_.resign_moves > 0 && black_winning_ >= 2 * rules_.resign_moves) {
    return Verdict{GameOutcome::kBlackWins, "Black wins by adjudication: both players agree"};
  }
  if (rules_.draw_moves > 0 && balanced_ >= 2 * rules_.draw_moves) {
    return Verdict{GameOutcome::kDraw, "Draw by adjudication: both players agree"};
  }
  if (rules_.max_moves > 0 && full_moves >= rules_.max_moves) {
    return Verdict{GameOutcome::kDraw, "Draw by adjudication: the game is too long"};
  }
  return std::nullopt;
}

}  // namespace kibitz::client
