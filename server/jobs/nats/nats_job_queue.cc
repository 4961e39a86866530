// What owners of jobs ask for. The rest of the class is in nats_job_work.cc and nats_job_housekeeping.cc.
#include "server/jobs/nats/nats_job_queue.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "server/errors/errors.h"
#include "server/jobs/job_errors.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// How often a change is made anew because another was quicker, and the longest pause before that.
constexpr int kMaxConflicts = 100;
constexpr int kMaxPauseMs = 20;

// When those who found no room may come back.
constexpr absl::Duration kTimeToRoom = absl::Seconds(5);

// A name that leads to no job: whoever took it has died before its job was accepted.
constexpr std::chrono::seconds kStaleName{30};

void PauseAfterConflict(int conflicts) {
  thread_local std::minstd_rand random{std::random_device{}()};
  std::uniform_int_distribution<int> pause(0, std::min(conflicts + 1, kMaxPauseMs));
  std::this_thread::sleep_for(milliseconds(pause(random)));
}

JobTime Now() { return std::chrono::system_clock::now(); }

}  // namespace

absl::StatusOr<std::unique_ptr<NatsJobQueue>> NatsJobQueue::Open(Options options) {
  auto client = NatsClient::Open(options.nats);
  if (!client.ok()) return client.status();
  return std::unique_ptr<NatsJobQueue>(new NatsJobQueue(std::move(options), *std::move(client)));
}

NatsJobQueue::NatsJobQueue(Options options, std::unique_ptr<NatsClient> client)
    : options_(std::move(options)),
      client_(std::move(client)),
      streams_(*client_, options_.nats.prefix, options_.nats.replicas),
      held_(*client_, streams_.NodeSubject(client_->name())),
      lanes_(*client_, streams_, options_.ack_wait, [this](const std::string& tenant) { return TermsFor(tenant); }) {
  feed_.emplace(*client_, streams_, index_,
                [this](const std::string& job, const JobIndex::EntryPointer& before) { OnJobChange(job, before); });
  housekeeping_ = std::thread([this] { RunHousekeeping(); });
}

