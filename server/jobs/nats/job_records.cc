#include "server/jobs/nats/job_records.h"

#include <openssl/evp.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

using std::chrono::nanoseconds;

std::optional<JobTime> TimeIfSet(std::int64_t time) {
  if (time == 0) return std::nullopt;
  return FromNanoseconds(time);
}

Generation ToGeneration(const farm::Generation& record) {
  return {.engine = record.engine(), .evaluation = record.evaluation()};
}

void Set(farm::Generation& record, const Generation& generation) {
  record.set_engine(generation.engine);
  record.set_evaluation(generation.evaluation);
}

// Names in JetStream are short and have few letters.
std::string Digest(absl::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  constexpr std::size_t kBytes = 16;
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest.data()), kBytes));
}

bool Fits(const std::string& demanded, const std::string& there) { return demanded.empty() || demanded == there; }

}  // namespace

std::int64_t ToNanoseconds(JobTime time) {
  return std::chrono::duration_cast<nanoseconds>(time.time_since_epoch()).count();
}

JobTime FromNanoseconds(std::int64_t time) {
  return JobTime(std::chrono::duration_cast<JobTime::duration>(nanoseconds(time)));
}

farm::JobRecord ToRecord(const JobSpec& spec) {
  farm::JobRecord record;
  record.set_min_reader(kRecordReader);
  record.set_id(spec.id);
  record.set_tenant(spec.tenant);
  record.set_client_id(spec.client_id);
  record.set_kind(static_cast<int>(spec.kind));
  record.set_format(spec.format);
  record.set_fingerprint(spec.fingerprint);
  record.set_priority(static_cast<int>(spec.priority));
  Set(*record.mutable_generation(), spec.generation);
  record.set_positions(spec.positions);
  record.set_parts(spec.parts);
  record.set_part_size(spec.part_size);
  record.set_submitted_ns(ToNanoseconds(spec.submitted));
  record.set_deadline_ns(ToNanoseconds(spec.deadline));
  record.set_keep_s(spec.keep.count());
  record.set_webhook(spec.webhook);
  record.set_state(static_cast<int>(JobState::kQueued));
  record.set_counted(std::string((static_cast<std::size_t>(spec.parts) + 7) / 8, '\0'));
  return record;
}

Job ToJob(const farm::JobRecord& record, std::uint64_t sequence) {
  Job job;
  job.spec = {.id = record.id(),
              .tenant = record.tenant(),
              .client_id = record.client_id(),
              .kind = record.kind() == static_cast<int>(JobKind::kReview) ? JobKind::kReview : JobKind::kBatch,
              .format = record.format(),
              .request = {},
              .fingerprint = record.fingerprint(),
              .priority = static_cast<JobPriority>(record.priority()),
              .generation = ToGeneration(record.generation()),
              .positions = record.positions(),
              .parts = record.parts(),
              .part_size = record.part_size(),
              .submitted = FromNanoseconds(record.submitted_ns()),
              .deadline = FromNanoseconds(record.deadline_ns()),
              .keep = std::chrono::seconds(record.keep_s()),
              .webhook = record.webhook()};
  job.status = {.state = static_cast<JobState>(record.state()),
                .revision = static_cast<std::int64_t>(sequence),
                .started = TimeIfSet(record.started_ns()),
                .ended = TimeIfSet(record.ended_ns()),
                .removed = TimeIfSet(record.removed_ns()),
                .parts_done = record.parts_done(),
                .parts_set_aside = record.parts_set_aside(),
                .positions_done = record.positions_done(),
                .nodes = record.nodes(),
                .faults = {},
                .reason = record.reason(),
                .message = record.message()};
  for (const farm::FaultRecord& fault : record.faults()) {
    job.status.faults.push_back({.part = fault.part(),
                                 .attempt = fault.attempt(),
                                 .node = fault.node(),
                                 .time = FromNanoseconds(fault.time_ns()),
                                 .reason = fault.reason(),
                                 .message = fault.message()});
  }
  return job;
}

farm::ResultRecord ToRecord(const PartResult& result) {
  farm::ResultRecord record;
  record.set_part(result.part);
  record.set_attempt(result.attempt);
  record.set_positions(result.positions);
  record.set_set_aside(result.set_aside);
  record.set_reason(result.reason);
  record.set_message(result.message);
  record.set_node(result.node);
  Set(*record.mutable_generation(), result.generation);
  record.set_nodes(result.nodes);
  record.set_elapsed_ns(result.elapsed.count());
  record.set_results(result.results);
  return record;
}

