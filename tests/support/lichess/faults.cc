#include "tests/support/lichess/faults.h"

namespace kibitz::stand_in {
namespace {

// From 0 to 1, the same on every machine.
double Unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) / 9007199254740992.0; }

}  // namespace

RequestFault FaultPlan::NextRequest() {
  const std::lock_guard lock(mutex_);
  double draw = Unit(requests_);
  const bool coin = (requests_() & 1) != 0;
  ++counts_["requests"];
  const auto falls_on = [&](double share, const char* name) {
    const bool falls = draw >= 0 && draw < share;
    draw -= share;
    if (falls) ++counts_[name];
    return falls;
  };
  if (falls_on(options_.too_many_requests, "too many requests")) return RequestFault::kTooManyRequests;
  if (falls_on(options_.server_error, "server error")) return RequestFault::kServerError;
  if (falls_on(options_.lost_request, "lost request")) return RequestFault::kLostRequest;
  if (falls_on(options_.lost_answer, "lost answer")) return coin ? RequestFault::kLostAnswer : RequestFault::kBadAnswer;
  if (falls_on(options_.slow_answer, "slow answer")) return RequestFault::kSlowAnswer;
  return RequestFault::kNone;
}

StreamFault FaultPlan::NextStream() {
  const std::lock_guard lock(mutex_);
  StreamFault fault;
  ++counts_["streams"];
  const auto happens = [&](double share, const char* name) {
    const bool yes = Unit(streams_) < share;
    if (yes) ++counts_[name];
    return yes;
  };
  const int lines = static_cast<int>(streams_() % 20);
  if (happens(options_.cut_stream, "cut stream")) fault.cut_after = lines;
  if (happens(options_.silent_stream, "silent stream")) fault.silent_after = lines;
  fault.slow_start = happens(options_.slow_start, "slow start");
  fault.split_lines = happens(options_.split_lines, "split lines");
  return fault;
}

std::map<std::string, int> FaultPlan::Counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace kibitz::stand_in
