// One thread's share of a search: its position, its memory of moves, its count of nodes.

#ifndef KIBITZ_ENGINE_SEARCH_WORKER_H_
#define KIBITZ_ENGINE_SEARCH_WORKER_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/eval/evaluator.h"
#include "engine/search/evaluation_noise.h"
#include "engine/search/history.h"
#include "engine/search/score.h"
#include "engine/search/stopper.h"
#include "engine/search/transposition_table.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {

// A line of play, short enough to copy at every node of the principal variation.
class Variation {
 public:
  void Clear() { size_ = 0; }
  // `move`, followed by `rest`.
  void Set(Move move, const Variation& rest) {
    moves_[0] = move;
    std::copy(rest.moves_.begin(), rest.moves_.begin() + rest.size_, moves_.begin() + 1);
    size_ = rest.size_ + 1;
  }
  std::vector<Move> ToVector() const { return {moves_.begin(), moves_.begin() + size_}; }

 private:
  std::array<Move, kMaxPly + 2> moves_;
  int size_ = 0;
};

// A move of the root and what the search has found behind it.
struct RootMove {
  explicit RootMove(Move m) : move(m), pv{m} {}
  Move move;
  Value value = -kInfinite;     // of the current iteration, if it was searched to a value
  Value previous = -kInfinite;  // of the iteration before
  Score::Bound bound = Score::Bound::kExact;
  int seldepth = 0;
  std::int64_t nodes = 0;
  std::vector<Move> pv;
  // What tablebases say of the move, if they cover the root: moves of a higher rank come first whatever the search
  // finds.
  int tablebase_rank = 0;
  std::optional<Value> tablebase_value;
};

// Best first. Equals stay in their order, as the next search wants them.
void SortByValue(std::vector<RootMove>& moves, std::size_t begin, std::size_t end);

// The memory of a worker that outlives a search: about 1.5 MB, made once and used again.
struct WorkerMemory {
  explicit WorkerMemory(std::unique_ptr<Evaluator> its_evaluator) : evaluator(std::move(its_evaluator)) {}

  History history;
  const std::unique_ptr<Evaluator> evaluator;
  // For a new game or another analysis: nothing is left of the last one.
  void Clear() {
    history.Clear();
    evaluator->Clear();
  }
};

// What the nodes of a line know of each other.
struct Frame {
  int ply = 0;
  Move move;      // the move being searched here
  Move excluded;  // left out, to see whether the others come near it
  PieceTo piece_to = 0;
  bool has_move = false;  // not the root's frame nor a null move's
  Value evaluation = kNoValue;
  bool in_check = false;
  bool on_pv = false;
  int reduction = 0;  // of the move being searched, in plies
  int cutoffs = 0;    // below this node's children
  std::array<Move, 2> killers;
  History::Continuation* continuation = nullptr;
  Variation pv;
};

// Hears what happens at the root while it is searched.
class RootWatcher {
 public:
  virtual ~RootWatcher() = default;
  // A move is about to be searched; 1 is the first.
  virtual void OnMove(const RootMove& move, int number) = 0;
  // A move turned out better than those before it, in the iteration of this depth.
  virtual void OnBetterMove(const RootMove& move, int depth) = 0;
};

class Worker {
 public:
  Worker(const Position& root, TranspositionTable& table, WorkerMemory& memory, Stopper& stopper, SearchHost& host,
         bool is_main);

  // Searches the root moves from `first` on, and orders those it found values for; the earlier ones are taken.
  Value SearchRoot(std::vector<RootMove>& root_moves, std::size_t first, int depth, Value alpha, Value beta);

  // Set when the root leaves moves out, for good or for one line: what is found there must not mislead others.
  void SetRestricted(bool restricted) { restricted_ = restricted; }
  void SetRestrictedLine(bool restricted) { restricted_line_ = restricted; }

  // Asked below the root from now on. They must outlive the worker.
  void SetTablebases(const Tablebases* tablebases) { tablebases_ = tablebases; }

  // What every evaluation is off by from now on. The table remembers it: not for a table that others use.
  void SetEvaluationNoise(const EvaluationNoise& noise) { noise_ = noise; }

