#include "server/analysis/session.h"

#include <mutex>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "server/conversion/refusal.h"
#include "server/errors/errors.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

// What a client may say ahead of what is done.
constexpr std::size_t kMaxWaiting = 64;
constexpr absl::Duration kRetryDelay = absl::Seconds(1);

// Whether the search has done what it was asked to, and was not stopped by anybody.
bool EndsOfItself(const v1::AnalyzeResponse::Final& final) {
  switch (final.stop_reason()) {
    case v1::STOP_REASON_CANCELLED:
    case v1::STOP_REASON_DEADLINE:
    case v1::STOP_REASON_SHUTDOWN:
    case v1::STOP_REASON_QUOTA:
      return false;
    default:
      return true;
  }
}

}  // namespace

// The stream of one Go within that of its session. While it ponders it keeps the end of a search that has come to its
// limits.
class Session::GoStream final : public AnalysisTask::Stream {
 public:
  GoStream(std::shared_ptr<Session> session, std::int64_t go, bool ponder)
      : session_(std::move(session)), go_(go), pondering_(ponder) {}

  // It does not ponder any more: what was kept is said.
  void EndPondering() {
    std::optional<v1::AnalyzeResponse> final;
    std::optional<absl::Status> end;
    {
      std::lock_guard lock(mutex_);
      pondering_ = false;
      final = std::exchange(final_, std::nullopt);
      end = std::exchange(end_, std::nullopt);
    }
    if (final.has_value()) Send(*final);
    if (end.has_value()) Finish(*end);
  }

  void Send(const v1::AnalyzeResponse& response) override {
    if (response.has_final() && KeepFinal(response)) return;
    session_->stream_->Send(Wrap(response));
  }
  void SendLatest(const v1::AnalyzeResponse& response) override { session_->stream_->SendLatest(Wrap(response)); }
  void Finish(const absl::Status& status) override {
    if (KeepEnd(status)) return;
    if (!status.ok()) {
      session_->analyzer_.CountRefusal(*session_->caller_.tenant, status);
      v1::AnalyzeSessionResponse response;
      response.set_go(go_);
      *response.mutable_refused() = RefusedToWire(status);
      session_->stream_->Send(response);
    }
    session_->mailbox_.Post(SearchEnded());
  }

  CallWork& work() override { return session_->stream_->work(); }

 private:
  v1::AnalyzeSessionResponse Wrap(const v1::AnalyzeResponse& analysis) const {
    v1::AnalyzeSessionResponse response;
    response.set_go(go_);
    *response.mutable_analysis() = analysis;
    return response;
  }

  // Whether the Final of a search is kept, and then the end after it.
  bool KeepFinal(const v1::AnalyzeResponse& response) {
    std::lock_guard lock(mutex_);
    if (!pondering_ || !EndsOfItself(response.final())) return false;
    final_ = response;
    return true;
  }
  bool KeepEnd(const absl::Status& status) {
    std::lock_guard lock(mutex_);
    if (!final_.has_value()) return false;
    end_ = status;
    return true;
  }

  const std::shared_ptr<Session> session_;
  const std::int64_t go_;
  std::mutex mutex_;  // guards what follows
  bool pondering_;
  std::optional<v1::AnalyzeResponse> final_;
  std::optional<absl::Status> end_;
};

Session::Session(Analyzer& analyzer, const Analyzer::Caller& caller, std::shared_ptr<Stream> stream)
    : analyzer_(analyzer),
      stream_(std::move(stream)),
      caller_{.deadline = caller.deadline, .tenant = caller.tenant, .game = analyzer.memories().NewGame()},
      mailbox_([this](const Event& event) { Handle(event); }) {}

Session::~Session() { analyzer_.memories().Forget(caller_.game); }

bool Session::OnRequest(const v1::AnalyzeSessionRequest& request) {
  mailbox_.Post(request);
  return !ending_;
}

void Session::OnRequestsEnd(const absl::Status& why) {
  mailbox_.Post(Ending{.why = why, .stops_search = !why.ok(), .drops_waiting = !why.ok()});
}

void Session::OnShutdown() {
  mailbox_.Post(Ending{.why = StatusOf(StopCause::kShutdown), .stops_search = false, .drops_waiting = true});
}

void Session::OnCancel() {
  mailbox_.Post(Ending{.why = StatusOf(StopCause::kCancelled), .stops_search = true, .drops_waiting = true});
}

void Session::Handle(const Event& event) {
  // What handles events may let go of the session.
  const std::shared_ptr<Session> self = shared_from_this();
  if (const auto* command = std::get_if<Command>(&event)) {
    HandleCommand(*command);
  } else if (const auto* ending = std::get_if<Ending>(&event)) {
    HandleEnding(*ending);
  } else {
    state_ = State::kIdle;
    search_.reset();
    search_stream_.reset();
  }
  Continue();
}

void Session::HandleCommand(const Command& command) {
  if (end_.has_value()) return;
  if (command.command_case() == Command::COMMAND_NOT_SET) {
    const absl::Status why =
        InvalidField("command", "MISSING_FIELD", "is not set, or to something that this server does not know");
    return HandleEnding({.why = why, .stops_search = true, .drops_waiting = true});
  }
  if (waiting_.size() >= kMaxWaiting) {
    const absl::Status why = Exhausted("TOO_MANY_COMMANDS", "the client says more than can be done", kRetryDelay);
    return HandleEnding({.why = why, .stops_search = true, .drops_waiting = true});
  }
  waiting_.push_back(command);
}

void Session::HandleEnding(const Ending& ending) {
  ending_ = true;
  // The client's last word ends the session in good order; a reason not to goes before it, but not before another.
  if (!end_.has_value() || end_->ok()) end_ = ending.why;
  if (ending.drops_waiting) waiting_.clear();
  if (ending.stops_search) StopSearch();
  // Nobody can say any more that the move was played.
  if (search_stream_ != nullptr) search_stream_->EndPondering();
}

void Session::StopSearch() {
  // One that was refused at once is over already, which the next event tells.
  if (state_ != State::kSearching || search_ == nullptr) return;
  state_ = State::kStopping;
  analyzer_.Stop(search_);
  search_stream_->EndPondering();
}

void Session::Continue() {
  while (!waiting_.empty() && state_ != State::kFinished) {
    if (state_ != State::kIdle && !waiting_.front().has_ponder_hit()) {
      // Its end brings us back here.
      StopSearch();
      return;
    }
    const Command command = std::move(waiting_.front());
    waiting_.pop_front();
    Do(command);
  }
  if (!end_.has_value() || state_ != State::kIdle) return;
  state_ = State::kFinished;
  stream_->Finish(*end_);
}

void Session::Do(const Command& command) {
  if (command.has_go()) Begin(command.go());
  if (command.has_ponder_hit() && search_ != nullptr) {
    analyzer_.PonderHit(search_);
    search_stream_->EndPondering();
  }
  if (command.has_new_game()) analyzer_.memories().Forget(caller_.game);
}

void Session::Begin(const v1::AnalyzeSessionRequest::Go& go) {
  state_ = State::kSearching;
  search_stream_ = std::make_shared<GoStream>(shared_from_this(), ++gos_, go.ponder());
  search_ = analyzer_.Begin(go.request(), go.ponder(), caller_, search_stream_);
}

}  // namespace kibitz::server
