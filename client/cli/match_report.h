// The results of a match, for people and for programs.

#ifndef KIBITZ_CLIENT_CLI_MATCH_REPORT_H_
#define KIBITZ_CLIENT_CLI_MATCH_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "client/cli/console.h"
#include "client/match/schedule.h"
#include "client/match/standings.h"
#include "client/match/statistics.h"

namespace kibitz::client {

// All there is to tell.
struct MatchView {
  const std::vector<std::string>& names;
  const Schedule& schedule;
  const Standings& standings;
  const std::optional<Sprt>& sprt;  // of the first pairing
};

// A few lines: for two players what is known about their difference, for more a table.
std::string MatchText(const MatchView& view, const Palette& palette);
// "LLR 1.23 of -2.94 to 2.94 for Elo 0 against 5 (normalised)", with the verdict if there is one.
std::string SprtText(const Sprt& sprt, const Tally& tally);
// One JSON object on one line. What is not finite is null.
std::string MatchJson(const MatchView& view);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_MATCH_REPORT_H_
