#include "server/store/nats/nats_store.h"

#include <algorithm>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "server/jobs/digest.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

// Results that wait to be written.
constexpr std::size_t kMaxWaiting = 4096;
// Of one position: more than one is there only when several numbers of lines were asked for.
constexpr int kMaxResults = 8;
// How often a write looks again because another node was quicker.
constexpr int kMaxAttempts = 5;
// How long the writer may take for one result, and how often it looks at the stream.
constexpr std::chrono::milliseconds kWritePatience{2000};
constexpr std::chrono::seconds kEnsureInterval{10};

farm::StoredResults::Result ToRecord(const StoredResult& result) {
  farm::StoredResults::Result record;
  record.set_lines(result.lines);
  record.set_depth(result.depth);
  record.set_nodes(result.nodes);
  record.set_engine(result.engine);
  record.set_evaluation(result.evaluation);
  record.set_found(std::chrono::duration_cast<std::chrono::seconds>(result.found.time_since_epoch()).count());
  record.set_analysis(result.analysis);
  return record;
}

StoredResult FromRecord(const farm::StoredResults::Result& record) {
  return {.lines = record.lines(),
          .depth = record.depth(),
          .nodes = record.nodes(),
          .engine = record.engine(),
          .evaluation = record.evaluation(),
          .found = system_clock::time_point(std::chrono::seconds(record.found())),
          .analysis = record.analysis()};
}

// Puts a result among those of its position. False: a better one is there.
bool Add(const StoredResult& result, farm::StoredResults& results) {
  auto& records = *results.mutable_results();
  const auto same =
      std::find_if(records.begin(), records.end(), [&](const auto& each) { return each.lines() == result.lines; });
  if (same != records.end()) {
    if (!Replaces(result, FromRecord(*same))) return false;
    *same = ToRecord(result);
    return true;
  }
  // The shallowest makes room.
  if (records.size() >= kMaxResults) {
    const auto shallower = [](const auto& a, const auto& b) { return a.depth() < b.depth(); };
    records.erase(std::min_element(records.begin(), records.end(), shallower));
  }
  *records.Add() = ToRecord(result);
  return true;
}

}  // namespace

absl::StatusOr<std::unique_ptr<NatsStore>> NatsStore::Open(const Options& options) {
  absl::StatusOr<std::unique_ptr<NatsClient>> client = NatsClient::Open(options.nats);
  if (!client.ok()) return client.status();
  return std::unique_ptr<NatsStore>(new NatsStore(options, *std::move(client)));
}

NatsStore::NatsStore(Options options, std::unique_ptr<NatsClient> client)
    : options_(std::move(options)), client_(std::move(client)) {
  thread_ = std::thread(&NatsStore::RunWriter, this);
}

NatsStore::~NatsStore() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::string NatsStore::stream() const { return options_.nats.prefix + "_results"; }

std::string NatsStore::Subject(const std::string& position) const {
  return absl::StrCat(options_.nats.prefix, ".stored.", absl::BytesToHexString(FingerprintOf(position)));
}

void NatsStore::SetState(const absl::Status& state) {
  std::lock_guard lock(state_mutex_);
  working_ = state.ok();
  if (!state.ok()) ++failures_;
  if (state_.has_value() && state_->code() == state.code()) return;
  if (!state.ok()) {
    spdlog::error("the results of the farm cannot be used, and searches go on without them: {}",
                  std::string(state.message()));
  } else if (state_.has_value()) {
    spdlog::info("the results of the farm can be used again");
  }
  state_ = state;
}

absl::StatusOr<NatsStore::Entry> NatsStore::Read(const std::string& position, std::chrono::milliseconds patience) {
  const auto found = client_->Read(stream(), Subject(position), patience);
  if (!found.ok()) return found.status();
  Entry entry;
  if (!found->has_value()) return entry;
  entry.sequence = (*found)->sequence;
  // What cannot be read, or is about another position, is as good as nothing, and is written over.
  if (!entry.results.ParseFromString((*found)->data) || entry.results.position() != position) entry.results.Clear();
  return entry;
}

std::optional<StoredResult> NatsStore::Find(const std::string& position, const WantedResult& wanted) {
  if (!working_ || Clock::now().time_since_epoch().count() < ask_again_) return std::nullopt;
  const absl::StatusOr<Entry> entry = Read(position, options_.patience);
  if (!entry.ok()) {
    ask_again_ = (Clock::now() + options_.pause).time_since_epoch().count();
    ++failures_;
    return std::nullopt;
  }
  std::optional<StoredResult> best;
  for (const auto& record : entry->results.results()) {
    StoredResult result = FromRecord(record);
    if (WouldDo(result, wanted) && (!best.has_value() || IsDeeper(result, *best))) best = std::move(result);
  }
  ++(best.has_value() ? hits_ : misses_);
  return best;
}

