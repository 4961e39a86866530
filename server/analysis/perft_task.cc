#include "server/analysis/perft_task.h"

#include <utility>

#include "server/errors/errors.h"

namespace kibitz::server {

PerftTask::PerftTask(PerftSpec spec, TenantPointer tenant, std::shared_ptr<Stream> stream,
                     MemoryBudget::Lease hash_lease)
    : Task(spec.threads, Priority::kBatch, std::move(tenant)),
      spec_(std::move(spec)),
      stream_(std::move(stream)),
      options_{
          .hash_mb = static_cast<std::size_t>(spec_.hash_mb),
          .max_nodes = spec_.max_nodes,
          .stop = &stop_signal().flag(),
          // There are at most 218 root moves, so the stream may keep them all for a slow reader.
          .on_root_move = [this](Move move,
                                 std::uint64_t nodes) { stream_->Send(DivideToWire(spec_.position, move, nodes)); },
      },
      hash_lease_(std::move(hash_lease)) {}

PerftCount& PerftTask::Count() {
  std::lock_guard lock(mutex_);
  if (!count_.has_value()) {
    start_ = std::chrono::steady_clock::now();
    count_.emplace(spec_.position, spec_.depth, options_);
    if (on_begin_) on_begin_();
  }
  return *count_;
}

void PerftTask::Work(RunPermit& permit) {
  // It waits for its permit as long as it takes: who stops it exempts it too.
  Count().Work([&permit] { permit.Checkpoint([] { return RunPermit::Time::max(); }); });
}

void PerftTask::Help(int /*helper*/, RunPermit& permit) { Work(permit); }

void PerftTask::End() {
  const absl::StatusOr<std::uint64_t> nodes = count_->Result();
  if (nodes.ok()) {
    stream_->Send(TotalToWire(*nodes, std::chrono::steady_clock::now() - start_));
    Finish(absl::OkStatus());
  } else if (absl::IsCancelled(nodes.status())) {
    Finish(stop_signal().cause() == StopCause::kTimeCap
               ? Failure(absl::StatusCode::kDeadlineExceeded, "PERFT_TIME_CAP",
                         "the count takes longer than this server allows: count less deep, or with a hash table")
               : StatusOf(stop_signal().cause()));
  } else if (absl::IsResourceExhausted(nodes.status())) {
    Finish(Failure(nodes.status().code(), "PERFT_NODE_CAP", nodes.status().message()));
  } else {
    Finish(Failure(nodes.status().code(), "COUNT_TOO_LARGE", nodes.status().message()));
  }
}

void PerftTask::Finish(const absl::Status& status) {
  if (on_end_) on_end_();
  count_.reset();
  hash_lease_.reset();
  stream_->Finish(status);
}

}  // namespace kibitz::server
