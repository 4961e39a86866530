// Between the wire and the server's errors, where an error is part of a response.

#ifndef KIBITZ_SERVER_CONVERSION_REFUSAL_H_
#define KIBITZ_SERVER_CONVERSION_REFUSAL_H_

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::server {

v1::AnalyzeSessionResponse::Refused RefusedToWire(const absl::Status& why);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_REFUSAL_H_
