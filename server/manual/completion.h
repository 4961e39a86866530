// Completion of a command line in a shell.

#ifndef KIBITZ_SERVER_MANUAL_COMPLETION_H_
#define KIBITZ_SERVER_MANUAL_COMPLETION_H_

#include <CLI/App.hpp>
#include <string>

namespace kibitz::server {

// A script for bash that completes the commands and options of a program, and the values that are files, folders or
// one of a few words.
std::string BashCompletion(const CLI::App& app);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MANUAL_COMPLETION_H_
