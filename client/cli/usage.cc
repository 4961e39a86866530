#include "client/cli/usage.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "client/cli/console.h"
#include "client/cli/suggestion.h"

namespace kibitz::client {
namespace {

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The error and its hint for words that nobody knew what to do with.
void PrintUnknown(const CLI::App& app, const CLI::App* command, const std::string& word) {
  const std::string help = fmt::format("see kibitz {}--help", command == nullptr ? "" : command->get_name() + " ");
  const bool is_option = word.starts_with('-');
  std::string nearest;
  if (is_option) {
    nearest = Nearest(word.substr(0, word.find('=')), OptionNames(command == nullptr ? app : *command));
  } else if (command == nullptr) {
    nearest = Nearest(word, CommandNames(app));
  }
  const char* kind = is_option ? "option" : command == nullptr ? "command" : "argument";
  PrintError(fmt::format("unknown {} '{}'", kind, word),
             nearest.empty() ? help : fmt::format("did you mean '{}'? {}", nearest, help));
}

}  // namespace

void ExplainUsage(CLI::App& app) {
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
  app.footer(
      "Examples:\n"
      "  kibitz moves                          the legal moves of the starting position\n"
      "  kibitz moves --board --moves \"e2e4\"   the same after 1. e4, with the bitboards\n"
      "  kibitz perft 6 --divide               move paths of six plies, by first move\n"
      "  kibitz moves --json - < fens.txt      one JSON object for each FEN of a file\n"
      "\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.");
}

ExitCode ReportUsage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(error);  // prints the help that was called for
    return kExitOk;
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  if (!unknown.empty()) {
    PrintUnknown(app, command, unknown.front());
  } else if (command == nullptr) {
    fmt::print(stderr, "{}", app.help());
  } else {
    PrintError(error.what(), fmt::format("see kibitz {} --help", command->get_name()));
  }
  return kExitUsage;
}

}  // namespace kibitz::client
