#include "server/jobs/nats/farm_streams.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "server/jobs/job_errors.h"

namespace kibitz::server {
namespace {

// NATS takes messages of 1 MiB unless it is told otherwise.
constexpr std::size_t kChunk = 768 << 10;

// A message that is said again within this is known by its id.
constexpr std::int64_t kDuplicatesNs = std::int64_t{120} * 1'000'000'000;

// A token of a subject has no dots, stars or blanks, and is never empty.
std::string Token(absl::string_view text) { return absl::StrCat("_", absl::BytesToHexString(text)); }

}  // namespace

FarmStreams::FarmStreams(NatsClient& client, std::string prefix, int replicas)
    : client_(client), prefix_(std::move(prefix)), replicas_(replicas) {}

absl::Status FarmStreams::Ensure() {
  if (ensured_) return absl::OkStatus();
  std::lock_guard lock(mutex_);
  if (ensured_) return absl::OkStatus();
  const auto named = [&](absl::string_view rest) { return absl::StrCat(prefix_, rest); };
  absl::Status status = EnsureStream(jobs(), {named(".job.*"), named(".name.*.*")}, false);
  if (status.ok()) {
    status = EnsureStream(data(), {named(".request.*.*"), named(".result.*.*"), named(".more.*.*.*")}, false);
  }
  if (status.ok()) status = EnsureStream(parts(), {named(".part.*.*")}, false);
  if (status.ok()) status = EnsureStream(work(), {named(".work.*.*.*")}, true);
  ensured_ = status.ok();
  return status;
}

absl::Status FarmStreams::EnsureStream(const std::string& name, std::vector<std::string> subjects, bool work) {
  jsStreamInfo* info = nullptr;
  jsErrCode code{};
  natsStatus status = js_GetStreamInfo(&info, client_.jetstream(), name.c_str(), nullptr, &code);
  const bool grow = status == NATS_OK && info->Config->Replicas < replicas_;
  const bool found = status == NATS_OK;
  jsStreamInfo_Destroy(info);
  if (found && !grow) return absl::OkStatus();
  if (!found && status != NATS_NOT_FOUND && code != JSStreamNotFoundErr) return StatusOf(status, code, "find " + name);

  std::vector<const char*> patterns;
  for (const std::string& subject : subjects) patterns.push_back(subject.c_str());
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = name.c_str();
  config.Subjects = patterns.data();
  config.SubjectsLen = static_cast<int>(patterns.size());
  config.Retention = work ? js_WorkQueuePolicy : js_LimitsPolicy;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardNew;
  if (!work) {
    // The last message of each subject stays: an older one makes room for it.
    config.Discard = js_DiscardOld;
    config.MaxMsgsPerSubject = 1;
  }
  config.Duplicates = kDuplicatesNs;
  config.Replicas = replicas_;
  jsStreamInfo* made = nullptr;
  status = found ? js_UpdateStream(&made, client_.jetstream(), &config, nullptr, &code)
                 : js_AddStream(&made, client_.jetstream(), &config, nullptr, &code);
  jsStreamInfo_Destroy(made);
  // Another node may have been quicker.
  if (status == NATS_OK || code == JSStreamNameExistErr) return absl::OkStatus();
  return StatusOf(status, code, "make " + name);
}

std::string FarmStreams::NodeSubject(absl::string_view holder) const { return absl::StrCat(prefix_, ".node.", holder); }

std::string FarmStreams::LaneSubject(absl::string_view lane) const {
  return absl::StrCat(prefix_, ".work.", lane, ".*.*");
}

std::string FarmStreams::NameSubject(absl::string_view tenant, absl::string_view name) const {
  return absl::StrCat(prefix_, ".name.", Token(tenant), ".", Token(name));
}

std::optional<FarmStreams::Work> FarmStreams::ParseWork(absl::string_view subject) {
  const std::vector<std::string> tokens = absl::StrSplit(subject, '.');
  Work work;
  if (tokens.size() < 2 || !absl::SimpleAtoi(tokens.back(), &work.part)) return std::nullopt;
  work.job = tokens[tokens.size() - 2];
  return work;
}

std::string FarmStreams::ParseJob(absl::string_view subject) {
  const std::vector<std::string> tokens = absl::StrSplit(subject, '.');
  return tokens.back();
}

template <typename Record>
absl::StatusOr<std::optional<Versioned<Record>>> FarmStreams::ReadRecord(const std::string& stream,
                                                                         const std::string& subject) {
  auto entry = client_.Read(stream, subject);
  if (!entry.ok()) return entry.status();
  if (!entry->has_value()) return std::nullopt;
  Versioned<Record> versioned{.record = {}, .sequence = (*entry)->sequence};
  if (!versioned.record.ParseFromString((*entry)->data)) return JobsUnavailable("a record cannot be read: " + subject);
  return versioned;
}

absl::StatusOr<std::optional<Versioned<farm::JobRecord>>> FarmStreams::ReadJob(const std::string& id) {
  auto job = ReadRecord<farm::JobRecord>(jobs(), absl::StrCat(prefix_, ".job.", id));
  if (job.ok() && job->has_value() && (*job)->record.gone()) return std::nullopt;
  return job;
}

absl::StatusOr<std::uint64_t> FarmStreams::WriteJob(const farm::JobRecord& job, std::uint64_t seen) {
  return client_.Write(absl::StrCat(prefix_, ".job.", job.id()), job.SerializeAsString(), seen);
}

absl::StatusOr<std::optional<Versioned<farm::NameRecord>>> FarmStreams::ReadName(absl::string_view tenant,
                                                                                 absl::string_view name) {
  return ReadRecord<farm::NameRecord>(jobs(), NameSubject(tenant, name));
}

absl::StatusOr<std::uint64_t> FarmStreams::WriteName(absl::string_view tenant, absl::string_view name,
                                                     const farm::NameRecord& record, std::uint64_t seen) {
  return client_.Write(NameSubject(tenant, name), record.SerializeAsString(), seen);
}

absl::StatusOr<std::optional<Versioned<farm::PartRecord>>> FarmStreams::ReadPart(const std::string& job, int part) {
  return ReadRecord<farm::PartRecord>(parts(), absl::StrCat(prefix_, ".part.", job, ".", part));
}

absl::StatusOr<std::uint64_t> FarmStreams::WritePart(const std::string& job, int part, const farm::PartRecord& record,
                                                     std::uint64_t seen) {
  return client_.Write(absl::StrCat(prefix_, ".part.", job, ".", part), record.SerializeAsString(), seen);
}

absl::StatusOr<std::optional<farm::ResultRecord>> FarmStreams::ReadResult(const std::string& job, int part) {
  auto found = ReadRecord<farm::ResultRecord>(data(), absl::StrCat(prefix_, ".result.", job, ".", part));
  if (!found.ok()) return found.status();
  if (!found->has_value()) return std::nullopt;
  farm::ResultRecord& result = (*found)->record;
  if (result.more_chunks() > 0) {
    auto more = ReadChunks(absl::StrCat(prefix_, ".more.", job, ".", result.more_name()), result.more_chunks());
    if (!more.ok()) return more.status();
    result.mutable_results()->append(*more);
  }
  return std::move(result);
}

absl::Status FarmStreams::WriteResult(const std::string& job, farm::ResultRecord result) {
  if (result.results().size() > kChunk) {
    // First the rest, under a name of its own, so that another result of the part cannot get among it.
    const std::string all = std::move(*result.mutable_results());
    result.set_results(all.substr(0, kChunk));
    result.set_more_name(absl::StrCat(result.part(), "-", result.attempt(), "-", client_.name()));
    const auto chunks = WriteChunks(absl::StrCat(prefix_, ".more.", job, ".", result.more_name()),
                                    absl::string_view(all).substr(kChunk));
    if (!chunks.ok()) return chunks.status();
    result.set_more_chunks(*chunks);
  }
  return client_.Write(absl::StrCat(prefix_, ".result.", job, ".", result.part()), result.SerializeAsString(), 0)
      .status();
}

absl::StatusOr<int> FarmStreams::WriteChunks(const std::string& subject, absl::string_view bytes) {
  int chunks = 0;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) {
    const auto written = client_.Write(absl::StrCat(subject, ".", chunks), bytes.substr(0, kChunk));
    if (!written.ok()) return written.status();
    ++chunks;
  }
  return chunks;
}

