#include "server/service/job_watch.h"

#include <algorithm>
#include <vector>

#include "absl/time/time.h"
#include "server/conversion/job.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// How many bytes of results are read at a time.
constexpr std::int64_t kReadBytes = 256 << 10;
// For clients that do not read as fast as there is something to send, and for a queue that did not tell of a change.
constexpr milliseconds kPause{50};
constexpr std::chrono::seconds kLongest{5};

// What is known of a review while it is watched, for each of its positions; and what any watch takes.
constexpr std::size_t kPositionBytes = 4 << 10;
constexpr std::size_t kWatchBytes = 512 << 10;
constexpr absl::Duration kRetryDelay = absl::Seconds(5);

}  // namespace

void JobWatch::End(const absl::Status& why) {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return;
  }
  stream_->Finish(why);
  if (on_end_ != nullptr) on_end_();
}

void JobWatch::Look() {
  // Nothing is looked for that nobody reads.
  if (!stream_->HasRoom()) return LookAt(Clock::now() + kPause);
  {
    std::lock_guard lock(mutex_);
    if (ended_) return;
    if (looking_) {
      look_again_ = true;
      return;
    }
    looking_ = true;
  }
  const absl::Status posted = resources_.blocking.Post([self = shared_from_this()] { self->LookNow(); });
  if (posted.ok()) return;
  {
    std::lock_guard lock(mutex_);
    looking_ = false;
  }
  if (absl::IsUnavailable(posted)) return End(posted);
  LookAt(Clock::now() + kPause);
}

void JobWatch::LookAt(Clock::time_point time) {
  {
    std::lock_guard lock(mutex_);
    if (ended_ || (timer_due_.has_value() && *timer_due_ <= time)) return;
    timer_due_ = time;
  }
  // Whoever went before it looks once more than is needed.
  resources_.timers.Schedule(time, [weak = weak_from_this(), time] {
    const std::shared_ptr<JobWatch> self = weak.lock();
    if (self == nullptr) return;
    {
      std::lock_guard lock(self->mutex_);
      if (self->timer_due_ == time) self->timer_due_.reset();
    }
    self->Look();
  });
}

void JobWatch::LookNow() {
  const absl::StatusOr<bool> over = TellNews();
  if (!over.ok()) return End(over.status());
  if (*over) return End(absl::OkStatus());
  bool again = false;
  {
    std::lock_guard lock(mutex_);
    looking_ = false;
    again = std::exchange(look_again_, false);
  }
  if (again) {
    Look();
  } else {
    LookAt(Clock::now() + kLongest);
  }
}

absl::StatusOr<bool> JobWatch::TellNews() {
  const absl::StatusOr<Job> job = resources_.queue.Find(request_.tenant, request_.id);
  if (!job.ok()) return job.status();
  if (watch_ == nullptr) {
    if (absl::Status prepared = Prepare(*job); !prepared.ok()) return prepared;
  }
  const absl::StatusOr<bool> all = SendResults(*job);
  if (!all.ok()) return all.status();
  const bool over = IsOver(job->status.state) && next_part_ == job->spec.parts;
  const Clock::time_point now = Clock::now();
  if (!*all) LookAt(now + kPause);
  if (!over && (job->status.revision == revision_ || !stream_->HasRoom())) return false;
  if (!over && now < next_job_) {
    LookAt(next_job_);
    return false;
  }
  SendJob(*job, over);
  return over;
}

absl::Status JobWatch::Prepare(const Job& job) {
  if (request_.after_sequence > job.spec.parts) {
    return InvalidField("after_sequence", "OUT_OF_RANGE", "is more than there are parts");
  }
  const bool keeps_all = job.spec.kind == JobKind::kReview;
  memory_ = resources_.memory.Take(kWatchBytes + (keeps_all ? kPositionBytes * job.spec.positions : 0));
  if (memory_ == nullptr) return Exhausted("MEMORY_EXHAUSTED", "others use the memory that there is", kRetryDelay);
  const absl::StatusOr<Job> with_request = resources_.queue.FindForWork(job.spec.id);
  if (!with_request.ok()) return with_request.status();
  const absl::StatusOr<std::shared_ptr<const JobPlan>> plan = resources_.plan_of(*with_request);
  if (!plan.ok()) return plan.status();
  answer_.emplace(job.spec, *plan);
  if (!answer_->needs_all()) next_part_ = static_cast<int>(request_.after_sequence);
  watch_ = resources_.queue.WatchJob(job.spec.id, [weak = weak_from_this()] {
    if (const std::shared_ptr<JobWatch> self = weak.lock()) self->Look();
  });
  // What has changed in between.
  LookAt(Clock::now());
  return absl::OkStatus();
}

absl::StatusOr<bool> JobWatch::SendResults(const Job& job) {
  while (next_part_ < job.spec.parts) {
    if (!stream_->HasRoom()) return false;
    const absl::StatusOr<std::vector<PartResult>> found = resources_.queue.Results(job.spec.id, next_part_, kReadBytes);
    if (!found.ok()) return found.status();
    if (found->empty()) return true;
    for (const PartResult& result : *found) {
      absl::StatusOr<v1::JobResults> wire = answer_->Next(result);
      if (!wire.ok()) return wire.status();
      ++next_part_;
      if (next_part_ <= request_.after_sequence) continue;
      v1::WatchJobResponse response;
      response.set_sequence(next_part_);
      *response.mutable_results() = *std::move(wire);
      stream_->Send(response);
    }
  }
  return true;
}

void JobWatch::SendJob(const Job& job, bool last) {
  v1::WatchJobResponse response;
  response.set_sequence(std::max<std::int64_t>(next_part_, request_.after_sequence));
  *response.mutable_job() = ToWire(job);
  // Whoever reads slowly hears the latest only, but the last for certain.
  if (last) {
    stream_->Send(response);
  } else {
    stream_->SendLatest(response);
  }
  revision_ = job.status.revision;
  next_job_ = Clock::now() + request_.min_interval;
}

}  // namespace kibitz::server
