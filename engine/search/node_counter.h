// Counts what a worker does, and leads it past its checkpoints.

#ifndef KIBITZ_ENGINE_SEARCH_NODE_COUNTER_H_
#define KIBITZ_ENGINE_SEARCH_NODE_COUNTER_H_

#include <atomic>
#include <cstdint>

#include "engine/search/search_host.h"
#include "engine/search/stopper.h"

namespace kibitz {

// Its worker counts, and any thread may read the counts. Every 1024 nodes or so limits are looked at (by the main
// worker), work is reported (by a helper), and the host may let others run.
class NodeCounter {
 public:
  NodeCounter(Stopper& stopper, SearchHost& host, bool is_main);

  // Counts a node. True once the search has to end.
  bool CountNode() {
    if (stopped()) return true;
    const std::int64_t count = nodes() + 1;
    nodes_.store(count, std::memory_order_relaxed);
    if (count < next_checkpoint_) return false;
    Checkpoint(count);
    return stopped();
  }
  void CountTablebaseHit() { tb_hits_.fetch_add(1, std::memory_order_relaxed); }

  bool stopped() const { return stopper_.stopped(); }
  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::int64_t tb_hits() const { return tb_hits_.load(std::memory_order_relaxed); }

 private:
  void Checkpoint(std::int64_t nodes);
  void SetNextCheckpoint(std::int64_t nodes);

  Stopper& stopper_;
  SearchHost& host_;
  const bool is_main_;
  std::atomic<std::int64_t> nodes_{0};
  std::atomic<std::int64_t> tb_hits_{0};
  std::int64_t next_checkpoint_ = 0;
  std::int64_t reported_tb_hits_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_NODE_COUNTER_H_
