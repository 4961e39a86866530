// A command line as it was declared, for those who write about it.

#ifndef KIBITZ_SERVER_MANUAL_DECLARATIONS_H_
#define KIBITZ_SERVER_MANUAL_DECLARATIONS_H_

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kibitz::server {

// Those that the help shows.
std::vector<const CLI::Option*> OptionsOf(const CLI::App& command);
std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& command);

// All names by which an option is written: "-h", "--help".
std::vector<std::string> NamesOf(const CLI::Option& option);

// What kind of value an option wants, in a word: "FILE". Empty for a flag, which wants none.
std::string ValueOf(const CLI::Option& option);
// The values to choose from, where its type lists them: "interactive|batch", or "{debug,info}" as CLI11 has it.
std::vector<std::string> ChoicesOf(const CLI::Option& option);

// Tells of a program and of all its commands, each after the one that it belongs to, with its full name: "kibitz keys
// add".
void ForEachCommand(const CLI::App& app,
                    const std::function<void(const std::string& path, const CLI::App& command)>& tell);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MANUAL_DECLARATIONS_H_
