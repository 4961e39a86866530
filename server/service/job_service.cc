#include "server/service/job_service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/conversion/common.h"
#include "server/errors/errors.h"
#include "server/jobs/digest.h"
#include "server/rpc/typed_methods.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kSmallRequest = 4 << 10;
constexpr int kThreads = 2;
constexpr std::size_t kMaxWaitingCalls = 1000;
constexpr std::size_t kMaxWatchers = 512;
constexpr std::ptrdiff_t kMaxWatchersOfTenant = 128;
constexpr absl::Duration kRetryDelay = absl::Seconds(5);

absl::Status NoJobs() {
  return Failure(absl::StatusCode::kFailedPrecondition, "NO_JOBS",
                 "this server takes no jobs: its operator starts it with --jobs FILE for that");
}

}  // namespace

JobService::JobService(Options options, AnalysisService& analysis, MemoryBudget& memory)
    : options_(std::move(options)), analysis_(analysis), memory_(memory) {}

JobService::~JobService() { Shutdown(); }

void JobService::Start(std::unique_ptr<JobQueue> queue, const JobQueue::Ability& ability, WebhookRules webhooks) {
  ability_ = ability;
  webhooks_ = std::move(webhooks);
  queue_ = std::move(queue);
  blocking_.emplace(kThreads, kMaxWaitingCalls);
  if (webhooks_.any()) sender_.emplace(options_.webhook, webhooks_, *queue_);
  if (options_.width == 0) return;
  runner_.emplace(JobRunner::Options{.width = options_.width,
                                     .ability = ability_,
                                     .caps = options_.caps,
                                     .tenant_of = options_.tenant_of,
                                     .knowledge = [this] { return analysis_.review_knowledge(); }},
                  *queue_, analysis_.analyzer(), analysis_.timers());
}

void JobService::Drain() {
  if (runner_.has_value()) runner_->Drain();
}

void JobService::Shutdown() {
  std::map<std::uint64_t, Watcher> watchers;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    watchers.swap(watchers_);
  }
  for (const auto& [number, watcher] : watchers) watcher.watch->End(StatusOf(StopCause::kShutdown));
  if (runner_.has_value()) runner_->Stop();
  if (sender_.has_value()) sender_->Stop();
  if (blocking_.has_value()) blocking_->Shutdown();
}

void JobService::WriteStatus(ServerStatus& status) const {
  if (queue_ != nullptr) status.jobs = queue_->counts();
}

template <typename Request, typename Response>
Method JobService::Blocking(std::size_t max_bytes,
                            absl::StatusOr<Response> (JobService::*handler)(const Caller&, const Request&)) {
  return StreamMethod<Request, Response>(
      max_bytes, [this, handler](Call& call, const Request& request, StreamPointer<Response> stream) {
        if (queue_ == nullptr) return stream->Finish(NoJobs());
        // As bytes it is smaller than as a message.
        const MemoryBudget::Lease memory = memory_.Take(4 * request.ByteSizeLong());
        if (memory == nullptr) {
          return stream->Finish(Exhausted("MEMORY_EXHAUSTED", "others use the memory that there is", kRetryDelay));
        }
        const absl::Status posted = blocking_->Post([this, handler, caller = call.tenant(), request, stream, memory] {
          const absl::StatusOr<Response> response = (this->*handler)(caller, request);
          if (response.ok()) stream->Send(*response);
          stream->Finish(response.status());
        });
        if (!posted.ok()) stream->Finish(posted);
      });
}

