#include "client/cli/command_context.h"

#include <utility>

namespace kibitz::client {

void AddCommonFlags(CLI::App& command, CommonFlags& flags) {
  command.add_flag("--json", flags.json, "Print JSON Lines: protobuf's JSON mapping, every field, one object a line");
  AddConnectionFlags(command, flags.connection);
  command.add_option("--timeout", flags.timeout_seconds, "Give up after this long (none for a search or a count)")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
}

absl::StatusOr<std::unique_ptr<CommandContext>> CommandContext::Open(const CommonFlags& flags) {
  absl::StatusOr<ConnectionOptions> options = ConnectionOf(flags.connection);
  if (!options.ok()) return options.status();
  if (flags.timeout_seconds > 0) {
    options->quick_timeout = absl::Seconds(flags.timeout_seconds);
    options->long_timeout = options->quick_timeout;
  }
  auto context = std::unique_ptr<CommandContext>(new CommandContext(flags.json));
  auto connection = Connection::Open(*options);
  if (!connection.ok()) return connection.status();
  context->connection_ = *std::move(connection);
  return context;
}

}  // namespace kibitz::client
