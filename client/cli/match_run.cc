#include "client/cli/match_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/live_text.h"
#include "client/cli/match_report.h"
#include "client/match/match.h"
#include "client/match/match_archive.h"
#include "client/match/standings.h"
#include "engine/board/fen.h"

namespace kibitz::client {
namespace {

// Asks the engine how a position stands. The answer is the same on every machine.
PositionJudge JudgeBy(const CommandContext& context) {
  return [&context](const Position& position) -> absl::StatusOr<int> {
    constexpr std::int64_t kNodes = 5000;
    constexpr int kLost = 10'000;
    v1::AnalyzeRequest request;
    request.mutable_position()->set_fen(ToFen(position));
    request.mutable_limits()->set_nodes(kNodes);
    request.set_reproducible(true);
    int score = kLost;
    const auto take_final = [&](const v1::AnalyzeResponse& event) {
      if (!event.has_final() || event.final().result().lines().empty()) return;
      const v1::Score& found = event.final().result().lines(0).score();
      if (found.value_case() == v1::Score::kCentipawns) score = found.centipawns();
    };
    if (absl::Status status = context.client().Analyze(request, take_final, context.LongCall()); !status.ok())
      return status;
    return score;
  };
}

// The match as it goes on: counts, records and shows it.
class Course {
 public:
  Course(const MatchFlags& flags, const MatchOptions& options, const std::vector<std::string>& names,
         const std::optional<Sprt>& sprt)
      : flags_(flags),
        options_(options),
        names_(names),
        sprt_(sprt),
        standings_(static_cast<int>(names.size()), options.schedule),
        live_(flags.json ? stderr : stdout) {}

  void Recall(const RecordedGame& game) {
    standings_.Add(options_.schedule.At(game.index), game.outcome, game.termination);
  }

  void ShowStart() { live_.Show(Text()); }

  // Returns whether the match goes on.
  bool Add(const ScheduledGame& game, const PlayedGame& played) {
    standings_.Add(game, played.outcome, played.termination);
    if (!flags_.pgn.empty()) status_ = Record(game, played);
    const std::string line = GameLine(game, played);
    live_.Show(Text() + line);
    if (!flags_.json && !IsTerminal(stdout)) Print(line);
    return status_.ok() && !Settled();
  }

  bool Settled() const { return sprt_ && sprt_->Judge(standings_.OfPairing(0).pairs) != Sprt::Verdict::kOpen; }
  const absl::Status& status() const { return status_; }

  void ShowEnd() {
    live_.Clear();
    Print(flags_.json ? MatchJson(View()) : Text());
  }

 private:
  MatchView View() const {
    return {.names = names_, .schedule = options_.schedule, .standings = standings_, .sprt = sprt_};
  }
  std::string Text() const { return MatchText(View(), PaletteOf(stdout)); }

  const Contestant& White(const ScheduledGame& game) const {
    return options_.contestants[static_cast<std::size_t>(game.white)];
  }
  const Contestant& Black(const ScheduledGame& game) const {
    return options_.contestants[static_cast<std::size_t>(game.black)];
  }

  absl::Status Record(const ScheduledGame& game, const PlayedGame& played) const {
    const GameHeading heading{.event = flags_.event,
                              .game = game,
                              .white = White(game).name,
                              .black = Black(game).name,
                              .white_control = White(game).control,
                              .black_control = Black(game).control,
                              .date = absl::Now()};
    return MatchArchive(flags_.pgn).Append(ToPgnGame(played, heading));
  }

  std::string GameLine(const ScheduledGame& game, const PlayedGame& played) const {
    const Tally& tally = standings_.OfPairing(game.pairing);
    return fmt::format("game {} of {}: {} - {} {}, {} plies, {}; score {:.1f} of {}\n", standings_.GameCount(),
                       options_.schedule.size(), White(game).name, Black(game).name, ResultText(played.outcome),
                       played.moves.size(), played.reason, tally.Points(), tally.GameCount());
  }

