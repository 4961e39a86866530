// What was done for a call, for those who log and count it.

#ifndef KIBITZ_SERVER_RPC_CALL_WORK_H_
#define KIBITZ_SERVER_RPC_CALL_WORK_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace kibitz::server {

// Of a call with several searches, one after the other, the sums, and what the last of them was about. All methods may
// be called from any thread.
class CallWork {
 public:
  // It is about this position, by its key.
  void SetPosition(std::uint64_t key) { position_key_.store(key, std::memory_order_relaxed); }
  // A search or a count has begun; it tells something for the first time, so long after it was asked for; it has ended.
  // The reason is one of the contract's, without its prefix, in static storage: "DEPTH".
  void CountTask() { tasks_.fetch_add(1, std::memory_order_relaxed); }
  void SetFirstUpdate(std::chrono::nanoseconds after) { first_update_.store(after, std::memory_order_relaxed); }
  void CountEnd(std::int64_t nodes, const char* stop_reason) {
    nodes_.fetch_add(nodes, std::memory_order_relaxed);
    stop_reason_.store(stop_reason, std::memory_order_relaxed);
  }

  // 0: there is none.
  std::uint64_t position_key() const { return position_key_.load(std::memory_order_relaxed); }
  int tasks() const { return tasks_.load(std::memory_order_relaxed); }
  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  // nullptr: none has ended.
  const char* stop_reason() const { return stop_reason_.load(std::memory_order_relaxed); }
  // 0: there was none.
  std::chrono::nanoseconds first_update() const { return first_update_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> position_key_{0};
  std::atomic<int> tasks_{0};
  std::atomic<std::int64_t> nodes_{0};
  std::atomic<const char*> stop_reason_{nullptr};
  std::atomic<std::chrono::nanoseconds> first_update_{std::chrono::nanoseconds(0)};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_WORK_H_
