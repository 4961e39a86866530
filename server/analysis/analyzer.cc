#include "server/analysis/analyzer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/conversion/analysis.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using std::chrono::system_clock;

constexpr absl::Duration kTableRetryDelay = absl::Seconds(5);

// A search by time alone takes that time. Others may end at any moment, and so may one without a limit: its client ends
// it.
Task::Lifetime LifetimeOf(const AnalysisRequest& request, const RequestCaps& caps) {
  const Limits& limits = request.limits;
  // No clock runs while it ponders.
  if (limits.ponder || !limits.movetime.has_value()) return {};
  const bool by_time_alone = !limits.depth && !limits.nodes && !limits.mate && !limits.clock &&
                             request.strength_elo == 0 && *limits.movetime < caps.max_search_time;
  std::chrono::milliseconds longest = *limits.movetime;
  if (limits.clock) longest = std::min(longest, limits.clock->time[Index(request.position.side_to_move())]);
  return {.shortest = by_time_alone ? longest : std::chrono::milliseconds(0), .longest = longest};
}

}  // namespace

std::shared_ptr<AnalysisTask> Analyzer::Begin(const v1::AnalyzeRequest& request, bool ponder, const Caller& caller,
                                              std::shared_ptr<Stream> stream) {
  const RequestCaps caps = CapsWithin(caps_, caller.tenant->quota);
  absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(request, caps);
  if (!spec.ok()) {
    stream->Finish(spec.status());
    return nullptr;
  }
  absl::StatusOr<std::shared_ptr<NodeMeter>> meter = resources_.quotas.Begin(*caller.tenant);
  if (!meter.ok()) {
    stream->Finish(meter.status());
    return nullptr;
  }
  spec->request.limits.ponder = ponder;
  Task::Lifetime lifetime = LifetimeOf(spec->request, caps);
  MemoryBudget::Lease private_table;
  if (const std::size_t table_mb = PrivateTableMb(spec->request); table_mb > 0) {
    private_table = resources_.private_tables.Take(table_mb << 20);
    if (private_table == nullptr) {
      stream->Finish(Exhausted("PRIVATE_TABLES_EXHAUSTED",
                               absl::StrCat("other searches use the memory for tables of their own, ",
                                            resources_.private_tables.total_bytes() >> 20, " MiB in all"),
                               kTableRetryDelay));
      return nullptr;
    }
  }
  const auto task = std::make_shared<AnalysisTask>(*std::move(spec), std::move(stream),
                                                   AnalysisTask::Resources{.engine = resources_.engine,
                                                                           .memories = resources_.memories,
                                                                           .timers = resources_.timers,
                                                                           .ledger = resources_.ledger,
                                                                           .private_table = std::move(private_table),
                                                                           .tenant = caller.tenant,
                                                                           .meter = *std::move(meter),
                                                                           .store = resources_.store,
                                                                           .game = caller.game});
  system_clock::time_point deadline = caller.deadline;
  // While it ponders no clock runs that would bound it.
  if (ponder) deadline = std::min(deadline, system_clock::now() + caps.max_search_time);
  if (deadline != system_clock::time_point::max()) lifetime.deadline = HeedDeadline(task, deadline);
  task->set_lifetime(lifetime);
  resources_.scheduler.Submit(task);
  return task;
}

Deadlines::Time Analyzer::HeedDeadline(const std::shared_ptr<AnalysisTask>& task, system_clock::time_point deadline) {
  const Deadlines::Time time = Deadlines::Time::clock::now() + (deadline - system_clock::now());
  const Deadlines::Id id =
      deadlines_.Add(time, [this, task] { resources_.scheduler.Stop(task, StopCause::kDeadline); });
  task->set_on_end([this, id] { deadlines_.Remove(id); });
  return id.first;
}

void Analyzer::CountRefusal(const Tenant& tenant, const absl::Status& why) {
  if (IsRefusal(why.code())) resources_.ledger.CountRefusal(tenant, ReasonOf(why));
}

void Analyzer::PonderHit(const std::shared_ptr<AnalysisTask>& task) {
  task->PonderHit();
  resources_.scheduler.Recheck(task);
}

}  // namespace kibitz::server
