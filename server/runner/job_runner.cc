#include "server/runner/job_runner.h"

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// How often it is said that parts are being done, and what could not be put down is tried again.
constexpr std::chrono::seconds kTick{1};
// Of so many jobs the plan is remembered.
constexpr std::size_t kMaxPlans = 16;

}  // namespace

JobRunner::JobRunner(Options options, JobQueue& queue, Analyzer& analyzer, TimerQueue& timers)
    : options_(std::move(options)), queue_(queue), analyzer_(analyzer), timers_(timers) {
  thread_ = std::thread(&JobRunner::Run, this);
  queue_.SetListener(this);
}

JobRunner::~JobRunner() { Stop(); }

void JobRunner::Drain() {
  std::lock_guard lock(mutex_);
  draining_ = true;
}

void JobRunner::Stop() {
  queue_.SetListener(nullptr);
  {
    std::lock_guard lock(mutex_);
    draining_ = stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void JobRunner::OnWork() {
  std::lock_guard lock(mutex_);
  may_have_work_ = true;
  changed_.notify_all();
}

void JobRunner::OnJobOver(const std::string& job) {
  std::lock_guard lock(mutex_);
  over_.insert(job);
  changed_.notify_all();
}

void JobRunner::Run() {
  bool cancelled_all = false;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, kTick, [&] {
      return (stopping_ && !cancelled_all) || !over_.empty() || !outcomes_.empty() || (may_have_work_ && HasRoom());
    });
    const std::set<std::string> over = std::exchange(over_, {});
    auto outcomes = std::exchange(outcomes_, {});
    const bool stopping = stopping_;
    const bool draining = draining_;
    if (HasRoom()) may_have_work_ = false;
    lock.unlock();
    for (auto& [running, outcome] : outcomes) running->outcome = std::move(outcome);
    CancelParts([&](const Running& each) { return over.contains(each.part.job); });
    for (const std::string& job : over) plans_.erase(job);
    if (stopping && !std::exchange(cancelled_all, true)) CancelParts([](const Running&) { return true; });
    PutDown(/*last_try=*/stopping);
    KeepAlive();
    if (!draining) TakeParts();
    BeginAlone();
    lock.lock();
    if (stopping && parts_.empty()) return;
  }
}

bool JobRunner::HasRoom() const {
  const bool alone = std::any_of(parts_.begin(), parts_.end(), [](const Running& each) { return each.part.alone; });
  return !alone && static_cast<int>(parts_.size()) < options_.width;
}

void JobRunner::TakeParts() {
  while (HasRoom()) {
    absl::StatusOr<std::optional<TakenPart>> part = queue_.Take(options_.ability);
    // Whether it is that there is none or that the queue cannot be used: it is asked again.
    if (!part.ok() || !part->has_value()) return;
    parts_.push_back({.part = **std::move(part)});
    if (!parts_.back().part.alone) Begin(std::prev(parts_.end()));
  }
}

void JobRunner::BeginAlone() {
  if (parts_.size() != 1) return;
  const Running& only = parts_.front();
  if (only.part.alone && only.group == nullptr && !only.outcome.has_value()) Begin(parts_.begin());
}

void JobRunner::Begin(Parts::iterator running) {
  const TakenPart& part = running->part;
  const TenantPointer tenant = options_.tenant_of(part.tenant);
  const absl::StatusOr<Planned> planned = PlanOf(part, CapsWithin(options_.caps, tenant->quota));
  if (!planned.ok()) {
    running->outcome = JobQueue::GiveBackReason{.failed = !RetryAfter(planned.status()).has_value(),
                                                .reason = ReasonOf(planned.status()),
                                                .message = std::string(planned.status().message()),
                                                .pause = kTick};
    return;
  }
  const int positions = PositionsOf(planned->spec, part.part);
  const auto work = std::make_shared<PartWork>(planned->plan, part.part * planned->spec.part_size, positions,
                                               [this, running](PartWork::Outcome outcome) {
                                                 std::lock_guard lock(mutex_);
                                                 outcomes_.emplace_back(running, std::move(outcome));
                                                 changed_.notify_all();
                                               });
  running->group = std::make_shared<SearchGroup>(
      analyzer_, timers_, Analyzer::Caller{.deadline = std::chrono::system_clock::time_point::max(), .tenant = tenant},
      work_, SearchGroup::Plan{.searches = positions, .width = 1, .let_in = true}, work);
  running->group->Begin();
}

absl::StatusOr<JobRunner::Planned> JobRunner::PlanOf(const TakenPart& part, const RequestCaps& caps) {
  if (const auto found = plans_.find(part.job); found != plans_.end()) return found->second;
  absl::StatusOr<Job> job = queue_.FindForWork(part.job);
  if (!job.ok()) return job.status();
  v1::JobRequest request;
  if (!request.ParseFromString(job->spec.request)) {
    return Failure(absl::StatusCode::kInternal, "INTERNAL", "the request that was kept cannot be read");
  }
  absl::StatusOr<std::shared_ptr<const JobPlan>> plan = JobPlan::Make(request, caps, options_.knowledge());
  if (!plan.ok()) return plan.status();
  if ((*plan)->positions() != job->spec.positions) {
    return Failure(absl::StatusCode::kInternal, "INTERNAL",
                   absl::StrCat("the request has ", (*plan)->positions(), " positions, and not ", job->spec.positions));
  }
  if (plans_.size() >= kMaxPlans) plans_.erase(plans_.begin());
  job->spec.request.clear();
  return plans_[part.job] = {.spec = std::move(job->spec), .plan = *std::move(plan)};
}

void JobRunner::PutDown(bool last_try) {
  const Clock::time_point now = Clock::now();
  const bool again = now >= next_put_down_;
  for (auto each = parts_.begin(); each != parts_.end();) {
    const bool is_new = each->outcome.has_value() && !each->tried;
    if (!each->outcome.has_value() || !(is_new || again || last_try)) {
      ++each;
      continue;
    }
    each->tried = true;
    if (absl::IsUnavailable(PutDown(*each)) && !last_try) {
      next_put_down_ = now + kTick;
      ++each;
    } else {
      each = parts_.erase(each);
    }
  }
}

absl::Status JobRunner::PutDown(Running& running) {
  if (const auto* const reason = std::get_if<JobQueue::GiveBackReason>(&*running.outcome)) {
    return queue_.GiveBack(running.part, *reason);
  }
  // It may have to be tried again.
  PartResult result = std::get<PartResult>(*running.outcome);
  result.part = running.part.part;
  result.attempt = running.part.attempt;
  result.node = options_.ability.node;
  result.generation = options_.ability.generation;
  return queue_.Complete(running.part, std::move(result));
}

void JobRunner::KeepAlive() {
  const Clock::time_point now = Clock::now();
  if (now < next_keep_alive_ || parts_.empty()) return;
  next_keep_alive_ = now + kTick;
  std::vector<TakenPart> parts;
  for (const Running& each : parts_) parts.push_back(each.part);
  queue_.KeepAlive(parts);
}

void JobRunner::CancelParts(const std::function<bool(const Running&)>& which) {
  for (Running& each : parts_) {
    if (each.outcome.has_value() || !which(each)) continue;
    if (each.group != nullptr) {
      each.group->Cancel();
    } else {
      each.outcome = JobQueue::GiveBackReason{.reason = "DRAINED", .message = "the server ended before it was begun"};
    }
  }
}

}  // namespace kibitz::server
