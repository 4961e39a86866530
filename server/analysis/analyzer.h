// Begins searches, for Analyze calls and for sessions.

#ifndef KIBITZ_SERVER_ANALYSIS_ANALYZER_H_
#define KIBITZ_SERVER_ANALYSIS_ANALYZER_H_

#include <chrono>
#include <memory>

#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/analysis_task.h"
#include "server/analysis/deadlines.h"
#include "server/analysis/search_memories.h"
#include "server/conversion/request_caps.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/quota/node_quotas.h"
#include "server/scheduler/scheduler.h"
#include "server/scheduler/timer_queue.h"
#include "server/store/result_store.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// All methods may be called from any thread. What it is made of must outlive it.
class Analyzer {
 public:
  using Stream = AnalysisTask::Stream;

  // What all its searches share. `private_tables` is the memory for those that have a table of their own.
  struct Resources {
    Engine& engine;
    Scheduler& scheduler;
    TimerQueue& timers;
    SearchMemories& memories;
    MemoryBudget& private_tables;
    NodeQuotas& quotas;
    Ledger& ledger;
    ResultStore* store = nullptr;  // none: nothing is stored
  };

  Analyzer(const Resources& resources, const RequestCaps& caps)
      : resources_(resources), caps_(caps), deadlines_(resources.timers) {}

  // Who wants a search, beside what it searches.
  struct Caller {
    std::chrono::system_clock::time_point deadline;  // by which the Final must be there; time_point::max(): none
    TenantPointer tenant = AnonymousTenant();
    SearchMemories::Game game = 0;  // to go on with what earlier searches of it learnt
  };

  // Begins a search that answers through `stream`. nullptr when the request is refused, which the stream is told.
  std::shared_ptr<AnalysisTask> Begin(const v1::AnalyzeRequest& request, bool ponder, const Caller& caller,
                                      std::shared_ptr<Stream> stream);

  void Stop(const std::shared_ptr<AnalysisTask>& task) { resources_.scheduler.Stop(task, StopCause::kCancelled); }
  void PonderHit(const std::shared_ptr<AnalysisTask>& task);

  // A search within a session was not begun, or failed: no call tells of it.
  void CountRefusal(const Tenant& tenant, const absl::Status& why);

  SearchMemories& memories() { return resources_.memories; }

 private:
  // Stops the task in time for the caller's deadline: then, or sooner.
  Deadlines::Time HeedDeadline(const std::shared_ptr<AnalysisTask>& task,
                               std::chrono::system_clock::time_point deadline);

  const Resources resources_;
  const RequestCaps caps_;
  Deadlines deadlines_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_ANALYZER_H_
