// The flags of a match, and what they mean.

#ifndef KIBITZ_CLIENT_CLI_MATCH_FLAGS_H_
#define KIBITZ_CLIENT_CLI_MATCH_FLAGS_H_

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/connection_flags.h"
#include "client/match/game.h"
#include "client/match/opening.h"
#include "client/match/player_spec.h"
#include "client/match/statistics.h"

namespace kibitz::client {

// As they are written.
struct MatchFlags {
  std::vector<std::vector<std::string>> engines;
  std::vector<std::string> each;
  std::string clock;
  double move_seconds = 0;
  std::int64_t nodes = 0;
  int depth = 0;
  double margin_milliseconds = 50;
  int games = 100;
  bool gauntlet = false;
  int concurrency = 1;
  bool restart = false;
  std::string openings;
  int opening_plies = -1;
  bool shuffle = false;
  std::uint64_t seed = 1;
  std::vector<std::string> sprt;
  std::vector<std::string> resign;
  std::vector<std::string> draw;
  int max_moves = 0;
  std::string tablebases;
  double hang_seconds = 60;
  std::string pgn;
  std::string event = "kibitz match";
  bool resume = false;
  bool json = false;
  // Who judges random openings, and who this program asks where it plays itself.
  ConnectionFlags connection{};
};

void AddMatchFlags(CLI::App& command, MatchFlags& flags);

absl::StatusOr<std::vector<PlayerSpec>> PlayersOf(const MatchFlags& flags);
absl::StatusOr<std::optional<Sprt>> SprtOf(const MatchFlags& flags);
absl::StatusOr<GameRules> RulesOf(const MatchFlags& flags);
// `judge` is for random openings.
absl::StatusOr<OpeningSource> OpeningsOf(const MatchFlags& flags, PositionJudge judge);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_MATCH_FLAGS_H_
