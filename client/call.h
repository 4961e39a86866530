// One call to a server: how it may end before its answer, and its context.

#ifndef KIBITZ_CLIENT_CALL_H_
#define KIBITZ_CLIENT_CALL_H_

#include <grpcpp/client_context.h>

#include <functional>
#include <stop_token>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/position_key.h"

namespace kibitz::client {

struct CallOptions {
  // The deadline of the whole call, from its start. A search is ended by the server in time to answer within it.
  absl::Duration timeout = absl::InfiniteDuration();
  // Cancels the call as soon as a stop is requested. The call then fails with CANCELLED.
  std::stop_token stop{};
  // Hears, in words, that a search goes on at another server because the first one was lost. May come from any thread.
  std::function<void(const std::string& words)> on_moved{};
};

// A call's context with all that set, its stop signal listened to for as long as it lives. The key is sent as a bearer
// token, unless it is empty; so is the position's key, see position_key.h.
class Call {
 public:
  Call(const CallOptions& options, const std::string& key, const std::string& position_key = "")
      : cancel_(options.stop, Cancel{&context_}) {
    if (options.timeout < absl::InfiniteDuration()) {
      context_.set_deadline(absl::ToChronoTime(absl::Now() + options.timeout));
    }
    if (!key.empty()) context_.AddMetadata("authorization", "Bearer " + key);
    if (!position_key.empty()) context_.AddMetadata(kPositionKeyHeader, position_key);
  }

  grpc::ClientContext* context() { return &context_; }

 private:
  struct Cancel {
    void operator()() const { context->TryCancel(); }
    grpc::ClientContext* context;
  };

  grpc::ClientContext context_;
  std::stop_callback<Cancel> cancel_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CALL_H_
