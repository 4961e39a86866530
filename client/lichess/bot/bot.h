// A bot on Lichess: accepts challenges and makes some, by a policy, and plays the games.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_BOT_H_
#define KIBITZ_CLIENT_LICHESS_BOT_BOT_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/lichess/bot/bot_report.h"
#include "client/lichess/bot/daily_games.h"
#include "client/lichess/bot/game_archive.h"
#include "client/lichess/bot/game_player.h"
#include "client/lichess/bot/kept_stream.h"
#include "client/lichess/bot/lichess_api.h"
#include "client/lichess/bot/line_budget.h"
#include "client/lichess/bot/matchmaker.h"
#include "client/lichess/bot/policy.h"
#include "client/lichess/bot/round_trip.h"
#include "client/mailbox.h"

namespace kibitz::client::lichess {

struct BotOptions {
  BotPolicy policy{};
  // Where games are added when they are over; empty: nowhere.
  std::string pgn_file{};
  // Makes a bot of an account that is none yet, for good.
  bool upgrade = false;
  // Who plays, for those who ask in the chat.
  std::string engine = "Kibitz";
};

class Bot {
 public:
  // Checks the account and what the policy names. The API and the connection must outlive the bot.
  static absl::StatusOr<std::unique_ptr<Bot>> Start(LichessApi& api, const Connection& connection, BotOptions options,
                                                    const std::stop_token& stop);
  ~Bot();
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  // Plays until a stop is requested and the policy's way to stop is gone to its end. Fails where going on is of no use:
  // the token is no longer good.
  absl::Status Run(const std::stop_token& stop);

  BotView view() const { return report_.view(); }

 private:
  Bot(LichessApi& api, const Connection& connection, BotOptions options, Account account,
      std::optional<PolyglotBook> book);

  std::unique_ptr<KeptStream> OpenEvents();
  std::optional<SteadyTime> NextDeadline() const;
  void OnTime(SteadyTime now);
  void OnLine(const std::string& line);
  void OnEvent(const GameStarted& started);
  void OnEvent(const GameFinished& finished);
  void OnEvent(const ChallengeMade& made);
  void OnEvent(const ChallengeCanceled& canceled);
  void OnEvent(const ChallengeDeclined& declined);
  void OnEvent(const UnknownEvent& event);
  void FindRunningGames();
  void Play(const std::string& game, const Player& opponent);
  void OnGameDone(const std::string& game);
  Occupation OccupationFor(const Player& opponent) const;
  void Accept(const Challenge& challenge);
  void Decline(const Challenge& challenge, const std::string& reason);
  // Tries a few times, with pauses.
  absl::Status Patiently(const std::function<absl::Status()>& attempt) const;
  void Seek();
  void BeginToStop();

  LichessApi& api_;
  const BotOptions options_;
  const Account account_;
  const std::optional<PolyglotBook> book_;
  BotReport report_;
  RoundTrip round_trip_;
  GameArchive archive_;
  const PlayContext context_;
  Mailbox mailbox_;
  LineBudget lines_;
  std::stop_source leaving_;

  // What follows belongs to the thread that runs.
  std::unique_ptr<KeptStream> events_;
  absl::Status end_;
  bool done_ = false;
  bool stopping_ = false;
  std::optional<SteadyTime> leave_at_;
  // Challenges that were accepted, and whose games have not begun yet; by whom, and until when they count.
  struct Pending {
    Player opponent;
    SteadyTime until;
  };
  std::map<std::string, Pending> pending_;
  std::map<std::string, Player> opponents_;  // of pending and running games, by game
  std::set<std::string> declined_;           // not to be declined twice
  DailyGames daily_;
  Matchmaker matchmaker_;
  std::map<std::string, std::unique_ptr<GamePlayer>> games_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_BOT_H_
