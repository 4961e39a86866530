// What stands in the comments of a game for programs: [%eval 0.35], [%clk 0:03:12].

#ifndef KIBITZ_SERVER_REVIEW_ANNOTATIONS_H_
#define KIBITZ_SERVER_REVIEW_ANNOTATIONS_H_

#include <chrono>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::server {

// What the clock said, if the comment tells it.
std::optional<std::chrono::milliseconds> ClockIn(absl::string_view comment);

// The comment without the command of that name.
std::string WithoutCommand(absl::string_view comment, absl::string_view name);

// "0.35", or "#-3", from White's point of view. `score` is that of a side.
std::string EvalText(const v1::Score& score, bool white);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_ANNOTATIONS_H_
