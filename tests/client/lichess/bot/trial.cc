#include "tests/client/lichess/bot/trial.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"
#include "tests/client/lichess/bot/arena.h"

namespace kibitz::client::lichess {
namespace {

// Openings that the games begin from by turns, so that they differ. The last has castling rights of Chess960.
struct Start {
  const char* variant;
  const char* fen;
};
constexpr std::array kStarts = {
    Start{"standard", "startpos"},
    Start{"fromPosition", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"},
    Start{"chess960", "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"},
    Start{"fromPosition", "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1"},
    Start{"fromPosition", "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 9"},
    Start{"chess960", "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"},
};

int Count(const char* folder) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {}));
}
int Threads() { return Count("/proc/self/task"); }
int Descriptors() { return Count("/proc/self/fd"); }

stand_in::FaultOptions FaultsOf(const TrialOptions& options) {
  const double often = options.faults;
  return {.seed = options.seed,
          .too_many_requests = 0.0001 * often,
          .server_error = 0.01 * often,
          .lost_request = 0.01 * often,
          .lost_answer = 0.02 * often,
          .slow_answer = 0.01 * often,
          .cut_stream = 0.3 * often,
          .silent_stream = 0.03 * often,
          .slow_start = 0.03 * often,
          .split_lines = 0.2 * often,
          .retry_after = absl::Seconds(1),
          .slowness = absl::Milliseconds(150)};
}

stand_in::GameSpec SpecOf(const TrialOptions& options, int number) {
  const Start& start = kStarts[static_cast<std::size_t>(number) % kStarts.size()];
  stand_in::GameSpec spec;
  const stand_in::Seat alpha{.id = "alpha", .name = "Alpha", .title = "BOT"};
  const stand_in::Seat beta{.id = "beta", .name = "Beta", .title = "BOT"};
  if (number % 2 == 0) {
    spec.seats = {alpha, beta};
  } else {
    spec.seats = {beta, alpha};
  }
  spec.variant = start.variant;
  spec.initial_fen = start.fen;
  spec.initial = options.initial;
  spec.increment = options.increment;
  return spec;
}

void Add(const BotCounts& from, BotCounts& to) {
  to.moves += from.moves;
  to.moves_sent_again += from.moves_sent_again;
  to.moves_refused += from.moves_refused;
  to.streams_opened += from.streams_opened;
  to.streams_lost += from.streams_lost;
  to.searches_lost += from.searches_lost;
  to.bad_events += from.bad_events;
  to.unfinished += from.unfinished;
}

void Judge(const std::vector<stand_in::FinishedGame>& finished, TrialResult& result) {
  static const std::set<std::string> kByChess = {"mate", "stalemate", "draw"};
  for (const stand_in::FinishedGame& game : finished) {
    ++result.games;
    ++result.endings[game.status];
    result.plies += static_cast<std::int64_t>(game.moves.size());
    if (!kByChess.contains(game.status)) result.not_by_chess.push_back(absl::StrCat(game.spec.id, " ", game.status));
  }
}

void PlayAll(const TrialOptions& options, stand_in::StandIn& server, const std::function<void(int)>& on_game) {
  int begun = 0;
  std::size_t over = 0;
  const auto wanted = static_cast<std::size_t>(options.games);
  while (over < wanted) {
    while (begun < options.games && begun - static_cast<int>(over) < options.concurrency) {
      if (!server.world().StartGame(SpecOf(options, begun++)).ok()) return;
    }
    if (!server.world().AwaitFinished(over + 1, options.patience)) return;
    over = server.world().finished().size();
    if (on_game) on_game(static_cast<int>(over));
  }
}

// Games that are over are still being left for a moment.
void AwaitNoStreams(stand_in::StandIn& server) {
  constexpr auto kPatience = std::chrono::seconds(20);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while ((server.http().open_streams() > 0 || server.http().open_connections() > 0) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Play(const TrialOptions& options, TrialResult& result, const std::function<void(int)>& on_game) {
  stand_in::StandIn server(
      {.http = {.keep_alive = absl::Milliseconds(200), .faults = FaultsOf(options)}, .world = {.seed = options.seed}});
  server.world().AddAccount({.name = "Alpha", .token = "lip_alpha"});
  server.world().AddAccount({.name = "Beta", .token = "lip_beta"});
  if (!server.Start().ok()) return;
  {
    // One of its own: how many threads it has depends on what it had to do.
    const auto connection = Connection::Open({.embedded = {.workers = 2, .hash_mb = 16}});
    if (!connection.ok()) return;
    BotPolicy pondering = QuickPolicy();
    pondering.play.ponder = true;
    RunningBot alpha(server, **connection, "lip_alpha", {.policy = pondering});
    RunningBot beta(server, **connection, "lip_beta", {.policy = QuickPolicy()});
    PlayAll(options, server, on_game);
    for (RunningBot* bot : {&alpha, &beta}) {
      bot->Stop().IgnoreError();
      Add(bot->view().counts, result.counts);
    }
  }
  AwaitNoStreams(server);
  Judge(server.world().finished(), result);
  result.illegal_moves = server.world().illegal_moves();
  result.faults = server.http().faults().Counts();
  result.leaked_streams = server.http().open_streams();
  result.leaked_connections = server.http().open_connections();
}

}  // namespace

bool TrialResult::IsGood(int games_wanted) const {
  return games == games_wanted && illegal_moves.empty() && not_by_chess.empty() && leaked_streams == 0 &&
         leaked_connections == 0 && leaked_threads <= 0 && leaked_descriptors <= 0;
}

TrialResult RunTrial(const TrialOptions& options, const std::function<void(int)>& on_game) {
  // What is made once for a whole program is there after a first game.
  TrialResult first;
  TrialOptions quiet = options;
  quiet.games = 1;
  quiet.faults = 0;
  Play(quiet, first, {});
  const int threads = Threads();
  const int descriptors = Descriptors();
  TrialResult result;
  Play(options, result, on_game);
  result.leaked_threads = Threads() - threads;
  result.leaked_descriptors = Descriptors() - descriptors;
  return result;
}

std::string ToText(const TrialResult& result) {
  std::string text = absl::StrCat("games ", result.games, ", plies ", result.plies, "\nendings:");
  for (const auto& [word, count] : result.endings) absl::StrAppend(&text, " ", word, " ", count);
  absl::StrAppend(&text, "\nfaults:");
  for (const auto& [name, count] : result.faults) absl::StrAppend(&text, " ", name, " ", count, ";");
  const BotCounts& counts = result.counts;
  absl::StrAppend(&text, "\nmoves ", counts.moves, ", sent again ", counts.moves_sent_again, ", refused ",
                  counts.moves_refused, "; streams opened ", counts.streams_opened, ", lost ", counts.streams_lost,
                  "; searches lost ", counts.searches_lost, "; bad events ", counts.bad_events);
  absl::StrAppend(&text, "\nillegal moves ", result.illegal_moves.size(), "; games not ended by chess ",
                  result.not_by_chess.size(), "\nleft behind: streams ", result.leaked_streams, ", connections ",
                  result.leaked_connections, ", threads ", result.leaked_threads, ", descriptors ",
                  result.leaked_descriptors, "\n");
  for (const std::string& move : result.illegal_moves) absl::StrAppend(&text, "illegal: ", move, "\n");
  for (const std::string& game : result.not_by_chess) absl::StrAppend(&text, "not by chess: ", game, "\n");
  return text;
}

}  // namespace kibitz::client::lichess
