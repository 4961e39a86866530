// Whether a server can be called, and how well.

#ifndef KIBITZ_CLIENT_DOCTOR_SERVER_H_
#define KIBITZ_CLIENT_DOCTOR_SERVER_H_

#include <string>

#include "absl/time/time.h"
#include "client/connection.h"
#include "client/doctor/finding.h"

namespace kibitz::client {

// Calls the server that the options name, step by step: its name, its port, TLS, the key, its health, its version, its
// clock, its answers. The first step that fails is the last that is told. `own_version` is what this program is.
Findings CheckServer(const ConnectionOptions& options, const std::string& own_version);

// How a server's clock stands to ours, read somewhere between two times of ours.
Finding CheckClock(absl::Time server, absl::Time before, absl::Time after);

// The version of the server inside this program, which was built with it; and whether that can be started here.
struct OwnServer {
  std::string version;
  Finding finding;
};
OwnServer CheckOwnServer(const std::string& syzygy_path);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_DOCTOR_SERVER_H_
