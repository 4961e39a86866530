// Analyses of several tenants on one set of workers, within this process: what is measured is how they share, and no
// network is between.

#ifndef KIBITZ_TESTS_BENCH_TENANT_LOAD_H_
#define KIBITZ_TESTS_BENCH_TENANT_LOAD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "server/analysis/analyzer.h"
#include "server/analysis/search_memories.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/quota/node_quotas.h"
#include "server/scheduler/scheduler.h"
#include "server/scheduler/timer_queue.h"
#include "server/tenant/tenant.h"

namespace kibitz::bench {

// With the bounds that a server has by default.
class TenantLoad {
 public:
  explicit TenantLoad(int workers);
  ~TenantLoad();

  // Begins infinite analyses of these positions for a tenant, all at once.
  void Begin(const server::TenantPointer& tenant, const std::vector<std::string>& fens);
  // Begins one, waits for its first Update, and ends it. In milliseconds; throws if none comes.
  double FirstUpdateMs(const server::TenantPointer& tenant, const std::string& fen);
  // Ends all of them and gives the nodes that each tenant's had, in the order in which they began.
  std::vector<std::int64_t> End();

 private:
  class Stream;
  struct Group;

  std::shared_ptr<Stream> Start(const server::TenantPointer& tenant, const std::string& fen,
                                std::shared_ptr<server::AnalysisTask>& task);

  Engine engine_;
  server::MemoryBudget memory_;
  server::MemoryBudget private_tables_;
  server::SearchMemories memories_;
  server::NodeQuotas quotas_;
  server::Ledger ledger_;
  server::TimerQueue timers_;
  server::Scheduler scheduler_;
  server::Analyzer analyzer_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_TENANT_LOAD_H_
