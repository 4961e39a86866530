#include "server/analyses.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/analysis_conversion.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr absl::Duration kTableRetryDelay = absl::Seconds(5);

// What a Final needs to reach the client before its deadline: 2 % of the time it gave, and at least this.
constexpr milliseconds kLeastMargin{20};

// When to stop a search so that its Final can still be read. time_point::max(): never.
system_clock::time_point LastMoment(system_clock::time_point deadline) {
  if (deadline == system_clock::time_point::max()) return deadline;
  return deadline - std::max<system_clock::duration>(kLeastMargin, (deadline - system_clock::now()) / 50);
}

}  // namespace

std::shared_ptr<AnalyzeTask> Analyses::Begin(const v1::AnalyzeRequest& request, bool ponder,
                                             std::shared_ptr<Stream> stream, std::shared_ptr<GameMemory> game,
                                             CompletionLoop& loop) {
  absl::StatusOr<AnalyzeOrder> order = ParseAnalyze(request, options_);
  if (!order.ok()) {
    stream->Finish(order.status());
    return nullptr;
  }
  order->request.limits.ponder = ponder;
  AnalyzeTask::Loans loans{.private_table = nullptr, .game = std::move(game)};
  if (const std::size_t table_mb = PrivateTableMb(order->request); table_mb > 0) {
    loans.private_table = private_tables_.Take(static_cast<int>(table_mb));
    if (loans.private_table == nullptr) {
      stream->Finish(Exhausted("PRIVATE_TABLES_EXHAUSTED",
                               absl::StrCat("other searches use the memory for tables of their own, ",
                                            private_tables_.total_mb(), " MiB in all"),
                               kTableRetryDelay));
      return nullptr;
    }
  }
  const auto task = std::make_shared<AnalyzeTask>(engine_, *std::move(order), stream, loop, std::move(loans));
  stream->OnCancel([this, task] { scheduler_.Stop(task, StopCause::kCancelled); });
  system_clock::time_point end = LastMoment(stream->Deadline());
  // While it ponders no clock runs that would bound it.
  if (ponder) end = std::min(end, system_clock::now() + options_.max_search_time);
  task->CallAt(end, [this, task] { scheduler_.Stop(task, StopCause::kDeadline); });
  scheduler_.Submit(task);
  return task;
}

void Analyses::PonderHit(const std::shared_ptr<AnalyzeTask>& task) {
  task->PonderHit();
  scheduler_.Recheck(task);
}

}  // namespace kibitz::server