void NatsStore::Put(const std::string& position, const StoredResult& result) {
  std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMaxWaiting) {
    ++dropped_;
    return;
  }
  waiting_.emplace_back(position, result);
  changed_.notify_all();
}

void NatsStore::Flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

void NatsStore::RunWriter() {
  std::unique_lock lock(mutex_);
  while (true) {
    busy_ = false;
    changed_.notify_all();
    if (!ending_ && waiting_.empty() && Clock::now() < next_ensure_) {
      changed_.wait_until(lock, next_ensure_, [&] { return ending_ || !waiting_.empty(); });
    }
    if (ending_ && (waiting_.empty() || !working_)) return;
    busy_ = true;
    std::optional<Write> write;
    if (!waiting_.empty()) {
      write = std::move(waiting_.front());
      waiting_.pop_front();
    }
    lock.unlock();
    if (Clock::now() >= next_ensure_) SetState(Ensure());
    if (write.has_value()) {
      const absl::Status status = working_ ? Do(*write) : absl::UnavailableError("");
      ++(status.ok() ? writes_ : dropped_);
      if (!status.ok() && working_) SetState(status);
    }
    if (!working_) next_ensure_ = std::min(next_ensure_, Clock::now() + options_.pause);
    lock.lock();
  }
}

absl::Status NatsStore::Do(const Write& write) {
  const auto& [position, result] = write;
  absl::Status status;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    absl::StatusOr<Entry> entry = Read(position, kWritePatience);
    if (!entry.ok()) return entry.status();
    entry->results.set_position(position);
    if (!Add(result, entry->results)) return absl::OkStatus();
    status = client_->Write(Subject(position), entry->results.SerializeAsString(), entry->sequence).status();
    if (!absl::IsAborted(status)) return status;
  }
  // Others keep writing about it: theirs will do.
  return absl::OkStatus();
}

absl::Status NatsStore::Ensure() {
  next_ensure_ = Clock::now() + kEnsureInterval;
  if (!client_->connected()) return absl::UnavailableError("NATS does not answer");
  jsStreamInfo* info = nullptr;
  jsErrCode code{};
  natsStatus status = js_GetStreamInfo(&info, client_->jetstream(), stream().c_str(), nullptr, &code);
  if (status == NATS_OK) {
    results_ = static_cast<std::int64_t>(info->State.Msgs);
    bytes_ = static_cast<std::int64_t>(info->State.Bytes);
    // Who starts last says how large it may be.
    const bool fits = info->Config->Replicas >= options_.nats.replicas &&
                      (std::exchange(seen_, true) || info->Config->MaxBytes == options_.max_bytes);
    jsStreamInfo_Destroy(info);
    if (fits) return absl::OkStatus();
  } else if (status != NATS_NOT_FOUND && code != JSStreamNotFoundErr) {
    return StatusOf(status, code, "find " + stream());
  }
  const std::string name = stream();
  const std::string pattern = options_.nats.prefix + ".stored.*";
  std::vector<const char*> patterns = {pattern.c_str()};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = name.c_str();
  config.Subjects = patterns.data();
  config.SubjectsLen = 1;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardOld;
  config.MaxMsgsPerSubject = 1;
  config.MaxBytes = options_.max_bytes;
  config.Replicas = options_.nats.replicas;
  jsStreamInfo* made = nullptr;
  status = status == NATS_OK ? js_UpdateStream(&made, client_->jetstream(), &config, nullptr, &code)
                             : js_AddStream(&made, client_->jetstream(), &config, nullptr, &code);
  jsStreamInfo_Destroy(made);
  // Another node may have been quicker.
  if (status == NATS_OK || code == JSStreamNameExistErr) return absl::OkStatus();
  return StatusOf(status, code, "make " + name);
}

StoreStatus NatsStore::status() const {
  return {.working = working_,
          .results = results_,
          .bytes = bytes_,
          .max_bytes = options_.max_bytes,
          .hits = hits_,
          .misses = misses_,
          .writes = writes_,
          .evictions = 0,  // JetStream's own
          .dropped = dropped_,
          .failures = failures_};
}

}  // namespace kibitz::server
