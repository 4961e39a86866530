// `kibitz review`: what went wrong in games, move by move.

#ifndef KIBITZ_CLIENT_CLI_REVIEW_COMMAND_H_
#define KIBITZ_CLIENT_CLI_REVIEW_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Adds the command, which leaves its outcome in `exit_code`.
void AddReviewCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_REVIEW_COMMAND_H_
