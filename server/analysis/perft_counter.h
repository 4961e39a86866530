// Begins counts, for Perft calls.

#ifndef KIBITZ_SERVER_ANALYSIS_PERFT_COUNTER_H_
#define KIBITZ_SERVER_ANALYSIS_PERFT_COUNTER_H_

#include <memory>

#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/perft_task.h"
#include "server/conversion/request_caps.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/quota/node_quotas.h"
#include "server/scheduler/scheduler.h"
#include "server/scheduler/timer_queue.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// All methods may be called from any thread. What it is made of must outlive it.
class PerftCounter {
 public:
  using Stream = PerftTask::Stream;

  PerftCounter(Scheduler& scheduler, TimerQueue& timers, MemoryBudget& hash, NodeQuotas& quotas, Ledger& ledger,
               const RequestCaps& caps)
      : scheduler_(scheduler), timers_(timers), hash_(hash), quotas_(quotas), ledger_(ledger), caps_(caps) {}

  // Begins a count that answers through `stream`. nullptr when the request is refused, which the stream is told.
  std::shared_ptr<PerftTask> Begin(const v1::PerftRequest& request, TenantPointer tenant,
                                   std::shared_ptr<Stream> stream);

  void Stop(const std::shared_ptr<PerftTask>& task) { scheduler_.Stop(task, StopCause::kCancelled); }

 private:
  Scheduler& scheduler_;
  TimerQueue& timers_;
  MemoryBudget& hash_;
  NodeQuotas& quotas_;
  Ledger& ledger_;
  const RequestCaps caps_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_PERFT_COUNTER_H_
