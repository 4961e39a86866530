// A call back at a given time.

#ifndef KIBITZ_SERVER_RPC_TIMER_H_
#define KIBITZ_SERVER_RPC_TIMER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "grpcpp/alarm.h"
#include "grpcpp/grpcpp.h"
#include "server/rpc/completion_loop.h"

namespace kibitz::server {

// Calls back once, on a thread of the loop, unless it is cancelled before. It holds its callback until then.
class Timer final : public Event {
 public:
  static std::shared_ptr<Timer> Start(CompletionLoop& loop, std::chrono::system_clock::time_point when,
                                      std::function<void()> callback) {
    std::shared_ptr<Timer> timer(new Timer(std::move(callback)));
    timer->self_ = timer;
    timer->alarm_.Set(loop.queue(), when, loop.Begin(*timer));
    return timer;
  }

  // The callback may still run if its time has just come.
  void Cancel() { alarm_.Cancel(); }

 private:
  explicit Timer(std::function<void()> callback) : callback_(std::move(callback)) {}

  void Done(bool ok) override {
    const std::shared_ptr<Timer> self = std::move(self_);
    const std::function<void()> callback = std::move(callback_);
    if (ok) callback();
  }

  std::function<void()> callback_;
  grpc::Alarm alarm_;
  std::shared_ptr<Timer> self_;  // until gRPC has done with it
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_TIMER_H_
