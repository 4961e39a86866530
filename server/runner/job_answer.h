// What the parts of a job have found, put together.

#ifndef KIBITZ_SERVER_RUNNER_JOB_ANSWER_H_
#define KIBITZ_SERVER_RUNNER_JOB_ANSWER_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/jobs/job.h"
#include "server/review/reviewed_games.h"
#include "server/runner/job_plan.h"

namespace kibitz::server {

// Says for each part what callers hear of it. The same results give the same answer, however often it is put together.
// For one thread at a time.
class JobAnswer {
 public:
  // `plan` is that of the job's request.
  JobAnswer(const JobSpec& spec, const std::shared_ptr<const JobPlan>& plan);

  // Whether it has to hear of the parts before one to tell of that one.
  bool needs_all() const { return review_.has_value(); }

  // The next part's, in their order. INTERNAL: what is kept of it cannot be read.
  absl::StatusOr<v1::JobResults> Next(const PartResult& result);

 private:
  void AddEvents(const PartResult& result, const v1::JobResults& found, v1::JobResults& wire);

  const int parts_;
  const int part_size_;
  std::optional<ReviewedGames> review_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RUNNER_JOB_ANSWER_H_
