// Waiting for a server that is full.

#ifndef KIBITZ_CLIENT_CLI_PATIENCE_H_
#define KIBITZ_CLIENT_CLI_PATIENCE_H_

#include <CLI/App.hpp>
#include <functional>
#include <stop_token>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::client {

// Adds --wait to a command.
void AddWaitFlag(CLI::App& command, double& seconds);

// Calls `run` until it succeeds, or fails otherwise than by a server that says when to come back, or would have to wait
// longer than `patience` in all. Says on standard error for how long it waits. A stop ends the waiting.
absl::Status RunPatiently(absl::Duration patience, const std::stop_token& stop,
                          const std::function<absl::Status()>& run);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_PATIENCE_H_
