// Numbers as people read them.

#ifndef KIBITZ_CLIENT_CLI_QUANTITY_H_
#define KIBITZ_CLIENT_CLI_QUANTITY_H_

#include <google/protobuf/duration.pb.h>

#include <cstdint>
#include <string>

#include "absl/time/time.h"

namespace kibitz::client {

// "119,060,324".
std::string WithCommas(std::uint64_t number);

// "950", "12.3 k", "654 M", "1.05 G": three digits and a unit.
std::string Rounded(double number);

// "182 us", "12.3 ms", "1.23 s", "2 min 5 s", "3 h 12 min".
std::string Rounded(absl::Duration duration);

absl::Duration FromProto(const google::protobuf::Duration& duration);
google::protobuf::Duration ToProto(absl::Duration duration);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_QUANTITY_H_
