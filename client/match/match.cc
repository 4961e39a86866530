#include "client/match/match.h"

#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "client/match/processors.h"

namespace kibitz::client {
namespace {

// What the runners share.
class Referee {
 public:
  Referee(const MatchOptions& options, const GameObserver& observer) : options_(options), observer_(observer) {}

  std::stop_token stop() const { return stop_.get_token(); }
  void Stop() { stop_.request_stop(); }
  absl::Status status() const { return status_; }

  struct Assignment {
    ScheduledGame game;
    Opening opening;
  };

  // The next game to play, or none.
  std::optional<Assignment> Next() {
    const std::lock_guard lock(mutex_);
    while (next_ < options_.schedule.size() && options_.finished.contains(next_)) ++next_;
    if (stop_.stop_requested() || next_ >= options_.schedule.size()) return std::nullopt;
    const ScheduledGame game = options_.schedule.At(next_++);
    absl::StatusOr<Opening> opening = options_.openings(game.opening);
    if (!opening.ok()) {
      status_ = opening.status();
      stop_.request_stop();
      return std::nullopt;
    }
    return Assignment{game, *std::move(opening)};
  }

  void Report(const ScheduledGame& game, const PlayedGame& played) {
    const std::lock_guard lock(mutex_);
    // A game that ended because the players were told to stop is no result.
    if (stop_.stop_requested()) return;
    if (!observer_(game, played)) stop_.request_stop();
  }

 private:
  const MatchOptions& options_;
  const GameObserver& observer_;
  std::stop_source stop_;
  std::mutex mutex_;
  int next_ = 0;
  absl::Status status_;
};

// Plays one game after the other, and keeps the players between them where it can.
class GameRunner {
 public:
  GameRunner(const MatchOptions& options, Referee& referee) : options_(options), referee_(referee) {}

  void Run() {
    while (const auto assignment = referee_.Next()) {
      const PlayedGame played = Play(assignment->game, assignment->opening);
      if (played.failed)
        players_.erase(*played.failed == Color::kWhite ? assignment->game.white : assignment->game.black);
      std::erase_if(players_, [](const auto& each) { return !each.second->CanPlayAgain(); });
      referee_.Report(assignment->game, played);
    }
  }

 private:
  PlayedGame Play(const ScheduledGame& game, const Opening& opening) {
    if (options_.restart_players) players_.clear();
    std::erase_if(players_, [&](const auto& each) { return each.first != game.white && each.first != game.black; });
    for (const int contestant : {game.white, game.black}) {
      const absl::Status ready = MakeReady(contestant);
      const Color side = contestant == game.white ? Color::kWhite : Color::kBlack;
      if (!ready.ok()) return LostBeforeStart(opening, side, ready.message());
    }
    Player& white = *players_.at(game.white);
    Player& black = *players_.at(game.black);
    const std::stop_callback abort(referee_.stop(), [&] {
      white.Abort();
      black.Abort();
    });
    return PlayGame({white, ControlOf(game.white)}, {black, ControlOf(game.black)}, opening, options_.rules);
  }

  absl::Status MakeReady(int contestant) {
    if (players_.contains(contestant)) return absl::OkStatus();
    auto player = options_.contestants[static_cast<std::size_t>(contestant)].make_player();
    if (!player.ok()) return player.status();
    players_[contestant] = *std::move(player);
    return absl::OkStatus();
  }

  const TimeControl& ControlOf(int contestant) const {
    return options_.contestants[static_cast<std::size_t>(contestant)].control;
  }

  const MatchOptions& options_;
  Referee& referee_;
  std::map<int, std::unique_ptr<Player>> players_;
};

}  // namespace

absl::Status PlayMatch(const MatchOptions& options, std::stop_token stop, const GameObserver& observer) {
  Referee referee(options, observer);
  const std::stop_callback pass_on(stop, [&] { referee.Stop(); });
  const std::vector<int> processors = OwnProcessors();
  std::vector<std::thread> runners;
  for (int i = 0; i < options.concurrency; ++i) {
    runners.emplace_back([&, i] {
      // The players that the runner starts inherit its processors.
      StayOn(ProcessorShare(processors, i, options.concurrency));
      GameRunner(options, referee).Run();
    });
  }
  for (std::thread& runner : runners) runner.join();
  return referee.status();
}

}  // namespace kibitz::client
