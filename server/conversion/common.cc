#include "server/conversion/common.h"

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"

namespace kibitz::server {

absl::Status CheckRange(absl::string_view field, std::int64_t value, std::int64_t min, std::int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return InvalidField(field, "OUT_OF_RANGE", absl::StrCat(value, " is not within ", min, " and ", max));
}

absl::Status UnknownEnumValue(absl::string_view field, int value) {
  return InvalidField(field, "UNKNOWN_ENUM_VALUE", absl::StrCat(value, " is not a value of this enum"));
}

absl::StatusOr<std::chrono::milliseconds> ParseDuration(absl::string_view field, const google::protobuf::Duration& wire,
                                                        std::chrono::milliseconds min) {
  constexpr std::chrono::seconds kMaxDuration = std::chrono::hours(24);
  if (wire.seconds() < 0 || wire.seconds() > kMaxDuration.count() || wire.nanos() < 0 || wire.nanos() > 999'999'999) {
    return InvalidField(field, "OUT_OF_RANGE", "is not a duration from nothing to a day");
  }
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::seconds(wire.seconds()) +
                                                                              std::chrono::nanoseconds(wire.nanos()));
  if (duration < min) {
    return InvalidField(field, "OUT_OF_RANGE", absl::StrCat("is less than ", min.count(), " ms"));
  }
  return duration;
}

google::protobuf::Duration ToWire(std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  google::protobuf::Duration wire;
  wire.set_seconds(seconds.count());
  wire.set_nanos(static_cast<int>((duration - seconds).count()));
  return wire;
}

}  // namespace kibitz::server