  const MatchFlags& flags_;
  const MatchOptions& options_;
  const std::vector<std::string>& names_;
  const std::optional<Sprt>& sprt_;
  Standings standings_;
  LiveText live_;
  absl::Status status_;
};

ExitCode WrongUsage(const absl::Status& status) {
  PrintError(std::string(status.message()), "see kibitz match --help");
  return kExitUsage;
}

// Starts each player once, so that a wrong command is told before the first game.
absl::Status TryPlayers(const std::vector<Contestant>& contestants) {
  for (const Contestant& contestant : contestants) {
    const auto player = contestant.make_player();
    if (!player.ok()) {
      return absl::Status(player.status().code(), fmt::format("{} does not start: {}", contestant.name,
                                                              std::string(player.status().message())));
    }
  }
  return absl::OkStatus();
}

// Takes in the games that are on record. Without --resume there must be none.
absl::Status Recall(const MatchFlags& flags, const std::vector<std::string>& names, MatchOptions& options,
                    Course& course) {
  if (flags.pgn.empty() || access(flags.pgn.c_str(), F_OK) != 0) return absl::OkStatus();
  if (!flags.resume) {
    std::error_code error;
    if (std::filesystem::file_size(flags.pgn, error) == 0) return absl::OkStatus();
    return absl::AlreadyExistsError(
        fmt::format("{} exists: go on with its match by --resume, or name another file", flags.pgn));
  }
  const absl::StatusOr<std::string> text = MatchArchive(flags.pgn).Repair();
  if (!text.ok()) return text.status();
  const auto games = FinishedGames(*text, options.schedule, names, options.openings);
  if (!games.ok()) return games.status();
  for (const RecordedGame& game : *games) {
    options.finished.insert(game.index);
    course.Recall(game);
  }
  return absl::OkStatus();
}

ExitCode Play(const MatchFlags& flags, const std::vector<PlayerSpec>& specs, const std::optional<Sprt>& sprt,
              const GameRules& rules) {
  const auto context = CommandContext::Open({.connection = flags.connection});
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  absl::StatusOr<OpeningSource> openings = OpeningsOf(flags, JudgeBy(**context));
  if (!openings.ok()) return WrongUsage(openings.status());
  std::vector<Contestant> contestants;
  std::vector<std::string> names;
  for (const PlayerSpec& spec : specs) {
    contestants.push_back(MakeContestant(spec));
    names.push_back(spec.name);
  }
  if (absl::Status status = TryPlayers(contestants); !status.ok())
    return ReportFailure(status, (*context)->interrupted());
  const auto format = flags.gauntlet ? MatchFormat::kGauntlet : MatchFormat::kRoundRobin;
  MatchOptions options{.contestants = std::move(contestants),
                       .schedule = Schedule(static_cast<int>(specs.size()), format, (flags.games + 1) / 2),
                       .openings = *std::move(openings),
                       .rules = rules,
                       .concurrency = flags.concurrency,
                       .restart_players = flags.restart,
                       .finished = {}};
  Course course(flags, options, names, sprt);
  if (absl::Status status = Recall(flags, names, options, course); !status.ok()) {
    return ReportFailure(status, (*context)->interrupted());
  }
  absl::Status status;
  course.ShowStart();
  if (!course.Settled()) {
    status = PlayMatch(options, (*context)->stop(),
                       [&](const ScheduledGame& game, const PlayedGame& played) { return course.Add(game, played); });
  }
  course.ShowEnd();
  // An interrupt may also have cut short the search for an opening, which is no failure then.
  if ((*context)->interrupted()) {
    std::fputs(flags.pgn.empty() ? "interrupted\n" : "interrupted; the same command with --resume goes on\n", stderr);
    return kExitInterrupted;
  }
  if (status.ok()) status = course.status();
  return status.ok() ? kExitOk : ReportFailure(status, /*interrupted=*/false);
}

}  // namespace

ExitCode RunMatch(const MatchFlags& flags) {
  const auto specs = PlayersOf(flags);
  if (!specs.ok()) return WrongUsage(specs.status());
  const auto sprt = SprtOf(flags);
  if (!sprt.ok()) return WrongUsage(sprt.status());
  if (*sprt && specs->size() != 2) return WrongUsage(absl::InvalidArgumentError("--sprt is for two players"));
  const auto rules = RulesOf(flags);
  if (!rules.ok()) return WrongUsage(rules.status());
  if (flags.resume && flags.pgn.empty()) return WrongUsage(absl::InvalidArgumentError("--resume needs --pgn FILE"));
  return Play(flags, *specs, *sprt, *rules);
}

}  // namespace kibitz::client
