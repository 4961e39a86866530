// kibitz.v1.JobService: handlers between the wire, the queue of jobs, and who does them.

#ifndef KIBITZ_SERVER_SERVICE_JOB_SERVICE_H_
#define KIBITZ_SERVER_SERVICE_JOB_SERVICE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/conversion/job.h"
#include "server/conversion/request_caps.h"
#include "server/jobs/job_queue.h"
#include "server/memory/memory_budget.h"
#include "server/metrics/server_status.h"
#include "server/rpc/call.h"
#include "server/rpc/method.h"
#include "server/rpc/response_stream.h"
#include "server/runner/job_runner.h"
#include "server/service/analysis_service.h"
#include "server/service/blocking_calls.h"
#include "server/service/job_watch.h"
#include "server/tenant/tenant.h"
#include "server/webhook/webhook_rules.h"
#include "server/webhook/webhook_sender.h"

namespace kibitz::server {

// Without a queue every method says that this server takes no jobs.
class JobService {
 public:
  struct Options {
    JobTimes times;
    // How long a part takes, about: so much is lost with a server for each of its workers. Much less, and giving out
    // parts would be the work.
    std::chrono::milliseconds part_time = std::chrono::milliseconds(1500);
    RequestCaps caps;
    int max_message_bytes = 1 << 20;
    int width = 1;  // how many parts are done at a time; 0: others do them
    WebhookSender::Options webhook;
    bool others_may_do = false;  // what is of another generation
    std::function<TenantPointer(const std::string& name)> tenant_of;
  };

  // Both must outlive it. The memory is for the requests that wait and what watches keep.
  JobService(Options options, AnalysisService& analysis, MemoryBudget& memory);
  // Calls Shutdown.
  ~JobService();

  // Takes jobs from now on; this server can do so much, and tells owners so. Before any call comes. Throws what the
  // system throws when there are no threads to be had.
  void Start(std::unique_ptr<JobQueue> queue, const JobQueue::Ability& ability, WebhookRules webhooks);

  // Its methods hold on to the service.
  void AddMethods(MethodTable& methods);

  // Takes no more parts to be done.
  void Drain();
  // Ends all watches and gives back what is being done. Before the analysis service ends.
  void Shutdown();

  // How it does: writes its part of the status.
  void WriteStatus(ServerStatus& status) const;

 private:
  template <typename Response>
  using StreamPointer = std::shared_ptr<ResponseStream<Response>>;
  using Caller = TenantPointer;

  // A method with one answer, which may block.
  template <typename Request, typename Response>
  Method Blocking(std::size_t max_bytes,
                  absl::StatusOr<Response> (JobService::*handler)(const Caller&, const Request&));

  absl::StatusOr<v1::SubmitJobResponse> SubmitJob(const Caller& caller, const v1::SubmitJobRequest& request);
  absl::StatusOr<v1::GetJobResponse> GetJob(const Caller& caller, const v1::GetJobRequest& request);
  absl::StatusOr<v1::ListJobsResponse> ListJobs(const Caller& caller, const v1::ListJobsRequest& request);
  absl::StatusOr<v1::CancelJobResponse> CancelJob(const Caller& caller, const v1::CancelJobRequest& request);
  absl::StatusOr<v1::DeleteJobResponse> DeleteJob(const Caller& caller, const v1::DeleteJobRequest& request);
  void WatchJob(Call& call, const v1::WatchJobRequest& request, StreamPointer<v1::WatchJobResponse> stream);

  absl::Status CheckGeneration(const Generation& wanted) const;
  absl::StatusOr<std::shared_ptr<const JobPlan>> PlanOf(const v1::JobRequest& request, const Tenant& tenant) const;
  // Takes a watch, or says why not.
  absl::Status Add(std::uint64_t number, const std::shared_ptr<JobWatch>& watch, const std::string& tenant);
  void Remove(std::uint64_t number);

  const Options options_;
  AnalysisService& analysis_;
  MemoryBudget& memory_;
  JobQueue::Ability ability_;
  std::unique_ptr<JobQueue> queue_;  // null: there is none
  std::optional<BlockingCalls> blocking_;
  std::optional<JobRunner> runner_;
  WebhookRules webhooks_;
  std::optional<WebhookSender> sender_;

  struct Watcher {
    std::shared_ptr<JobWatch> watch;
    std::string tenant;
  };
  std::atomic<std::uint64_t> watches_{0};  // that were asked for
  std::mutex mutex_;                       // guards what follows
  bool ended_ = false;
  std::map<std::uint64_t, Watcher> watchers_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_JOB_SERVICE_H_
