// One AnalyzeSession call: searches one after the other, on one stream.

#ifndef KIBITZ_SERVER_ANALYSIS_SESSION_H_
#define KIBITZ_SERVER_ANALYSIS_SESSION_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <variant>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/analysis_task.h"
#include "server/analysis/analyzer.h"
#include "server/analysis/mailbox.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/typed_methods.h"

namespace kibitz::server {

// Does what the client says in the order it says it. A search ends when the client wants something else, and what the
// client wants is done when that search has ended.
class Session final : public RequestListener<v1::AnalyzeSessionRequest>, public std::enable_shared_from_this<Session> {
 public:
  using Stream = ResponseStream<v1::AnalyzeSessionResponse>;

  // `caller` is who wants its searches, but for the game, which is its own.
  Session(Analyzer& analyzer, const Analyzer::Caller& caller, std::shared_ptr<Stream> stream);
  ~Session() override;

  bool OnRequest(const v1::AnalyzeSessionRequest& request) override;
  // After OK a search that still runs goes on to its Final; after an error it is stopped.
  void OnRequestsEnd(const absl::Status& why) override;
  // The search that runs is ended by others, with its Final.
  void OnShutdown() override;
  // The client is gone.
  void OnCancel();

 private:
  class GoStream;

  // What it hears of.
  using Command = v1::AnalyzeSessionRequest;
  struct Ending {
    absl::Status why;
    bool stops_search;   // or lets it end of itself
    bool drops_waiting;  // commands that are not done yet
  };
  struct SearchEnded {};
  using Event = std::variant<Command, Ending, SearchEnded>;

  // What it is doing.
  enum class State : std::uint8_t {
    kIdle,
    kSearching,
    kStopping,  // the search has been told to stop
    kFinished,
  };

  void Handle(const Event& event);
  void HandleCommand(const Command& command);
  void HandleEnding(const Ending& ending);
  // Does what can be done now of what the client has said.
  void Continue();
  void Do(const Command& command);
  void Begin(const v1::AnalyzeSessionRequest::Go& go);
  void StopSearch();

  Analyzer& analyzer_;
  const std::shared_ptr<Stream> stream_;
  const Analyzer::Caller caller_;
  std::atomic<bool> ending_{false};  // nothing more is wanted from the client
  Mailbox<Event> mailbox_;

  // Only while an event is handled.
  State state_ = State::kIdle;
  std::deque<Command> waiting_;           // said and not done
  std::shared_ptr<AnalysisTask> search_;  // null also while it begins
  std::shared_ptr<GoStream> search_stream_;
  std::int64_t gos_ = 0;
  std::optional<absl::Status> end_;  // nothing more will be said
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_SESSION_H_
