#include "engine/eval/nnue/nnue_evaluator.h"

#include <algorithm>
#include <utility>

#include "engine/board/bitboard.h"
#include "engine/board/board.h"

namespace kibitz::nnue {
namespace {

// No value is larger: what is above belongs to mates and endgame tables.
constexpr int kMaxValue = 20'000;

constexpr std::array kColors = {Color::kWhite, Color::kBlack};

}  // namespace

NnueEvaluator::NnueEvaluator(std::shared_ptr<const Network> network, const Kernels& kernels)
    : network_(std::move(network)), kernels_(kernels), steps_(kMaxSteps) {}

std::size_t NnueEvaluator::Bytes() { return sizeof(NnueEvaluator) + kMaxSteps * sizeof(Step); }

void NnueEvaluator::Reset(const Position& root) {
  top_ = 0;
  for (const Color view : kColors) {
    Refresh(view, root.board(), steps_[0].sums[Index(view)]);
    steps_[0].known[Index(view)] = true;
  }
}

void NnueEvaluator::OnMakeMove(const Position& before, Move move) {
  Step& step = steps_[++top_];
  const Color us = before.side_to_move();
  const PieceType type = before.PieceOn(move.from()).type();
  step.known = {false, false};
  step.turned = {false, false};
  step.num_added = 1;
  step.num_removed = 1;
  step.removed[0] = {us, type, move.from()};
  if (move.kind() == Move::Kind::kCastling) {
    const CastlingMove castling(move.from(), move.to());
    step.added[0] = {us, PieceType::kKing, castling.king_to};
    step.added[1] = {us, PieceType::kRook, castling.rook_to};
    step.removed[1] = {us, PieceType::kRook, move.to()};
    step.num_added = 2;
    step.num_removed = 2;
  } else {
    const bool promotes = move.kind() == Move::Kind::kPromotion;
    step.added[0] = {us, promotes ? move.promotion() : type, move.to()};
    const Square victim = move.kind() == Move::Kind::kEnPassant ? Offset(move.to(), -Up(us)) : move.to();
    if (const Piece captured = before.PieceOn(victim); !captured.IsNone()) {
      step.removed[1] = {~us, captured.type(), victim};
      step.num_removed = 2;
    }
  }
  if (type == PieceType::kKing) {
    step.turned[Index(us)] = IsMirrored(move.from()) != IsMirrored(step.added[0].square);
  }
}

void NnueEvaluator::Refresh(Color view, const Board& board, Sums& sums) const {
  sums = network_->bias;
  const bool mirrored = IsMirrored(board.KingOf(view));
  for (const Color color : kColors) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      for (const Square square : Squares(board.Of(color, static_cast<PieceType>(type)))) {
        const int feature = FeatureIndex(view, mirrored, color, static_cast<PieceType>(type), square);
        kernels_.add(network_->features[static_cast<std::size_t>(feature)].values.data(), sums.values.data());
      }
    }
  }
}

// Makes the sums of a point of view known at the top: from the last that are, or anew if its board has turned since.
void NnueEvaluator::Bring(Color view, const Position& position) {
  const int v = Index(view);
  if (steps_[top_].known[v]) return;
  std::size_t from = top_;
  while (!steps_[from].known[v] && !steps_[from].turned[v]) --from;
  if (!steps_[from].known[v]) {
    Refresh(view, position.board(), steps_[top_].sums[v]);
    steps_[top_].known[v] = true;
    return;
  }
  // Its king has not crossed the middle since.
  const bool mirrored = IsMirrored(position.board().KingOf(view));
  const auto feature = [&](const Change& change) {
    const int index = FeatureIndex(view, mirrored, change.color, change.type, change.square);
    return network_->features[static_cast<std::size_t>(index)].values.data();
  };
  for (std::size_t at = from + 1; at <= top_; ++at) {
    Step& step = steps_[at];
    const std::int16_t* const before = steps_[at - 1].sums[v].values.data();
    std::int16_t* const after = step.sums[v].values.data();
    const std::int16_t* const added = feature(step.added[0]);
    const std::int16_t* const removed = feature(step.removed[0]);
    if (step.num_removed == 1) {
      kernels_.move(before, added, removed, after);
    } else if (step.num_added == 1) {
      kernels_.capture(before, added, removed, feature(step.removed[1]), after);
    } else {
      kernels_.castle(before, added, feature(step.added[1]), removed, feature(step.removed[1]), after);
    }
    step.known[v] = true;
  }
}

EvaluatorKind NnueKind(std::shared_ptr<const Network> network) {
  std::string name = network->Name();
  return {std::move(name), NnueEvaluator::Bytes(),
          [network = std::move(network)] { return std::make_unique<NnueEvaluator>(network); }};
}

int NnueEvaluator::Evaluate(const Position& position) {
  for (const Color view : kColors) Bring(view, position);
  const Color us = position.side_to_move();
  const Step& step = steps_[top_];
  const int value =
      network_->Evaluate(step.sums[Index(us)], step.sums[Index(~us)], BucketOf(position.board().Occupied()), kernels_);
  return DampByClock(std::clamp(value, -kMaxValue, kMaxValue), position.halfmove_clock());
}

}  // namespace kibitz::nnue
