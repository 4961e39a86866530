#include "server/metrics/all_metrics.h"

#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "absl/status/status.h"

namespace kibitz::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

template <typename Rep, typename Period>
double Seconds(std::chrono::duration<Rep, Period> duration) {
  return std::chrono::duration<double>(duration).count();
}

// Prometheus takes an empty label for none at all.
std::string TenantLabel(const std::string& name) { return name.empty() ? "(anonymous)" : name; }

ClientMetric::Histogram ToHistogram(const Durations::Counts& durations) {
  ClientMetric::Histogram histogram;
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i < Durations::kBounds.size(); ++i) {
    cumulative += durations.buckets[i];
    histogram.bucket.push_back({.cumulative_count = cumulative, .upper_bound = Seconds(Durations::kBounds[i])});
  }
  histogram.sample_count = cumulative + durations.buckets.back();
  histogram.sample_sum = Seconds(durations.sum);
  return histogram;
}

// The families, in the order in which they are written.
class Families {
 public:
  // A family of one kind; samples are added to the last.
  Families& Counter(const char* name, const char* help) { return Add(name, help, MetricType::Counter); }
  Families& Gauge(const char* name, const char* help) { return Add(name, help, MetricType::Gauge); }
  Families& Histogram(const char* name, const char* help) { return Add(name, help, MetricType::Histogram); }

