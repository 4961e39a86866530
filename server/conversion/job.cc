#include "server/conversion/job.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/time_util.h"
#include "server/conversion/common.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using google::protobuf::util::TimeUtil;
using std::chrono::seconds;

constexpr std::size_t kMaxClientIdSize = 128;
constexpr std::size_t kMaxWebhookSize = 2048;
constexpr int kMaxPageSize = 500;
constexpr int kDefaultPageSize = 50;
constexpr std::size_t kMaxGenerationSize = 100;

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ':' || c == '_' || c == '-';
}

absl::Status CheckClientId(const std::string& id) {
  if (id.size() > kMaxClientIdSize || !std::all_of(id.begin(), id.end(), IsNameCharacter)) {
    return InvalidField("client_id", "INVALID_ID",
                        absl::StrCat("is no name of up to ", kMaxClientIdSize, " letters, digits and \".:_-\""));
  }
  return absl::OkStatus();
}

absl::StatusOr<JobPriority> ParsePriority(v1::JobPriority wire) {
  if (!v1::JobPriority_IsValid(wire)) return UnknownEnumValue("job.priority", wire);
  return wire == v1::JOB_PRIORITY_UNSPECIFIED ? JobPriority::kNormal : static_cast<JobPriority>(wire);
}

absl::StatusOr<JobTime> ParseDeadline(const v1::JobRequest& wire, JobTime now, seconds max_wait) {
  const JobTime latest = now + max_wait;
  if (!wire.has_deadline()) return latest;
  const std::int64_t wanted = wire.deadline().seconds();
  const auto bounds = std::pair(TimeUtil::kTimestampMinSeconds, TimeUtil::kTimestampMaxSeconds);
  const bool valid = wanted >= bounds.first && wanted <= bounds.second && wire.deadline().nanos() >= 0 &&
                     wire.deadline().nanos() < 1'000'000'000;
  if (!valid) return InvalidField("job.deadline", "OUT_OF_RANGE", "is no time");
  // What is far off would not fit.
  if (wanted > std::chrono::duration_cast<seconds>(latest.time_since_epoch()).count()) return latest;
  const std::int64_t now_seconds = std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
  const JobTime deadline =
      wanted < now_seconds ? now : JobTime(seconds(wanted) + std::chrono::nanoseconds(wire.deadline().nanos()));
  if (deadline <= now) return InvalidField("job.deadline", "OUT_OF_RANGE", "has passed");
  return std::min(deadline, latest);
}

absl::StatusOr<seconds> ParseKeep(const v1::JobRequest& wire, seconds max_keep) {
  if (!wire.has_keep()) return max_keep;
  const std::int64_t wanted = wire.keep().seconds();
  if (wanted < 0 || wire.keep().nanos() < 0 || wire.keep().nanos() >= 1'000'000'000) {
    return InvalidField("job.keep", "OUT_OF_RANGE", "is no duration");
  }
  return std::min(seconds(std::min<std::int64_t>(wanted, max_keep.count())), max_keep);
}

