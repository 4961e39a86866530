// Perft: how many move paths of a length a position has. The proof of a move generator, and its race.

#ifndef KIBITZ_ENGINE_BOARD_PERFT_H_
#define KIBITZ_ENGINE_BOARD_PERFT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// The deepest count. Sums that could pass 64 bits (from ten plies on) are checked and end in an error, never a wrong
// total.
inline constexpr int kMaxPerftDepth = 20;

struct PerftOptions {
  // How many threads Perft counts with. A PerftCount has those that join it.
  int threads = 1;
  // The size of the hash table that the threads share. 0: none.
  std::size_t hash_mb = 0;
  // More leaf nodes than this end the count in RESOURCE_EXHAUSTED.
  std::uint64_t max_nodes = std::numeric_limits<std::uint64_t>::max();
  // Set by another thread to end the count early. It is obeyed within a few milliseconds.
  const std::atomic<bool>* stop = nullptr;
  // Called with the count below each root move as it is complete: from any of the threads, but one call at a time.
  std::function<void(Move move, std::uint64_t nodes)> on_root_move = {};
};

// A count that any number of threads may share. It brings none of its own.
class PerftCount {
 public:
  // `depth` must be within 0 and kMaxPerftDepth. `options` must outlive the count.
  PerftCount(const Position& position, int depth, const PerftOptions& options);
  ~PerftCount();

  // Counts along with the other threads until there is nothing left to begin. Calls `checkpoint` every millisecond or
  // so, which may block.
  void Work(const std::function<void()>& checkpoint = [] {});

  // Once all threads have ended their work: the number of leaf nodes. Fails with OUT_OF_RANGE when the total would not
  // fit, with RESOURCE_EXHAUSTED beyond the options' bound, and with CANCELLED after a stop.
  absl::StatusOr<std::uint64_t> Result() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

// The number of leaf nodes `depth` plies below. Fails with OUT_OF_RANGE also when the depth is not within 0 and
// kMaxPerftDepth.
absl::StatusOr<std::uint64_t> Perft(const Position& position, int depth, const PerftOptions& options = {});

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PERFT_H_
