#include "server/analysis/analysis_task.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "absl/time/time.h"
#include "server/conversion/position.h"
#include "server/conversion/stored_result.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using std::chrono::steady_clock;

constexpr absl::Duration kMemoryRetryDelay = absl::Seconds(5);

Move BestMove(const Analysis& analysis) {
  return analysis.lines.empty() || analysis.lines.front().pv.empty() ? Move() : analysis.lines.front().pv.front();
}

// Shares the processor by the worker's permit, counts what the worker does, also against the quota of its tenant, and
// hands the server's word to stop on to the search.
class PermittedHost final : public SearchHost {
 public:
  using CountNodes = std::function<void(std::int64_t nodes)>;

  // `meter` is nullptr where there is no quota.
  PermittedHost(RunPermit& permit, StopSignal& signal, Search& search, CountNodes count_nodes, NodeMeter* meter)
      : permit_(permit), signal_(signal), search_(search), count_nodes_(std::move(count_nodes)), meter_(meter) {
    PassStopOn();
  }
  void Checkpoint() override {
    count_nodes_(kCheckpointNodes);
    if (meter_ != nullptr) Charge();
    permit_.Checkpoint([this] { return search_.TimeUp(); });
    PassStopOn();
  }

 private:
  // All workers of a tenant meet where their nodes are counted: not at every checkpoint.
  static constexpr int kCheckpointsPerCharge = 16;

  // What it really searched is known at the end.
  void Charge() {
    if (++checkpoints_ % kCheckpointsPerCharge != 0) return;
    if (!meter_->Charge(kCheckpointNodes * kCheckpointsPerCharge)) signal_.Stop(StopCause::kQuota);
  }
  void PassStopOn() {
    if (signal_.flag().load(std::memory_order_relaxed)) search_.Stop();
  }

  RunPermit& permit_;
  StopSignal& signal_;
  Search& search_;
  const CountNodes count_nodes_;
  NodeMeter* const meter_;
  int checkpoints_ = 0;
};

v1::StopReason StopReasonOf(StopCause cause) {
  switch (cause) {
    case StopCause::kDeadline:
      return v1::STOP_REASON_DEADLINE;
    case StopCause::kShutdown:
      return v1::STOP_REASON_SHUTDOWN;
    case StopCause::kQuota:
      return v1::STOP_REASON_QUOTA;
    default:
      return v1::STOP_REASON_CANCELLED;
  }
}

}  // namespace

AnalysisTask::AnalysisTask(AnalysisSpec spec, std::shared_ptr<Stream> stream, Resources resources)
    : Task(spec.threads, spec.batch ? Priority::kBatch : Priority::kInteractive, resources.tenant),
      spec_(std::move(spec)),
      stream_(std::move(stream)),
      resources_(std::move(resources)),
      page_(resources_.ledger.PageOf(*resources_.tenant)),
      pacer_(spec_.min_update_interval) {
  page_.CountSearch();
  stream_->work().CountTask();
  stream_->work().SetPosition(spec_.request.position.key());
}

void AnalysisTask::PonderHit() {
  std::lock_guard lock(mutex_);
  ponder_hit_ = true;
  if (search_.has_value()) search_->PonderHit();
}

void AnalysisTask::OnQueued(int place) { stream_->Send(QueuedToWire(place)); }

Search& AnalysisTask::GetSearch() {
  std::lock_guard lock(mutex_);
  if (!search_.has_value()) {
    search_.emplace(resources_.engine, spec_.request);
    if (ponder_hit_) search_->PonderHit();
  }
  return *search_;
}

void AnalysisTask::CountNodes(std::int64_t nodes) {
  nodes_counted_.fetch_add(nodes, std::memory_order_relaxed);
  page_.CountSearchNodes(nodes);
}

void AnalysisTask::CountFirstUpdate() {
  if (std::exchange(told_something_, true)) return;
  const std::chrono::nanoseconds after = steady_clock::now() - begun_;
  resources_.ledger.first_updates().Add(after);
  stream_->work().SetFirstUpdate(after);
}

bool AnalysisTask::AnswerFromStore() {
  if (!spec_.cache.answer) return false;
  if (CanUseStore()) {
    const std::optional<StoredResult> stored =
        resources_.store->Find(PositionName(spec_.request.position), Wanted(spec_));
    const std::optional<v1::AnalyzeResponse> answer =
        stored.has_value() ? FinalFromStore(spec_, *stored) : std::nullopt;
    if (answer.has_value()) {
      if (resources_.meter != nullptr) resources_.meter->Settle(0);
      std::lock_guard lock(mutex_);
      CountFirstUpdate();
      stream_->work().CountEnd(0, NameOf(answer->final().stop_reason()));
      stream_->Send(*answer);
      return true;
    }
  }
  if (!spec_.cache.only) return false;
  std::lock_guard lock(mutex_);
  refused_ = Failure(absl::StatusCode::kNotFound, "NOT_STORED", "no stored result is good enough");
  return true;
}

