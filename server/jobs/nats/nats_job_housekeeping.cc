// What happens by itself: others hear of changes, and what is due is done.
#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/jobs/nats/nats_job_queue.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// How often those who work are told to look: what a dead node held comes back without a word.
constexpr milliseconds kWorkInterval{200};
constexpr seconds kSweepInterval{1};
constexpr seconds kMeasureInterval{5};

// By when a job's parts have been put into the queue of work by the node that accepted it, unless that has died.
constexpr seconds kDispatchTime{3};
// After so long without news of a job its parts are put there once more, if any is missing; then after twice as long.
constexpr std::chrono::minutes kFirstPatience{1};
// The spread of moments at which nodes do what all of them could do.
constexpr int kMaxDelayMs = 1000;
// By then all nodes have heard that a job is gone.
constexpr std::chrono::minutes kGoneTime{2};
constexpr std::size_t kMaxForgotten = 200;  // at a time

JobTime Now() { return std::chrono::system_clock::now(); }

}  // namespace

void NatsJobQueue::SetListener(Listener* listener) {
  std::lock_guard lock(listener_mutex_);
  listener_ = listener;
}

void NatsJobQueue::TellOfWork() {
  std::lock_guard lock(listener_mutex_);
  if (listener_ != nullptr) listener_->OnWork();
}

void NatsJobQueue::TellOver(const std::string& job) {
  std::lock_guard lock(listener_mutex_);
  if (listener_ != nullptr) listener_->OnJobOver(job);
}

void NatsJobQueue::OnJobChange(const std::string& job, const JobIndex::EntryPointer& before) {
  const JobIndex::EntryPointer now = index_.Find(job);
  if (now == nullptr || IsOver(now->record)) {
    if (before == nullptr || !IsOver(before->record)) TellOver(job);
  } else if (before == nullptr || !before->record.dispatched()) {
    {
      std::lock_guard lock(wake_mutex_);
      const std::string lane = LaneOf(now->record).id;
      if (std::find(awake_.begin(), awake_.end(), lane) == awake_.end()) awake_.push_back(lane);
    }
    TellOfWork();
  }
  watches_.Tell(job);
}

milliseconds NatsJobQueue::Delay(const std::string& job) const {
  return milliseconds(std::hash<std::string>()(job + client_->name()) % kMaxDelayMs);
}

void NatsJobQueue::RunHousekeeping() {
  Clock::time_point next_sweep = Clock::now();
  Clock::time_point next_measure = Clock::now();
  std::unique_lock lock(housekeeping_mutex_);
  while (!ended_.wait_for(lock, kWorkInterval, [this] { return ending_; })) {
    lock.unlock();
    const bool working = client_->connected() && feed_->current();
    const Clock::time_point now = Clock::now();
    if (working && index_.HasOpenJobs()) TellOfWork();
    if (working && now >= next_sweep) {
      SeeToOpenJobs(Now());
      ForgetJobs(Now());
      next_sweep = Clock::now() + kSweepInterval;
    }
    if (working && now >= next_measure) {
      Measure();
      next_measure = Clock::now() + kMeasureInterval;
    }
    lock.lock();
  }
}

void NatsJobQueue::SeeToOpenJobs(JobTime now) {
  std::map<std::string, Clock::duration> patience;
  for (const JobIndex::EntryPointer& entry : index_.OpenJobs()) {
    if (const auto known = patience_.find(entry->record.id()); known != patience_.end()) patience.insert(*known);
  }
  patience_ = std::move(patience);
  for (const JobIndex::EntryPointer& entry : index_.OpenJobs()) {
    if (!client_->connected()) return;
    SeeToJob(*entry, now);
  }
}

void NatsJobQueue::SeeToJob(const JobIndex::Entry& entry, JobTime now) {
  const farm::JobRecord& job = entry.record;
  const milliseconds delay = Delay(job.id());
  if (FromNanoseconds(job.deadline_ns()) + delay < now) {
    bool ended = false;
    const auto expired = Update(job.id(), [&](farm::JobRecord& record) {
      ended = EndJob(record, JobState::kExpired, "DEADLINE_PASSED", "it was not done by its deadline", now);
      return ended;
    });
    if (expired.ok() && ended) streams_.PurgeWork(job.id()).IgnoreError();
    return;
  }
  const Clock::duration silence = Clock::now() - entry.changed;
  if (!job.dispatched()) {
    if (silence > kDispatchTime + delay) Dispatch(job).IgnoreError();
    return;
  }
  const auto patience = patience_.find(job.id());
  const Clock::duration allowed = patience == patience_.end() ? Clock::duration(kFirstPatience) : patience->second;
  if (silence < allowed + delay) return;
  if (Dispatch(job).ok()) patience_[job.id()] = 2 * allowed;
}

void NatsJobQueue::ForgetJobs(JobTime now) {
  std::vector<JobIndex::EntryPointer> due = index_.Forgettable(now);
  if (due.size() > kMaxForgotten) due.resize(kMaxForgotten);
  for (const JobIndex::EntryPointer& entry : due) {
    const farm::JobRecord& job = entry->record;
    const JobTime time = FromNanoseconds(job.removed_ns()) + Delay(job.id());
    if (!client_->connected()) return;
    if (!job.gone()) {
      if (time < now) Remove(job).IgnoreError();
    } else if (time + kGoneTime < now) {
      // Should whoever removed it have died over it, its data go now.
      if (streams_.PurgeData(job.id()).ok() && streams_.PurgeJob(job.id()).ok()) index_.Forget(job.id());
    }
  }
}

void NatsJobQueue::Measure() {
  if (const absl::StatusOr<std::int64_t> bytes = streams_.MeasureBytes(); bytes.ok()) bytes_ = *bytes;
  jsConsumerInfoList* lanes = nullptr;
  jsErrCode code{};
  const std::string work = streams_.work();
  if (js_Consumers(&lanes, client_->jetstream(), work.c_str(), nullptr, &code) != NATS_OK) return;
  std::int64_t queued = 0;
  for (int lane = 0; lane < lanes->Count; ++lane) queued += static_cast<std::int64_t>(lanes->List[lane]->NumPending);
  jsConsumerInfoList_Destroy(lanes);
  queued_parts_ = queued;
}

JobCounts NatsJobQueue::counts() const {
  JobCounts counts;
  counts.working = client_->connected() && feed_->current();
  counts.jobs = index_.states();
  counts.running_parts = held_.size();
  const JobIndex::Waiting waiting = index_.waiting();
  counts.waiting_parts = std::max<std::int64_t>(0, waiting.parts - counts.running_parts);
  if (queued_parts_ > 0 && waiting.oldest) counts.oldest_part = std::max(Now() - *waiting.oldest, JobTime::duration(0));
  counts.submitted = submitted_;
  counts.parts_done = parts_done_;
  counts.parts_failed = parts_failed_;
  counts.parts_given_back = parts_given_back_;
  counts.parts_set_aside = parts_set_aside_;
  counts.failures = failures_ + client_->losses();
  counts.bytes = bytes_;
  counts.max_bytes = options_.max_bytes;
  return counts;
}

}  // namespace kibitz::server
