// What a queue in a file does by itself: it begins with what is there, and sees to what becomes due.

#include <algorithm>
#include <array>

#include "server/jobs/sqlite_job_queue.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

constexpr std::chrono::seconds kHousekeepingInterval{1};
// How many jobs are expired or forgotten at a time.
constexpr int kJobsAtATime = 64;
// Who was told to deliver has so long for it.
constexpr std::chrono::minutes kDeliveryTime{2};
// After a start.
constexpr std::chrono::seconds kDeliveryPause{2};

}  // namespace

absl::Status SqliteJobQueue::Load() {
  const absl::StatusOr<std::vector<std::pair<std::int64_t, int>>> open = file_.Open();
  if (!open.ok()) return open.status();
  for (const auto& [number, next_part] : *open) {
    const absl::StatusOr<Job> job = file_.Read(number);
    if (!job.ok()) return job.status();
    schedule_.Add(EntryOf(number, job->spec), next_part, TermsFor(job->spec.tenant).share);
  }
  const absl::StatusOr<std::vector<JobFile::BegunPart>> begun = file_.BegunParts();
  if (!begun.ok()) return begun.status();
  const absl::StatusOr<std::array<std::int64_t, JobCounts::kStates>> counts = file_.CountJobs();
  if (!counts.ok()) return counts.status();
  counts_.jobs = *counts;
  counts_.working = true;
  counts_.max_bytes = options_.max_bytes;
  News nobody_listens_yet;
  for (const JobFile::BegunPart& each : *begun) {
    const JobSchedule::Part part{
        .number = each.job,
        .part = each.part,
        .history = {.attempts = each.attempts, .failures = each.failures, .losses = each.losses}};
    schedule_.Return(part, Clock::now());
    if (!each.running) continue;
    ++counts_.parts_failed;
    // A disk that is full now is no reason not to start: it is known in memory what was lost.
    if (!SetBack(LossOf(part, options_.crashed), nobody_listens_yet).ok()) {
      schedule_.Return(LossOf(part, options_.crashed).part, Clock::now());
    }
  }
  // Whoever was at it is gone. To be told sooner again than was planned does no harm.
  (void)Write([&] { return file_.HastenDeliveries(system_clock::now() + kDeliveryPause); });
  Measure();
  if (schedule_.jobs() > 0) {
    spdlog::info("the file of jobs {} has {} jobs to be done, with {} parts", options_.path, schedule_.jobs(),
                 schedule_.waiting_parts());
  }
  return absl::OkStatus();
}

JobSchedule::Entry SqliteJobQueue::EntryOf(std::int64_t number, const JobSpec& spec) const {
  return {.number = number,
          .id = spec.id,
          .tenant = spec.tenant,
          .priority = spec.priority,
          .format = spec.format,
          .generation = spec.generation,
          .parts = spec.parts,
          .part_size = spec.part_size,
          .submitted = spec.submitted};
}

TenantTerms SqliteJobQueue::TermsFor(const std::string& tenant) const {
  return options_.terms_of == nullptr ? TenantTerms() : options_.terms_of(tenant);
}

SqliteJobQueue::Setback SqliteJobQueue::LossOf(const JobSchedule::Part& part, bool crashed) const {
  Setback setback{.part = part,
                  .fault = {.part = part.part,
                            .attempt = part.history.attempts,
                            .node = options_.node,
                            .time = system_clock::now(),
                            .reason = crashed ? "NODE_CRASHED" : "NODE_LOST",
                            .message = crashed ? "the server crashed that did it" : "the server is gone that did it"}};
  ++(crashed ? setback.part.history.failures : setback.part.history.losses);
  return setback;
}

absl::StatusOr<std::vector<JobQueue::Delivery>> SqliteJobQueue::TakeDeliveries(int max_deliveries) {
  std::lock_guard lock(mutex_);
  const JobTime now = system_clock::now();
  const auto due = file_.DueDeliveries(now, max_deliveries);
  if (!due.ok()) return Heed(due.status());
  std::vector<Delivery> deliveries;
  if (due->empty()) return deliveries;
  absl::Status status = Write([&] {
    for (const auto& [number, attempts] : *due) {
      absl::StatusOr<Job> job = file_.Read(number);
      if (!job.ok()) return job.status();
      deliveries.push_back({.job = *std::move(job), .attempt = attempts + 1});
      absl::Status put = file_.PutDelivery(number, attempts + 1, now + kDeliveryTime);
      if (!put.ok()) return put;
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return deliveries;
}

absl::Status SqliteJobQueue::EndDelivery(const Delivery& delivery, std::optional<JobTime> next) {
  std::lock_guard lock(mutex_);
  const absl::StatusOr<std::optional<std::int64_t>> number = file_.Find(delivery.job.spec.id);
  if (!number.ok()) return Heed(number.status());
  if (!number->has_value()) return absl::OkStatus();
  return Write([&] {
    return next.has_value() ? file_.PutDelivery(**number, delivery.attempt, *next) : file_.RemoveDelivery(**number);
  });
}

JobCounts SqliteJobQueue::counts() const {
  std::lock_guard lock(mutex_);
  JobCounts counts = counts_;
  counts.waiting_parts = schedule_.waiting_parts();
  counts.running_parts = schedule_.running_parts();
  if (const std::optional<JobTime> oldest = schedule_.oldest()) {
    counts.oldest_part = std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(system_clock::now() - *oldest));
  }
  return counts;
}

void SqliteJobQueue::RunHousekeeping() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    News news;
    ExpireJobs(news);
    ForgetJobs();
    LoseLapsed(news);
    Measure();
    // Also for parts whose pause is over.
    news.work = news.work || schedule_.waiting_parts() > 0;
    lock.unlock();
    Tell(news);
    lock.lock();
    changed_.wait_for(lock, kHousekeepingInterval, [&] { return ending_; });
  }
}

void SqliteJobQueue::ExpireJobs(News& news) {
  const absl::StatusOr<std::vector<std::int64_t>> overdue = file_.Overdue(system_clock::now(), kJobsAtATime);
  if (!overdue.ok()) return (void)Heed(overdue.status());
  for (const std::int64_t number : *overdue) {
    absl::StatusOr<Job> job = file_.Read(number);
    if (!job.ok()) return (void)Heed(job.status());
    const Ending ending{
        .state = JobState::kExpired, .reason = "DEADLINE_PASSED", .message = "it was not done by its deadline"};
    if (!End(number, ending, *job, news).ok()) return;
  }
}

void SqliteJobQueue::ForgetJobs() {
  const absl::StatusOr<std::vector<std::int64_t>> forgettable = file_.Forgettable(system_clock::now(), kJobsAtATime);
  if (!forgettable.ok()) return (void)Heed(forgettable.status());
  for (const std::int64_t number : *forgettable) {
    const absl::StatusOr<Job> job = file_.Read(number);
    if (!job.ok()) return (void)Heed(job.status());
    if (!Write([&] { return file_.Remove(number); }).ok()) return;
    --counts_.jobs[static_cast<std::size_t>(job->status.state)];
  }
}

void SqliteJobQueue::LoseLapsed(News& news) {
  for (const JobSchedule::Part& part : schedule_.Lapsed(Clock::now())) {
    // Until it is put down its lease stays lapsed.
    if (!SetBack(LossOf(part, /*crashed=*/false), news).ok()) return;
    ++counts_.parts_failed;
  }
}

void SqliteJobQueue::Measure() {
  const absl::StatusOr<std::int64_t> bytes = file_.UsedBytes();
  if (bytes.ok()) counts_.bytes = *bytes;
}

}  // namespace kibitz::server
