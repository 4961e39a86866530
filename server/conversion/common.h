// What requests of all subjects share: ranges, enums, durations.

#ifndef KIBITZ_SERVER_CONVERSION_COMMON_H_
#define KIBITZ_SERVER_CONVERSION_COMMON_H_

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/duration.pb.h"

namespace kibitz::server {

// INVALID_ARGUMENT unless the value is within the bounds.
absl::Status CheckRange(absl::string_view field, std::int64_t value, std::int64_t min, std::int64_t max);

// INVALID_ARGUMENT for a number that stands for nothing.
absl::Status UnknownEnumValue(absl::string_view field, int value);

// A duration of at least `min` and at most a day, in whole milliseconds.
absl::StatusOr<std::chrono::milliseconds> ParseDuration(absl::string_view field, const google::protobuf::Duration& wire,
                                                        std::chrono::milliseconds min = std::chrono::milliseconds(0));

google::protobuf::Duration ToWire(std::chrono::nanoseconds duration);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_COMMON_H_
