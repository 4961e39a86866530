// Many fast games on the stand-in with faults between it and the bots: what came of them, and what was left behind.

#ifndef KIBITZ_TESTS_CLIENT_LICHESS_BOT_TRIAL_H_
#define KIBITZ_TESTS_CLIENT_LICHESS_BOT_TRIAL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/lichess/bot/bot_report.h"

namespace kibitz::client::lichess {

struct TrialOptions {
  int games = 1000;
  int concurrency = 8;
  std::uint64_t seed = 1;
  // How often something goes wrong, against the usual.
  double faults = 1;
  absl::Duration initial = absl::Seconds(10);
  absl::Duration increment = absl::Milliseconds(100);
  // Without a game over for so long the trial is ended.
  absl::Duration patience = absl::Minutes(2);
};

struct TrialResult {
  int games = 0;
  std::int64_t plies = 0;
  std::map<std::string, int> endings;  // by Lichess's word
  std::vector<std::string> illegal_moves;
  // Games that ended by something else than chess: their identities, with the word.
  std::vector<std::string> not_by_chess;
  std::map<std::string, int> faults;
  BotCounts counts;  // of both bots together
  // More than before the trial, after it.
  int leaked_streams = 0;
  int leaked_connections = 0;
  int leaked_threads = 0;
  int leaked_descriptors = 0;

  bool IsGood(int games_wanted) const;
};

// Two bots play each other; standard chess, Chess960 and games from positions by turns. `on_game` is told how many
// games are over, from time to time.
TrialResult RunTrial(const TrialOptions& options, const std::function<void(int games)>& on_game = {});

std::string ToText(const TrialResult& result);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_TESTS_CLIENT_LICHESS_BOT_TRIAL_H_
