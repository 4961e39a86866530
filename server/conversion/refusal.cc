#include "server/conversion/refusal.h"

#include <utility>

#include "absl/time/time.h"
#include "server/conversion/common.h"
#include "server/errors/errors.h"

namespace kibitz::server {

v1::AnalyzeSessionResponse::Refused RefusedToWire(const absl::Status& why) {
  v1::AnalyzeSessionResponse::Refused refused;
  auto [field, description] = FaultOf(why);
  refused.set_code(static_cast<int>(why.code()));
  refused.set_reason(ReasonOf(why));
  refused.set_field(std::move(field));
  refused.set_description(std::move(description));
  if (const auto delay = RetryAfter(why)) *refused.mutable_retry_delay() = ToWire(absl::ToChronoNanoseconds(*delay));
  return refused;
}

}  // namespace kibitz::server