  template <typename Number>
  Families& Sample(Number value, Labels labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    (last().type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = static_cast<double>(value);
    last().metric.push_back(std::move(metric));
    return *this;
  }
  Families& Sample(const Durations::Counts& durations, Labels labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.histogram = ToHistogram(durations);
    last().metric.push_back(std::move(metric));
    return *this;
  }

  std::vector<MetricFamily> Take() { return std::move(families_); }

 private:
  Families& Add(const char* name, const char* help, MetricType type) {
    families_.push_back({.name = name, .help = help, .type = type, .metric = {}});
    return *this;
  }
  MetricFamily& last() { return families_.back(); }

  std::vector<MetricFamily> families_;
};

void AddCalls(Families& all, const ServerStatus& status) {
  all.Counter("kibitz_calls_total", "Calls that are over, by method and gRPC status code.");
  for (const auto& method : status.calls) {
    for (const auto& [code, calls] : method.by_code) {
      all.Sample(calls, {{"method", method.method}, {"code", absl::StatusCodeToString(code)}});
    }
  }
  all.Gauge("kibitz_open_calls", "Calls that are open, streams among them.");
  for (const auto& method : status.calls) all.Sample(method.open, {{"method", method.method}});
  all.Histogram("kibitz_call_duration_seconds", "From a call's arrival to its end.");
  for (const auto& method : status.calls) all.Sample(method.durations, {{"method", method.method}});
  all.Counter("kibitz_refusals_total", "What was refused, by reason and tenant.");
  for (const auto& [tenant, entry] : status.ledger) {
    for (const auto& [reason, count] : entry.refusals) {
      all.Sample(count, {{"reason", reason}, {"tenant", TenantLabel(tenant)}});
    }
  }
}

void AddTenants(Families& all, const ServerStatus& status) {
  // A tenant that has nothing now keeps its line, at 0.
  std::map<std::string, Scheduler::Survey::OfTenant> tenants = status.survey.tenants;
  for (const auto& [tenant, entry] : status.ledger) tenants.try_emplace(tenant);
  all.Gauge("kibitz_live_tasks", "Searches and counts that are under way.");
  for (const auto& [tenant, now] : tenants) all.Sample(now.live, {{"tenant", TenantLabel(tenant)}});
  all.Gauge("kibitz_queued_tasks", "Searches and counts that wait to begin.");
  for (const auto& [tenant, now] : tenants) all.Sample(now.queued, {{"tenant", TenantLabel(tenant)}});
  const auto count = [&](const char* name, const char* help, std::int64_t Ledger::Entry::* field) {
    all.Counter(name, help);
    for (const auto& [tenant, entry] : status.ledger) all.Sample(entry.*field, {{"tenant", TenantLabel(tenant)}});
  };
  count("kibitz_searches_total", "Searches that were accepted or refused for want of room.", &Ledger::Entry::searches);
  count("kibitz_perfts_total", "Counts of move paths, the same.", &Ledger::Entry::perfts);
  count("kibitz_search_nodes_total", "Positions searched, while searches run.", &Ledger::Entry::search_nodes);
  count("kibitz_perft_nodes_total", "Leaves counted, with each root move that is done.", &Ledger::Entry::perft_nodes);
}

void AddWork(Families& all, const ServerStatus& status) {
  all.Gauge("kibitz_workers", "Workers that may run at a time.").Sample(status.workers);
  all.Gauge("kibitz_running_workers", "Workers that run now.").Sample(status.survey.running);
  all.Gauge("kibitz_max_live_tasks", "The bound on workers under way.").Sample(status.max_live);
  all.Gauge("kibitz_max_queued_tasks", "The bound on what waits.").Sample(status.max_queue);
  all.Gauge("kibitz_sessions", "Open sessions, whether they search or not.").Sample(status.sessions);
  all.Gauge("kibitz_oldest_live_seconds", "How long ago the oldest that is under way was asked for.")
      .Sample(Seconds(status.survey.oldest_live));
  all.Gauge("kibitz_oldest_queued_seconds", "How long the oldest that waits has waited.")
      .Sample(Seconds(status.survey.oldest_queued));
  all.Gauge("kibitz_search_nodes_per_second", "Over the last three seconds.").Sample(status.search_nodes_per_second);
  all.Gauge("kibitz_search_nodes_per_second_per_worker", "The same, for each worker that there is.")
      .Sample(status.workers == 0 ? 0 : status.search_nodes_per_second / status.workers);
  all.Histogram("kibitz_first_update_seconds", "From a request to the first that its search had to tell.")
      .Sample(status.first_updates);
  all.Histogram("kibitz_queue_wait_seconds", "From a request until its work began.").Sample(status.history.queue_waits);
  all.Histogram("kibitz_permit_wait_seconds", "How long a worker waited for each of its turns.")
      .Sample(status.history.permit_waits);
  all.Histogram("kibitz_cancel_seconds", "From a cancel until the worker was free.").Sample(status.history.cancels);
  // As StopCause has them.
  constexpr std::array<const char*, kStopCauses> kCauses = {"none",     "cancelled", "deadline", "shutdown",
                                                            "time_cap", "quota",     "failed"};
  all.Counter("kibitz_ended_tasks_total", "Searches and counts that ended, by what stopped them.");
  for (std::size_t i = 0; i < kCauses.size(); ++i) all.Sample(status.history.stopped[i], {{"stopped_by", kCauses[i]}});
  all.Counter("kibitz_threads_refused_total", "Threads that the system did not give.")
      .Sample(status.load.threads_refused);
}

void AddMemory(Families& all, const ServerStatus& status) {
  all.Gauge("kibitz_hash_bytes", "The transposition table that all searches share.")
      .Sample(static_cast<double>(MemoryBudget::Megabytes(status.hash_mb)));
  all.Gauge("kibitz_hash_full_ratio", "How full it is.").Sample(status.hashfull / 1000.0);
  all.Gauge("kibitz_memory_used_bytes", "Memory that requests use, by budget; all others are parts of \"requests\".");
  for (const BudgetStatus& budget : status.budgets) all.Sample(budget.used_bytes, {{"budget", budget.name}});
  all.Gauge("kibitz_memory_max_bytes", "What they may use.");
  for (const BudgetStatus& budget : status.budgets) all.Sample(budget.total_bytes, {{"budget", budget.name}});
}

void AddStore(Families& all, const StoreStatus& store) {
  all.Gauge("kibitz_store_up", "1 if the store of results can be used.").Sample(store.working ? 1 : 0);
  all.Gauge("kibitz_store_results", "Results that it holds.").Sample(store.results);
  all.Gauge("kibitz_store_bytes", "The size of its file.").Sample(store.bytes);
  all.Gauge("kibitz_store_max_bytes", "The bound on it.").Sample(store.max_bytes);
  all.Counter("kibitz_store_finds_total", "Results that were looked for, by whether there was one.");
  all.Sample(store.hits, {{"found", "true"}});
  all.Sample(store.misses, {{"found", "false"}});
  all.Counter("kibitz_store_writes_total", "Results that were written.").Sample(store.writes);
  all.Counter("kibitz_store_evictions_total", "Results that had to make room.").Sample(store.evictions);
  all.Counter("kibitz_store_dropped_total", "Results that were not written, for want of time or a file.")
      .Sample(store.dropped);
  all.Counter("kibitz_store_failures_total", "Times that the file could not be used.").Sample(store.failures);
}

void AddJobs(Families& all, const JobCounts& jobs) {
  // As JobState has them.
  constexpr std::array<const char*, JobCounts::kStates> kStates = {"",       "queued",    "running", "done",
                                                                   "failed", "cancelled", "expired"};
  all.Gauge("kibitz_jobs_up", "1 if jobs can be kept.").Sample(jobs.working ? 1 : 0);
  all.Gauge("kibitz_jobs", "Jobs that are kept, by state.");
  for (std::size_t i = 1; i < kStates.size(); ++i) all.Sample(jobs.jobs[i], {{"state", kStates[i]}});
  all.Gauge("kibitz_job_waiting_parts", "Parts of jobs that wait to be done.").Sample(jobs.waiting_parts);
  all.Gauge("kibitz_job_running_parts", "Parts of jobs that are being done.").Sample(jobs.running_parts);
  all.Gauge("kibitz_job_oldest_part_seconds", "How long ago the oldest job was accepted that has a part which waits.")
      .Sample(Seconds(jobs.oldest_part));
  all.Gauge("kibitz_job_bytes", "What jobs take on disk.").Sample(jobs.bytes);
  all.Gauge("kibitz_job_max_bytes", "The bound on it.").Sample(jobs.max_bytes);
  all.Counter("kibitz_jobs_submitted_total", "Jobs that were accepted.").Sample(jobs.submitted);
  all.Counter("kibitz_job_parts_total", "Attempts at parts, by what came of them.");
  all.Sample(jobs.parts_done, {{"outcome", "done"}});
  all.Sample(jobs.parts_failed, {{"outcome", "failed"}});
  all.Sample(jobs.parts_given_back, {{"outcome", "given_back"}});
  all.Counter("kibitz_job_parts_set_aside_total", "Parts that will not be tried again.").Sample(jobs.parts_set_aside);
  all.Counter("kibitz_jobs_failures_total", "Times that jobs could not be kept or read.").Sample(jobs.failures);
}

void AddConnections(Families& all, const ServerStatus& status) {
  all.Gauge("kibitz_connections", "Open connections.").Sample(status.connections.open);
  all.Gauge("kibitz_max_connections", "The bound on them.").Sample(status.max_connections);
  all.Counter("kibitz_connections_accepted_total", "Connections that were accepted.")
      .Sample(status.connections.accepted);
  all.Counter("kibitz_connections_refused_total", "Closed at once, for want of room or descriptors.")
      .Sample(status.connections.refused);
  all.Counter("kibitz_connections_cut_off_total", "Cut off for what they sent.").Sample(status.connections.cut_off);
  if (status.certificate_expiry.has_value()) {
    all.Gauge("kibitz_certificate_expiry_timestamp_seconds", "When the server's certificate ends.")
        .Sample(Seconds(status.certificate_expiry->time_since_epoch()));
  }
}

// By the names that Prometheus' own clients use.
void AddProcess(Families& all, const ServerStatus& status) {
  const ProcessStatus& process = status.process;
  const auto start = std::chrono::system_clock::now().time_since_epoch() - status.uptime;
  all.Gauge("process_open_fds", "Open descriptors.").Sample(process.open_descriptors);
  all.Gauge("process_max_fds", "The bound on them.").Sample(process.max_descriptors);
  all.Gauge("process_resident_memory_bytes", "Memory in use.").Sample(process.resident_bytes);
  all.Gauge("process_threads", "Threads.").Sample(process.threads);
  all.Counter("process_cpu_seconds_total", "Time of the processor.").Sample(Seconds(process.processor_time));
  all.Gauge("process_start_time_seconds", "When the server started.").Sample(Seconds(start));
}

}  // namespace

std::vector<MetricFamily> AllMetrics(const ServerStatus& status) {
  Families all;
  all.Gauge("kibitz_build_info", "Always 1; the labels tell what runs.")
      .Sample(1, {{"version", status.version}, {"build", status.build}, {"evaluation", status.evaluation}});
  AddCalls(all, status);
  AddTenants(all, status);
  AddWork(all, status);
  AddMemory(all, status);
  if (status.store.has_value()) AddStore(all, *status.store);
  if (status.jobs.has_value()) AddJobs(all, *status.jobs);
  AddConnections(all, status);
  AddProcess(all, status);
  return all.Take();
}

}  // namespace kibitz::server
