// One Perft call: a count that streams its divide entries.

#ifndef KIBITZ_SERVER_PERFT_TASK_H_
#define KIBITZ_SERVER_PERFT_TASK_H_

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/board/perft.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/memory_budget.h"
#include "server/proto_conversion.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/task.h"

namespace kibitz::server {

class PerftTask final : public Task {
 public:
  using Stream = ResponseStream<v1::PerftResponse>;

  // `hash_lease` is the task's part of the hash budget; it is given back before the stream ends.
  PerftTask(PerftOrder order, std::shared_ptr<Stream> stream, MemoryBudget::Lease hash_lease);

  void Run(RunPermit& permit) override { Work(permit); }
  void Help(int helper, RunPermit& permit) override;
  bool OutlivesRun() const override { return true; }
  void End() override;
  void Drop(const absl::Status& why) override { Finish(why); }

 private:
  // Made by the first worker that comes: its table may be large.
  PerftCount& Count();
  void Work(RunPermit& permit);
  void Finish(const absl::Status& status);

  const PerftOrder order_;
  const std::shared_ptr<Stream> stream_;
  const PerftOptions options_;
  MemoryBudget::Lease hash_lease_;
  std::mutex mutex_;  // guards what follows until all workers have left
  std::chrono::steady_clock::time_point start_;
  std::optional<PerftCount> count_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_PERFT_TASK_H_
