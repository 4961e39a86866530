// How the server does, as plain data: what operators are shown, whichever way they look.

#ifndef KIBITZ_SERVER_METRICS_SERVER_STATUS_H_
#define KIBITZ_SERVER_METRICS_SERVER_STATUS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_counts.h"
#include "server/measure/durations.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/metrics/call_counts.h"
#include "server/metrics/process_status.h"
#include "server/rpc/listener.h"
#include "server/scheduler/scheduler.h"
#include "server/store/result_store.h"

namespace kibitz::server {

// An amount of memory that requests share.
struct BudgetStatus {
  std::string name;
  std::size_t used_bytes = 0;
  std::size_t total_bytes = 0;

  static BudgetStatus Of(std::string name, const MemoryBudget& budget) {
    return {.name = std::move(name), .used_bytes = budget.used_bytes(), .total_bytes = budget.total_bytes()};
  }
};

struct ServerStatus {
  std::string version;
  std::string build;
  std::string evaluation;
  std::chrono::nanoseconds uptime{0};

  int workers = 0;
  int max_live = 0;
  int max_queue = 0;
  int sessions = 0;
  Scheduler::Load load;
  Scheduler::Survey survey;
  Scheduler::History history;
  Durations::Counts first_updates;
  std::map<std::string, Ledger::Entry> ledger;  // by tenant
  double search_nodes_per_second = 0;           // of all tenants

  int hash_mb = 0;
  int hashfull = 0;  // per mille
  std::vector<BudgetStatus> budgets;
  std::optional<StoreStatus> store;  // nothing: there is none
  std::optional<JobCounts> jobs;     // the same

  std::vector<CallCounts::OfMethod> calls;
  Listener::Counts connections;
  int max_connections = 0;
  // When the certificate that it shows ends. Nothing without TLS.
  std::optional<std::chrono::system_clock::time_point> certificate_expiry;
  ProcessStatus process;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_METRICS_SERVER_STATUS_H_
