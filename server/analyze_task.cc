#include "server/analyze_task.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kibitz::server {
namespace {

using std::chrono::steady_clock;
using std::chrono::system_clock;

Move BestMove(const Analysis& analysis) {
  return analysis.lines.empty() || analysis.lines.front().pv.empty() ? Move() : analysis.lines.front().pv.front();
}

// Takes its turn among the workers, and hands the server's word to stop on to the search.
class SearchTurn final : public SearchHost {
 public:
  SearchTurn(RunPermit& permit, const StopSignal& signal, Search& search)
      : permit_(permit), signal_(signal), search_(search) {
    HearStop();
  }
  void Checkpoint() override {
    permit_.Checkpoint([&] { return search_.TimeUp(); });
    HearStop();
  }

 private:
  void HearStop() {
    if (signal_.flag().load(std::memory_order_relaxed)) search_.Stop();
  }

  RunPermit& permit_;
  const StopSignal& signal_;
  Search& search_;
};

// This thread's memory for searches that have none of their own, with nothing in it.
SearchMemory& FreshMemory() {
  thread_local SearchMemory memory;
  memory.Clear();
  return memory;
}

v1::StopReason StopReasonOf(StopCause cause) {
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

AnalyzeTask::AnalyzeTask(Engine& engine, AnalyzeOrder order, std::shared_ptr<Stream> stream, CompletionLoop& loop,
                         Loans loans)
    : Task(order.threads, order.priority),
      engine_(engine),
      order_(std::move(order)),
      stream_(std::move(stream)),
      loop_(loop),
      loans_(std::move(loans)),
      pacer_(order_.min_update_interval) {}

void AnalyzeTask::CallAt(system_clock::time_point time, std::function<void()> callback) {
  if (time == system_clock::time_point::max()) return;
  end_timer_ = Timer::Start(loop_, time, std::move(callback));
}

void AnalyzeTask::PonderHit() {
  std::lock_guard lock(mutex_);
  ponder_hit_ = true;
  if (search_.has_value()) search_->PonderHit();
}

void AnalyzeTask::OnQueued(int place) { stream_->Send(QueuedToWire(place)); }

Search& AnalyzeTask::TheSearch() {
  std::lock_guard lock(mutex_);
  if (!search_.has_value()) {
    search_.emplace(engine_, order_.request);
    if (ponder_hit_) search_->PonderHit();
  }
  return *search_;
}

SearchMemory& AnalyzeTask::MemoryOf(int worker_number) {
  return loans_.game != nullptr ? loans_.game->Of(worker_number) : FreshMemory();
}

void AnalyzeTask::Run(RunPermit& permit) {
  Search& search = TheSearch();
  SearchTurn host(permit, stop_signal(), search);
  const AnalysisResult result = search.Run(MemoryOf(0), host, [this](const Analysis& update) { OnUpdate(update); });
  StopTimers();
  const v1::StopReason reason =
      result.stop_reason == StopReason::kStopped ? StopReasonOf(stop_signal().cause()) : ToWire(result.stop_reason);
  stream_->Send(FinalToWire(order_, result.analysis, reason));
}

void AnalyzeTask::Help(int helper, RunPermit& permit) {
  Search& search = TheSearch();
  SearchTurn host(permit, stop_signal(), search);
  search.Help(helper, MemoryOf(helper), host);
}

void AnalyzeTask::End() {
  {
    std::lock_guard lock(mutex_);
    search_.reset();
  }
  stream_->Finish(absl::OkStatus());
}

void AnalyzeTask::Drop(const absl::Status& why) {
  StopTimers();
  stream_->Finish(why);
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
    stream_->SendLatest(UpdateToWire(order_, *held_));
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
  if (end_timer_ != nullptr) end_timer_->Cancel();
}

}  // namespace kibitz::server
