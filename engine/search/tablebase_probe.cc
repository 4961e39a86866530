// The step of a node that asks the tablebases.

#include <algorithm>
#include <optional>

#include "engine/search/node_state.h"
#include "engine/search/tablebase_value.h"
#include "engine/search/worker.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {

// A value that tablebases settle. A win is at least that: there may be a mate near by; a loss likewise.
std::optional<Value> Worker::TryTablebases(const Frame* frame, NodeState& node, Value alpha, Value beta, int depth) {
  const std::optional<TablebaseResult> result = tablebases_->Probe(position_);
  if (!result) return std::nullopt;
  tb_hits_.fetch_add(1, std::memory_order_relaxed);
  const Value value = TablebaseValue(*result, frame->ply);
  const Bound bound = *result == TablebaseResult::kWin    ? Bound::kLower
                      : *result == TablebaseResult::kLoss ? Bound::kUpper
                                                          : Bound::kExact;
  const bool settled = bound == Bound::kExact || (bound == Bound::kLower ? value >= beta : value <= alpha);
  if (settled) {
    // Nothing that is searched a little deeper could know it better.
    table_.Store(position_.key(), {.move = Move(),
                                   .value = ToTable(value, frame->ply),
                                   .evaluation = kNoValue,
                                   .depth = std::min(depth + 6, kMaxPly - 1),
                                   .bound = bound,
                                   .on_pv = frame->on_pv});
    return value;
  }
  (bound == Bound::kLower ? node.floor : node.ceiling) = value;
  return std::nullopt;
}

}  // namespace kibitz
