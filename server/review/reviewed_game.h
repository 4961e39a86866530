// One game while it is reviewed: what is known of its positions, and what follows from that for its moves.

#ifndef KIBITZ_SERVER_REVIEW_REVIEWED_GAME_H_
#define KIBITZ_SERVER_REVIEW_REVIEWED_GAME_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/board/pgn.h"
#include "engine/board/position.h"
#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/game.h"
#include "server/review/openings.h"

namespace kibitz::server {

// What endgame tables know of a move; nothing where they do not cover it.
using TableJudge = std::function<std::optional<TableVerdict>(const Position& position, Move move)>;

// What is known without a search.
struct ReviewKnowledge {
  TableJudge tables;
  const Openings& openings;  // outlives the games
};

// A position is known by the number of moves before it: a move leads from position n - 1, which is before ply n, to
// position n.
class ReviewedGame {
 public:
  using Final = v1::AnalyzeResponse::Final;

  ReviewedGame(PgnGame game, const ReviewRules& rules, ReviewKnowledge knowledge);

  const PgnGame& game() const { return game_; }
  std::string StartFen() const;
  // The plies that are to be judged.
  int judged() const { return static_cast<int>(judged_.size()); }
  // The positions whose values that needs, in the order of the game.
  const std::vector<int>& positions() const { return needed_; }

  // A position as a search wants it, with the moves that lead to it.
  v1::Position PositionAt(int number) const;

  // The value of a position is known. Returns the reviews of the moves that can be judged now.
  std::vector<v1::PlyReview> SetResult(int number, const Final& final);

  // Of what has been judged so far.
  v1::AnalyzeGameResponse::Summary Summarize() const;

 private:
  // A move, and the position before it.
  struct Ply {
    std::string uci;
    std::string san;
    std::string fen;
    int move_number = 1;
    bool white = true;
    bool forced = false;
    v1::Phase phase = v1::PHASE_OPENING;
    bool judged = false;  // is to be
    std::optional<v1::PlyReview> review{};
  };

  void Judge(int ply);
  void AddFacts(const Ply& ply, v1::PlyReview& review) const;
  v1::Judgement JudgementOf(const Ply& ply, const v1::PlyReview& review) const;
  v1::AnalyzeGameResponse::Side SummarizeSide(bool white) const;
  std::vector<int> Moments() const;
  // The game with what was found.
  std::string Annotated() const;
  std::vector<PgnLine> BetterLines(const Ply& ply, const Position& position) const;

  const PgnGame game_;
  const ReviewRules rules_;
  const ReviewKnowledge knowledge_;
  std::vector<Ply> plies_;                // ply n stands at n - 1
  const OpeningName* opening_ = nullptr;  // none: the game has no name
  int opening_ply_ = 0;                   // the last one of it
  std::vector<int> judged_;
  std::vector<int> needed_;
  std::vector<std::optional<Final>> results_;  // by position
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_REVIEWED_GAME_H_
