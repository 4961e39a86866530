#include "server/analyze_session.h"

#include <chrono>
#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "server/grpc_status.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

// What a client may say ahead of what is done.
constexpr std::size_t kMaxWaiting = 64;
constexpr absl::Duration kRetryDelay = absl::Seconds(1);

v1::AnalyzeSessionRequest StopCommand() {
  v1::AnalyzeSessionRequest stop;
  stop.mutable_stop();
  return stop;
}

v1::AnalyzeSessionResponse RefusedToWire(const absl::Status& why) {
  v1::AnalyzeSessionResponse response;
  const auto [field, description] = FaultOf(why);
  auto* refused = response.mutable_refused();
  refused->set_code(static_cast<int>(why.code()));
  refused->set_reason(ReasonOf(why));
  refused->set_field(field);
  refused->set_description(description);
  return response;
}

}  // namespace

// The stream of one Go within that of its session.
class AnalyzeSession::GoStream final : public AnalyzeTask::Stream {
 public:
  GoStream(std::shared_ptr<AnalyzeSession> session, std::int64_t go) : session_(std::move(session)), go_(go) {}

  void Send(v1::AnalyzeResponse response) override { stream().Send(Wrap(std::move(response))); }
  void SendLatest(v1::AnalyzeResponse response) override { stream().SendLatest(Wrap(std::move(response))); }
  void Finish(const absl::Status& status) override {
    if (!status.ok()) {
      v1::AnalyzeSessionResponse refused = RefusedToWire(status);
      refused.set_go(go_);
      stream().Send(std::move(refused));
    }
    session_->OnSearchEnd();
  }
  // The session hears of it and stops its search.
  void OnCancel(std::function<void()> /*callback*/) override {}
  std::chrono::system_clock::time_point Deadline() const override { return session_->stream_->Deadline(); }

 private:
  AnalyzeSession::Stream& stream() { return *session_->stream_; }
  v1::AnalyzeSessionResponse Wrap(v1::AnalyzeResponse analysis) const {
    v1::AnalyzeSessionResponse response;
    response.set_go(go_);
    *response.mutable_analysis() = std::move(analysis);
    return response;
  }

  const std::shared_ptr<AnalyzeSession> session_;
  const std::int64_t go_;
};

AnalyzeSession::AnalyzeSession(Analyses& analyses, std::shared_ptr<Stream> stream, CompletionLoop& loop)
    : analyses_(analyses),
      stream_(std::move(stream)),
      loop_(loop),
      game_(std::make_shared<GameMemory>(analyses.options().workers)) {}

bool AnalyzeSession::OnRequest(const v1::AnalyzeSessionRequest& request) {
  {
    std::lock_guard lock(mutex_);
    if (end_.has_value()) return false;
    if (request.command_case() == v1::AnalyzeSessionRequest::COMMAND_NOT_SET) {
      end_ = InvalidField("command", "MISSING_FIELD", "is not set, or to something that this server does not know");
    } else if (waiting_.size() >= kMaxWaiting) {
      end_ = Exhausted("TOO_MANY_COMMANDS", "the client says more than can be done", kRetryDelay);
    } else {
      waiting_.push_back(request);
    }
    // Nobody waits for the answers of a session that ends in an error.
    if (end_.has_value()) waiting_.assign(1, StopCommand());
  }
  Continue();
  return true;
}

void AnalyzeSession::OnRequestsEnd() {
  {
    std::lock_guard lock(mutex_);
    if (!end_.has_value()) end_ = absl::OkStatus();
  }
  Continue();
}

void AnalyzeSession::OnCancel() {
  {
    std::lock_guard lock(mutex_);
    end_ = StatusOf(StopCause::kCancelled);
    waiting_.assign(1, StopCommand());
  }
  Continue();
}

void AnalyzeSession::Shutdown() {
  {
    std::lock_guard lock(mutex_);
    end_ = StatusOf(StopCause::kShutdown);
    waiting_.clear();
  }
  Continue();
}

void AnalyzeSession::OnSearchEnd() {
  {
    std::lock_guard lock(mutex_);
    searching_ = false;
    search_.reset();
  }
  Continue();
}

void AnalyzeSession::Continue() {
  std::unique_lock lock(mutex_);
  // What begins here may end here; the thread that is in the loop already sees it.
  if (continuing_) return;
  continuing_ = true;
  while (!waiting_.empty()) {
    const std::shared_ptr<AnalyzeTask> search = search_;
    if (searching_ && !waiting_.front().has_ponder_hit()) {
      lock.unlock();
      analyses_.Stop(search);
      lock.lock();
      // When it has ended what waits is looked at again.
      if (searching_) break;
    }
    const v1::AnalyzeSessionRequest command = std::move(waiting_.front());
    waiting_.pop_front();
    if (command.has_go()) Begin(command.go(), lock);
    if (command.has_ponder_hit() && search != nullptr) {
      lock.unlock();
      analyses_.PonderHit(search);
      lock.lock();
    }
    if (command.has_new_game()) game_->Clear();
  }
  continuing_ = false;
  if (!end_.has_value() || searching_ || finished_) return;
  finished_ = true;
  stream_->Finish(*end_);
}

void AnalyzeSession::Begin(const v1::AnalyzeSessionRequest::Go& go, std::unique_lock<std::mutex>& lock) {
  searching_ = true;
  const auto stream = std::make_shared<GoStream>(shared_from_this(), ++gos_);
  lock.unlock();
  std::shared_ptr<AnalyzeTask> search = analyses_.Begin(go.request(), go.ponder(), stream, game_, loop_);
  lock.lock();
  // It may be over by now.
  if (searching_) search_ = std::move(search);
}

}  // namespace kibitz::server