void JobService::AddMethods(MethodTable& methods) {
  const auto name = [](const char* method) { return absl::StrCat("/kibitz.v1.JobService/", method); };
  methods[name("SubmitJob")] = Blocking<v1::SubmitJobRequest, v1::SubmitJobResponse>(
      static_cast<std::size_t>(options_.max_message_bytes), &JobService::SubmitJob);
  methods[name("GetJob")] = Blocking<v1::GetJobRequest, v1::GetJobResponse>(kSmallRequest, &JobService::GetJob);
  methods[name("ListJobs")] = Blocking<v1::ListJobsRequest, v1::ListJobsResponse>(kSmallRequest, &JobService::ListJobs);
  methods[name("CancelJob")] =
      Blocking<v1::CancelJobRequest, v1::CancelJobResponse>(kSmallRequest, &JobService::CancelJob);
  methods[name("DeleteJob")] =
      Blocking<v1::DeleteJobRequest, v1::DeleteJobResponse>(kSmallRequest, &JobService::DeleteJob);
  methods[name("WatchJob")] = StreamMethod<v1::WatchJobRequest, v1::WatchJobResponse>(
      kSmallRequest, std::bind_front(&JobService::WatchJob, this));
}

absl::Status JobService::CheckGeneration(const Generation& wanted) const {
  const Generation& own = ability_.generation;
  const bool fits = (wanted.engine.empty() || wanted.engine == own.engine) &&
                    (wanted.evaluation.empty() || wanted.evaluation == own.evaluation);
  if (fits || options_.others_may_do) return absl::OkStatus();
  return Failure(absl::StatusCode::kFailedPrecondition, "NO_SUCH_GENERATION",
                 absl::StrCat("this server is ", own.engine, " with ", own.evaluation, ", and nobody else is here"));
}

absl::StatusOr<std::shared_ptr<const JobPlan>> JobService::PlanOf(const v1::JobRequest& request,
                                                                  const Tenant& tenant) const {
  return JobPlan::Make(request, CapsWithin(options_.caps, tenant.quota), analysis_.review_knowledge());
}

absl::StatusOr<v1::SubmitJobResponse> JobService::SubmitJob(const Caller& caller, const v1::SubmitJobRequest& request) {
  absl::StatusOr<JobSpec> spec = ParseSubmitJob(request, options_.times, std::chrono::system_clock::now());
  if (!spec.ok()) return spec.status();
  if (absl::Status able = CheckGeneration(spec->generation); !able.ok()) return able;
  if (!spec->webhook.empty()) {
    const absl::Status allowed = webhooks_.Check("job.webhook_url", caller->name, spec->webhook);
    if (!allowed.ok()) return allowed;
  }
  const absl::StatusOr<std::shared_ptr<const JobPlan>> plan = PlanOf(request.job(), *caller);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<std::string> id = MakeJobId();
  if (!id.ok()) return id.status();
  spec->id = *std::move(id);
  spec->tenant = caller->name;
  spec->request = request.job().SerializeAsString();
  spec->fingerprint = FingerprintOf(spec->request);
  spec->positions = (*plan)->positions();
  spec->part_size = (*plan)->PartSize(options_.part_time);
  spec->parts = std::max(1, (spec->positions + spec->part_size - 1) / spec->part_size);
  const absl::StatusOr<JobQueue::Accepted> accepted = queue_->Submit(*std::move(spec));
  if (!accepted.ok()) return accepted.status();
  v1::SubmitJobResponse response;
  *response.mutable_job() = ToWire(accepted->job);
  response.set_repeated_request(accepted->repeated);
  return response;
}

absl::StatusOr<v1::GetJobResponse> JobService::GetJob(const Caller& caller, const v1::GetJobRequest& request) {
  if (absl::Status check = CheckJobId(request.id()); !check.ok()) return check;
  const absl::StatusOr<Job> job = queue_->Find(caller->name, request.id());
  if (!job.ok()) return job.status();
  v1::GetJobResponse response;
  *response.mutable_job() = ToWire(*job);
  return response;
}

absl::StatusOr<v1::ListJobsResponse> JobService::ListJobs(const Caller& caller, const v1::ListJobsRequest& request) {
  const absl::StatusOr<JobQueue::Filter> filter = ParseListJobs(request);
  if (!filter.ok()) return filter.status();
  const absl::StatusOr<JobQueue::Page> page = queue_->List(caller->name, *filter);
  if (!page.ok()) return page.status();
  v1::ListJobsResponse response;
  for (const Job& job : page->jobs) *response.add_jobs() = ToWire(job);
  response.set_next_page_token(page->next);
  return response;
}

