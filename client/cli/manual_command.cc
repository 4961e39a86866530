#include "client/cli/manual_command.h"

#include <memory>
#include <string>

#include "client/cli/console.h"
#include "server/manual/completion.h"
#include "server/manual/man_page.h"

namespace kibitz::client {

void AddManualCommands(CLI::App& app, ExitCode& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  completion->add_option("SHELL", *shell, "The shell: bash")->type_name("")->required()->check(CLI::IsMember({"bash"}));
  completion->footer(
      "Examples:\n"
      "  source <(kibitz completion bash)                 for this shell\n"
      "  kibitz completion bash > ~/.local/share/bash-completion/completions/kibitz\n"
      "                                                   for every one to come");
  completion->callback([&app, &exit_code, shell] {
    Print(server::BashCompletion(app));
    exit_code = kExitOk;
  });
  CLI::App* man = app.add_subcommand("man", "Print the manual of all commands for man(1)");
  man->footer(
      "Examples:\n"
      "  kibitz man | man -l -                            to read it\n"
      "  kibitz man > kibitz.1                            to install it");
  man->callback([&app, &exit_code] {
    Print(server::ManPage(app, {.section = 1, .version = app.version(), .see_also = "kibitzd(8)"}));
    exit_code = kExitOk;
  });
}

}  // namespace kibitz::client
