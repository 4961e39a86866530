// One AnalyzeSession call: searches one after the other, on one stream.

#ifndef KIBITZ_SERVER_ANALYZE_SESSION_H_
#define KIBITZ_SERVER_ANALYZE_SESSION_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analyses.h"
#include "server/analyze_task.h"
#include "server/game_memory.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/session_call.h"

namespace kibitz::server {

// Does what the client says in the order it says it. A search ends when the client wants something else, and what the
// client wants is done when that search has ended.
class AnalyzeSession final : public RequestListener<v1::AnalyzeSessionRequest>,
                             public std::enable_shared_from_this<AnalyzeSession> {
 public:
  using Stream = ResponseStream<v1::AnalyzeSessionResponse>;

  AnalyzeSession(Analyses& analyses, std::shared_ptr<Stream> stream, CompletionLoop& loop);

  bool OnRequest(const v1::AnalyzeSessionRequest& request) override;
  void OnRequestsEnd() override;
  // The client is gone.
  void OnCancel();
  // Ends the session once the search that runs has ended, which others see to.
  void Shutdown();

 private:
  class GoStream;

  // Does what can be done now of what the client has said.
  void Continue();
  // Under the lock, which it leaves for a while.
  void Begin(const v1::AnalyzeSessionRequest::Go& go, std::unique_lock<std::mutex>& lock);
  // The search is over and its workers have left.
  void OnSearchEnd();

  Analyses& analyses_;
  const std::shared_ptr<Stream> stream_;
  CompletionLoop& loop_;

  std::mutex mutex_;                               // guards what follows
  std::deque<v1::AnalyzeSessionRequest> waiting_;  // said and not done
  bool searching_ = false;
  std::shared_ptr<AnalyzeTask> search_;  // null also while it begins
  std::shared_ptr<GameMemory> game_;
  std::int64_t gos_ = 0;
  bool continuing_ = false;          // a thread is in Continue
  std::optional<absl::Status> end_;  // nothing more will be said
  bool finished_ = false;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYZE_SESSION_H_
