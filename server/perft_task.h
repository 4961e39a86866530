// One Perft call: a count that streams its divide entries.

#ifndef KIBITZ_SERVER_PERFT_TASK_H_
#define KIBITZ_SERVER_PERFT_TASK_H_

#include <memory>

#include "kibitz/v1/analysis.pb.h"
#include "server/memory_budget.h"
#include "server/proto_conversion.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler.h"

namespace kibitz::server {

class PerftTask final : public Task {
 public:
  using Stream = ResponseStream<v1::PerftResponse>;

  // `hash_lease` is the task's part of the hash budget; it is given back before the stream ends.
  PerftTask(PerftOrder order, std::shared_ptr<Stream> stream, MemoryBudget::Lease hash_lease);

  void Run(int threads) override;
  void Drop(const absl::Status& why) override;

 private:
  void Finish(const absl::Status& status);

  const PerftOrder order_;
  const std::shared_ptr<Stream> stream_;
  MemoryBudget::Lease hash_lease_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_PERFT_TASK_H_
