// How many lines of a stream may wait to be read by another thread: a server that floods us costs no more than these.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_LINE_BUDGET_H_
#define KIBITZ_CLIENT_LICHESS_BOT_LINE_BUDGET_H_

#include <atomic>

namespace kibitz::client::lichess {

// For one thread that has lines to give, and one that takes them.
class LineBudget {
 public:
  // Whether one more may wait. If not it is dropped, and with it what it has said.
  bool Give() {
    if (waiting_.load() >= kMost) {
      dropped_ = true;
      return false;
    }
    ++waiting_;
    return true;
  }
  // One is taken. Whether something was dropped before, so that the stream is to be opened anew.
  bool Take() { return --waiting_ == 0 && dropped_.exchange(false); }

 private:
  static constexpr int kMost = 200;

  std::atomic<int> waiting_ = 0;
  std::atomic<bool> dropped_ = false;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_LINE_BUDGET_H_
