// Players as the user describes them.

#ifndef KIBITZ_CLIENT_MATCH_PLAYER_SPEC_H_
#define KIBITZ_CLIENT_MATCH_PLAYER_SPEC_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/match/engine_process.h"
#include "client/match/match.h"
#include "client/match/time_control.h"

namespace kibitz::client {

// "key=value" words of one option of the command line, such as "elo0=0 elo1=5".
using Settings = std::vector<std::pair<std::string, std::string>>;
absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words);

// Reads a number and says whose it is if it is none.
absl::Status ReadNumber(const std::pair<std::string, std::string>& setting, double& number);
absl::Status ReadNumber(const std::pair<std::string, std::string>& setting, int& number);

enum class EngineProtocol : std::uint8_t { kUci, kXboard };

struct PlayerSpec {
  std::string name;
  EngineProtocol protocol = EngineProtocol::kUci;
  EngineOptions engine;
  TimeControl control;
  // By which flags this program reaches a server, such as --key-file FILE, beside what the environment says.
  std::vector<std::string> server_flags{};
};

// Adds settings to what `spec` has already:
//   cmd=PROGRAM [ARGUMENTS]   arg=ARGUMENT   dir=FOLDER   protocol=uci|xboard   name=NAME   option.NAME=VALUE
//   server=HOST:PORT
//   tc=[MOVES/]TIME[+INCREMENT]   st=SECONDS   nodes=N   depth=N   margin=MILLISECONDS
absl::Status Apply(const Settings& settings, PlayerSpec& spec);

// This program as an engine: the UCI dialogue of `kibitz uci`, which searches in its own process or, given a server, by
// an AnalyzeSession there, reached by these flags.
EngineProcess::Command OwnEngine(const std::string& server, const std::vector<std::string>& flags);

// Whether all is said that a player needs, and can be said in its protocol.
absl::Status CheckPlayer(const PlayerSpec& spec);

// Gives a name to those without, and makes all names different.
void NamePlayers(std::vector<PlayerSpec>& specs);

Contestant MakeContestant(const PlayerSpec& spec);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_PLAYER_SPEC_H_
