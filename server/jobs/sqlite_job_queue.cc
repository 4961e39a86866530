#include "server/jobs/sqlite_job_queue.h"

#include <algorithm>
#include <array>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "server/jobs/job_errors.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

// A tenant has no more than so much of the room, so that there is some for others.
constexpr int kTenantsAtLeast = 2;
// What the result of a position takes, about.
constexpr std::int64_t kResultBytes = 512;

constexpr absl::Duration kMinRetryDelay = absl::Seconds(1);
constexpr absl::Duration kMaxRetryDelay = absl::Hours(1);
// When nothing is known of how fast jobs end.
constexpr absl::Duration kRetryDelay = absl::Seconds(30);

std::string PageTokenOf(std::int64_t number) { return absl::StrCat(absl::Hex(number)); }

std::optional<std::int64_t> ParsePageToken(const std::string& token) {
  std::int64_t number = 0;
  if (token.empty()) return std::numeric_limits<std::int64_t>::max();
  if (!absl::SimpleHexAtoi(token, &number) || number < 1) return std::nullopt;
  return number;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteJobQueue>> SqliteJobQueue::Open(Options options) {
  absl::StatusOr<JobFile> file = JobFile::Open(options.path);
  absl::Status status = file.status();
  if (status.ok()) {
    std::unique_ptr<SqliteJobQueue> queue(new SqliteJobQueue(std::move(options), *std::move(file)));
    status = queue->Load();
    if (status.ok()) {
      queue->housekeeping_ = std::thread(&SqliteJobQueue::RunHousekeeping, queue.get());
      return queue;
    }
    options = queue->options_;
  }
  return absl::Status(status.code(),
                      absl::StrCat("the file of jobs ", options.path, " cannot be used: ", status.message()));
}

SqliteJobQueue::~SqliteJobQueue() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (housekeeping_.joinable()) housekeeping_.join();
}

template <typename Work>
auto SqliteJobQueue::Do(Work work) {
  News news;
  auto result = [&] {
    std::lock_guard lock(mutex_);
    return work(news);
  }();
  Tell(news);
  return result;
}

void SqliteJobQueue::Tell(const News& news) {
  for (const std::string& id : news.changed) watches_.Tell(id);
  std::lock_guard lock(listener_mutex_);
  if (listener_ == nullptr) return;
  for (const std::string& id : news.over) listener_->OnJobOver(id);
  if (news.work) listener_->OnWork();
}

void SqliteJobQueue::SetListener(Listener* listener) {
  std::lock_guard lock(listener_mutex_);
  listener_ = listener;
}

absl::Status SqliteJobQueue::Heed(const absl::Status& status) {
  if (status.ok()) return status;
  ++counts_.failures;
  counts_.working = false;
  if (fault_ != status.code()) {
    spdlog::error("the file of jobs {} cannot be used: {}", options_.path, std::string(status.message()));
  }
  fault_ = status.code();
  return JobsUnavailable(status.message());
}

absl::Status SqliteJobQueue::Write(const std::function<absl::Status()>& steps) {
  absl::Status status = file_.Begin();
  if (status.ok()) {
    status = steps();
    if (status.ok()) status = file_.Commit();
    if (!status.ok()) file_.Rollback();
  }
  if (!status.ok()) return Heed(status);
  if (fault_.has_value()) spdlog::info("the file of jobs {} can be used again", options_.path);
  fault_.reset();
  counts_.working = true;
  return status;
}

absl::StatusOr<std::int64_t> SqliteJobQueue::NumberOf(const std::string& tenant, const std::string& id) {
  const absl::StatusOr<std::optional<std::int64_t>> number = file_.Find(tenant, id);
  if (!number.ok()) return Heed(number.status());
  if (!number->has_value()) return NoSuchJob(id);
  return **number;
}

absl::Duration SqliteJobQueue::TimeToRoom() {
  if (!end_interval_.has_value()) return kRetryDelay;
  return std::clamp(absl::Seconds(end_interval_->count()), kMinRetryDelay, kMaxRetryDelay);
}

