// Help, and what is said to somebody who asked for what does not exist.

#ifndef KIBITZ_CLIENT_CLI_USAGE_H_
#define KIBITZ_CLIENT_CLI_USAGE_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Completes the program's help once its commands are there.
void ExplainUsage(CLI::App& app);

// Answers a call for help on standard output, and anything else on standard error with the nearest name that exists.
ExitCode ReportUsage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_USAGE_H_