absl::StatusOr<std::string> FarmStreams::ReadChunks(const std::string& subject, int chunks) {
  std::string bytes;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    auto entry = client_.Read(data(), absl::StrCat(subject, ".", chunk));
    if (!entry.ok()) return entry.status();
    if (!entry->has_value()) return JobsUnavailable("a piece is missing of " + subject);
    bytes += (*entry)->data;
  }
  return bytes;
}

absl::StatusOr<int> FarmStreams::WriteRequest(const std::string& job, absl::string_view request) {
  return WriteChunks(absl::StrCat(prefix_, ".request.", job), request);
}

absl::StatusOr<std::string> FarmStreams::ReadRequest(const std::string& job, int chunks) {
  return ReadChunks(absl::StrCat(prefix_, ".request.", job), chunks);
}

absl::Status FarmStreams::WriteWork(absl::string_view lane, const std::string& job, const std::vector<int>& parts) {
  std::vector<std::string> subjects;
  subjects.reserve(parts.size());
  for (const int part : parts) subjects.push_back(absl::StrCat(prefix_, ".work.", lane, ".", job, ".", part));
  return client_.WriteEmpty(subjects);
}

absl::Status FarmStreams::PurgeWork(const std::string& job) {
  return client_.Purge(work(), absl::StrCat(prefix_, ".work.*.", job, ".*"));
}

absl::Status FarmStreams::PurgeData(const std::string& job) {
  if (absl::Status status = PurgeWork(job); !status.ok()) return status;
  for (const char* kind : {".request.", ".result."}) {
    const absl::Status status = client_.Purge(data(), absl::StrCat(prefix_, kind, job, ".*"));
    if (!status.ok()) return status;
  }
  if (absl::Status status = client_.Purge(data(), absl::StrCat(prefix_, ".more.", job, ".*.*")); !status.ok()) {
    return status;
  }
  return client_.Purge(parts(), absl::StrCat(prefix_, ".part.", job, ".*"));
}

absl::Status FarmStreams::PurgeName(absl::string_view tenant, absl::string_view name) {
  return client_.Purge(jobs(), NameSubject(tenant, name));
}

absl::Status FarmStreams::PurgeJob(const std::string& id) {
  return client_.Purge(jobs(), absl::StrCat(prefix_, ".job.", id));
}

absl::StatusOr<std::int64_t> FarmStreams::MeasureBytes() {
  std::int64_t bytes = 0;
  for (const std::string& stream : {jobs(), data(), parts(), work()}) {
    jsStreamInfo* info = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetStreamInfo(&info, client_.jetstream(), stream.c_str(), nullptr, &code);
    if (status != NATS_OK) return StatusOf(status, code, "measure");
    bytes += static_cast<std::int64_t>(info->State.Bytes);
    jsStreamInfo_Destroy(info);
  }
  return bytes;
}

}  // namespace kibitz::server
