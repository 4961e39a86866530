#include "client/http/backoff.h"

#include <algorithm>

namespace kibitz::client::http {

Backoff::Backoff(const BackoffOptions& options, std::uint64_t seed)
    : options_(options), pause_(options.first), random_(seed) {}

absl::Duration Backoff::Next() {
  const absl::Duration pause = std::min(pause_, options_.longest);
  pause_ = std::min(pause * options_.factor, options_.longest);
  const double kept = 1 - options_.jitter * std::uniform_real_distribution<>(0, 1)(random_);
  return pause * kept;
}

bool MayPass(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsResourceExhausted(status);
}

}  // namespace kibitz::client::http
