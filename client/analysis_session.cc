#include "client/analysis_session.h"

#include <utility>

namespace kibitz::client {

// A completion queue rather than gRPC's callbacks, whose threads take up to a tenth of a second to wake after a pause.
AnalysisSession::AnalysisSession(v1::AnalysisService::StubInterface& stub, Peer server, const std::string& key,
                                 const CallOptions& options, SessionEvents events, const std::string& position_key)
    : server_(std::move(server)), events_(std::move(events)), call_(options, key, position_key) {
  stream_ = stub.PrepareAsyncAnalyzeSession(call_.context(), &queue_);
  stream_->StartCall(Tag(Step::kStarted));
  thread_ = std::thread([this] { Run(); });
}

AnalysisSession::~AnalysisSession() {
  call_.context()->TryCancel();
  thread_.join();
}

std::int64_t AnalysisSession::Go(const v1::AnalyzeRequest& request, bool ponder) {
  v1::AnalyzeSessionRequest command;
  *command.mutable_go()->mutable_request() = request;
  command.mutable_go()->set_ponder(ponder);
  return Send(command);
}

void AnalysisSession::Stop() {
  v1::AnalyzeSessionRequest command;
  command.mutable_stop();
  Send(command);
}

void AnalysisSession::PonderHit() {
  v1::AnalyzeSessionRequest command;
  command.mutable_ponder_hit();
  Send(command);
}

void AnalysisSession::NewGame() {
  v1::AnalyzeSessionRequest command;
  command.mutable_new_game();
  Send(command);
}

void AnalysisSession::Close() {
  std::lock_guard lock(mutex_);
  closing_ = true;
  WriteNext();
}

std::int64_t AnalysisSession::Send(const v1::AnalyzeSessionRequest& request) {
  std::lock_guard lock(mutex_);
  if (closing_) return last_go_;
  if (request.has_go()) ++last_go_;
  outgoing_.push_back(request);
  WriteNext();
  return last_go_;
}

// gRPC takes one write at a time.
void AnalysisSession::WriteNext() {
  if (!started_ || writing_ || exhausted_) return;
  if (!outgoing_.empty()) {
    writing_ = true;
    stream_->Write(outgoing_.front(), Tag(Step::kWritten));
  } else if (closing_ && !closed_) {
    closed_ = true;
    writing_ = true;
    stream_->WritesDone(Tag(Step::kClosed));
  }
}

void AnalysisSession::EndIfIdle() {
  if (exhausted_ && !writing_) stream_->Finish(&status_, Tag(Step::kEnded));
}

void AnalysisSession::Run() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) OnStep(static_cast<Step>(reinterpret_cast<std::intptr_t>(tag)), ok);
}

void AnalysisSession::OnStep(Step step, bool ok) {
  if (step == Step::kRead && ok) {
    events_.on_response(response_);
    stream_->Read(&response_, Tag(Step::kRead));
    return;
  }
  if (step == Step::kEnded) {
    events_.on_end(ReadableStatus(status_, server_));
    queue_.Shutdown();
    return;
  }
  std::lock_guard lock(mutex_);
  switch (step) {
    case Step::kStarted:
      started_ = ok;
      exhausted_ = !ok;
      if (ok) stream_->Read(&response_, Tag(Step::kRead));
      break;
    case Step::kWritten:
      outgoing_.pop_front();
      writing_ = false;
      break;
    case Step::kClosed:
      writing_ = false;
      break;
    default:
      exhausted_ = true;
  }
  WriteNext();
  EndIfIdle();
}

}  // namespace kibitz::client
