#include "server/service/admin_service.h"

#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/conversion/common.h"
#include "server/errors/errors.h"
#include "server/jobs/job.h"
#include "server/jobs/job_counts.h"
#include "server/rpc/typed_methods.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMaxRequestBytes = 1 << 10;
constexpr std::size_t kMaxWatchers = 16;
constexpr absl::Duration kRetryDelay = absl::Seconds(5);

constexpr std::chrono::milliseconds kMinInterval{250};
constexpr std::chrono::hours kMaxInterval{1};
constexpr std::chrono::seconds kDefaultInterval{1};

absl::StatusOr<std::chrono::nanoseconds> ParseInterval(const v1::WatchStatusRequest& request) {
  if (!request.has_interval()) return kDefaultInterval;
  const google::protobuf::Duration& wire = request.interval();
  const std::int64_t max_seconds = std::chrono::seconds(kMaxInterval).count();
  if (wire.seconds() >= 0 && wire.seconds() <= max_seconds && wire.nanos() >= 0 && wire.nanos() < 1'000'000'000) {
    const auto interval = std::chrono::seconds(wire.seconds()) + std::chrono::nanoseconds(wire.nanos());
    if (interval >= kMinInterval && interval <= kMaxInterval) return interval;
  }
  return InvalidField("interval", "OUT_OF_RANGE", "is not a duration from a quarter of a second to an hour");
}

void WriteTenants(const ServerStatus& status, v1::ServerStatus& wire) {
  std::set<std::string> names;
  for (const auto& [name, entry] : status.ledger) names.insert(name);
  for (const auto& [name, now] : status.survey.tenants) names.insert(name);
  for (const std::string& name : names) {
    v1::TenantStatus& tenant = *wire.add_tenants();
    tenant.set_name(name);
    if (const auto now = status.survey.tenants.find(name); now != status.survey.tenants.end()) {
      tenant.set_live(now->second.live);
      tenant.set_queued(now->second.queued);
    }
    const auto found = status.ledger.find(name);
    if (found == status.ledger.end()) continue;
    const Ledger::Entry& entry = found->second;
    tenant.set_searches(entry.searches);
    tenant.set_perfts(entry.perfts);
    tenant.set_search_nodes(entry.search_nodes);
    tenant.set_search_nodes_per_second(static_cast<std::int64_t>(entry.search_nodes_per_second));
    tenant.set_perft_nodes(entry.perft_nodes);
    for (const auto& [reason, count] : entry.refusals) {
      v1::Refusals& refusals = *tenant.add_refusals();
      refusals.set_reason(reason);
      refusals.set_count(count);
    }
  }
}

void WriteMethods(const ServerStatus& status, v1::ServerStatus& wire) {
  for (const CallCounts::OfMethod& counts : status.calls) {
    v1::MethodStatus& method = *wire.add_methods();
    method.set_method(counts.method);
    method.set_open(counts.open);
    for (const auto& [code, calls] : counts.by_code) {
      method.set_ended(method.ended() + calls);
      if (code != absl::StatusCode::kOk) method.set_failed(method.failed() + calls);
    }
  }
}

void WriteResources(const ServerStatus& status, v1::ServerStatus& wire) {
  for (const BudgetStatus& budget : status.budgets) {
    v1::MemoryStatus& memory = *wire.add_memory();
    memory.set_name(budget.name);
    memory.set_used_bytes(static_cast<std::int64_t>(budget.used_bytes));
    memory.set_max_bytes(static_cast<std::int64_t>(budget.total_bytes));
  }
  v1::ConnectionStatus& connections = *wire.mutable_connections();
  connections.set_open(status.connections.open);
  connections.set_max(status.max_connections);
  connections.set_accepted(status.connections.accepted);
  connections.set_refused(status.connections.refused);
  connections.set_cut_off(status.connections.cut_off);
  v1::ProcessStatus& process = *wire.mutable_process();
  process.set_resident_bytes(status.process.resident_bytes);
  process.set_threads(status.process.threads);
  process.set_open_descriptors(status.process.open_descriptors);
  process.set_max_descriptors(status.process.max_descriptors);
  *process.mutable_processor_time() = ToWire(std::chrono::nanoseconds(status.process.processor_time));
}

void WriteStore(const StoreStatus& status, v1::StoreStatus& wire) {
  wire.set_working(status.working);
  wire.set_results(status.results);
  wire.set_bytes(status.bytes);
  wire.set_max_bytes(status.max_bytes);
  wire.set_hits(status.hits);
  wire.set_misses(status.misses);
  wire.set_writes(status.writes);
  wire.set_evictions(status.evictions);
  wire.set_dropped(status.dropped);
  wire.set_failures(status.failures);
}

