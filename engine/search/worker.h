// One thread's share of a search: it searches the tree below the root to a given depth.

#ifndef KIBITZ_ENGINE_SEARCH_WORKER_H_
#define KIBITZ_ENGINE_SEARCH_WORKER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/evaluation_noise.h"
#include "engine/search/frame.h"
#include "engine/search/node.h"
#include "engine/search/node_counter.h"
#include "engine/search/root.h"
#include "engine/search/root_move.h"
#include "engine/search/score.h"
#include "engine/search/search_host.h"
#include "engine/search/stopper.h"
#include "engine/search/transposition_table.h"
#include "engine/search/window.h"
#include "engine/search/worker_memory.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {

struct WorkerOptions {
  // Looks at the limits; the others help.
  bool is_main = true;
  // The root leaves moves out: what is found there must not mislead others.
  bool restricted = false;
  // Asked below the root; none: nullptr. They must outlive the worker.
  const Tablebases* tablebases = nullptr;
  // What every evaluation is off by. The table remembers it: not for a table that others use.
  EvaluationNoise noise;
};

class Worker {
 public:
  Worker(const Position& root, TranspositionTable& table, WorkerMemory& memory, Stopper& stopper, SearchHost& host,
         const WorkerOptions& options);

  // Nobody watches the root unless told so.
  void SetWatcher(RootWatcher& watcher) { root_.SetWatcher(watcher); }

  // Searches the root moves from `first` on, and orders those it found values for; the earlier ones are taken.
  Value SearchRoot(std::vector<RootMove>& root_moves, std::size_t first, int depth, Window window);

  std::int64_t nodes() const { return counter_.nodes(); }
  std::int64_t tb_hits() const { return counter_.tb_hits(); }
  bool stopped() const { return counter_.stopped(); }

 private:
  template <NodeType kType>
  Value Search(Frame* frame, Window window, int depth, bool cut_node);
  template <bool kPv>
  Value Quiesce(Frame* frame, Window window);

  // The steps of a node, in their order; see alpha_beta.cc, tablebase_probe.cc, pruning.cc and quiescence.cc.
  bool IsDraw(const Frame* frame) const;
  Value DrawValue() const;
  Value ValueAtMaxPly(const Frame* frame) const;
  void ProbeTable(const Frame* frame, Node& node) const;
  // The tables' results hold right after a capture or a pawn move.
  bool AsksTablebases() const {
    return options_.tablebases != nullptr && position_.halfmove_clock() == 0 && options_.tablebases->Covers(position_);
  }
  std::optional<Value> TryTablebases(const Frame* frame, Node& node);
  void Evaluate(Frame* frame, Node& node) const;
  std::optional<Value> TryStaticPruning(Frame* frame, const Node& node);
  std::optional<Value> TryNullMove(Frame* frame, const Node& node);
  std::optional<Value> TryProbCut(Frame* frame, const Node& node);
  bool IsWorthless(const Frame* frame, const Node& node, const Candidate& candidate) const;
  std::optional<Value> TryExtension(Frame* frame, const Node& node, Candidate& candidate);
  template <NodeType kType>
  Value SearchMove(Frame* frame, const Node& node, const Candidate& candidate);
  // Keeps a result in the table; learns from it how far the evaluation was off.
  void Store(const Frame* frame, const Node& node, const NodeResult& result);
  void StoreAndLearn(const Frame* frame, const Node& node, const NodeResult& result);

  // The position changes by these alone, so that the evaluator hears of it.
  void MakeMove(Frame* frame, Move move);
  void UnmakeMove(Move move);
  void MakeNullMove(Frame* frame);
  void UnmakeNullMove();

  Position position_;
  TranspositionTable& table_;
  WorkerMemory& memory_;
  const WorkerOptions options_;
  NodeCounter counter_;
  Root root_;
  FrameStack frames_;
  int null_move_floor_ = 0;  // no null move above this ply while one is verified
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_WORKER_H_