absl::Status SqliteJobQueue::CheckRoom(const JobSpec& spec) {
  const auto max_jobs = static_cast<std::size_t>(options_.max_jobs);
  if (schedule_.jobs() >= max_jobs) {
    return JobsFull(absl::StrCat("there are ", max_jobs, " jobs that are not over, and no more are taken"),
                    TimeToRoom());
  }
  const int own = TermsFor(spec.tenant).max_jobs;
  if (schedule_.JobsOf(spec.tenant) >= static_cast<std::size_t>(own)) {
    return JobQuotaExceeded(spec.tenant, absl::StrCat("you have ", own, " jobs that are not over, which is the bound"),
                            TimeToRoom());
  }
  const absl::StatusOr<std::int64_t> used = file_.UsedBytes();
  if (!used.ok()) return Heed(used.status());
  const absl::StatusOr<std::int64_t> used_by_tenant = file_.BytesOf(spec.tenant);
  if (!used_by_tenant.ok()) return Heed(used_by_tenant.status());
  const absl::StatusOr<std::optional<JobTime>> next = file_.NextForgettable();
  if (!next.ok()) return Heed(next.status());
  const absl::Duration room_at =
      !next->has_value() ? TimeToRoom()
                         : std::clamp(absl::FromChrono(**next - system_clock::now()), kMinRetryDelay, kMaxRetryDelay);
  const std::int64_t wanted = static_cast<std::int64_t>(spec.request.size()) + spec.positions * kResultBytes;
  if (*used_by_tenant + wanted > options_.max_bytes / kTenantsAtLeast) {
    return JobQuotaExceeded(spec.tenant, "your jobs take all the room that one caller may have: delete some", room_at);
  }
  if (*used + schedule_.positions() * kResultBytes + wanted > options_.max_bytes) {
    return JobsFull("there is no room for more jobs and their results", room_at);
  }
  return absl::OkStatus();
}

absl::StatusOr<JobQueue::Accepted> SqliteJobQueue::Submit(JobSpec spec) {
  return Do([&](News& news) -> absl::StatusOr<Accepted> {
    if (!spec.client_id.empty()) {
      const auto there = file_.Find(spec.tenant, absl::StrCat(kByClientId, spec.client_id));
      if (!there.ok()) return Heed(there.status());
      if (there->has_value()) {
        absl::StatusOr<Job> job = file_.Read(**there);
        if (!job.ok()) return Heed(job.status());
        if (job->spec.fingerprint != spec.fingerprint) return JobIdTaken(spec.client_id);
        return Accepted{.job = *std::move(job), .repeated = true};
      }
    }
    if (absl::Status room = CheckRoom(spec); !room.ok()) return room;
    std::int64_t number = 0;
    absl::Status status = Write([&] {
      const absl::StatusOr<std::int64_t> inserted = file_.Insert(spec);
      if (inserted.ok()) number = *inserted;
      return inserted.status();
    });
    if (!status.ok()) return status;
    schedule_.Add(EntryOf(number, spec), 0, TermsFor(spec.tenant).share);
    ++counts_.submitted;
    ++counts_.jobs[static_cast<std::size_t>(JobState::kQueued)];
    news.work = true;
    spec.request.clear();
    return Accepted{.job = {.spec = std::move(spec), .status = {.revision = 1}}};
  });
}

absl::StatusOr<Job> SqliteJobQueue::Find(const std::string& tenant, const std::string& id) {
  std::lock_guard lock(mutex_);
  const absl::StatusOr<std::int64_t> number = NumberOf(tenant, id);
  if (!number.ok()) return number.status();
  absl::StatusOr<Job> job = file_.Read(*number);
  if (!job.ok()) return Heed(job.status());
  return job;
}

absl::StatusOr<JobQueue::Page> SqliteJobQueue::List(const std::string& tenant, const Filter& filter) {
  const std::optional<std::int64_t> before = ParsePageToken(filter.from);
  if (!before.has_value()) return BadPageToken();
  std::lock_guard lock(mutex_);
  auto jobs = file_.List(tenant, filter.states, *before, filter.max_jobs + 1);
  if (!jobs.ok()) return Heed(jobs.status());
  Page page;
  for (auto& [number, job] : *jobs) {
    if (static_cast<int>(page.jobs.size()) == filter.max_jobs) {
      // It goes on with this one.
      page.next = PageTokenOf(number + 1);
      break;
    }
    page.jobs.push_back(std::move(job));
  }
  return page;
}

