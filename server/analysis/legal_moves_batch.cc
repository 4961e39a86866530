#include "server/analysis/legal_moves_batch.h"

#include <chrono>
#include <utility>

#include "server/conversion/batch.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

using std::chrono::steady_clock;

// A reader that keeps up leaves room for longer than that.
constexpr std::chrono::milliseconds kTurn{3};

}  // namespace

LegalMovesBatch::LegalMovesBatch(Scheduler& scheduler, TenantPointer tenant, v1::LegalMovesBatchRequest request,
                                 std::shared_ptr<Stream> stream)
    : scheduler_(scheduler), tenant_(std::move(tenant)), request_(std::move(request)), stream_(std::move(stream)) {}

void LegalMovesBatch::Begin() {
  std::shared_ptr<Preparation> turn;
  {
    std::lock_guard lock(mutex_);
    if (!cancelled_) {
      turn_ = turn = std::make_shared<Preparation>(
          Priority::kInteractive, tenant_,
          Preparation::Steps{
              .on_queued = [](int /*place*/) {},
              .prepare = [self = shared_from_this()] { return self->TakeTurn(); },
              .then = [self = shared_from_this()](const absl::Status& status) { self->EndTurn(status); }});
    }
  }
  if (turn == nullptr) return stream_->Finish(StatusOf(StopCause::kCancelled));
  scheduler_.Submit(turn);
}

void LegalMovesBatch::Cancel() {
  std::shared_ptr<Preparation> turn;
  {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    turn = turn_;
  }
  if (turn != nullptr) scheduler_.Stop(turn, StopCause::kCancelled);
}

absl::Status LegalMovesBatch::TakeTurn() {
  const steady_clock::time_point end = steady_clock::now() + kTurn;
  LegalMovesWriter answers;
  const auto send = [&] {
    stream_->Send(answers.message());
    answers.Clear();
  };
  while (done_ < request_.positions_size() && stream_->HasRoom() && steady_clock::now() < end) {
    answers.Add(done_, request_.positions(done_));
    ++done_;
    if (answers.IsFull()) send();
  }
  if (!answers.IsEmpty()) send();
  return absl::OkStatus();
}

void LegalMovesBatch::EndTurn(const absl::Status& status) {
  {
    std::lock_guard lock(mutex_);
    turn_.reset();
  }
  if (!status.ok() || done_ == request_.positions_size()) return stream_->Finish(status);
  stream_->WhenRoom([self = shared_from_this()] { self->Begin(); });
}

}  // namespace kibitz::server
