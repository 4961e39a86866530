#include "server/keys/quota_fields.h"

#include <chrono>
#include <type_traits>

namespace kibitz::server {
namespace {

// A number of the quota that may be missing, between its name and its bounds.
template <auto kMember>
constexpr QuotaField Optional(const char* name, const char* help, std::int64_t min, std::int64_t max) {
  return {.name = name,
          .help = help,
          .min = min,
          .max = max,
          .get = [](const Quota& quota) -> std::optional<std::int64_t> {
            if (!(quota.*kMember).has_value()) return std::nullopt;
            return *(quota.*kMember);
          },
          .set =
              [](Quota& quota, std::int64_t value) {
                quota.*kMember =
                    static_cast<typename std::remove_reference_t<decltype(quota.*kMember)>::value_type>(value);
              }};
}

}  // namespace

const std::vector<QuotaField>& QuotaFields() {
  static const auto& fields = *new std::vector<QuotaField>{
      Optional<&Quota::max_live>("max-live", "searches and counts under way at once; more wait", 1, 100'000),
      Optional<&Quota::max_queued>("max-queued", "requests that may wait to begin", 0, 1'000'000),
      Optional<&Quota::nodes_per_minute>("nodes-per-minute", "positions searched in a minute, by all its searches",
                                         1000, 1'000'000'000'000'000),
      Optional<&Quota::max_jobs>("max-jobs", "jobs that are not over", 0, 1'000'000),
      Optional<&Quota::max_depth>("max-depth", "the deepest search", 1, 1000),
      {.name = "max-search-ms",
       .help = "the longest search or count, in milliseconds",
       .min = 1,
       .max = 86'400'000,
       .get = [](const Quota& quota) -> std::optional<std::int64_t> {
         if (!quota.max_search_time.has_value()) return std::nullopt;
         return quota.max_search_time->count();
       },
       .set = [](Quota& quota, std::int64_t value) { quota.max_search_time = std::chrono::milliseconds(value); }},
      Optional<&Quota::max_threads>("max-threads", "threads of one search or count", 1, 1024),
      Optional<&Quota::max_multi_pv>("max-multi-pv", "lines of one analysis", 1, 256),
      {.name = "share",
       .help = "its part of the workers when there is not enough for all",
       .min = 1,
       .max = 1000,
       .get = [](const Quota& quota) -> std::optional<std::int64_t> {
         if (quota.share == Quota().share) return std::nullopt;
         return quota.share;
       },
       .set = [](Quota& quota, std::int64_t value) { quota.share = static_cast<int>(value); }},
  };
  return fields;
}

}  // namespace kibitz::server
