// Work that a call needs before its searches can begin, done by a worker as any other work is.

#ifndef KIBITZ_SERVER_ANALYSIS_PREPARATION_H_
#define KIBITZ_SERVER_ANALYSIS_PREPARATION_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "server/scheduler/task.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

class Preparation final : public Task {
 public:
  struct Steps {
    std::function<void(int place)> on_queued;
    std::function<absl::Status()> prepare;
    // It is prepared, or will not be, for the reason given.
    std::function<void(const absl::Status& status)> then;
  };

  Preparation(Priority priority, TenantPointer tenant, Steps steps)
      : Task(/*threads=*/1, priority, std::move(tenant)), steps_(std::move(steps)) {}

  void OnQueued(int place) override { steps_.on_queued(place); }
  void Run(RunPermit& /*permit*/) override {
    status_ = stop_signal().flag() ? StatusOf(stop_signal().cause()) : steps_.prepare();
  }
  void End() override { Finish(status_); }
  void Drop(const absl::Status& why) override { Finish(why); }

 private:
  // Lets go of what the steps hold.
  void Finish(const absl::Status& status) { std::exchange(steps_, {}).then(status); }

  Steps steps_;
  absl::Status status_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_PREPARATION_H_
