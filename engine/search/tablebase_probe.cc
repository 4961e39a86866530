// The step of a node that asks the tablebases.

#include <algorithm>
#include <optional>

#include "engine/search/tablebase_value.h"
#include "engine/search/worker.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {

// A value that tablebases settle. A win is at least that: there may be a mate near by; a loss likewise.
std::optional<Value> Worker::TryTablebases(const Frame* frame, Node& node) {
  const std::optional<TablebaseResult> result = options_.tablebases->Probe(position_);
  if (!result) return std::nullopt;
  counter_.CountTablebaseHit();
  const Value value = TablebaseValue(*result, frame->ply);
  const Bound bound = *result == TablebaseResult::kWin    ? Bound::kLower
                      : *result == TablebaseResult::kLoss ? Bound::kUpper
                                                          : Bound::kExact;
  const bool settled = bound == Bound::kExact || (bound == Bound::kLower ? value >= node.beta : value <= node.alpha);
  if (settled) {
    // Nothing that is searched a little deeper could know it better.
    Store(frame, node, {Move(), value, bound, std::min(node.depth + 6, kMaxPly - 1)});
    return value;
  }
  if (bound == Bound::kLower) {
    node.floor = value;
    node.alpha = std::max(node.alpha, value);
  } else {
    node.ceiling = value;
  }
  return std::nullopt;
}

}  // namespace kibitz
