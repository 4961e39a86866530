// Who calls, and what it may have of this server.

#ifndef KIBITZ_SERVER_TENANT_TENANT_H_
#define KIBITZ_SERVER_TENANT_TENANT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kibitz::server {

// What a key allows its holder to do.
enum class Role : std::uint8_t {
  kAnalyse,  // ask about positions
  kAdmin,    // that, and ask about the server and the other tenants
};

// What one tenant may have at once, over all its keys and calls. What is not set is bounded by the server's own bounds
// alone.
struct Quota {
  // Searches and counts that are under way, and that wait to begin.
  std::optional<int> max_live{};
  std::optional<int> max_queued{};
  // Positions searched, by all its searches together.
  std::optional<std::int64_t> nodes_per_minute{};
  // Jobs that are not over.
  std::optional<int> max_jobs{};
  // Of one request.
  std::optional<int> max_depth{};
  std::optional<std::chrono::milliseconds> max_search_time{};
  std::optional<int> max_threads{};
  std::optional<int> max_multi_pv{};
  // Its share of the workers when there is not enough for all: twice the share of another is twice the time. At
  // least 1.
  int share = 1;

  friend bool operator==(const Quota&, const Quota&) = default;
};

struct Tenant {
  // Empty for callers of whom nothing is known, where nobody is asked who they are.
  std::string name;
  Quota quota{};
};

// Tasks and calls hold on to the tenant that they began with. One that was given other quotas meanwhile is another
// object with the same name, and what it uses is counted by that.
using TenantPointer = std::shared_ptr<const Tenant>;

// Those of whom nothing is known.
inline const TenantPointer& AnonymousTenant() {
  static const auto& anonymous = *new TenantPointer(std::make_shared<const Tenant>());
  return anonymous;
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_TENANT_TENANT_H_
