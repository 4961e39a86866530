#include "server/conversion/request_caps.h"

#include <algorithm>

namespace kibitz::server {
namespace {

template <typename T, typename U>
void Lower(T& cap, const std::optional<U>& quota) {
  if (quota.has_value()) cap = std::min<T>(cap, *quota);
}

}  // namespace

RequestCaps CapsWithin(RequestCaps caps, const Quota& quota) {
  Lower(caps.max_depth, quota.max_depth);
  Lower(caps.max_threads, quota.max_threads);
  Lower(caps.max_multi_pv, quota.max_multi_pv);
  Lower(caps.max_search_time, quota.max_search_time);
  Lower(caps.max_perft_time, quota.max_search_time);
  return caps;
}

}  // namespace kibitz::server
