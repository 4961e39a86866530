// All that is wrong with the flags of a program, rather than the first of it.

#ifndef KIBITZ_SERVER_FLAG_ERRORS_H_
#define KIBITZ_SERVER_FLAG_ERRORS_H_

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kibitz::server {

// Declares the flags of a program.
using DeclareFlags = std::function<void(CLI::App& app)>;

// Looks at each flag of the command line, of the environment and of the file of --config by itself, as CLI11 would, and
// says what is wrong and where: "kibitzd.toml:3: workers: ...". Empty: nothing is. `declare` is called again and again;
// where it has values written to, those that are right are found afterwards, as if the others had not been given.
std::vector<std::string> FindFlagErrors(const DeclareFlags& declare, const std::vector<std::string>& command_line);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_FLAG_ERRORS_H_
