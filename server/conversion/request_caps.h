// What one request may ask for.

#ifndef KIBITZ_SERVER_CONVERSION_REQUEST_CAPS_H_
#define KIBITZ_SERVER_CONVERSION_REQUEST_CAPS_H_

#include <chrono>
#include <cstdint>

#include "engine/engine.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// The server's bounds, and what it does where a request says nothing.
struct RequestCaps {
  int max_depth = kMaxSearchDepth;
  int max_threads = 1;
  int max_multi_pv = 256;
  int max_perft_hash_mb = 256;
  std::chrono::milliseconds max_perft_time = std::chrono::minutes(10);
  std::uint64_t max_perft_nodes = 1'000'000'000'000'000;
  std::chrono::milliseconds max_search_time = std::chrono::hours(1);
  // Without a limit in the request.
  std::chrono::milliseconds default_search_time = std::chrono::seconds(1);
};

// The same for the requests of one tenant, which may be allowed less.
RequestCaps CapsWithin(RequestCaps caps, const Quota& quota);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_REQUEST_CAPS_H_
