#include "server/analyze_task.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

// What a Final needs to reach the client before its deadline: 2 % of the time it gave, and at least this.
constexpr milliseconds kLeastMargin{20};

Move BestMove(const Analysis& analysis) {
  return analysis.lines.empty() || analysis.lines.front().pv.empty() ? Move() : analysis.lines.front().pv.front();
}

// Hands the server's word to stop on to the search.
class StopPoller final : public SearchHost {
 public:
  StopPoller(const StopSignal& signal, AnalysisTask& analysis) : signal_(signal), analysis_(analysis) { Checkpoint(); }
  void Checkpoint() override {
    if (signal_.flag().load(std::memory_order_relaxed)) analysis_.Stop();
  }

 private:
  const StopSignal& signal_;
  AnalysisTask& analysis_;
};

v1::StopReason ReasonOf(StopCause cause) {
  switch (cause) {
    case StopCause::kDeadline:
      return v1::STOP_REASON_DEADLINE;
    case StopCause::kShutdown:
      return v1::STOP_REASON_SHUTDOWN;
    default:
      return v1::STOP_REASON_CANCELLED;
  }
}

}  // namespace

AnalyzeTask::AnalyzeTask(Engine& engine, AnalyzeOrder order, std::shared_ptr<Stream> stream, CompletionLoop& loop)
    : Task(/*threads=*/1),
      engine_(engine),
      order_(std::move(order)),
      stream_(std::move(stream)),
      loop_(loop),
      pacer_(order_.min_update_interval) {}

void AnalyzeTask::OnDeadlineNear(std::function<void()> callback) {
  const system_clock::time_point deadline = stream_->Deadline();
  if (deadline == system_clock::time_point::max()) return;
  const auto margin = std::max<system_clock::duration>(kLeastMargin, (deadline - system_clock::now()) / 50);
  deadline_timer_ = Timer::Start(loop_, deadline - margin, std::move(callback));
}

void AnalyzeTask::OnQueued(int place) { stream_->Send(QueuedToWire(place)); }

void AnalyzeTask::Run(int /*threads*/) {
  AnalysisTask analysis(engine_, order_.request);
  StopPoller host(stop_signal(), analysis);
  SearchMemory memory;
  const AnalysisResult result = analysis.Run(memory, host, [this](const Analysis& update) { OnUpdate(update); });
  StopTimers();
  const v1::StopReason reason =
      result.stop_reason == StopReason::kStopped ? ReasonOf(stop_signal().cause()) : ToWire(result.stop_reason);
  stream_->Send(FinalToWire(order_.request.position, result.analysis, reason));
  stream_->Finish(grpc::Status::OK);
}

void AnalyzeTask::Drop(const absl::Status& why) {
  StopTimers();
  stream_->Finish(ToGrpcStatus(why));
}

void AnalyzeTask::OnUpdate(const Analysis& analysis) {
  std::lock_guard lock(mutex_);
  held_ = analysis;
  pacer_.Offer(BestMove(analysis), steady_clock::now());
  SendWhenDue();
}

void AnalyzeTask::SendWhenDue() {
  const UpdatePacer::Time now = steady_clock::now();
  if (pacer_.due() <= now) {
    stream_->SendLatest(UpdateToWire(order_.request.position, *held_));
    pacer_.Sent(BestMove(*held_), now);
    held_.reset();
  } else if (update_timer_ == nullptr || pacer_.due() < update_timer_due_) {
    if (update_timer_ != nullptr) update_timer_->Cancel();
    update_timer_due_ = pacer_.due();
    update_timer_ =
        Timer::Start(loop_, system_clock::now() + (pacer_.due() - now),
                     [self = shared_from_this(), number = ++update_timer_number_] { self->OnUpdateTimer(number); });
  }
}

void AnalyzeTask::OnUpdateTimer(int number) {
  std::lock_guard lock(mutex_);
  if (number != update_timer_number_) return;
  update_timer_.reset();
  if (held_.has_value()) SendWhenDue();
}

void AnalyzeTask::StopTimers() {
  std::lock_guard lock(mutex_);
  held_.reset();
  if (update_timer_ != nullptr) update_timer_->Cancel();
  if (deadline_timer_ != nullptr) deadline_timer_->Cancel();
}

}  // namespace kibitz::server
