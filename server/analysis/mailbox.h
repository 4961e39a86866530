// Events from many threads, handled one after the other.

#ifndef KIBITZ_SERVER_ANALYSIS_MAILBOX_H_
#define KIBITZ_SERVER_ANALYSIS_MAILBOX_H_

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace kibitz::server {

// Whoever posts when nobody is at it handles what is there, and what comes meanwhile; so the handler is never at work
// twice, keeps its state without a lock, and may post itself.
template <typename Event>
class Mailbox {
 public:
  explicit Mailbox(std::function<void(const Event&)> handle) : handle_(std::move(handle)) {}

  void Post(Event event) {
    {
      std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(event));
      if (std::exchange(busy_, true)) return;
    }
    while (const std::optional<Event> next = Next()) handle_(*next);
  }

 private:
  std::optional<Event> Next() {
    std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      busy_ = false;
      return std::nullopt;
    }
    Event next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  const std::function<void(const Event&)> handle_;
  std::mutex mutex_;  // guards what follows
  std::deque<Event> waiting_;
  bool busy_ = false;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_MAILBOX_H_
