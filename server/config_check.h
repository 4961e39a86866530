// What is wrong with a configuration, without starting a server.

#ifndef KIBITZ_SERVER_CONFIG_CHECK_H_
#define KIBITZ_SERVER_CONFIG_CHECK_H_

#include <string>
#include <vector>

#include "server/server_options.h"

namespace kibitz::server {

struct ConfigFindings {
  std::vector<std::string> errors;  // a server would not start
  std::vector<std::string> notes;   // it would, but hardly as it is meant
};

// Looks at what flags name, and at what they say together. Nothing is listened on for longer than a moment, and whether
// a port is free is not asked: the server that has it may be the one that is to be restarted. `metrics` is where they
// are shown; empty: nowhere.
ConfigFindings CheckConfig(const ServerOptions& options, const std::string& metrics);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONFIG_CHECK_H_