absl::StatusOr<Job> SqliteJobQueue::Cancel(const std::string& tenant, const std::string& id) {
  return Do([&](News& news) -> absl::StatusOr<Job> {
    const absl::StatusOr<std::int64_t> number = NumberOf(tenant, id);
    if (!number.ok()) return number.status();
    absl::StatusOr<Job> job = file_.Read(*number);
    if (!job.ok()) return Heed(job.status());
    if (IsOver(job->status.state)) return job;
    absl::Status ended =
        End(*number, {.state = JobState::kCancelled, .reason = "CANCELLED", .message = "its owner has ended it"}, *job,
            news);
    if (!ended.ok()) return ended;
    return job;
  });
}

absl::Status SqliteJobQueue::Delete(const std::string& tenant, const std::string& id) {
  return Do([&](News& news) -> absl::Status {
    const absl::StatusOr<std::int64_t> number = NumberOf(tenant, id);
    if (!number.ok()) return number.status();
    const absl::StatusOr<Job> job = file_.Read(*number);
    if (!job.ok()) return Heed(job.status());
    if (!IsOver(job->status.state)) return JobNotOver(id);
    absl::Status status = Write([&] { return file_.Remove(*number); });
    if (!status.ok()) return status;
    --counts_.jobs[static_cast<std::size_t>(job->status.state)];
    news.changed.push_back(job->spec.id);
    return status;
  });
}

absl::StatusOr<std::vector<PartResult>> SqliteJobQueue::Results(const std::string& id, int first,
                                                                std::int64_t max_bytes) {
  std::lock_guard lock(mutex_);
  const absl::StatusOr<std::optional<std::int64_t>> number = file_.Find(id);
  if (!number.ok()) return Heed(number.status());
  if (!number->has_value()) return NoSuchJob(id);
  const absl::StatusOr<Job> job = file_.Read(**number);
  if (!job.ok()) return Heed(job.status());
  const bool over = IsOver(job->status.state);
  absl::StatusOr<std::vector<PartResult>> found = file_.Results(**number, first, max_bytes, /*gaps=*/over);
  if (!found.ok()) return Heed(found.status());
  if (!over) return found;
  // Up to the last that was found; and up to the end if there are no more.
  const int next = found->empty() ? first : found->back().part + 1;
  const absl::StatusOr<std::vector<PartResult>> more = file_.Results(**number, next, /*max_bytes=*/0, /*gaps=*/true);
  if (!more.ok()) return Heed(more.status());
  std::vector<PartResult> all;
  const auto fill = [&](int end) {
    for (int part = first + static_cast<int>(all.size()); part < end; ++part) all.push_back(ResultOfUndone(*job, part));
  };
  for (PartResult& result : *found) {
    fill(result.part);
    all.push_back(std::move(result));
  }
  if (more->empty()) fill(job->spec.parts);
  return all;
}

JobQueue::Watch SqliteJobQueue::WatchJob(const std::string& id, std::function<void()> on_change) {
  return watches_.Add(id, std::move(on_change));
}

absl::StatusOr<Job> SqliteJobQueue::FindForWork(const std::string& id) {
  std::lock_guard lock(mutex_);
  const absl::StatusOr<std::optional<std::int64_t>> number = file_.Find(id);
  if (!number.ok()) return Heed(number.status());
  if (!number->has_value()) return NoSuchJob(id);
  absl::StatusOr<Job> job = file_.Read(**number);
  if (!job.ok()) return Heed(job.status());
  absl::StatusOr<std::string> request = file_.ReadRequest(**number);
  if (!request.ok()) return Heed(request.status());
  job->spec.request = *std::move(request);
  return job;
}

