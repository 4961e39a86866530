// What those who do the work ask for: to take parts, and to put down what came of them.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/jobs/job_errors.h"
#include "server/jobs/nats/nats_job_queue.h"
#include "server/jobs/nats/work_answers.h"

namespace kibitz::server {
namespace {

// Messages that are looked at for one part: those of jobs that are over lead to none.
constexpr int kMaxLooks = 64;

// Who came back to NATS so lately knows nothing of those who are silent: they may be on their way.
constexpr std::chrono::seconds kSettling{3};

// After an error a part is for somebody else, soon.
constexpr std::chrono::seconds kErrorPause{1};

JobTime Now() { return std::chrono::system_clock::now(); }

farm::ResultRecord SetAsideResult(const farm::JobRecord& job, int part, const farm::PartRecord& history,
                                  absl::string_view reason, absl::string_view message) {
  farm::ResultRecord result;
  result.set_part(part);
  result.set_attempt(history.attempts());
  result.set_positions(PositionsOf(ToJob(job, 0).spec, part));
  result.set_set_aside(true);
  result.set_node(history.node());
  result.set_reason(std::string(reason));
  result.set_message(std::string(message));
  return result;
}

}  // namespace

absl::StatusOr<Job> NatsJobQueue::FindForWork(const std::string& id) {
  const absl::StatusOr<JobEntry> entry = ReadJob(id);
  if (!entry.ok()) return entry.status();
  absl::StatusOr<std::string> request = streams_.ReadRequest(id, entry->record.request_chunks());
  if (!request.ok()) return request.status();
  Job job = ToJob(entry->record, entry->sequence);
  job.spec.request = *std::move(request);
  return job;
}

absl::StatusOr<std::optional<TakenPart>> NatsJobQueue::Take(const Ability& ability) {
  std::lock_guard lock(take_mutex_);
  if (!client_->connected()) return JobsUnavailable("NATS does not answer");
  {
    std::lock_guard awake(wake_mutex_);
    for (const std::string& lane : awake_) lanes_.Wake(lane);
    awake_.clear();
  }
  const WorkLanes::Lanes open = index_.OpenLanes(ability);
  for (int looks = 0; looks < kMaxLooks && !open.empty(); ++looks) {
    const absl::StatusOr<std::optional<WorkLanes::Fetched>> fetched = lanes_.Fetch(open);
    if (!fetched.ok()) ++failures_;
    if (!fetched.ok()) return fetched.status();
    if (!fetched->has_value()) return std::nullopt;
    const auto work = FarmStreams::ParseWork((*fetched)->subject);
    // Nobody else can read it either.
    if (!work) AnswerWork(*client_, (*fetched)->reply, kWorkDone);
    if (!work) continue;
    const Offer offer{.work = *work, .reply = (*fetched)->reply, .deliveries = (*fetched)->deliveries};
    absl::StatusOr<std::optional<TakenPart>> part = Consider(offer, ability);
    if (!part.ok()) {
      ++failures_;
      AnswerWork(*client_, offer.reply, WorkReturned(kErrorPause));
      return part.status();
    }
    if (!part->has_value()) continue;
    lanes_.Count((*fetched)->tenant);
    return part;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<TakenPart>> NatsJobQueue::Consider(const Offer& offer, const Ability& ability) {
  const FarmStreams::Work& work = offer.work;
  JobIndex::EntryPointer job = index_.Find(work.job);
  if (job == nullptr) {
    absl::StatusOr<JobEntry> entry = ReadJob(work.job);
    if (!entry.ok() && !absl::IsNotFound(entry.status())) return entry.status();
    if (entry.ok()) job = std::make_shared<JobIndex::Entry>(JobIndex::Entry{entry->record, entry->sequence, {}});
  }
  const bool wanted =
      job != nullptr && !IsOver(job->record) && work.part < job->record.parts() && !IsCounted(job->record, work.part);
  farm::PartRecord part;
  absl::StatusOr<Verdict> verdict = wanted ? Judge(offer, job->record, ability, part) : Verdict::kDone;
  if (!verdict.ok()) return verdict.status();
  if (*verdict == Verdict::kDone) AnswerWork(*client_, offer.reply, kWorkDone);
  if (*verdict != Verdict::kTake) return std::nullopt;

  if (job->record.state() == static_cast<int>(JobState::kQueued)) {
    const auto started = Update(work.job, [](farm::JobRecord& record) {
      if (record.state() != static_cast<int>(JobState::kQueued)) return false;
      record.set_state(static_cast<int>(JobState::kRunning));
      record.set_started_ns(ToNanoseconds(Now()));
      return true;
    });
    if (!started.ok() && !absl::IsNotFound(started.status())) return started.status();
  }
  return TakenPart{.job = work.job,
                   .part = work.part,
                   .attempt = part.attempts(),
                   .tenant = job->record.tenant(),
                   .format = job->record.format(),
                   .alone = part.losses() + part.failures() > 0,
                   .ticket = held_.Add(work.job, work.part, offer.reply)};
}

// Puts down, before it is begun, that the part is being done here.
absl::StatusOr<NatsJobQueue::Verdict> NatsJobQueue::Judge(const Offer& offer, const farm::JobRecord& job,
                                                          const Ability& ability, farm::PartRecord& part) {
  const auto write = [&](std::uint64_t seen) {
    part.set_attempts(part.attempts() + 1);
    part.set_holder(client_->name());
    part.set_node(ability.node);
    return streams_.WritePart(job.id(), offer.work.part, part, seen).status();
  };
  if (offer.deliveries == 1) {
    const absl::Status written = write(0);
    if (written.ok()) return Verdict::kTake;
    if (!absl::IsAborted(written)) return written;
  }
  const auto known = streams_.ReadPart(job.id(), offer.work.part);
  if (!known.ok()) return known.status();
  part = known->has_value() ? (*known)->record : farm::PartRecord();
  absl::StatusOr<Verdict> verdict = JudgeAgain(offer, job, part);
  if (!verdict.ok() || *verdict != Verdict::kTake) return verdict;
  const absl::Status written = write(known->has_value() ? (*known)->sequence : 0);
  // Somebody else was quicker.
  if (absl::IsAborted(written)) return Verdict::kLeave;
  if (!written.ok()) return written;
  return Verdict::kTake;
}

// It was given out before: perhaps it is done, perhaps its node has died, perhaps only NATS was away for a while.
absl::StatusOr<NatsJobQueue::Verdict> NatsJobQueue::JudgeAgain(const Offer& offer, const farm::JobRecord& job,
                                                               farm::PartRecord& part) {
  const int number = offer.work.part;
  if (held_.Holds(job.id(), number)) return Verdict::kLeave;
  auto result = streams_.ReadResult(job.id(), number);
  if (!result.ok()) return result.status();
  if (result->has_value()) {
    if (absl::Status counted = Count(job.id(), **std::move(result)); !counted.ok()) return counted;
    return Verdict::kDone;
  }
  if (part.holder().empty() || part.holder() == client_->name()) return Verdict::kTake;
  switch (HeldParts::Ask(*client_, streams_.NodeSubject(part.holder()), job.id(), number)) {
    case HeldParts::Answer::kHeld:
      return Verdict::kLeave;
    case HeldParts::Answer::kNotHeld:
      return Verdict::kTake;
    case HeldParts::Answer::kSilent:
      break;
  }
  if (client_->settled() < kSettling && client_->losses() > 0) return Verdict::kLeave;
  part.set_losses(part.losses() + 1);
  ++parts_failed_;
  NoteFault(job.id(), {.part = number,
                       .attempt = part.attempts(),
                       .node = part.node(),
                       .time = Now(),
                       .reason = "NODE_LOST",
                       .message = "the node that did it is not heard of any more"});
  if (part.losses() < kMaxLosses) return Verdict::kTake;
  const farm::ResultRecord result_of = SetAsideResult(
      job, number, part, "NODE_CRASHED",
      absl::StrCat("whoever did it was lost, ", part.losses(), " times, all but the first time over it alone"));
  if (absl::Status put = PutDown(job.id(), result_of); !put.ok()) return put;
  return Verdict::kDone;
}

void NatsJobQueue::KeepAlive(const std::vector<TakenPart>& parts) {
  for (const TakenPart& part : parts) {
    held_.KeepAlive(part.ticket);
    const JobIndex::EntryPointer job = index_.Find(part.job);
    if (feed_->current() && (job == nullptr || IsOver(job->record))) TellOver(part.job);
  }
}

absl::Status NatsJobQueue::Complete(const TakenPart& part, PartResult result) {
  const bool set_aside = result.set_aside;
  absl::Status put = PutDown(part.job, ToRecord(result));
  if (!put.ok()) ++failures_;
  if (!put.ok()) return put;
  held_.Acknowledge(part.ticket);
  ++parts_done_;
  if (set_aside) ++parts_set_aside_;
  return absl::OkStatus();
}

absl::Status NatsJobQueue::PutDown(const std::string& job, farm::ResultRecord result) {
  if (const JobIndex::EntryPointer known = index_.Find(job);
      known != nullptr && (IsOver(known->record) || IsCounted(known->record, result.part()))) {
    return absl::OkStatus();
  }
  const absl::Status written = streams_.WriteResult(job, result);
  if (absl::IsAborted(written)) {
    // It was done twice: what is there counts.
    auto first = streams_.ReadResult(job, result.part());
    if (!first.ok()) return first.status();
    if (first->has_value()) result = **std::move(first);
  } else if (!written.ok()) {
    return written;
  }
  return Count(job, std::move(result));
}

absl::Status NatsJobQueue::Count(const std::string& job, farm::ResultRecord result) {
  result.clear_results();
  std::unique_lock lock(count_mutex_);
  CountGroup& group = count_groups_[job];
  ++group.users;
  const std::shared_ptr<CountBatch> batch = group.next;
  batch->results.push_back(std::move(result));
  while (!batch->outcome) {
    if (group.busy) {
      counted_.wait(lock);
      continue;
    }
    // Ours is the next one: nobody else has begun it.
    group.busy = true;
    group.next = std::make_shared<CountBatch>();
    lock.unlock();
    absl::Status outcome = MakeCount(job, *batch);
    lock.lock();
    batch->outcome = std::move(outcome);
    group.busy = false;
    counted_.notify_all();
  }
  const absl::Status outcome = *batch->outcome;
  if (--group.users == 0) count_groups_.erase(job);
  return outcome;
}

absl::Status NatsJobQueue::MakeCount(const std::string& job, const CountBatch& batch) {
  const auto counted = Update(job, [&](farm::JobRecord& record) {
    bool changed = false;
    for (const farm::ResultRecord& result : batch.results) changed = CountResult(record, result, Now()) || changed;
    return changed;
  });
  // It was forgotten meanwhile.
  if (absl::IsNotFound(counted.status())) return absl::OkStatus();
  return counted.status();
}

void NatsJobQueue::NoteFault(const std::string& job, PartFault fault) {
  Update(job, [&](farm::JobRecord& record) {
    AddFault(record, fault);
    return true;
  }).IgnoreError();
}

absl::Status NatsJobQueue::GiveBack(const TakenPart& part, const GiveBackReason& why) {
  ++parts_given_back_;
  if (why.failed) ++parts_failed_;
  const auto known = streams_.ReadPart(part.job, part.part);
  // Should that fail the part comes back by itself, once nobody says any more that it is being done.
  held_.KeepAlive(part.ticket);
  if (!known.ok()) return known.status();
  farm::PartRecord record = known->has_value() ? (*known)->record : farm::PartRecord();
  if (record.holder() != client_->name()) {
    // It has been given to another node since, because this one was silent.
    held_.Return(part.ticket, options_.ack_wait);
    return absl::OkStatus();
  }
  const PartFault fault{.part = part.part,
                        .attempt = part.attempt,
                        .node = record.node(),
                        .time = Now(),
                        .reason = why.reason,
                        .message = why.message};
  record.clear_holder();
  if (why.failed) record.set_failures(record.failures() + 1);
  const auto written = streams_.WritePart(part.job, part.part, record, (*known)->sequence);
  if (!written.ok() && !absl::IsAborted(written.status())) return written.status();
  if (!why.reason.empty()) NoteFault(part.job, fault);
  if (record.failures() < kMaxFailures) {
    held_.Return(part.ticket, why.pause);
    return absl::OkStatus();
  }
  const absl::StatusOr<JobEntry> job = ReadJob(part.job);
  if (absl::IsNotFound(job.status())) return absl::OkStatus();
  if (!job.ok()) return job.status();
  absl::Status put = PutDown(part.job, SetAsideResult(job->record, part.part, record, why.reason, why.message));
  if (put.ok()) {
    ++parts_set_aside_;
    held_.Acknowledge(part.ticket);
  }
  return put;
}

}  // namespace kibitz::server
