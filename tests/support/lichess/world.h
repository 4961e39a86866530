// What Lichess knows: accounts, challenges, games, and who watches them.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_WORLD_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_WORLD_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/support/lichess/line_stream.h"
#include "tests/support/lichess/live_game.h"

namespace kibitz::stand_in {

struct Account {
  std::string name;
  std::string token;
  bool bot = true;
  std::vector<std::string> scopes = {"bot:play"};
  int rating = 1500;
  int games_played = 0;  // with a game played nobody becomes a bot any more

  // Lower case, as Lichess's ids are.
  std::string id() const;
};

struct WorldOptions {
  std::uint64_t seed = 1;
  // One second of chess takes so long. All times below and the clocks of games follow it.
  double scale = 1;
  // A player without a stream is gone after so long, and the other may claim after so long again.
  absl::Duration gone_after = absl::Seconds(10);
  absl::Duration claim_after = absl::Seconds(10);
  absl::Duration first_move = absl::Seconds(30);
  absl::Duration challenge_life = absl::Seconds(20);
  int bot_games_a_day = 100;
  int max_games_of_one = 100;
};

struct ChallengeSpec {
  bool rated = false;
  std::string variant = "standard";
  std::string fen{};  // of fromPosition
  // Of the clock; none: correspondence or unlimited.
  std::optional<int> limit_seconds = 60;
  int increment_seconds = 1;
  std::string color = "random";
};

// A game that is over.
struct FinishedGame {
  GameSpec spec;
  std::vector<std::string> moves;
  std::string status;
  std::optional<Color> winner;
  std::array<absl::Duration, 2> clocks;
};

// Thread-safe. A thread of its own lets clocks run out and players be gone. Statuses carry Lichess's words: NOT_FOUND,
// FAILED_PRECONDITION and INVALID_ARGUMENT are 404 and 400, RESOURCE_EXHAUSTED is 429.
class World {
 public:
  explicit World(const WorldOptions& options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void AddAccount(Account account);
  // By token; by name.
  std::optional<Account> WhoIs(const std::string& token) const;
  std::optional<Account> Find(const std::string& name) const;
  absl::Status Upgrade(const std::string& id);

  nlohmann::json AccountJson(const std::string& id) const;
  nlohmann::json Playing(const std::string& id) const;
  std::vector<std::string> OnlineBots(int max) const;

  // An account has one such stream: an older one ends. It begins with what is going on.
  std::shared_ptr<LineStream> OpenEvents(const std::string& id);
  absl::StatusOr<std::shared_ptr<LineStream>> OpenGame(const std::string& id, const std::string& game);

  absl::StatusOr<nlohmann::json> Challenge(const std::string& from, const std::string& to, const ChallengeSpec& spec);
  absl::Status Accept(const std::string& id, const std::string& challenge);
  absl::Status Decline(const std::string& id, const std::string& challenge, const std::string& reason);
  absl::Status Cancel(const std::string& id, const std::string& challenge);

  // Begins a game without a challenge, with times as they are. Returns its id.
  absl::StatusOr<std::string> StartGame(GameSpec spec);

  absl::Status Move(const std::string& id, const std::string& game, const std::string& uci, bool offering_draw);
  absl::Status Abort(const std::string& id, const std::string& game);
  absl::Status Resign(const std::string& id, const std::string& game);
  absl::Status Draw(const std::string& id, const std::string& game, bool yes);
  absl::Status Takeback(const std::string& id, const std::string& game, bool yes);
  absl::Status ClaimVictory(const std::string& id, const std::string& game);
  absl::Status ClaimDraw(const std::string& id, const std::string& game);
  absl::Status Chat(const std::string& id, const std::string& game, const std::string& room, const std::string& text);

  // Sends a line to whoever watches a game, or an account's events, whatever it is: for hostile tests.
  void Inject(const std::string& game, const std::string& line);
  void InjectEvent(const std::string& id, const std::string& line);

  // What has come of everything.
  std::vector<FinishedGame> finished() const;
  std::size_t live_games() const;
  bool AwaitFinished(std::size_t count, absl::Duration patience) const;
  // Moves that were refused because they were against the rules; with the reason.
  std::vector<std::string> illegal_moves() const;
  std::map<std::string, int> declines() const;  // by reason
  std::vector<std::string> chat() const;        // "name: text"

 private:
  struct OpenChallenge {
    std::string id, from, to;
    ChallengeSpec spec;
    absl::Time made;
  };
  struct Watched {
    explicit Watched(LiveGame live) : game(std::move(live)) {}
    LiveGame game;
    // By account.
    std::map<std::string, std::vector<std::shared_ptr<LineStream>>> watchers{};
    std::map<std::string, absl::Time> left{};
    std::set<std::string> told_gone{};
  };
  using Doing = absl::Status (LiveGame::*)(Color, bool);

  absl::Duration Scaled(absl::Duration time) const { return time * options_.scale; }
  std::string NewId();
  const Account* AccountOf(const std::string& id) const;
  Watched* GameOf(const std::string& id);
  nlohmann::json SeatJson(const std::string& id) const;
  nlohmann::json ChallengeJson(const OpenChallenge& challenge) const;
  nlohmann::json GameEvent(const char* type, const LiveGame& game, const std::string& id) const;
  void Tell(const std::string& id, const nlohmann::json& event);
  void TellWatchers(Watched& watched, const nlohmann::json& message);
  absl::StatusOr<std::string> Begin(GameSpec spec);
  GameSpec SpecOf(const OpenChallenge& challenge);
  // Does it, and tells what has changed.
  template <typename Action>
  absl::Status InGame(const std::string& id, const std::string& game, Action action);
  void AfterChange(Watched& watched);
  void LookAround();
  void LookForGone(Watched& watched, absl::Time now);
  absl::Status DailyLimit(const std::string& from, const std::string& to) const;

  const WorldOptions options_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::mt19937_64 random_;
  std::map<std::string, Account> accounts_;  // by id
  std::map<std::string, std::shared_ptr<LineStream>> events_;
  std::map<std::string, OpenChallenge> challenges_;
  std::map<std::string, std::unique_ptr<Watched>> games_;
  std::vector<FinishedGame> finished_;
  std::vector<std::string> illegal_moves_;
  std::map<std::string, int> declines_;
  std::vector<std::string> chat_;
  std::map<std::string, int> bot_games_;  // of today
  bool stopping_ = false;
  std::thread watch_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_WORLD_H_
