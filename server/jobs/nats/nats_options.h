// Where a farm's NATS is, and how its nodes get in.

#ifndef KIBITZ_SERVER_JOBS_NATS_NATS_OPTIONS_H_
#define KIBITZ_SERVER_JOBS_NATS_NATS_OPTIONS_H_

#include <string>

namespace kibitz::server {

struct NatsOptions {
  // nats://HOST:PORT, or tls://HOST:PORT; several of a cluster separated by commas. USER:PASSWORD@ may stand before
  // HOST.
  std::string url;
  // A file of credentials, as NATS's own tools write it. Empty: none are shown.
  std::string credentials{};
  // PEM file of the authority that the servers' certificates come from. Empty: those that the system knows.
  std::string tls_ca{};
  // What all names in JetStream begin with, so that farms can share a NATS.
  std::string prefix = "kibitz";
  // How many servers of the cluster keep everything: 1 for a server that is alone, 3 on a cluster.
  int replicas = 1;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_NATS_OPTIONS_H_