PartResult ToResult(farm::ResultRecord record) {
  PartResult result;
  result.part = record.part();
  result.attempt = record.attempt();
  result.positions = record.positions();
  result.set_aside = record.set_aside();
  result.reason = record.reason();
  result.message = record.message();
  result.results = std::move(*record.mutable_results());
  result.node = record.node();
  result.generation = ToGeneration(record.generation());
  result.nodes = record.nodes();
  result.elapsed = std::chrono::nanoseconds(record.elapsed_ns());
  return result;
}

farm::FaultRecord ToRecord(const PartFault& fault) {
  farm::FaultRecord record;
  record.set_part(fault.part);
  record.set_attempt(fault.attempt);
  record.set_node(fault.node);
  record.set_time_ns(ToNanoseconds(fault.time));
  record.set_reason(fault.reason);
  record.set_message(fault.message);
  return record;
}

bool IsOver(const farm::JobRecord& record) { return IsOver(static_cast<JobState>(record.state())); }

bool IsCounted(const farm::JobRecord& record, int part) {
  const auto byte = static_cast<std::size_t>(part) / 8;
  if (part < 0 || byte >= record.counted().size()) return false;
  return (static_cast<unsigned char>(record.counted()[byte]) >> (part % 8) & 1) != 0;
}

std::vector<int> MissingParts(const farm::JobRecord& record) {
  std::vector<int> missing;
  for (int part = 0; part < record.parts(); ++part) {
    if (!IsCounted(record, part)) missing.push_back(part);
  }
  return missing;
}

bool CountResult(farm::JobRecord& record, const farm::ResultRecord& result, JobTime now) {
  const int part = result.part();
  if (IsOver(record) || part < 0 || part >= record.parts() || IsCounted(record, part)) return false;
  char& byte = (*record.mutable_counted())[static_cast<std::size_t>(part) / 8];
  byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << (part % 8));
  record.set_parts_done(record.parts_done() + 1);
  record.set_nodes(record.nodes() + result.nodes());
  if (result.set_aside()) {
    record.set_parts_set_aside(record.parts_set_aside() + 1);
  } else {
    record.set_positions_done(record.positions_done() + result.positions());
  }
  if (record.started_ns() == 0) record.set_started_ns(ToNanoseconds(now));
  record.set_state(static_cast<int>(JobState::kRunning));
  if (record.parts_done() < record.parts()) return true;
  if (record.parts_set_aside() == record.parts()) {
    EndJob(record, JobState::kFailed, result.reason(), result.message(), now);
  } else {
    EndJob(record, JobState::kDone, "", "", now);
  }
  return true;
}

bool EndJob(farm::JobRecord& record, JobState state, absl::string_view reason, absl::string_view message, JobTime now) {
  if (IsOver(record)) return false;
  record.set_state(static_cast<int>(state));
  record.set_reason(std::string(reason));
  record.set_message(std::string(message));
  record.set_ended_ns(ToNanoseconds(now));
  record.set_removed_ns(ToNanoseconds(now + std::chrono::seconds(record.keep_s())));
  if (!record.webhook().empty()) record.set_delivery_due_ns(ToNanoseconds(now));
  return true;
}

void AddFault(farm::JobRecord& record, const PartFault& fault) {
  *record.add_faults() = ToRecord(fault);
  if (record.faults_size() > kMaxFaults) {
    record.mutable_faults()->DeleteSubrange(0, record.faults_size() - kMaxFaults);
  }
}

Lane LaneOf(const farm::JobRecord& record) {
  Lane lane{.id = {},
            .tenant = record.tenant(),
            .priority = record.priority(),
            .format = record.format(),
            .generation = ToGeneration(record.generation())};
  // No tenant has a name with a line's end in it.
  lane.id = Digest(absl::StrCat(lane.tenant, "\n", lane.priority, "\n", lane.format, "\n", lane.generation.engine, "\n",
                                lane.generation.evaluation));
  return lane;
}

bool CanDo(const JobQueue::Ability& ability, const Lane& lane) {
  return lane.format <= ability.max_format && Fits(lane.generation.engine, ability.generation.engine) &&
         Fits(lane.generation.evaluation, ability.generation.evaluation);
}

}  // namespace kibitz::server
