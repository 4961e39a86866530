// What a bot may do, and how it plays: everything that its operator can decide.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_POLICY_H_
#define KIBITZ_CLIENT_LICHESS_BOT_POLICY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/lichess/bot/events.h"

namespace kibitz::client::lichess {

// Which challenges are accepted.
struct ChallengePolicy {
  bool accept = true;
  std::vector<std::string> variants = {"standard", "chess960", "fromPosition"};
  bool rated = true;
  bool casual = true;
  bool bots = true;
  bool people = true;
  absl::Duration min_initial = absl::Seconds(15);
  absl::Duration max_initial = absl::Hours(3);
  absl::Duration min_increment = absl::ZeroDuration();
  absl::Duration max_increment = absl::Minutes(3);
  int min_rating = 0;
  int max_rating = 5000;
  // By name. With someone in `only`, nobody else is accepted.
  std::vector<std::string> block{};
  std::vector<std::string> only{};
  // At once, in all and against one opponent.
  int max_games = 4;
  int max_games_per_opponent = 1;
  // In 24 hours.
  int games_per_opponent_a_day = 20;
  int bot_games_a_day = 100;
};

enum class TakebackPolicy : std::uint8_t { kNever, kCasual, kAlways };

// How games are played.
struct PlayPolicy {
  bool ponder = true;
  std::string book{};  // Polyglot; empty: none
  int book_moves = 12;
  int strength_elo = 0;  // 0: full strength
  // Takes about as long over its moves as people do.
  bool human_times = false;
  // Beside what the connection is seen to take.
  absl::Duration move_overhead = absl::Milliseconds(30);
  // Per move, whatever the clock says. 0: no bound.
  std::int64_t max_nodes = 0;
  absl::Duration max_move_time = absl::Minutes(2);
  // In games without a clock.
  absl::Duration correspondence_time = absl::Seconds(10);
  int threads = 1;
  TakebackPolicy takebacks = TakebackPolicy::kCasual;
  int takebacks_per_game = 3;
  bool claim_victory = true;
  // For an opponent that does not make its first move.
  absl::Duration abort_after = absl::Seconds(25);
};

struct DrawPolicy {
  bool offer = true;
  bool accept = true;
  // While the score stays within so much of nothing, for so many of our moves, from this move of the game on.
  int centipawns = 10;
  int moves = 8;
  int from_move = 40;
};

struct ResignPolicy {
  // 0: never.
  int moves = 0;
  int centipawns = 900;
};

struct ChatPolicy {
  bool commands = true;
  std::string greeting{};
  std::string goodbye{};
};

// Challenges that the bot makes itself, to other bots that are online.
struct MatchmakingPolicy {
  bool on = false;
  // After so long without a game.
  absl::Duration idle = absl::Minutes(5);
  std::vector<ClockControl> clocks = {{absl::Minutes(3), absl::Seconds(2)}};
  bool rated = true;
  // How far the opponent's rating may be from ours.
  int rating_distance = 400;
  // Before the same opponent is asked again.
  absl::Duration pause_per_opponent = absl::Hours(6);
};

enum class StopPolicy : std::uint8_t {
  kFinish,  // the games first, for as long as the grace lasts
  kResign,
  kLeave,  // a restart goes on with them
};

struct BotPolicy {
  ChallengePolicy challenges{};
  PlayPolicy play{};
  DrawPolicy draw{};
  ResignPolicy resign{};
  ChatPolicy chat{};
  MatchmakingPolicy matchmaking{};
  StopPolicy on_stop = StopPolicy::kFinish;
  absl::Duration grace = absl::Minutes(30);
};

// How busy the bot is, as far as a challenge is concerned.
struct Occupation {
  int games = 0;
  int games_with_opponent = 0;
  int games_with_opponent_today = 0;
  int bot_games_today = 0;
  bool stopping = false;
};

// Empty: accept it. Otherwise Lichess's key for why not: generic, later, tooFast, tooSlow, timeControl, rated, casual,
// standard, variant, noBot, onlyBot.
std::string ReasonToDecline(const ChallengePolicy& policy, const Challenge& challenge, const Occupation& occupation);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_POLICY_H_
