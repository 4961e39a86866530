// What a bot is doing and has done, as plain data for whoever shows it.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_BOT_REPORT_H_
#define KIBITZ_CLIENT_LICHESS_BOT_BOT_REPORT_H_

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/lichess/bot/events.h"
#include "engine/board/position.h"

namespace kibitz::client::lichess {

// A running game.
struct GameView {
  std::string id{};
  Player opponent{};
  Color us = Color::kWhite;
  std::string variant{};
  std::string speed{};
  bool rated = false;
  Position position{};
  std::string last_move{};  // UCI
  std::array<absl::Duration, 2> time{};
  bool has_clock = true;
  std::string score{};  // as our side sees it: "+0.35", "#3"; empty: not known yet
  int depth = 0;
  std::string line{};
};

struct BotCounts {
  std::int64_t games_started = 0;
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;
  std::int64_t unfinished = 0;    // aborted, or given up
  std::int64_t lost_on_time = 0;  // of the losses
  std::int64_t moves = 0;
  std::int64_t book_moves = 0;
  std::int64_t moves_sent_again = 0;
  std::int64_t moves_refused = 0;
  std::int64_t streams_opened = 0;
  std::int64_t streams_lost = 0;
  std::int64_t searches_lost = 0;
  std::int64_t bad_events = 0;
  std::int64_t challenges_accepted = 0;
  std::int64_t challenges_made = 0;
  std::map<std::string, std::int64_t> challenges_declined{};  // by reason
};

struct BotView {
  std::string account{};
  std::string server{};
  bool online = false;
  absl::Duration round_trip{};
  std::vector<GameView> games{};
  BotCounts counts{};
};

// Thread-safe.
class BotReport {
 public:
  void Be(const std::string& account, const std::string& server);
  void SetOnline(bool online);
  void SetRoundTrip(absl::Duration round_trip);
  void Show(const GameView& game);
  void Forget(const std::string& game);
  template <typename Change>
  void Count(Change change) {
    const std::lock_guard lock(mutex_);
    change(view_.counts);
  }

  BotView view() const;

 private:
  mutable std::mutex mutex_;
  BotView view_;  // without the games
  std::map<std::string, GameView> games_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_BOT_REPORT_H_
