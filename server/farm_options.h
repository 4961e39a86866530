// What the options say about the farm's NATS.

#ifndef KIBITZ_SERVER_FARM_OPTIONS_H_
#define KIBITZ_SERVER_FARM_OPTIONS_H_

#include "absl/status/status.h"
#include "server/jobs/nats/nats_options.h"
#include "server/server_options.h"

namespace kibitz::server {

NatsOptions FarmNats(const ServerOptions& options);

// What is wrong with the words about NATS, whether it answers or not. It must be named.
absl::Status CheckNats(const ServerOptions& options);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_FARM_OPTIONS_H_
