// How a failed call is told to the user.

#ifndef KIBITZ_CLIENT_CLI_FAILURE_H_
#define KIBITZ_CLIENT_CLI_FAILURE_H_

#include <string_view>

#include "absl/status/status.h"
#include "client/cli/exit_code.h"

namespace kibitz::client {

// Prints the error after `where` ("line 3: "), with what to do next, and returns the exit code. A call that failed
// because the user interrupted it is told as that.
ExitCode ReportFailure(const absl::Status& status, bool interrupted, std::string_view where = "");

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_FAILURE_H_
