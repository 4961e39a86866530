// The net as an evaluator: keeps its sums from move to move, and reckons only what has changed.

#ifndef KIBITZ_ENGINE_EVAL_NNUE_NNUE_EVALUATOR_H_
#define KIBITZ_ENGINE_EVAL_NNUE_NNUE_EVALUATOR_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/eval/evaluator.h"
#include "engine/eval/nnue/kernels.h"
#include "engine/eval/nnue/network.h"

namespace kibitz::nnue {

// Moves are only noted when they are made; the sums follow when somebody asks for a value. Many positions of a search
// are left without that.
class NnueEvaluator final : public Evaluator {
 public:
  explicit NnueEvaluator(std::shared_ptr<const Network> network, const Kernels& kernels = FastestKernels());

  void Reset(const Position& root) override;
  void OnMakeMove(const Position& before, Move move) override;
  void OnUnmakeMove() override { --top_; }
  int Evaluate(const Position& position) override;

  // What one takes, beside the net, which all share.
  static std::size_t Bytes();

 private:
  // A piece that appeared or went.
  struct Change {
    Color color;
    PieceType type;
    Square square;
  };
  // One move, and the sums after it once they are known.
  struct Step {
    std::array<Sums, kNumColors> sums;
    std::array<bool, kNumColors> known;
    // A king has crossed the middle: its point of view begins anew.
    std::array<bool, kNumColors> turned;
    std::array<Change, 2> added;
    std::array<Change, 2> removed;
    int num_added;
    int num_removed;
  };

  static constexpr std::size_t kMaxSteps = 256;

  void Bring(Color view, const Position& position);
  void Refresh(Color view, const Board& board, Sums& sums) const;

  const std::shared_ptr<const Network> network_;
  const Kernels kernels_;
  std::vector<Step> steps_;
  std::size_t top_ = 0;
};

// Evaluators that share a net. Its name tells which.
EvaluatorKind NnueKind(std::shared_ptr<const Network> network);

}  // namespace kibitz::nnue

#endif  // KIBITZ_ENGINE_EVAL_NNUE_NNUE_EVALUATOR_H_
