// The manual of a program, for man(1).

#ifndef KIBITZ_SERVER_MANUAL_MAN_PAGE_H_
#define KIBITZ_SERVER_MANUAL_MAN_PAGE_H_

#include <CLI/App.hpp>
#include <string>

namespace kibitz::server {

// What a man page says beside the declarations of the command line.
struct ManPageHeading {
  // 1 for programs that people use, 8 for those that run a machine.
  int section = 1;
  // The version of the program. Empty: none is named.
  std::string version{};
  // Other pages, such as "kibitzd(8)". Empty: none.
  std::string see_also{};
};

// The page in roff: every command with its arguments, options, environment variables and what its help ends with.
std::string ManPage(const CLI::App& app, const ManPageHeading& heading);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MANUAL_MAN_PAGE_H_
