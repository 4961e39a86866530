#include "client/uci/dialogue.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/readable_status.h"
#include "client/remaining_request.h"
#include "client/uci/all_options.h"
#include "client/uci/go_request.h"
#include "client/uci/info_text.h"

namespace kibitz::client::uci {
namespace {

// A search that was told to stop answers within milliseconds, unless its server hangs.
constexpr std::chrono::seconds kStopPatience{3};

std::string Words(const absl::Status& status) { return std::string(status.message()); }

// Whether a command has to wait until the search has ended.
bool NeedsSilence(const Command& command) {
  return std::visit(
      [](const auto& each) {
        using Each = std::decay_t<decltype(each)>;
        return std::is_same_v<Each, SetOption> || std::is_same_v<Each, SetPosition> || std::is_same_v<Each, Go> ||
               std::is_same_v<Each, NewGame> || std::is_same_v<Each, Quit>;
      },
      command);
}

}  // namespace

Dialogue::Dialogue(Options options, std::function<void(const std::string&)> write)
    : options_(std::move(options)),
      write_(std::move(write)),
      link_([this] { return MakeEvents(); }),
      option_table_(AllOptions(options_, {.link = link_, .book = book_, .game = game_})) {}

void Dialogue::Post(Command command) {
  mailbox_.Post([this, command = std::move(command)] { pending_.push_back(command); });
}

void Dialogue::Run() {
  while (!over_) {
    const auto task = mailbox_.Take(search_ ? search_->patience_ends : std::nullopt);
    if (task) {
      (*task)();
    } else {
      OnPatienceOver();
    }
    ObeyPending();
  }
  perft_.reset();
  link_.Close();
}

// A command that needs silence ends the search, and waits with all that follow it until the answer is out.
void Dialogue::ObeyPending() {
  while (!pending_.empty() && !over_) {
    if (IsBusy() && NeedsSilence(pending_.front())) StopAll();
    if (IsBusy() && NeedsSilence(pending_.front())) return;
    const Command command = std::move(pending_.front());
    pending_.pop_front();
    std::visit([this](const auto& each) { Obey(each); }, command);
  }
}

void Dialogue::Obey(const Uci&) {
  std::string name = "Kibitz, a bridge to " + options_.server;
  if (!options_.IsBridge() && link_.Open(options_).ok()) name = link_.info().version();
  write_(fmt::format("id name {}\nid author the Kibitz authors\n{}uciok\n", name, option_table_.Declarations()));
}

// What takes time to set up is set up now: the GUI waits for this answer before it starts a clock.
void Dialogue::Obey(const IsReady&) {
  if (!IsBusy()) {
    const absl::Status status = link_.Open(options_);
    if (!status.ok()) write_(InfoString(Words(status)));
  }
  write_("readyok\n");
}

void Dialogue::Obey(const NewGame&) { link_.NewGame(); }

void Dialogue::Obey(const Stop&) { StopAll(); }

void Dialogue::Obey(const PonderHit&) {
  if (!search_ || !search_->pondering) return;
  search_->pondering = false;
  search_->begun = absl::Now();
  StartClock();
  if (!search_->outcome) link_.session().PonderHit();
  AnswerIfAllowed();
}

void Dialogue::Obey(const Quit&) { over_ = true; }

void Dialogue::Obey(const ShowBoard&) { write_(game_.Picture()); }

void Dialogue::Obey(const SetOption& command) {
  const std::string words = option_table_.Set(command.name, command.value);
  if (!words.empty()) write_(InfoString(words));
}

void Dialogue::Obey(const SetPosition& command) {
  const absl::Status status = game_.Set(command.fen, command.moves, options_.chess960);
  if (!status.ok()) write_(InfoString("position: " + Words(status)));
}

void Dialogue::Obey(const Go& go) {
  for (const std::string& complaint : go.complaints) write_(InfoString(complaint));
  if (go.perft) return StartPerft(*go.perft);
  const std::string book_move = BookMove(go);
  if (!book_move.empty()) return write_(InfoString("a move of the book") + BestMoveLine(book_move, ""));
  search_ = Search{.go = go, .infinite = IsOpenEnded(go), .pondering = go.ponder};
  std::vector<std::string> illegal;
  search_->search_moves = game_.LegalOnes(go.search_moves, illegal);
  if (!illegal.empty()) write_(InfoString("go: not legal here: " + absl::StrJoin(illegal, " ")));
  StartSearch();
}

void Dialogue::Obey(const Malformed& command) { write_(InfoString(command.complaint)); }

SessionEvents Dialogue::MakeEvents() {
  const int number = ++session_number_;
  return {
      .on_response =
          [this, number](const v1::AnalyzeSessionResponse& response) {
            mailbox_.Post([this, number, response] {
              if (number == session_number_) OnResponse(response);
            });
          },
      .on_end =
          [this, number](const absl::Status& status) {
            mailbox_.Post([this, number, status] {
              if (number == session_number_) OnSessionEnd(status);
            });
          },
  };
}

// The book is for games: whoever analyses, or asks about certain moves, wants a search.
std::string Dialogue::BookMove(const Go& go) {
  const bool playing = !IsOpenEnded(go) && !go.ponder && !go.mate && go.search_moves.empty();
  return playing && options_.own_book && !options_.analyse_mode ? book_.ChooseMove(game_.position()) : "";
}

void Dialogue::StartSearch() {
  const absl::Status status = link_.Open(options_);
  if (!status.ok()) return GiveUp(Words(status));
  v1::AnalyzeRequest request = ToRequest(search_->go, options_, link_.info().caps());
  *request.mutable_position() = game_.wire();
  for (const std::string& move : search_->search_moves) request.add_search_moves(move);
  search_->number = link_.session().Go(request, search_->pondering);
  search_->request = std::move(request);
  search_->begun = absl::Now();
  StartClock();
}

void Dialogue::StartPerft(std::int64_t depth) {
  const int number = ++perft_number_;
  perft_ = std::make_unique<PerftRun>(game_.position(), depth, options_.threads, [this, number](std::string lines) {
    mailbox_.Post([this, number, lines = std::move(lines)] {
      if (perft_ == nullptr || number != perft_number_) return;
      perft_.reset();
      write_(lines);
    });
  });
}

void Dialogue::StopAll() {
  perft_.reset();
  if (!search_ || search_->stopped) return;
  search_->stopped = true;
  if (!search_->outcome) {
    search_->patience_ends = std::chrono::steady_clock::now() + kStopPatience;
    link_.session().Stop();
  }
  AnswerIfAllowed();
}

// A server elsewhere may fall silent without the connection breaking. A game is not to be lost by waiting for it.
void Dialogue::StartClock() {
  if (!options_.IsBridge() || search_->pondering) return;
  const auto latest = LatestAnswer(search_->go, options_, game_.position().side_to_move());
  if (latest) search_->patience_ends = std::chrono::steady_clock::now() + *latest;
}

void Dialogue::OnResponse(const v1::AnalyzeSessionResponse& response) {
  if (!search_ || search_->outcome || response.go() != search_->number) return;
  if (response.has_refused()) return OnRefused(response.refused());
  const v1::AnalyzeResponse& analysis = response.analysis();
  if (analysis.has_queued()) {
    write_(InfoString(fmt::format("waiting for a worker, place {}", analysis.queued().place())));
  } else if (analysis.has_update()) {
    search_->last = analysis.update();
    write_(InfoLines(search_->last, options_.show_wdl));
  } else if (analysis.has_final()) {
    OnFinal(analysis.final());
  }
}

void Dialogue::OnFinal(const v1::AnalyzeResponse::Final& final) {
  if (final.result().lines_size() > 0) search_->last = final.result();
  if (final.stop_reason() == v1::STOP_REASON_SHUTDOWN) write_(InfoString("the server is shutting down"));
  if (final.stop_reason() == v1::STOP_REASON_QUOTA) write_(InfoString("the quota of the key is used up"));
  if (final.best_move().empty()) {
    const bool mated = final.status() == v1::GAME_STATUS_CHECKMATE;
    return Settle({GameOverInfo(mated, options_.show_wdl), game_.AnyMove(), ""});
  }
  Settle({InfoLines(search_->last, options_.show_wdl), final.best_move(), final.ponder_move()});
}

void Dialogue::OnRefused(const v1::AnalyzeSessionResponse::Refused& refused) {
  GiveUp(Words(ReadableRefusal(refused)));
}

void Dialogue::OnSessionEnd(const absl::Status& status) {
  link_.Close();
  if (!search_ || search_->outcome) return;
  const bool lost = options_.IsBridge() && !search_->stopped && IsServerLost(status);
  if (lost && ++search_->moves <= kMaxMoves && GoOnElsewhere()) {
    return write_(InfoString(Words(status) + "; going on elsewhere"));
  }
  GiveUp(status.ok() ? "the server ended the session" : Words(status));
}

// Behind one address there may be many servers.
bool Dialogue::GoOnElsewhere() {
  if (!link_.Open(options_).ok()) return false;
  const absl::Duration elapsed = search_->pondering ? absl::ZeroDuration() : absl::Now() - search_->begun;
  search_->request = RemainingRequest(std::move(search_->request), search_->last.nodes(), elapsed);
  search_->begun = absl::Now();
  search_->number = link_.session().Go(search_->request, search_->pondering);
  return true;
}

void Dialogue::OnPatienceOver() {
  link_.Close();
  GiveUp("the server does not answer");
}

void Dialogue::GiveUp(const std::string& why) {
  write_(InfoString(why + "; this is the best move known"));
  Outcome outcome{.info = InfoLines(search_->last, options_.show_wdl)};
  if (search_->last.lines_size() > 0 && search_->last.lines(0).pv_uci_size() > 0) {
    const auto& pv = search_->last.lines(0).pv_uci();
    outcome.best_move = pv[0];
    if (pv.size() > 1) outcome.ponder_move = pv[1];
  } else {
    outcome.best_move = search_->search_moves.empty() ? game_.AnyMove() : search_->search_moves.front();
  }
  Settle(std::move(outcome));
}

// A search that has ended before it may say so shows what it knows, and shows it again before its answer.
void Dialogue::Settle(Outcome outcome) {
  search_->patience_ends.reset();
  search_->outcome = std::move(outcome);
  if (search_->MustWait() && !search_->outcome->info.empty()) write_(search_->outcome->info);
  AnswerIfAllowed();
}

void Dialogue::AnswerIfAllowed() {
  if (!search_->outcome || search_->MustWait()) return;
  write_(search_->outcome->info + BestMoveLine(search_->outcome->best_move, search_->outcome->ponder_move));
  search_.reset();
}

}  // namespace kibitz::client::uci
