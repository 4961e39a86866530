// What one connection has sent, and whether that makes sense.

#ifndef KIBITZ_SERVER_RPC_CONNECTION_H_
#define KIBITZ_SERVER_RPC_CONNECTION_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace kibitz::server {

// gRPC shows whole messages only, so frames that never become one (header blocks without end, floods of settings,
// window updates, resets) are invisible above it while they cost memory and time. But the socket tells how many bytes
// came, and the calls tell how many of them were messages: what is left over is junk. A little is normal; a connection
// with much is cut off.
//
// Calls may come from any thread; Check is for the listener's.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  // At most this much more than what became messages, and what comes in at this rate is always forgiven: window
  // updates and pings are no attack, nor are a thousand calls that wait for a busy server to look at them. It is not
  // more because gRPC reads a header that is not complete anew with each part of it that comes, so that the work grows
  // with the square of this.
  static constexpr std::int64_t kMaxJunkBytes = 1 << 20;
  static constexpr std::int64_t kForgivenBytesPerSecond = 4 << 10;
  // Half a request is none either: as much as one may have for each open call, up to so many, and one of the large
  // kind. Nor is one that is too large, once: gRPC takes all of it before it says so.
  static constexpr int kHalfRequests = 8;
  static constexpr std::int64_t kRefusedBytes = 1 << 20;
  // Cancelled calls in a row at this rate are no conversation any more. A site that follows its users' clicks cancels
  // some hundreds a second.
  static constexpr std::int64_t kMaxCancels = 4'000;
  static constexpr std::int64_t kForgivenCancelsPerSecond = 1'000;

  explicit Connection(std::int64_t max_message_bytes, std::int64_t max_batch_bytes = 0)
      : max_message_bytes_(max_message_bytes), max_batch_bytes_(max_batch_bytes) {}

  // A call or a message that came whole, or went out. Each brings some bytes with it that are not counted.
  void Account(std::int64_t bytes) { accounted_.fetch_add(bytes + kOverhead, std::memory_order_relaxed); }
  // A call that ended before its request was whole: refused, too large, or given up. What came of it never will be.
  void AccountHalfRequest() { Account(kRefusedBytes + max_batch_bytes_); }
  void CountCancel() { cancels_.fetch_add(1, std::memory_order_relaxed); }

  // How many calls are open. Open returns the number with this one.
  int Open() { return open_calls_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void Close() { open_calls_.fetch_sub(1, std::memory_order_relaxed); }

  // Whether it may go on, now that so many bytes were read from the socket in all.
  bool Check(std::int64_t received, Clock::time_point now) {
    const double seconds = std::chrono::duration<double>(now - checked_).count();
    checked_ = now;
    const std::int64_t accounted = accounted_.exchange(0, std::memory_order_relaxed);
    junk_ = Left(junk_ + (received - received_) - accounted, seconds, kForgivenBytesPerSecond);
    received_ = received;
    const std::int64_t cancels = cancels_.exchange(0, std::memory_order_relaxed);
    cancelled_ = Left(cancelled_ + cancels, seconds, kForgivenCancelsPerSecond);
    return junk_ <= MaxJunk() && cancelled_ <= kMaxCancels;
  }

 private:
  static constexpr std::int64_t kOverhead = 256;

  std::int64_t MaxJunk() const {
    const int open = open_calls_.load(std::memory_order_relaxed);
    return kMaxJunkBytes + (open > 0 ? kRefusedBytes + max_batch_bytes_ : 0) +
           std::min(open, kHalfRequests) * max_message_bytes_;
  }

  static std::int64_t Left(std::int64_t amount, double seconds, std::int64_t forgiven_per_second) {
    const std::int64_t left = amount - static_cast<std::int64_t>(seconds * static_cast<double>(forgiven_per_second));
    return left > 0 ? left : 0;
  }

  const std::int64_t max_message_bytes_;
  const std::int64_t max_batch_bytes_;
  std::atomic<std::int64_t> accounted_{0};
  std::atomic<std::int64_t> cancels_{0};
  std::atomic<int> open_calls_{0};
  // The listener's.
  Clock::time_point checked_ = Clock::now();
  std::int64_t received_ = 0;
  std::int64_t junk_ = 0;
  std::int64_t cancelled_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CONNECTION_H_
