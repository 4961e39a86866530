// Between the wire and jobs as plain data. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_JOB_H_
#define KIBITZ_SERVER_CONVERSION_JOB_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/jobs/job.h"
#include "server/jobs/job_queue.h"

namespace kibitz::server {

// How requests are read, cut into parts, and their results are kept: JobSpec::format. Whoever changes any of it counts
// on.
inline constexpr int kJobFormat = 1;

// How long a server has jobs wait and keeps them, at most.
struct JobTimes {
  std::chrono::seconds max_wait = std::chrono::hours(7 * 24);
  std::chrono::seconds max_keep = std::chrono::hours(24);
};

// All that the request says but for the work itself, which is left to the spec's `request` as it came.
absl::StatusOr<JobSpec> ParseSubmitJob(const v1::SubmitJobRequest& wire, const JobTimes& times, JobTime now);

// A job's name as callers give it: no longer than any can be.
absl::Status CheckJobId(const std::string& id);

absl::StatusOr<JobQueue::Filter> ParseListJobs(const v1::ListJobsRequest& wire);

v1::Job ToWire(const Job& job);

// Where a part's results come from.
v1::JobResults::Origin OriginToWire(const PartResult& result);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_JOB_H_
