// What goes wrong between a client and the stand-in, decided by a seed, so that a run can be repeated.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_FAULTS_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_FAULTS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>

#include "absl/time/time.h"

namespace kibitz::stand_in {

// How often each happens, as a share of all requests or streams. All zero: nothing goes wrong.
struct FaultOptions {
  std::uint64_t seed = 1;
  // Of requests.
  double too_many_requests = 0;  // 429, not obeyed
  double server_error = 0;       // 502, not obeyed
  double lost_request = 0;       // the connection ends, not obeyed
  double lost_answer = 0;        // obeyed, then the connection ends or the answer is 502
  double slow_answer = 0;        // obeyed, answered late
  // Of streams.
  double cut_stream = 0;     // ends in the middle of a line after some lines
  double silent_stream = 0;  // says nothing any more, not even blank lines, but stays open
  double slow_start = 0;     // says nothing at first
  double split_lines = 0;    // lines come in pieces
  // What 429 tells to wait, and how long what is slow takes.
  absl::Duration retry_after = absl::Seconds(60);
  absl::Duration slowness = absl::Seconds(1);
};

enum class RequestFault { kNone, kTooManyRequests, kServerError, kLostRequest, kLostAnswer, kBadAnswer, kSlowAnswer };

struct StreamFault {
  int cut_after = -1;     // lines; negative: never
  int silent_after = -1;  // lines
  bool slow_start = false;
  bool split_lines = false;
};

// Thread-safe. The n-th request and the n-th stream have the same fault in every run with the same seed.
class FaultPlan {
 public:
  explicit FaultPlan(const FaultOptions& options)
      : options_(options), requests_(options.seed), streams_(options.seed ^ 0x9e3779b97f4a7c15) {}

  const FaultOptions& options() const { return options_; }
  RequestFault NextRequest();
  StreamFault NextStream();

  // How many there were so far, by name.
  std::map<std::string, int> Counts() const;

 private:
  const FaultOptions options_;
  mutable std::mutex mutex_;
  std::mt19937_64 requests_;
  std::mt19937_64 streams_;
  std::map<std::string, int> counts_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_FAULTS_H_