absl::StatusOr<std::optional<TakenPart>> SqliteJobQueue::Take(const Ability& ability) {
  return Do([&](News& news) -> absl::StatusOr<std::optional<TakenPart>> {
    const Clock::time_point now = Clock::now();
    std::optional<JobSchedule::Part> part = schedule_.Next(ability, now);
    if (!part.has_value()) return std::nullopt;
    const JobSchedule::Entry& entry = *schedule_.Find(part->number);
    const bool alone = part->history.suspect();
    ++part->history.attempts;
    absl::StatusOr<Job> job = file_.Read(part->number);
    if (!job.ok()) return Heed(job.status());
    const bool first = job->status.state == JobState::kQueued;
    absl::Status status = Write([&] {
      if (first) {
        job->status.state = JobState::kRunning;
        job->status.started = system_clock::now();
        ++job->status.revision;
        if (absl::Status written = file_.WriteStatus(part->number, job->status); !written.ok()) return written;
      }
      return file_.PutPart({.job = part->number,
                            .part = part->part,
                            .attempts = part->history.attempts,
                            .failures = part->history.failures,
                            .losses = part->history.losses,
                            .running = true});
    });
    if (!status.ok()) return status;
    if (first) {
      --counts_.jobs[static_cast<std::size_t>(JobState::kQueued)];
      ++counts_.jobs[static_cast<std::size_t>(JobState::kRunning)];
      news.changed.push_back(entry.id);
    }
    schedule_.Begin(*part, ++last_ticket_, now, now + options_.lease_time, TermsFor(entry.tenant).share);
    return TakenPart{.job = entry.id,
                     .part = part->part,
                     .attempt = part->history.attempts,
                     .tenant = entry.tenant,
                     .format = entry.format,
                     .alone = alone,
                     .ticket = last_ticket_};
  });
}

void SqliteJobQueue::KeepAlive(const std::vector<TakenPart>& parts) {
  Do([&](News& news) {
    const Clock::time_point lease_end = Clock::now() + options_.lease_time;
    for (const TakenPart& part : parts) {
      const JobSchedule::Entry* const entry = schedule_.Find(part.job);
      if (entry == nullptr) {
        news.over.push_back(part.job);
      } else {
        schedule_.KeepAlive(entry->number, part.part, part.ticket, lease_end);
      }
    }
    return true;
  });
}

absl::Status SqliteJobQueue::Complete(const TakenPart& part, PartResult result) {
  return Do([&](News& news) -> absl::Status {
    const JobSchedule::Entry* const entry = schedule_.Find(part.job);
    // The job is over, or somebody else has done the part.
    if (entry == nullptr || schedule_.IsOver(entry->number, part.part)) return absl::OkStatus();
    result.part = part.part;
    result.attempt = part.attempt;
    absl::Status status = Finish(entry->number, std::move(result), /*fault=*/nullptr, news);
    if (status.ok()) ++counts_.parts_done;
    return status;
  });
}

absl::Status SqliteJobQueue::GiveBack(const TakenPart& part, const GiveBackReason& why) {
  return Do([&](News& news) -> absl::Status {
    const JobSchedule::Entry* const entry = schedule_.Find(part.job);
    if (entry == nullptr) return absl::OkStatus();
    std::optional<JobSchedule::Part> running = schedule_.FindRunning(entry->number, part.part, part.ticket);
    if (!running.has_value()) return absl::OkStatus();
    if (why.failed) ++running->history.failures;
    ++(why.failed ? counts_.parts_failed : counts_.parts_given_back);
    return SetBack({.part = *running,
                    .fault = {.part = part.part,
                              .attempt = part.attempt,
                              .node = options_.node,
                              .time = system_clock::now(),
                              .reason = why.reason,
                              .message = why.message},
                    .pause = why.pause},
                   news);
  });
}

absl::Status SqliteJobQueue::SetBack(const Setback& setback, News& news) {
  const JobSchedule::Part& part = setback.part;
  const JobSchedule::History& history = part.history;
  if (history.failures >= kMaxFailures || history.losses >= kMaxLosses) {
    PartResult result;
    result.part = part.part;
    result.attempt = history.attempts;
    result.set_aside = true;
    result.reason = setback.fault.reason;
    result.message = setback.fault.message;
    result.node = setback.fault.node;
    absl::Status status = Finish(part.number, std::move(result), &setback.fault, news);
    if (status.ok()) ++counts_.parts_set_aside;
    return status;
  }
  absl::StatusOr<Job> job = file_.Read(part.number);
  if (!job.ok()) return Heed(job.status());
  ++job->status.revision;
  absl::Status status = Write([&] {
    absl::Status written = file_.PutPart({.job = part.number,
                                          .part = part.part,
                                          .attempts = history.attempts,
                                          .failures = history.failures,
                                          .losses = history.losses,
                                          .running = false});
    if (written.ok()) written = file_.AddFault(part.number, setback.fault);
    if (written.ok()) written = file_.WriteStatus(part.number, job->status);
    return written;
  });
  if (!status.ok()) return status;
  schedule_.Return(part, Clock::now() + setback.pause);
  news.changed.push_back(job->spec.id);
  news.work = true;
  return status;
}