NatsJobQueue::~NatsJobQueue() {
  {
    std::lock_guard lock(housekeeping_mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  housekeeping_.join();
  feed_.reset();
}

TenantTerms NatsJobQueue::TermsFor(const std::string& tenant) const {
  return options_.terms_of ? options_.terms_of(tenant) : TenantTerms{};
}

absl::StatusOr<NatsJobQueue::JobEntry> NatsJobQueue::ReadJob(const std::string& id) {
  auto found = streams_.ReadJob(id);
  if (!found.ok()) return found.status();
  if (!found->has_value()) return NoSuchJob(id);
  return **std::move(found);
}

absl::StatusOr<NatsJobQueue::JobEntry> NatsJobQueue::FindRecord(const std::string& tenant, const std::string& id) {
  std::string job = id;
  if (absl::StartsWith(id, kByClientId)) {
    const auto name = streams_.ReadName(tenant, absl::StripPrefix(id, kByClientId));
    if (!name.ok()) return name.status();
    if (!name->has_value()) return NoSuchJob(id);
    job = (*name)->record.job();
  }
  // What is no id of ours is no name in JetStream either.
  const auto is_letter = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  };
  if (job.empty() || !std::all_of(job.begin(), job.end(), is_letter)) return NoSuchJob(id);
  auto found = streams_.ReadJob(job);
  if (!found.ok()) return found.status();
  if (!found->has_value() || (*found)->record.tenant() != tenant) return NoSuchJob(id);
  return **std::move(found);
}

absl::StatusOr<NatsJobQueue::JobEntry> NatsJobQueue::Update(const std::string& id, const Change& change) {
  // What is known here is mostly what is there.
  if (const auto known = index_.Find(id); known != nullptr) {
    return Update(JobEntry{.record = known->record, .sequence = known->sequence}, change);
  }
  absl::StatusOr<JobEntry> entry = ReadJob(id);
  if (!entry.ok()) return entry.status();
  return Update(*std::move(entry), change);
}

absl::StatusOr<NatsJobQueue::JobEntry> NatsJobQueue::Update(JobEntry entry, const Change& change) {
  const std::string id = entry.record.id();
  for (int conflicts = 0; conflicts < kMaxConflicts; ++conflicts) {
    if (!change(entry.record)) return entry;
    const auto written = streams_.WriteJob(entry.record, entry.sequence);
    if (written.ok()) {
      entry.sequence = *written;
      const JobIndex::News news = index_.Apply(entry.record, entry.sequence);
      if (news.is_news) OnJobChange(id, news.before);
      return entry;
    }
    if (!absl::IsAborted(written.status())) return written.status();
    PauseAfterConflict(conflicts);
    absl::StatusOr<JobEntry> now = ReadJob(id);
    if (!now.ok()) return now.status();
    entry = *std::move(now);
  }
  return JobsUnavailable("too many change the job at once");
}

absl::Status NatsJobQueue::CheckRoom(const JobSpec& spec) const {
  const TenantTerms terms = TermsFor(spec.tenant);
  if (index_.OpenOf(spec.tenant) >= terms.max_jobs) {
    return JobQuotaExceeded(spec.tenant, absl::StrCat("you have ", terms.max_jobs, " jobs that are not over"),
                            kTimeToRoom);
  }
  const auto states = index_.states();
  const std::int64_t open =
      states[static_cast<std::size_t>(JobState::kQueued)] + states[static_cast<std::size_t>(JobState::kRunning)];
  if (open >= options_.max_jobs || index_.waiting().parts + spec.parts > options_.max_parts) {
    return JobsFull("too many jobs wait to be done", kTimeToRoom);
  }
  if (index_.size() >= options_.max_kept_jobs) return JobsFull("too many jobs are kept", kTimeToRoom);
  if (bytes_ + static_cast<std::int64_t>(spec.request.size()) >= options_.max_bytes) {
    return JobsFull("jobs and their results take all the room there is", kTimeToRoom);
  }
  return absl::OkStatus();
}

// Of two who say the same at once both come to the same id, and one of them makes the job.
absl::StatusOr<std::string> NatsJobQueue::ClaimName(const JobSpec& spec) {
  farm::NameRecord name;
  name.set_job(spec.id);
  name.set_fingerprint(spec.fingerprint);
  name.set_made_ns(ToNanoseconds(Now()));
  for (int conflicts = 0; conflicts < kMaxConflicts; ++conflicts) {
    const auto there = streams_.ReadName(spec.tenant, spec.client_id);
    if (!there.ok()) return there.status();
    if (there->has_value()) {
      const farm::NameRecord& other = (*there)->record;
      if (other.fingerprint() == spec.fingerprint) return other.job();
      const auto job = streams_.ReadJob(other.job());
      if (!job.ok()) return job.status();
      const bool stale = !job->has_value() && Now() - FromNanoseconds(other.made_ns()) > kStaleName;
      if (!stale) return JobIdTaken(spec.client_id);
    }
    const std::uint64_t seen = there->has_value() ? (*there)->sequence : 0;
    const auto written = streams_.WriteName(spec.tenant, spec.client_id, name, seen);
    if (written.ok()) return spec.id;
    if (!absl::IsAborted(written.status())) return written.status();
    PauseAfterConflict(conflicts);
  }
  return JobsUnavailable("too many ask for the same name at once");
}

absl::StatusOr<JobQueue::Accepted> NatsJobQueue::Submit(JobSpec spec) {
  if (!feed_->current()) return JobsUnavailable("this server does not know yet what the farm has to do");
  if (!spec.client_id.empty()) {
    absl::StatusOr<JobEntry> there = FindRecord(spec.tenant, absl::StrCat(kByClientId, spec.client_id));
    if (there.ok()) {
      if (there->record.fingerprint() != spec.fingerprint) return JobIdTaken(spec.client_id);
      return Accepted{.job = ToJob(there->record, there->sequence), .repeated = true};
    }
    if (!absl::IsNotFound(there.status())) return there.status();
  }
  if (absl::Status room = CheckRoom(spec); !room.ok()) return room;
  if (!spec.client_id.empty()) {
    absl::StatusOr<std::string> id = ClaimName(spec);
    if (!id.ok()) return id.status();
    spec.id = *std::move(id);
  }
  const absl::StatusOr<int> chunks = streams_.WriteRequest(spec.id, spec.request);
  if (!chunks.ok()) return chunks.status();
  farm::JobRecord record = ToRecord(spec);
  record.set_request_chunks(*chunks);
  const auto written = streams_.WriteJob(record, 0);
  if (absl::IsAborted(written.status())) {
    // The same request came twice at once, and the other was quicker.
    absl::StatusOr<JobEntry> there = ReadJob(spec.id);
    if (absl::IsNotFound(there.status())) return JobsUnavailable("a job of this name is just being forgotten");
    if (!there.ok()) return there.status();
    return Accepted{.job = ToJob(there->record, there->sequence), .repeated = true};
  }
  if (!written.ok()) return written.status();
  ++submitted_;
  if (index_.Apply(record, *written).is_news) OnJobChange(spec.id, nullptr);
  // It is accepted: should this node die now, another one sees to the rest.
  Dispatch(record).IgnoreError();
  return Accepted{.job = ToJob(record, *written), .repeated = false};
}

absl::Status NatsJobQueue::Dispatch(const farm::JobRecord& record) {
  const std::vector<int> missing = MissingParts(record);
  if (absl::Status put = streams_.WriteWork(LaneOf(record).id, record.id(), missing); !put.ok()) return put;
  queued_parts_ += static_cast<std::int64_t>(missing.size());
  return Update(record.id(),
                [](farm::JobRecord& job) {
                  if (IsOver(job) || job.dispatched()) return false;
                  job.set_dispatched(true);
                  return true;
                })
      .status();
}

absl::StatusOr<Job> NatsJobQueue::Find(const std::string& tenant, const std::string& id) {
  absl::StatusOr<JobEntry> entry = FindRecord(tenant, id);
  if (!entry.ok()) return entry.status();
  return ToJob(entry->record, entry->sequence);
}

absl::StatusOr<JobQueue::Page> NatsJobQueue::List(const std::string& tenant, const Filter& filter) {
  std::optional<std::pair<std::int64_t, std::string>> from;
  if (!filter.from.empty()) {
    const auto dash = filter.from.find('-');
    std::int64_t time = 0;
    if (dash == std::string::npos || !absl::SimpleAtoi(filter.from.substr(0, dash), &time)) return BadPageToken();
    from.emplace(time, filter.from.substr(dash + 1));
  }
  if (!feed_->current()) return JobsUnavailable("this server does not know yet what the farm has to do");
  return index_.List(tenant, filter, from);
}

absl::StatusOr<Job> NatsJobQueue::Cancel(const std::string& tenant, const std::string& id) {
  absl::StatusOr<JobEntry> entry = FindRecord(tenant, id);
  if (!entry.ok()) return entry.status();
  bool ended = false;
  entry = Update(*std::move(entry), [&](farm::JobRecord& job) {
    ended = EndJob(job, JobState::kCancelled, "CANCELLED", "its owner has ended it", Now());
    return ended;
  });
  if (!entry.ok()) return entry.status();
  if (ended) streams_.PurgeWork(entry->record.id()).IgnoreError();
  return ToJob(entry->record, entry->sequence);
}

absl::Status NatsJobQueue::Delete(const std::string& tenant, const std::string& id) {
  const absl::StatusOr<JobEntry> entry = FindRecord(tenant, id);
  if (!entry.ok()) return entry.status();
  if (!IsOver(entry->record)) return JobNotOver(id);
  return Remove(entry->record);
}

// First its name, so that it can be given anew; then all know that it is gone; then its data.
absl::Status NatsJobQueue::Remove(const farm::JobRecord& record) {
  if (!record.client_id().empty()) {
    const auto name = streams_.ReadName(record.tenant(), record.client_id());
    if (!name.ok()) return name.status();
    if (name->has_value() && (*name)->record.job() == record.id()) {
      if (absl::Status purged = streams_.PurgeName(record.tenant(), record.client_id()); !purged.ok()) return purged;
    }
  }
  const auto gone = Update(record.id(), [](farm::JobRecord& job) {
    job.set_gone(true);
    job.set_removed_ns(ToNanoseconds(Now()));
    job.set_delivery_due_ns(0);
    return true;
  });
  if (!gone.ok() && !absl::IsNotFound(gone.status())) return gone.status();
  return streams_.PurgeData(record.id());
}

absl::StatusOr<std::vector<PartResult>> NatsJobQueue::Results(const std::string& id, int first,
                                                              std::int64_t max_bytes) {
  const absl::StatusOr<JobEntry> entry = ReadJob(id);
  if (!entry.ok()) return entry.status();
  const farm::JobRecord& record = entry->record;
  std::vector<PartResult> results;
  std::int64_t bytes = 0;
  for (int part = std::max(first, 0); part < record.parts() && (results.empty() || bytes < max_bytes); ++part) {
    if (!IsCounted(record, part)) {
      if (!IsOver(record)) break;
      results.push_back(ResultOfUndone(ToJob(record, entry->sequence), part));
      continue;
    }
    auto result = streams_.ReadResult(id, part);
    if (!result.ok()) return result.status();
    if (!result->has_value()) return JobsUnavailable(absl::StrCat("the result of part ", part, " is missing"));
    const auto size = static_cast<std::int64_t>((*result)->results().size());
    if (!results.empty() && bytes + size > max_bytes) break;
    bytes += size;
    results.push_back(ToResult(**std::move(result)));
  }
  return results;
}

JobQueue::Watch NatsJobQueue::WatchJob(const std::string& id, std::function<void()> on_change) {
  return watches_.Add(id, std::move(on_change));
}

absl::StatusOr<std::vector<JobQueue::Delivery>> NatsJobQueue::TakeDeliveries(int max_deliveries) {
  std::vector<Delivery> deliveries;
  for (const JobIndex::EntryPointer& due : index_.DueDeliveries(Now())) {
    if (static_cast<int>(deliveries.size()) >= max_deliveries) break;
    bool mine = false;
    const auto entry = Update(due->record.id(), [&](farm::JobRecord& job) {
      const JobTime now = Now();
      mine = job.delivery_due_ns() > 0 && job.delivery_due_ns() <= ToNanoseconds(now);
      if (!mine) return false;
      job.set_deliveries(job.deliveries() + 1);
      // Should this node die over it another one tries.
      job.set_delivery_due_ns(ToNanoseconds(now + std::chrono::minutes(2)));
      return true;
    });
    if (!entry.ok()) return entry.status();
    if (mine)
      deliveries.push_back({.job = ToJob(entry->record, entry->sequence), .attempt = entry->record.deliveries()});
  }
  return deliveries;
}

absl::Status NatsJobQueue::EndDelivery(const Delivery& delivery, std::optional<JobTime> next) {
  return Update(delivery.job.spec.id,
                [&](farm::JobRecord& job) {
                  if (job.deliveries() != delivery.attempt) return false;
                  job.set_delivery_due_ns(next ? ToNanoseconds(*next) : 0);
                  return true;
                })
      .status();
}

}  // namespace kibitz::server