absl::StatusOr<v1::CancelJobResponse> JobService::CancelJob(const Caller& caller, const v1::CancelJobRequest& request) {
  if (absl::Status check = CheckJobId(request.id()); !check.ok()) return check;
  const absl::StatusOr<Job> job = queue_->Cancel(caller->name, request.id());
  if (!job.ok()) return job.status();
  v1::CancelJobResponse response;
  *response.mutable_job() = ToWire(*job);
  return response;
}

absl::StatusOr<v1::DeleteJobResponse> JobService::DeleteJob(const Caller& caller, const v1::DeleteJobRequest& request) {
  if (absl::Status check = CheckJobId(request.id()); !check.ok()) return check;
  if (absl::Status deleted = queue_->Delete(caller->name, request.id()); !deleted.ok()) return deleted;
  return v1::DeleteJobResponse();
}

void JobService::WatchJob(Call& call, const v1::WatchJobRequest& request, StreamPointer<v1::WatchJobResponse> stream) {
  if (queue_ == nullptr) return stream->Finish(NoJobs());
  JobWatch::Request wanted{
      .tenant = call.tenant()->name, .id = request.id(), .after_sequence = request.after_sequence()};
  absl::Status check = CheckJobId(request.id());
  if (check.ok() && request.after_sequence() < 0) {
    check = InvalidField("after_sequence", "OUT_OF_RANGE", "is less than 0");
  }
  if (check.ok() && request.has_min_interval()) {
    const auto interval = ParseDuration("min_interval", request.min_interval());
    check = interval.status();
    if (interval.ok()) wanted.min_interval = *interval;
  }
  if (!check.ok()) return stream->Finish(check);
  const auto plan_of = [this,
                        tenant = call.tenant()](const Job& job) -> absl::StatusOr<std::shared_ptr<const JobPlan>> {
    v1::JobRequest kept;
    if (!kept.ParseFromString(job.spec.request)) {
      return Failure(absl::StatusCode::kInternal, "INTERNAL", "the request that was kept cannot be read");
    }
    return PlanOf(kept, *tenant);
  };
  const auto watch = std::make_shared<JobWatch>(std::move(wanted),
                                                JobWatch::Resources{.queue = *queue_,
                                                                    .blocking = *blocking_,
                                                                    .timers = analysis_.timers(),
                                                                    .memory = memory_,
                                                                    .plan_of = plan_of},
                                                stream);
  const std::uint64_t number = ++watches_;
  watch->set_on_end([this, number] { Remove(number); });
  if (absl::Status added = Add(number, watch, call.tenant()->name); !added.ok()) return stream->Finish(added);
  call.OnCancel([watch] { watch->End(StatusOf(StopCause::kCancelled)); });
  watch->Begin();
}

absl::Status JobService::Add(std::uint64_t number, const std::shared_ptr<JobWatch>& watch, const std::string& tenant) {
  std::lock_guard lock(mutex_);
  if (ended_) return StatusOf(StopCause::kShutdown);
  const auto own =
      std::count_if(watchers_.begin(), watchers_.end(), [&](const auto& each) { return each.second.tenant == tenant; });
  if (watchers_.size() >= kMaxWatchers) {
    return Exhausted("TOO_MANY_WATCHERS", absl::StrCat(kMaxWatchers, " others watch jobs already"), kRetryDelay);
  }
  if (own >= kMaxWatchersOfTenant) {
    return QuotaExceeded("WATCHER_QUOTA", absl::StrCat("tenant:", tenant),
                         absl::StrCat("you watch ", kMaxWatchersOfTenant, " jobs already"), kRetryDelay);
  }
  watchers_[number] = {.watch = watch, .tenant = tenant};
  return absl::OkStatus();
}

void JobService::Remove(std::uint64_t number) {
  Watcher removed;
  std::lock_guard lock(mutex_);
  const auto found = watchers_.find(number);
  if (found == watchers_.end()) return;
  removed = std::move(found->second);
  watchers_.erase(found);
}

}  // namespace kibitz::server