google::protobuf::Timestamp ToWire(JobTime time) {
  return TimeUtil::NanosecondsToTimestamp(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

v1::EngineGeneration ToWire(const Generation& generation) {
  v1::EngineGeneration wire;
  wire.set_engine(generation.engine);
  wire.set_evaluation(generation.evaluation);
  return wire;
}

v1::JobFault ToWire(const PartFault& fault) {
  v1::JobFault wire;
  wire.set_part(fault.part);
  wire.set_attempt(fault.attempt);
  wire.set_node(fault.node);
  *wire.mutable_time() = ToWire(fault.time);
  wire.set_reason(fault.reason);
  wire.set_description(fault.message);
  return wire;
}

}  // namespace

absl::StatusOr<JobSpec> ParseSubmitJob(const v1::SubmitJobRequest& wire, const JobTimes& times, JobTime now) {
  const v1::JobRequest& job = wire.job();
  if (job.work_case() == v1::JobRequest::WORK_NOT_SET) {
    return InvalidField("job.work", "MISSING_FIELD", "is not set: give a batch or a review");
  }
  if (absl::Status check = CheckClientId(wire.client_id()); !check.ok()) return check;
  const absl::StatusOr<JobPriority> priority = ParsePriority(job.priority());
  if (!priority.ok()) return priority.status();
  if (job.max_nodes() < 0) return InvalidField("job.max_nodes", "OUT_OF_RANGE", "is less than 0");
  const absl::StatusOr<JobTime> deadline = ParseDeadline(job, now, times.max_wait);
  if (!deadline.ok()) return deadline.status();
  const absl::StatusOr<seconds> keep = ParseKeep(job, times.max_keep);
  if (!keep.ok()) return keep.status();
  for (const auto& [field, text] : {std::pair("job.generation.engine", job.generation().engine()),
                                    std::pair("job.generation.evaluation", job.generation().evaluation())}) {
    if (text.size() > kMaxGenerationSize) return InvalidField(field, "TOO_LONG", "is longer than any");
  }
  if (job.webhook_url().size() > kMaxWebhookSize) {
    return InvalidField("job.webhook_url", "TOO_LONG", absl::StrCat("has more than ", kMaxWebhookSize, " bytes"));
  }
  JobSpec spec;
  spec.client_id = wire.client_id();
  spec.kind = job.has_review() ? JobKind::kReview : JobKind::kBatch;
  spec.format = kJobFormat;
  spec.priority = *priority;
  spec.generation = {.engine = job.generation().engine(), .evaluation = job.generation().evaluation()};
  spec.submitted = now;
  spec.deadline = *deadline;
  spec.keep = *keep;
  spec.webhook = job.webhook_url();
  return spec;
}

absl::Status CheckJobId(const std::string& id) {
  if (id.empty()) return InvalidField("id", "MISSING_FIELD", "is not set");
  const bool valid = id.size() <= kMaxClientIdSize + absl::string_view(JobQueue::kByClientId).size() &&
                     std::all_of(id.begin(), id.end(), IsNameCharacter);
  if (!valid) return InvalidField("id", "INVALID_ID", "is neither the id of a job nor \"client:\" and a name");
  return absl::OkStatus();
}

absl::StatusOr<JobQueue::Filter> ParseListJobs(const v1::ListJobsRequest& wire) {
  JobQueue::Filter filter;
  for (int i = 0; i < wire.states_size(); ++i) {
    const auto state = wire.states(i);
    if (!v1::JobState_IsValid(state) || state == v1::JOB_STATE_UNSPECIFIED) {
      return UnknownEnumValue(absl::StrCat("states[", i, "]"), state);
    }
    filter.states.push_back(static_cast<JobState>(state));
  }
  if (absl::Status check = CheckRange("page_size", wire.page_size(), 0, kMaxPageSize); !check.ok()) return check;
  filter.max_jobs = wire.page_size() == 0 ? kDefaultPageSize : wire.page_size();
  filter.from = wire.page_token();
  return filter;
}

v1::Job ToWire(const Job& job) {
  const JobSpec& spec = job.spec;
  const JobStatus& status = job.status;
  v1::Job wire;
  wire.set_id(spec.id);
  wire.set_client_id(spec.client_id);
  wire.set_kind(static_cast<v1::Job::Kind>(spec.kind));
  wire.set_state(static_cast<v1::JobState>(status.state));
  wire.set_revision(status.revision);
  wire.set_priority(static_cast<v1::JobPriority>(spec.priority));
  *wire.mutable_submitted_at() = ToWire(spec.submitted);
  if (status.started.has_value()) *wire.mutable_started_at() = ToWire(*status.started);
  if (status.ended.has_value()) *wire.mutable_ended_at() = ToWire(*status.ended);
  *wire.mutable_deadline() = ToWire(spec.deadline);
  if (status.removed.has_value()) *wire.mutable_forgotten_at() = ToWire(*status.removed);
  wire.set_parts(spec.parts);
  wire.set_parts_done(status.parts_done);
  wire.set_parts_set_aside(status.parts_set_aside);
  wire.set_positions(spec.positions);
  wire.set_positions_done(status.positions_done);
  wire.set_nodes(status.nodes);
  wire.set_reason(status.reason);
  wire.set_description(status.message);
  for (const PartFault& fault : status.faults) *wire.add_faults() = ToWire(fault);
  if (spec.generation != Generation()) *wire.mutable_generation() = ToWire(spec.generation);
  wire.set_webhook_url(spec.webhook);
  return wire;
}

v1::JobResults::Origin OriginToWire(const PartResult& result) {
  v1::JobResults::Origin wire;
  wire.set_part(result.part);
  wire.set_positions(result.positions);
  wire.set_attempt(result.attempt);
  wire.set_node(result.node);
  *wire.mutable_generation() = ToWire(result.generation);
  wire.set_nodes(result.nodes);
  *wire.mutable_elapsed() = ToWire(result.elapsed);
  wire.set_reason(result.reason);
  wire.set_description(result.message);
  return wire;
}

}  // namespace kibitz::server