bool AnalysisTask::CanUseStore() const {
  return resources_.store != nullptr && IsStorable(spec_.request) && spec_.request.position.HasLegalMove();
}

void AnalysisTask::BeginFromStore() {
  if (!spec_.cache.begin || !CanUseStore()) return;
  std::optional<StoredResult> stored = resources_.store->Find(PositionName(spec_.request.position), WantedResult());
  const std::optional<AnalysisLine> line = stored.has_value() ? LineFromStore(spec_, *stored) : std::nullopt;
  if (!line.has_value()) return;
  resources_.engine.Remember(spec_.request.position, *line, stored->depth);
  begun_from_ = std::move(stored);
}

void AnalysisTask::Run(RunPermit& permit) {
  if (AnswerFromStore()) {
    if (threads() > 1) stop_signal().Stop(StopCause::kCancelled);  // for its helpers
    return;
  }
  const SearchMemories::Lease memory = resources_.memories.Take(resources_.game, 0);
  if (memory == nullptr) {
    stop_signal().Stop(StopCause::kCancelled);  // for its helpers
    std::lock_guard lock(mutex_);
    refused_ = Exhausted("MEMORY_EXHAUSTED", "other searches use the memory that there is", kMemoryRetryDelay);
    return;
  }
  BeginFromStore();
  Search& search = GetSearch();
  PermittedHost host(
      permit, stop_signal(), search, [this](std::int64_t nodes) { CountNodes(nodes); }, resources_.meter.get());
  const AnalysisResult result = search.Run(*memory, host, [this](const Analysis& update) { OnUpdate(update); });
  StopUpdates();
  // What came after the last checkpoint.
  CountNodes(std::max<std::int64_t>(0, result.analysis.nodes - nodes_counted_));
  if (resources_.meter != nullptr) resources_.meter->Settle(result.analysis.nodes);
  const v1::StopReason reason =
      result.stop_reason == StopReason::kStopped ? StopReasonOf(stop_signal().cause()) : ToWire(result.stop_reason);
  {
    std::lock_guard lock(mutex_);
    CountFirstUpdate();
  }
  stream_->work().CountEnd(result.analysis.nodes, NameOf(reason));
  v1::AnalyzeResponse response = FinalToWire(spec_, result.analysis, reason);
  if (begun_from_.has_value())
    WriteProvenance(*begun_from_, v1::Provenance::SOURCE_MIXED, *response.mutable_final()->mutable_provenance());
  if (spec_.cache.keep && CanUseStore()) {
    if (const auto stored = ToStored(spec_, response.final())) {
      resources_.store->Put(PositionName(spec_.request.position), *stored);
    }
  }
  stream_->Send(response);
}

void AnalysisTask::Help(int helper, RunPermit& permit) {
  const SearchMemories::Lease memory = resources_.memories.Take(resources_.game, helper);
  // The others do without its help.
  if (memory == nullptr) return;
  Search& search = GetSearch();
  PermittedHost host(
      permit, stop_signal(), search, [this](std::int64_t nodes) { CountNodes(nodes); }, resources_.meter.get());
  search.Help(helper, *memory, host);
}

void AnalysisTask::End() {
  absl::Status status;
  {
    std::lock_guard lock(mutex_);
    search_.reset();
    status = refused_;
  }
  Finish(status);
}

void AnalysisTask::Drop(const absl::Status& why) {
  StopUpdates();
  Finish(why);
}

void AnalysisTask::Finish(const absl::Status& status) {
  if (const std::function<void()> on_end = std::exchange(on_end_, nullptr)) on_end();
  stream_->Finish(status);
}

void AnalysisTask::OnUpdate(const Analysis& analysis) {
  std::lock_guard lock(mutex_);
  held_ = analysis;
  pacer_.Offer(BestMove(analysis), steady_clock::now());
  SendWhenDue();
}

void AnalysisTask::SendWhenDue() {
  const UpdatePacer::Time now = steady_clock::now();
  if (pacer_.due() <= now) {
    CountFirstUpdate();
    stream_->SendLatest(UpdateToWire(spec_, *held_));
    pacer_.Sent(BestMove(*held_), now);
    held_.reset();
  } else if (!update_timer_set_ || pacer_.due() < update_timer_due_) {
    update_timer_.Cancel();
    update_timer_set_ = true;
    update_timer_due_ = pacer_.due();
    update_timer_ = resources_.timers.Schedule(
        pacer_.due(), [self = shared_from_this(), number = ++update_timer_number_] { self->OnUpdateTimer(number); });
  }
}

void AnalysisTask::OnUpdateTimer(int number) {
  std::lock_guard lock(mutex_);
  if (number != update_timer_number_) return;
  update_timer_set_ = false;
  if (held_.has_value()) SendWhenDue();
}

void AnalysisTask::StopUpdates() {
  std::lock_guard lock(mutex_);
  held_.reset();
  update_timer_.Cancel();
}

}  // namespace kibitz::server
