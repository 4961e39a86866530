#include "server/analysis/perft_task.h"

#include <utility>

#include "server/errors/errors.h"

namespace kibitz::server {

PerftTask::PerftTask(PerftSpec spec, TenantPointer tenant, std::shared_ptr<Stream> stream,
                     MemoryBudget::Lease hash_lease, std::shared_ptr<NodeMeter> meter, LedgerPage& page)
    : Task(spec.threads, Priority::kBatch, std::move(tenant)),
      spec_(std::move(spec)),
      stream_(std::move(stream)),
      page_(page),
      options_{
          .hash_mb = static_cast<std::size_t>(spec_.hash_mb),
          .max_nodes = spec_.max_nodes,
          .stop = &stop_signal().flag(),
          // There are at most 218 root moves, so the stream may keep them all for a slow reader.
          .on_root_move = [this](Move move, std::uint64_t nodes) { OnRootMove(move, nodes); },
      },
      hash_lease_(std::move(hash_lease)),
      meter_(std::move(meter)) {
  page_.CountPerft();
  stream_->work().CountTask();
  stream_->work().SetPosition(spec_.position.key());
}

void PerftTask::OnRootMove(Move move, std::uint64_t nodes) {
  page_.CountPerftNodes(static_cast<std::int64_t>(nodes));
  stream_->Send(DivideToWire(spec_.position, move, nodes));
}

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
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  Count().Work([&] {
    if (meter_ != nullptr) Charge(std::chrono::steady_clock::now() - since);
    // It waits for its permit as long as it takes: who stops it exempts it too.
    permit.Checkpoint([] { return RunPermit::Time::max(); });
    if (meter_ != nullptr) since = std::chrono::steady_clock::now();
  });
}

void PerftTask::Charge(std::chrono::nanoseconds worked) {
  constexpr std::int64_t kNodesPerMicrosecond = 1;
  const std::int64_t nodes =
      kNodesPerMicrosecond * std::chrono::duration_cast<std::chrono::microseconds>(worked).count();
  if (!meter_->Charge(nodes)) stop_signal().Stop(StopCause::kQuota);
}

absl::Status PerftTask::WhyStopped() {
  switch (stop_signal().cause()) {
    case StopCause::kTimeCap:
      return Failure(absl::StatusCode::kDeadlineExceeded, "PERFT_TIME_CAP",
                     "the count takes longer than this server allows: count less deep, or with a hash table");
    case StopCause::kQuota:
      return meter_->Refusal();
    default:
      return StatusOf(stop_signal().cause());
  }
}

void PerftTask::Help(int /*helper*/, RunPermit& permit) { Work(permit); }

void PerftTask::End() {
  const absl::StatusOr<std::uint64_t> nodes = count_->Result();
  if (nodes.ok()) {
    stream_->work().CountEnd(static_cast<std::int64_t>(*nodes), "DEPTH");
    stream_->Send(TotalToWire(*nodes, std::chrono::steady_clock::now() - start_));
    Finish(absl::OkStatus());
  } else if (absl::IsCancelled(nodes.status())) {
    Finish(WhyStopped());
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