  // Nobody watches unless told so.
  void SetWatcher(RootWatcher& watcher) { watcher_ = &watcher; }

  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::int64_t tb_hits() const { return tb_hits_.load(std::memory_order_relaxed); }
  bool stopped() const { return stopper_.stopped(); }

 private:
  enum class Node : std::uint8_t { kRoot, kPv, kOther };

  template <Node kNode>
  Value Search(Frame* frame, Value alpha, Value beta, int depth, bool cut_node);
  template <bool kPv>
  Value Quiesce(Frame* frame, Value alpha, Value beta);

  // The steps of a node, in their order; see alpha_beta.cc, pruning.cc, quiescence.cc and learning.cc.
  struct NodeState;
  struct Candidate;
  bool IsDraw(const Frame* frame) const;
  Value DrawValue() const;
  Value CorrectedEvaluation(const Frame* frame, Value evaluation) const;
  void Evaluate(Frame* frame, NodeState& node);
  bool IsImproving(const Frame* frame) const;
  // The tables' results hold right after a capture or a pawn move.
  bool AsksTablebases() const {
    return tablebases_ != nullptr && position_.halfmove_clock() == 0 && tablebases_->Covers(position_);
  }
  std::optional<Value> TryTablebases(const Frame* frame, NodeState& node, Value alpha, Value beta, int depth);
  std::optional<Value> TryStaticPruning(Frame* frame, const NodeState& node, Value alpha, Value beta, int depth);
  std::optional<Value> TryNullMove(Frame* frame, const NodeState& node, Value beta, int depth, bool cut_node);
  std::optional<Value> TryProbCut(Frame* frame, const NodeState& node, Value beta, int depth, bool cut_node);
  bool IsWorthless(const Frame* frame, const Candidate& candidate, Value alpha, int depth) const;
  int Extension(Frame* frame, NodeState& node, Move move, Value beta, int depth, bool cut_node);
  template <Node kNode>
  Value SearchMove(Frame* frame, const NodeState& node, const Candidate& candidate, Value alpha, Value beta, Value best,
                   int depth, bool cut_node);
  void LearnFromCutoff(Frame* frame, Move best, int depth, const MoveList& quiets, const MoveList& captures);
  void LearnFromResult(const Frame* frame, const NodeState& node, Move best, Value value, Bound bound, int depth);

  void LearnFromQuiescence(const Frame* frame, const NodeState& node, Move best, Value value, Bound bound);

  void MakeMove(Frame* frame, Move move);
  void UnmakeMove(Move move);
  void MakeNullMove(Frame* frame);
  void UnmakeNullMove();
  int QuietHistory(const Frame* frame, Move move);
  void UpdateContinuations(Frame* frame, PieceTo piece_to, int bonus);

  RootMove* FindRootMove(Move move);
  void NoteRootValue(RootMove& root_move, Value value, Value alpha, Value beta, bool first, const Variation& rest);

  // Counts a node. True once the search has to end.
  bool CountNode() {
    if (stopped()) return true;
    const std::int64_t count = nodes() + 1;
    nodes_.store(count, std::memory_order_relaxed);
    if (count < next_checkpoint_) return false;
    Checkpoint(count);
    return stopped();
  }
  void Checkpoint(std::int64_t nodes);
  void SetNextCheckpoint(std::int64_t nodes);

  Position position_;
  TranspositionTable& table_;
  WorkerMemory& memory_;
  Stopper& stopper_;
  SearchHost& host_;
  const bool is_main_;
  const Tablebases* tablebases_ = nullptr;
  EvaluationNoise noise_;
  bool restricted_ = false;
  bool restricted_line_ = false;
  std::atomic<std::int64_t> nodes_{0};
  std::atomic<std::int64_t> tb_hits_{0};
  std::int64_t next_checkpoint_ = 0;
  std::int64_t reported_tb_hits_ = 0;
  int seldepth_ = 0;
  int root_depth_ = 0;
  int null_move_floor_ = 0;  // no null move above this ply while one is verified
  RootWatcher* watcher_ = nullptr;
  std::vector<RootMove>* root_moves_ = nullptr;
  std::size_t first_root_move_ = 0;
  std::vector<Frame> frames_;
  History::Continuation no_continuation_{};  // behind moves that nothing was played before
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_WORKER_H_
