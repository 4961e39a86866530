// Jobs as text.

#ifndef KIBITZ_CLIENT_CLI_JOB_TEXT_H_
#define KIBITZ_CLIENT_CLI_JOB_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "client/cli/console.h"
#include "kibitz/v1/jobs.pb.h"

namespace kibitz::client {

// "queued", "running", "done".
std::string_view ToWords(v1::JobState state);
std::string_view ToWords(v1::Job::Kind kind);

// Everything that there is to know of it, a line each, and what went wrong.
std::string JobText(const v1::Job& job, absl::Time now, const Palette& palette);

// A row for each.
std::string JobTable(const std::vector<v1::Job>& jobs, absl::Time now, const Palette& palette);

// "[=====>     ]  43 %  12 of 30 positions  1.52 M nodes  2 min 5 s left". As wide as that, at most.
std::string JobProgressText(const v1::Job& job, absl::Time now, int width);

// What was found in a position of a batch.
std::string ItemText(const v1::AnalyzeBatchResponse::Item& item, const Palette& palette);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_JOB_TEXT_H_
