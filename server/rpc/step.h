// One thing that gRPC does for a call, and what follows.

#ifndef KIBITZ_SERVER_RPC_STEP_H_
#define KIBITZ_SERVER_RPC_STEP_H_

#include <functional>
#include <utility>

#include "server/rpc/completion_loop.h"

namespace kibitz::server {

// May be used again when it is done. What `then` holds lives until then, so a call that is held by its steps lives as
// long as gRPC works on one of them.
class Step final : public Event {
 public:
  // The tag to give to gRPC.
  void* Begin(CompletionLoop& loop, std::function<void(bool ok)> then) {
    then_ = std::move(then);
    return loop.Begin(*this);
  }

  // gRPC will not report it.
  void Forget(CompletionLoop& loop) {
    const auto then = std::exchange(then_, nullptr);
    loop.Forget();
  }

 private:
  void Done(bool ok) override {
    const auto then = std::exchange(then_, nullptr);
    then(ok);
  }

  std::function<void(bool ok)> then_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_STEP_H_
