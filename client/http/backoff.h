// How long to wait before the next attempt at something that failed.

#ifndef KIBITZ_CLIENT_HTTP_BACKOFF_H_
#define KIBITZ_CLIENT_HTTP_BACKOFF_H_

#include <cstdint>
#include <random>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::client::http {

struct BackoffOptions {
  absl::Duration first = absl::Milliseconds(500);
  absl::Duration longest = absl::Seconds(30);
  double factor = 2;
  // The part of each pause that is left to chance, so that many who failed together do not come back together.
  double jitter = 0.5;
};

// The pauses grow from the first to the longest, until something succeeded. Not for several threads.
class Backoff {
 public:
  explicit Backoff(const BackoffOptions& options = {}, std::uint64_t seed = std::random_device()());

  // The next pause: never longer than the longest.
  absl::Duration Next();
  // It has succeeded: the next failure is a first one.
  void Reset() { pause_ = options_.first; }

 private:
  const BackoffOptions options_;
  absl::Duration pause_;
  std::mt19937_64 random_;
};

struct RetryPolicy {
  int max_attempts = 5;
  // No further attempt begins later than this after the first.
  absl::Duration max_time = absl::Minutes(5);
  BackoffOptions backoff{};
};

// Whether a failure may pass by itself: no connection, a 5xx, a time that ran out, a 429.
bool MayPass(const absl::Status& status);

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_BACKOFF_H_
