#include "server/analysis/perft_counter.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/conversion/perft.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kHashRetryDelay = absl::Seconds(5);

}  // namespace

std::shared_ptr<PerftTask> PerftCounter::Begin(const v1::PerftRequest& request, TenantPointer tenant,
                                               std::shared_ptr<Stream> stream) {
  const RequestCaps caps = CapsWithin(caps_, tenant->quota);
  absl::StatusOr<PerftSpec> spec = ParsePerft(request, caps);
  if (!spec.ok()) {
    stream->Finish(spec.status());
    return nullptr;
  }
  absl::StatusOr<std::shared_ptr<NodeMeter>> meter = quotas_.Begin(*tenant);
  if (!meter.ok()) {
    stream->Finish(meter.status());
    return nullptr;
  }
  MemoryBudget::Lease lease = hash_.Take(MemoryBudget::Megabytes(spec->hash_mb));
  if (lease == nullptr) {
    stream->Finish(Exhausted(
        "PERFT_HASH_EXHAUSTED",
        absl::StrCat("other counts use the memory for hash tables, ", hash_.total_bytes() >> 20, " MiB in all"),
        kHashRetryDelay));
    return nullptr;
  }
  LedgerPage& page = ledger_.PageOf(*tenant);
  const auto task = std::make_shared<PerftTask>(*std::move(spec), std::move(tenant), std::move(stream),
                                                std::move(lease), *std::move(meter), page);
  task->set_lifetime({.longest = caps.max_perft_time});
  const auto timer = std::make_shared<TimerQueue::Timer>();
  task->set_on_begin([this, timer, time = caps.max_perft_time, weak_task = std::weak_ptr<PerftTask>(task)] {
    *timer = timers_.Schedule(TimerQueue::Clock::now() + time, [this, weak_task] {
      if (const auto late = weak_task.lock()) scheduler_.Stop(late, StopCause::kTimeCap);
    });
  });
  task->set_on_end([timer] { timer->Cancel(); });
  scheduler_.Submit(task);
  return task;
}

}  // namespace kibitz::server
