// The file in which an operator says what a bot may do: docs/lichess.md describes it.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_POLICY_FILE_H_
#define KIBITZ_CLIENT_LICHESS_BOT_POLICY_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/lichess/bot/policy.h"

namespace kibitz::client::lichess {

// Reads a policy in TOML. What is left out is as it is by default. An error has a line for each thing that is wrong,
// with its line in the text and its field.
absl::StatusOr<BotPolicy> ParsePolicy(std::string_view toml);

// The same for a file. An error names it.
absl::StatusOr<BotPolicy> ReadPolicyFile(const std::string& path);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_POLICY_FILE_H_
