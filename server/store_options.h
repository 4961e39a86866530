// What the options say about the store of results.

#ifndef KIBITZ_SERVER_STORE_OPTIONS_H_
#define KIBITZ_SERVER_STORE_OPTIONS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/server_options.h"
#include "server/store/result_store.h"

namespace kibitz::server {

// In place of a file: the farm's.
inline constexpr char kSharedStore[] = "nats";

// The store; nullptr: there is to be none. An error says what is wrong, and with what.
absl::StatusOr<std::unique_ptr<ResultStore>> OpenStore(const ServerOptions& options);

// What is wrong with the words about it.
absl::Status CheckStore(const ServerOptions& options);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_STORE_OPTIONS_H_
