// The engine's side of a UCI dialogue.

#ifndef KIBITZ_CLIENT_UCI_DIALOGUE_H_
#define KIBITZ_CLIENT_UCI_DIALOGUE_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/mailbox.h"
#include "client/uci/command.h"
#include "client/uci/game.h"
#include "client/uci/link.h"
#include "client/uci/opening_book.h"
#include "client/uci/option.h"
#include "client/uci/options.h"
#include "client/uci/perft_run.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::uci {

// Obeys commands in their order, and answers while it searches. Everything happens on the thread of Run: what comes
// from elsewhere is posted to it, so there is one writer, and no state is shared.
//
// Each "go" gets exactly one "bestmove": when the search has ended by a limit, or at the first command that needs it
// ended (stop, setoption, position, go, ucinewgame, quit), or when the server is lost. Never before "stop" or
// "ponderhit" where the protocol forbids it.
class Dialogue {
 public:
  // `write` is given whole lines, on the thread of Run.
  Dialogue(Options options, std::function<void(const std::string& lines)> write);

  // From any thread.
  void Post(Command command);
  // Obeys what is posted until "quit".
  void Run();

 private:
  // The end of a search, in words.
  struct Outcome {
    std::string info{};
    std::string best_move{};
    std::string ponder_move{};
  };
  struct Search {
    std::int64_t number = 0;  // within the session
    Go go{};
    std::vector<std::string> search_moves{};  // legal ones
    bool infinite = false;
    bool pondering = false;
    bool stopped = false;
    v1::AnalysisUpdate last{};         // what is known so far
    std::optional<Outcome> outcome{};  // it has ended, but must not say so yet
    std::optional<Mailbox::Time> patience_ends{};
    v1::AnalyzeRequest request{};  // as it was begun
    absl::Time begun{};
    int moves = 0;  // to other servers, because one was lost

    bool MustWait() const { return (infinite || pondering) && !stopped; }
  };

  void ObeyPending();
  void Obey(const Nothing&) {}
  void Obey(const Uci&);
  void Obey(const IsReady&);
  void Obey(const NewGame&);
  void Obey(const Stop&);
  void Obey(const PonderHit&);
  void Obey(const Quit&);
  void Obey(const ShowBoard&);
  void Obey(const SetOption& command);
  void Obey(const SetPosition& command);
  void Obey(const Go& go);
  void Obey(const Malformed& command);

  bool IsBusy() const { return search_.has_value() || perft_ != nullptr; }
  SessionEvents MakeEvents();
  // Empty unless the book is wanted for this.
  std::string BookMove(const Go& go);
  void StartSearch();
  void StartPerft(std::int64_t depth);
  void StopAll();
  void StartClock();

  void OnResponse(const v1::AnalyzeSessionResponse& response);
  void OnFinal(const v1::AnalyzeResponse::Final& final);
  void OnRefused(const v1::AnalyzeSessionResponse::Refused& refused);
  void OnSessionEnd(const absl::Status& status);
  // Begins the search anew with what its limits leave. False: there is no server.
  bool GoOnElsewhere();
  void OnPatienceOver();
  // Ends the search with the best move known.
  void GiveUp(const std::string& why);
  void Settle(Outcome outcome);
  void AnswerIfAllowed();

  Options options_;
  const std::function<void(const std::string&)> write_;
  Mailbox mailbox_;
  std::deque<Command> pending_;
  Game game_;
  OpeningBook book_;
  std::optional<Search> search_;
  int session_number_ = 0;  // tells apart what one session and the next have posted
  Link link_;
  const OptionTable option_table_;
  int perft_number_ = 0;
  std::unique_ptr<PerftRun> perft_;
  bool over_ = false;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_DIALOGUE_H_