absl::Status SqliteJobQueue::Finish(std::int64_t number, PartResult result, const PartFault* fault, News& news) {
  absl::StatusOr<Job> job = file_.Read(number);
  if (!job.ok()) return Heed(job.status());
  JobStatus& status = job->status;
  const JobState before = status.state;
  result.positions = PositionsOf(job->spec, result.part);
  ++status.parts_done;
  if (result.set_aside) {
    ++status.parts_set_aside;
  } else {
    status.positions_done += result.positions;
  }
  status.nodes += result.nodes;
  const bool last = status.parts_done == job->spec.parts;
  absl::Status written = Write([&] {
    absl::Status step = file_.AddResult(number, result);
    if (step.ok()) step = file_.RemovePart(number, result.part);
    if (step.ok() && fault != nullptr) step = file_.AddFault(number, *fault);
    if (!step.ok()) return step;
    if (last) return WriteEnd(number, EndingOf(*job, result), *job);
    ++status.revision;
    return file_.WriteStatus(number, status);
  });
  if (!written.ok()) return written;
  schedule_.Finish(number, result.part, Clock::now());
  if (last) {
    NoteEnd(number, *job, before, news);
  } else {
    news.changed.push_back(job->spec.id);
  }
  return written;
}

SqliteJobQueue::Ending SqliteJobQueue::EndingOf(const Job& job, const PartResult& last) {
  if (job.status.parts_set_aside < job.spec.parts) return {.state = JobState::kDone};
  return {.state = JobState::kFailed,
          .reason = last.reason,
          .message = absl::StrCat("no part of it could be done; of the last: ", last.message)};
}

absl::Status SqliteJobQueue::WriteEnd(std::int64_t number, const Ending& ending, Job& job) {
  const JobTime now = system_clock::now();
  job.status.state = ending.state;
  job.status.reason = ending.reason;
  job.status.message = ending.message;
  job.status.ended = now;
  job.status.removed = now + job.spec.keep;
  ++job.status.revision;
  absl::Status status = file_.WriteStatus(number, job.status);
  if (status.ok()) status = file_.RemoveParts(number);
  if (status.ok() && !job.spec.webhook.empty()) status = file_.AddDelivery(number, now);
  return status;
}

void SqliteJobQueue::NoteEnd(std::int64_t number, const Job& job, JobState before, News& news) {
  if (end_log_.Allow()) {
    constexpr std::array<const char*, JobCounts::kStates> kWords = {"",       "queued",    "running", "done",
                                                                    "failed", "cancelled", "expired"};
    spdlog::info("job {} of {} is {}: {} of {} parts, {} set aside, {} nodes{}{}", job.spec.id,
                 job.spec.tenant.empty() ? "(anonymous)" : job.spec.tenant,
                 kWords[static_cast<std::size_t>(job.status.state)], job.status.parts_done, job.spec.parts,
                 job.status.parts_set_aside, job.status.nodes, job.status.reason.empty() ? "" : ", ",
                 job.status.reason);
  }
  schedule_.Remove(number);
  --counts_.jobs[static_cast<std::size_t>(before)];
  ++counts_.jobs[static_cast<std::size_t>(job.status.state)];
  news.changed.push_back(job.spec.id);
  news.over.push_back(job.spec.id);
  constexpr double kOfLate = 0.2;
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> interval = now - std::exchange(last_end_, now);
  end_interval_ = end_interval_.has_value() ? *end_interval_ + kOfLate * (interval - *end_interval_) : interval;
}

absl::Status SqliteJobQueue::End(std::int64_t number, const Ending& ending, Job& job, News& news) {
  const JobState before = job.status.state;
  absl::Status status = Write([&] { return WriteEnd(number, ending, job); });
  if (status.ok()) NoteEnd(number, job, before, news);
  return status;
}

}  // namespace kibitz::server