void WriteJobs(const JobCounts& counts, v1::JobsStatus& wire) {
  wire.set_working(counts.working);
  wire.set_queued(counts.jobs[static_cast<std::size_t>(JobState::kQueued)]);
  wire.set_running(counts.jobs[static_cast<std::size_t>(JobState::kRunning)]);
  wire.set_waiting_parts(counts.waiting_parts);
  wire.set_running_parts(counts.running_parts);
  *wire.mutable_oldest_part() = ToWire(counts.oldest_part);
  wire.set_submitted(counts.submitted);
  wire.set_parts_done(counts.parts_done);
  wire.set_parts_failed(counts.parts_failed);
  wire.set_parts_set_aside(counts.parts_set_aside);
  wire.set_bytes(counts.bytes);
  wire.set_max_bytes(counts.max_bytes);
}

}  // namespace

v1::ServerStatus ToWire(const ServerStatus& status) {
  v1::ServerStatus wire;
  wire.set_version(status.version);
  wire.set_build(status.build);
  *wire.mutable_uptime() = ToWire(status.uptime);
  wire.set_workers(status.workers);
  wire.set_running_workers(status.survey.running);
  wire.set_live(status.load.live);
  wire.set_max_live(status.max_live);
  wire.set_queued(status.load.queued);
  wire.set_max_queued(status.max_queue);
  *wire.mutable_oldest_live() = ToWire(status.survey.oldest_live);
  *wire.mutable_oldest_queued() = ToWire(status.survey.oldest_queued);
  wire.set_sessions(status.sessions);
  wire.set_search_nodes_per_second(static_cast<std::int64_t>(status.search_nodes_per_second));
  wire.set_hash_mb(status.hash_mb);
  wire.set_hashfull(status.hashfull);
  WriteTenants(status, wire);
  WriteMethods(status, wire);
  WriteResources(status, wire);
  if (status.store.has_value()) WriteStore(*status.store, *wire.mutable_store());
  if (status.jobs.has_value()) WriteJobs(*status.jobs, *wire.mutable_jobs());
  return wire;
}

void AdminService::AddMethods(MethodTable& methods) {
  methods["/kibitz.v1.AdminService/GetStatus"] = UnaryMethod<v1::GetStatusRequest, v1::GetStatusResponse>(
      kMaxRequestBytes, std::bind_front(&AdminService::GetStatus, this));
  methods["/kibitz.v1.AdminService/WatchStatus"] = StreamMethod<v1::WatchStatusRequest, v1::WatchStatusResponse>(
      kMaxRequestBytes, std::bind_front(&AdminService::WatchStatus, this));
}

void AdminService::Shutdown() {
  std::map<std::uint64_t, Watcher> watchers;
  std::shared_ptr<TimerQueue> timers;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    watchers.swap(watchers_);
    timers = timers_;
  }
  if (timers != nullptr) timers->Shutdown();
  for (const auto& [id, watcher] : watchers) watcher.stream->Finish(StatusOf(StopCause::kShutdown));
}

absl::Status AdminService::GetStatus(Call& /*call*/, const v1::GetStatusRequest& /*request*/,
                                     v1::GetStatusResponse& response) {
  *response.mutable_status() = ToWire(read_());
  return absl::OkStatus();
}

void AdminService::WatchStatus(Call& call, const v1::WatchStatusRequest& request, std::shared_ptr<Stream> stream) {
  const absl::StatusOr<std::chrono::nanoseconds> interval = ParseInterval(request);
  if (!interval.ok()) return stream->Finish(interval.status());
  std::uint64_t id = 0;
  {
    std::lock_guard lock(mutex_);
    id = ++count_;
  }
  if (absl::Status added = Add(id, {stream, *interval}); !added.ok()) return stream->Finish(added);
  call.OnCancel([this, id] { Remove(id, StatusOf(StopCause::kCancelled)); });
}

absl::Status AdminService::Add(std::uint64_t id, Watcher watcher) {
  std::lock_guard lock(mutex_);
  if (closed_) return StatusOf(StopCause::kShutdown);
  if (watchers_.size() >= kMaxWatchers) {
    return Exhausted("TOO_MANY_WATCHERS", absl::StrCat(kMaxWatchers, " others watch already"), kRetryDelay);
  }
  try {
    if (timers_ == nullptr) timers_ = std::make_shared<TimerQueue>();
  } catch (const std::system_error&) {
    return Exhausted("THREADS_EXHAUSTED", "there are no threads left for this now", kRetryDelay);
  }
  watchers_[id] = std::move(watcher);
  timers_->Schedule(TimerQueue::Clock::now(), [this, id] { Tell(id); });
  return absl::OkStatus();
}

void AdminService::Remove(std::uint64_t id, const absl::Status& why) {
  std::shared_ptr<Stream> stream;
  {
    std::lock_guard lock(mutex_);
    const auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    stream = std::move(found->second.stream);
    watchers_.erase(found);
  }
  stream->Finish(why);
}

void AdminService::Tell(std::uint64_t id) {
  std::shared_ptr<Stream> stream;
  {
    std::lock_guard lock(mutex_);
    const auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    stream = found->second.stream;
    timers_->Schedule(TimerQueue::Clock::now() + found->second.interval, [this, id] { Tell(id); });
  }
  v1::WatchStatusResponse response;
  *response.mutable_status() = ToWire(read_());
  stream->SendLatest(response);
}

}  // namespace kibitz::server
