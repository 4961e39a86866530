#include "server/perft_task.h"

#include <chrono>
#include <utility>

#include "engine/board/perft.h"
#include "server/grpc_status.h"

namespace kibitz::server {

PerftTask::PerftTask(PerftOrder order, std::shared_ptr<Stream> stream, MemoryBudget::Lease hash_lease)
    : Task(order.threads), order_(std::move(order)), stream_(std::move(stream)), hash_lease_(std::move(hash_lease)) {}

void PerftTask::Run(int threads) {
  const auto start = std::chrono::steady_clock::now();
  const PerftOptions options{
      .threads = threads,
      .hash_mb = static_cast<std::size_t>(order_.hash_mb),
      .stop = &stop_signal().flag(),
      // There are at most 218 root moves, so the stream may keep them all for a slow reader.
      .on_root_move = [&](Move move,
                          std::uint64_t nodes) { stream_->Send(DivideToWire(order_.position, move, nodes)); },
  };
  const absl::StatusOr<std::uint64_t> nodes = Perft(order_.position, order_.depth, options);
  if (nodes.ok()) {
    stream_->Send(TotalToWire(*nodes, std::chrono::steady_clock::now() - start));
    Finish(absl::OkStatus());
  } else if (absl::IsCancelled(nodes.status())) {
    Finish(StatusOf(stop_signal().cause()));
  } else {
    Finish(Failure(nodes.status().code(), "COUNT_TOO_LARGE", nodes.status().message()));
  }
}

void PerftTask::Drop(const absl::Status& why) { Finish(why); }

void PerftTask::Finish(const absl::Status& status) {
  hash_lease_.reset();
  stream_->Finish(ToGrpcStatus(status));
}

}  // namespace kibitz::server
