#include "server/store_options.h"

#include <cstdint>

#include "server/farm_options.h"
#include "server/store/nats/nats_store.h"
#include "server/store/sqlite_store.h"

namespace kibitz::server {

absl::StatusOr<std::unique_ptr<ResultStore>> OpenStore(const ServerOptions& options) {
  if (options.store.empty()) return nullptr;
  const std::int64_t max_bytes = std::int64_t{options.store_mb} << 20;
  if (options.store != kSharedStore) {
    return std::make_unique<SqliteStore>(SqliteStore::Options{.path = options.store, .max_bytes = max_bytes});
  }
  if (absl::Status status = CheckStore(options); !status.ok()) return status;
  return NatsStore::Open({.nats = FarmNats(options), .max_bytes = max_bytes});
}

absl::Status CheckStore(const ServerOptions& options) {
  if (options.store != kSharedStore) return absl::OkStatus();
  if (options.nats.empty()) {
    return absl::InvalidArgumentError(
        "--store nats: needs --nats URL, the farm whose results it shares; a file of that name is ./nats");
  }
  return CheckNats(options);
}

}  // namespace kibitz::server
