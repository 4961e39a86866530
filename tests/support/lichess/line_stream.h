// Lines on their way to one reader: what an NDJSON response is made of.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_LINE_STREAM_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_LINE_STREAM_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace kibitz::stand_in {

// Thread-safe. Written by the world, read by an HTTP connection or by an opponent in this process.
class LineStream {
 public:
  // Without its newline. Nothing happens if the stream has ended or nobody reads it any more.
  void Push(std::string line) {
    const std::lock_guard lock(mutex_);
    if (ended_ || closed_) return;
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  // No line follows.
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  // Nobody reads any more.
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  bool closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  // Whether all has been read that will ever come.
  bool exhausted() const {
    const std::lock_guard lock(mutex_);
    return closed_ || (ended_ && lines_.empty());
  }

  // The next line, if there is one by then.
  std::optional<std::string> Next(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return !lines_.empty() || ended_ || closed_; });
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  bool closed_ = false;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_LINE_STREAM_H_
