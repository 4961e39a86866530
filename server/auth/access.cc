#include "server/auth/access.h"

#include "absl/strings/match.h"

namespace kibitz::server {
namespace {

struct Rule {
  absl::string_view prefix;
  Access access;
};

constexpr Rule kRules[] = {
    {"/grpc.health.v1.Health/", Access::kOpen},  // probes have no keys
    {"/kibitz.v1.AdminService/", Access::kAdminKey},
};

}  // namespace

Access AccessOf(absl::string_view method) {
  for (const Rule& rule : kRules) {
    if (absl::StartsWith(method, rule.prefix)) return rule.access;
  }
  return Access::kAnyKey;
}

}  // namespace kibitz::server
