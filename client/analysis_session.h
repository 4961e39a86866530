// A live AnalyzeSession: commands go out without waiting, answers come in on a thread of its own.

#ifndef KIBITZ_CLIENT_ANALYSIS_SESSION_H_
#define KIBITZ_CLIENT_ANALYSIS_SESSION_H_

#include <grpcpp/completion_queue.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "client/call.h"
#include "client/readable_status.h"
#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz::client {

// What a session tells: on its own thread, one call at a time.
struct SessionEvents {
  std::function<void(const v1::AnalyzeSessionResponse&)> on_response;
  // Once, last: how the session ended, in words meant for people. OK only after Close.
  std::function<void(const absl::Status&)> on_end;
};

// The commands may come from any thread. None of them waits for the server; after Close or the session's end they do
// nothing.
class AnalysisSession {
 public:
  // `server` is the other end, for error messages. The stub has to outlive the session. `position_key` says, where that
  // is known, which position it will be about.
  AnalysisSession(v1::AnalysisService::StubInterface& stub, Peer server, const std::string& key,
                  const CallOptions& options, SessionEvents events, const std::string& position_key = "");
  // Cancels what still runs. No event comes after it.
  ~AnalysisSession();
  AnalysisSession(const AnalysisSession&) = delete;
  AnalysisSession& operator=(const AnalysisSession&) = delete;

  // Starts a search. Returns its number, by which the responses name it.
  std::int64_t Go(const v1::AnalyzeRequest& request, bool ponder = false);
  void Stop();
  void PonderHit();
  void NewGame();
  // No command follows. A search that still runs goes on to its Final.
  void Close();

 private:
  enum class Step : std::intptr_t { kStarted = 1, kRead, kWritten, kClosed, kEnded };

  static void* Tag(Step step) { return reinterpret_cast<void*>(step); }  // NOLINT: a tag is any word
  std::int64_t Send(const v1::AnalyzeSessionRequest& request);
  void WriteNext();
  void EndIfIdle();
  void Run();
  void OnStep(Step step, bool ok);

  const Peer server_;
  const SessionEvents events_;
  Call call_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::ClientAsyncReaderWriterInterface<v1::AnalyzeSessionRequest, v1::AnalyzeSessionResponse>>
      stream_;
  v1::AnalyzeSessionResponse response_;
  grpc::Status status_;

  std::mutex mutex_;
  std::deque<v1::AnalyzeSessionRequest> outgoing_;
  std::int64_t last_go_ = 0;
  bool started_ = false;
  bool writing_ = false;
  bool closing_ = false;    // no command is taken any more
  bool closed_ = false;     // and the server was told so
  bool exhausted_ = false;  // the server says no more

  std::thread thread_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_ANALYSIS_SESSION_H_
