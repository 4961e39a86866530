#include "server/perft_task.h"

#include <utility>

#include "server/grpc_status.h"

namespace kibitz::server {

PerftTask::PerftTask(PerftOrder order, std::shared_ptr<Stream> stream, MemoryBudget::Lease hash_lease)
    : Task(order.threads, Priority::kInteractive),
      order_(std::move(order)),
      stream_(std::move(stream)),
      options_{
          .hash_mb = static_cast<std::size_t>(order_.hash_mb),
          .stop = &stop_signal().flag(),
          // There are at most 218 root moves, so the stream may keep them all for a slow reader.
          .on_root_move = [this](Move move,
                                 std::uint64_t nodes) { stream_->Send(DivideToWire(order_.position, move, nodes)); },
      },
      hash_lease_(std::move(hash_lease)) {}

PerftCount& PerftTask::Count() {
  std::lock_guard lock(mutex_);
  if (!count_.has_value()) {
    start_ = std::chrono::steady_clock::now();
    count_.emplace(order_.position, order_.depth, options_);
  }
  return *count_;
}

void PerftTask::Work(RunPermit& permit) {
  // A count has no end in time: it waits for its permit as long as it takes.
  Count().Work([&permit] { permit.Checkpoint([] { return RunPermit::Time::max(); }); });
}

void PerftTask::Help(int /*helper*/, RunPermit& permit) { Work(permit); }

void PerftTask::End() {
  const absl::StatusOr<std::uint64_t> nodes = count_->Result();
  if (nodes.ok()) {
    stream_->Send(TotalToWire(*nodes, std::chrono::steady_clock::now() - start_));
    Finish(absl::OkStatus());
  } else if (absl::IsCancelled(nodes.status())) {
    Finish(StatusOf(stop_signal().cause()));
  } else {
    Finish(Failure(nodes.status().code(), "COUNT_TOO_LARGE", nodes.status().message()));
  }
}

void PerftTask::Finish(const absl::Status& status) {
  count_.reset();
  hash_lease_.reset();
  stream_->Finish(status);
}

}  // namespace kibitz::server
