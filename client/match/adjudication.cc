#include "client/match/adjudication.h"

#include <cstdlib>
#include <utility>

#include "absl/status/statusor.h"

namespace kibitz::client {
namespace {

constexpr int kMate = 100'000;

int Centipawns(const PlayerScore& score) {
  if (!score.is_mate) return score.value;
  return score.value > 0 ? kMate : -kMate;
}

}  // namespace

absl::Status UseTablebases(const std::string& path, AdjudicationRules& rules) {
  absl::StatusOr<std::unique_ptr<Tablebases>> tables = Tablebases::Open(path);
  if (!tables.ok()) return tables.status();
  rules.tablebases = *std::move(tables);
  return absl::OkStatus();
}

std::optional<Adjudicator::Verdict> Adjudicator::AskTables(const Position& position) const {
  if (!rules_.tablebases) return std::nullopt;
  const std::optional<TablebaseResult> result = rules_.tablebases->Probe(position);
  if (!result) return std::nullopt;
  const bool decided = *result == TablebaseResult::kWin || *result == TablebaseResult::kLoss;
  if (!decided) return Verdict{GameOutcome::kDraw, "Draw by adjudication: the endgame tables say so"};
  const Color winner = *result == TablebaseResult::kWin ? position.side_to_move() : ~position.side_to_move();
  return Verdict{WinOf(winner), winner == Color::kWhite ? "White wins by adjudication: the endgame tables say so"
                                                        : "Black wins by adjudication: the endgame tables say so"};
}

std::optional<Adjudicator::Verdict> Adjudicator::AfterMove(const Position& position,
                                                           const std::optional<PlayerScore>& score, int full_moves) {
  if (const std::optional<Verdict> known = AskTables(position)) return known;
  // Without a score nobody agrees to anything.
  const int own = score ? Centipawns(*score) : 0;
  const int white = position.side_to_move() == Color::kBlack ? own : -own;
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
