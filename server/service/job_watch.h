// One WatchJob call.

#ifndef KIBITZ_SERVER_SERVICE_JOB_WATCH_H_
#define KIBITZ_SERVER_SERVICE_JOB_WATCH_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/jobs/job_queue.h"
#include "server/memory/memory_budget.h"
#include "server/rpc/response_stream.h"
#include "server/runner/job_answer.h"
#include "server/scheduler/timer_queue.h"
#include "server/service/blocking_calls.h"

namespace kibitz::server {

// Looks at its job whenever that may have changed, by a thread that may block, and at one time only. It waits for a
// client that reads slowly, and so holds no more than it has room for.
class JobWatch final : public std::enable_shared_from_this<JobWatch> {
 public:
  using Stream = ResponseStream<v1::WatchJobResponse>;
  using Clock = TimerQueue::Clock;

  struct Request {
    std::string tenant;
    std::string id;
    std::int64_t after_sequence = 0;
    std::chrono::nanoseconds min_interval = std::chrono::milliseconds(500);
  };
  // What it needs of the server. Outlives it, but for what may block and time: they are told nothing after Shutdown.
  struct Resources {
    JobQueue& queue;
    BlockingCalls& blocking;
    TimerQueue& timers;
    MemoryBudget& memory;
    // What the request of a job comes to, for its owner.
    std::function<absl::StatusOr<std::shared_ptr<const JobPlan>>(const Job& job)> plan_of;
  };

  JobWatch(Request request, Resources resources, std::shared_ptr<Stream> stream)
      : request_(std::move(request)), resources_(std::move(resources)), stream_(std::move(stream)) {}

  void Begin() { Look(); }
  // Ends it; from any thread.
  void End(const absl::Status& why);
  // Called once when it has ended. Before Begin.
  void set_on_end(std::function<void()> on_end) { on_end_ = std::move(on_end); }

 private:
  // Sees to it that the job is looked at, soon or then.
  void Look();
  void LookAt(Clock::time_point time);
  void LookNow();
  // What is new. True: the job is over, and all is told.
  absl::StatusOr<bool> TellNews();
  absl::Status Prepare(const Job& job);
  // Whether all results that there are were sent.
  absl::StatusOr<bool> SendResults(const Job& job);
  void SendJob(const Job& job, bool last);

  const Request request_;
  const Resources resources_;
  const std::shared_ptr<Stream> stream_;
  std::function<void()> on_end_;

  // Of whoever looks.
  MemoryBudget::Lease memory_;
  std::optional<JobAnswer> answer_;
  JobQueue::Watch watch_;
  int next_part_ = 0;
  std::int64_t revision_ = -1;  // that was told
  Clock::time_point next_job_{};

  std::mutex mutex_;  // guards what follows
  bool looking_ = false;
  bool look_again_ = false;
  bool ended_ = false;
  std::optional<Clock::time_point> timer_due_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_JOB_WATCH_H_
