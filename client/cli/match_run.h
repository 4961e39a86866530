// Plays a match on the command line: shows it as it goes, records it, goes on after an interruption.

#ifndef KIBITZ_CLIENT_CLI_MATCH_RUN_H_
#define KIBITZ_CLIENT_CLI_MATCH_RUN_H_

#include "client/cli/exit_code.h"
#include "client/cli/match_flags.h"

namespace kibitz::client {

// On a terminal the results are redrawn in place, into a pipe goes a line for each game; the final results follow.
ExitCode RunMatch(const MatchFlags& flags);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_MATCH_RUN_H_
