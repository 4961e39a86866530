#include "engine/search/move_picker.h"

#include <algorithm>
#include <utility>

#include "engine/board/movegen.h"
#include "engine/search/move_order.h"
#include "engine/search/piece_value.h"
#include "engine/search/see.h"

namespace kibitz {
namespace {

constexpr int kKillerBonus = 20'000;
constexpr int kCounterBonus = 12'000;
constexpr int kEvasionCapture = 1 << 20;

}  // namespace

MovePicker::MovePicker(const Position& position, History& history, const OrderingHints& hints, Kind kind)
    : position_(position),
      history_(history),
      hints_(hints),
      kind_(kind),
      stage_(Stage::kTableMove),
      begin_(moves_),
      end_(moves_),
      end_bad_(moves_) {
  if (hints_.table_move.IsNone()) stage_ = position.InCheck() ? Stage::kMakeEvasions : Stage::kMakeCaptures;
}

int MovePicker::CaptureScore(Move move) const {
  const PieceType captured = CapturedType(position_, move);
  const int promotion = move.kind() == Move::Kind::kPromotion ? PieceValue(move.promotion()) : 0;
  return 16 * (PieceValue(captured) + promotion) + history_.Capture(PieceToOf(position_, move), captured) / 4;
}

int MovePicker::QuietScore(Move move) const {
  const PieceTo piece_to = PieceToOf(position_, move);
  int score = 2 * history_.Quiet(position_.side_to_move(), move);
  score += 2 * (*hints_.continuations[0])[piece_to] + (*hints_.continuations[1])[piece_to] +
           (*hints_.continuations[2])[piece_to] / 2;
  if (move == hints_.killers[0] || move == hints_.killers[1]) score += kKillerBonus;
  if (move == hints_.counter) score += kCounterBonus;
  return score;
}

void MovePicker::ScoreCaptures(const MoveList& moves) {
  for (Move move : moves) {
    if (move != hints_.table_move) *end_++ = {move, CaptureScore(move)};
  }
}

void MovePicker::ScoreQuiets(const MoveList& moves) {
  for (Move move : moves) {
    if (move != hints_.table_move) *end_++ = {move, QuietScore(move)};
  }
}

void MovePicker::ScoreEvasions(const MoveList& moves) {
  for (Move move : moves) {
    if (move == hints_.table_move) continue;
    const bool capture = position_.IsCapture(move) || move.kind() == Move::Kind::kPromotion;
    *end_++ = {move, capture ? kEvasionCapture + CaptureScore(move) : QuietScore(move)};
  }
}

Move MovePicker::PopBest() {
  const Color us = position_.side_to_move();
  ScoredMove* const best = std::max_element(begin_, end_, [us](const ScoredMove& a, const ScoredMove& b) {
    return a.score != b.score ? a.score < b.score : OrderOf(b.move, us) < OrderOf(a.move, us);
  });
  std::swap(*best, *begin_);
  last_score_ = begin_->score;
  return (begin_++)->move;
}

Move MovePicker::Next() {
  switch (stage_) {
    case Stage::kTableMove:
      stage_ = position_.InCheck() ? Stage::kMakeEvasions : Stage::kMakeCaptures;
      return hints_.table_move;

    case Stage::kMakeCaptures: {
      MoveList moves;
      GenerateCaptures(position_.board(), moves);
      ScoreCaptures(moves);
      stage_ = Stage::kGoodCaptures;
      [[fallthrough]];
    }
    case Stage::kGoodCaptures:
      while (begin_ != end_) {
        const Move move = PopBest();
        // Good is what loses little; a fine history allows a little more.
        if (SeeAtLeast(position_, move, -last_score_ / 64)) return move;
        *end_bad_++ = {move, last_score_};
      }
      if (kind_ == Kind::kCaptures) {
        stage_ = Stage::kDone;
        return Move();
      }
      stage_ = Stage::kMakeQuiets;
      [[fallthrough]];

    case Stage::kMakeQuiets:
      begin_ = end_ = end_bad_;
      if (!skip_quiets_) {
        MoveList moves;
        GenerateQuiets(position_.board(), moves);
        ScoreQuiets(moves);
      }
      stage_ = Stage::kQuiets;
      [[fallthrough]];

    case Stage::kQuiets:
      if (begin_ != end_ && !skip_quiets_) return PopBest();
      begin_ = moves_;
      end_ = end_bad_;
      stage_ = Stage::kBadCaptures;
      [[fallthrough]];

    case Stage::kBadCaptures:
      if (begin_ != end_) {
        last_score_ = begin_->score;
        return (begin_++)->move;
      }
      stage_ = Stage::kDone;
      return Move();

    case Stage::kMakeEvasions: {
      MoveList moves;
      GenerateEvasions(position_.board(), moves);
      ScoreEvasions(moves);
      stage_ = Stage::kEvasions;
      [[fallthrough]];
    }
    case Stage::kEvasions:
      if (begin_ != end_) return PopBest();
      stage_ = Stage::kDone;
      return Move();

    case Stage::kDone:
      return Move();
  }
  return Move();
}

}  // namespace kibitz
