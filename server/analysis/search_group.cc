#include "server/analysis/search_group.h"

#include <algorithm>
#include <utility>

#include "absl/time/time.h"
#include "server/errors/errors.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

using std::chrono::steady_clock;

// How long a search that was postponed waits, whatever the server said.
constexpr absl::Duration kMinPause = absl::Milliseconds(20);
constexpr absl::Duration kMaxPause = absl::Seconds(5);
// After so long without a place for any of them the server has none for this group.
constexpr std::chrono::minutes kPatience{10};

// Nobody is told of updates.
constexpr int kNoUpdatesSeconds = 24 * 60 * 60;

// Whether the search was ended from outside: then so are the others, and the rest need not begin.
std::optional<absl::Status> EndOf(v1::StopReason reason) {
  switch (reason) {
    case v1::STOP_REASON_CANCELLED:
      return StatusOf(StopCause::kCancelled);
    case v1::STOP_REASON_DEADLINE:
      return StatusOf(StopCause::kDeadline);
    case v1::STOP_REASON_SHUTDOWN:
      return StatusOf(StopCause::kShutdown);
    default:
      return std::nullopt;
  }
}

bool EndsAll(absl::StatusCode code) {
  return code == absl::StatusCode::kCancelled || code == absl::StatusCode::kDeadlineExceeded ||
         code == absl::StatusCode::kUnavailable;
}

}  // namespace

// The stream of one search.
class SearchGroup::SearchStream final : public AnalysisTask::Stream {
 public:
  SearchStream(std::shared_ptr<SearchGroup> group, int index) : group_(std::move(group)), index_(index) {}

  void Send(const v1::AnalyzeResponse& response) override {
    if (response.has_queued()) group_->mailbox_.Post(Queued{response.queued().place()});
    if (response.has_final()) final_ = response.final();
  }
  void SendLatest(const v1::AnalyzeResponse& /*response*/) override {}
  void Finish(const absl::Status& status) override { group_->mailbox_.Post(Ended{index_, status, final_}); }
  CallWork& work() override { return group_->work_; }

 private:
  const std::shared_ptr<SearchGroup> group_;
  const int index_;
  std::optional<v1::AnalyzeResponse::Final> final_;
};

SearchGroup::SearchGroup(Analyzer& analyzer, TimerQueue& timers, const Analyzer::Caller& caller, CallWork& work,
                         const Plan& plan, std::shared_ptr<Owner> owner)
    : analyzer_(analyzer),
      timers_(timers),
      caller_(caller),
      work_(work),
      plan_(plan),
      mailbox_([this](const Event& event) { Handle(event); }),
      owner_(std::move(owner)) {}

void SearchGroup::Cancel() { mailbox_.Post(Ending{StatusOf(StopCause::kCancelled)}); }

void SearchGroup::Handle(const Event& event) {
  // What handles events may let go of the group.
  const std::shared_ptr<SearchGroup> self = shared_from_this();
  if (owner_ == nullptr) return;
  if (const auto* ended = std::get_if<Ended>(&event)) {
    HandleEnded(*ended);
  } else if (const auto* ending = std::get_if<Ending>(&event)) {
    HandleEnding(ending->why);
  } else if (const auto* queued = std::get_if<Queued>(&event)) {
    if (!std::exchange(told_queued_, true) && finals_ == 0) owner_->OnQueued(queued->place);
  } else {
    paused_ = false;
  }
  BeginNext();
  if (!running_.empty()) return;
  const bool all_done = next_ == plan_.searches && postponed_.empty();
  if (end_.has_value() || all_done) std::exchange(owner_, nullptr)->OnEnd(end_.value_or(absl::OkStatus()));
}

void SearchGroup::HandleEnded(const Ended& ended) {
  running_.erase(ended.index);
  if (ended.status.ok() && ended.final.has_value()) {
    ++finals_;
    last_success_ = steady_clock::now();
    owner_->OnFinal(ended.index, *ended.final);
    if (const auto why = EndOf(ended.final->stop_reason()); why && !end_) HandleEnding(*why);
    return;
  }
  if (EndsAll(ended.status.code())) return HandleEnding(ended.status);
  if (!Postpone(ended.index, ended.status)) owner_->OnRefused(ended.index, ended.status);
}

void SearchGroup::HandleEnding(const absl::Status& why) {
  if (!end_.has_value()) end_ = why;
  postponed_.clear();
  for (const auto& [index, task] : running_) {
    // The deadline and the end of the server are told to each of them.
    if (task != nullptr && absl::IsCancelled(why)) analyzer_.Stop(task);
  }
}

bool SearchGroup::Postpone(int index, const absl::Status& why) {
  const std::optional<absl::Duration> delay = RetryAfter(why);
  if (!delay.has_value() || end_.has_value()) return false;
  if (!plan_.let_in && finals_ == 0 && running_.empty() && postponed_.empty()) {
    // Not even the first was let in: the caller is to decide.
    HandleEnding(why);
    return true;
  }
  if (steady_clock::now() - last_success_ > kPatience) return false;
  postponed_.push_back(index);
  Pause(std::clamp(*delay, kMinPause, kMaxPause));
  return true;
}

void SearchGroup::Pause(absl::Duration time) {
  if (std::exchange(paused_, true)) return;
  timers_.Schedule(TimerQueue::Clock::now() + absl::ToChronoNanoseconds(time),
                   [self = shared_from_this()] { self->mailbox_.Post(Continue()); });
}

void SearchGroup::BeginNext() {
  while (!end_.has_value() && !paused_ && static_cast<int>(running_.size()) < plan_.width) {
    // Results that are stored come faster than many a client reads.
    if (!owner_->HasRoom()) return Pause(kMinPause);
    int index;
    if (!postponed_.empty()) {
      index = postponed_.front();
      postponed_.pop_front();
    } else if (next_ < plan_.searches) {
      index = next_++;
    } else {
      return;
    }
    v1::AnalyzeRequest request = owner_->RequestOf(index);
    request.mutable_min_update_interval()->set_seconds(kNoUpdatesSeconds);
    running_[index] = nullptr;
    // One that is refused at once is over already, which the next event tells.
    running_[index] =
        analyzer_.Begin(request, /*ponder=*/false, caller_, std::make_shared<SearchStream>(shared_from_this(), index));
  }
}

}  // namespace kibitz::server
