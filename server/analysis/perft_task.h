// One Perft call: a count that streams its divide entries.

#ifndef KIBITZ_SERVER_ANALYSIS_PERFT_TASK_H_
#define KIBITZ_SERVER_ANALYSIS_PERFT_TASK_H_

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/board/perft.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/perft.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/quota/node_quotas.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/task.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// Batch work: nobody watches a count move by move, and analyses go first.
class PerftTask final : public Task {
 public:
  using Stream = ResponseStream<v1::PerftResponse>;

  // `hash_lease` is the task's part of the hash budget; it is given back before the stream ends. `meter` counts what it
  // does against a quota, if there is one; what it counted goes to the tenant's page.
  PerftTask(PerftSpec spec, TenantPointer tenant, std::shared_ptr<Stream> stream, MemoryBudget::Lease hash_lease,
            std::shared_ptr<NodeMeter> meter, LedgerPage& page);

  // Called once when the count begins, and once when it is over or will not begin. Set before it is submitted.
  void set_on_begin(std::function<void()> on_begin) { on_begin_ = std::move(on_begin); }
  void set_on_end(std::function<void()> on_end) { on_end_ = std::move(on_end); }

  void Run(RunPermit& permit) override { Work(permit); }
  void Help(int helper, RunPermit& permit) override;
  bool OutlivesRun() const override { return true; }
  void End() override;
  void Drop(const absl::Status& why) override { Finish(why); }

 private:
  // Made by the first worker that comes: its table may be large.
  PerftCount& Count();
  void Work(RunPermit& permit);
  void OnRootMove(Move move, std::uint64_t nodes);
  // A worker has counted for so long. What it counted is known only at the end, and with a hash table it is more than
  // was done: so it is charged what a search does in that time.
  void Charge(std::chrono::nanoseconds worked);
  absl::Status WhyStopped();
  void Finish(const absl::Status& status);

  const PerftSpec spec_;
  const std::shared_ptr<Stream> stream_;
  LedgerPage& page_;
  const PerftOptions options_;
  std::function<void()> on_begin_;
  std::function<void()> on_end_;
  MemoryBudget::Lease hash_lease_;
  const std::shared_ptr<NodeMeter> meter_;
  std::mutex mutex_;  // guards what follows until all workers have left
  std::chrono::steady_clock::time_point start_;
  std::optional<PerftCount> count_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_PERFT_TASK_H_
