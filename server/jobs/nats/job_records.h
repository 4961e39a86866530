// Jobs as plain data to records of a farm and back, and what changes in a record when something happens to its job.

#ifndef KIBITZ_SERVER_JOBS_NATS_JOB_RECORDS_H_
#define KIBITZ_SERVER_JOBS_NATS_JOB_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "server/jobs/job.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/nats/records.pb.h"

namespace kibitz::server {

// The version of records that this node reads and writes.
inline constexpr int kRecordReader = 1;

std::int64_t ToNanoseconds(JobTime time);
JobTime FromNanoseconds(std::int64_t time);

farm::JobRecord ToRecord(const JobSpec& spec);
// Without its request. The number of the message is the job's revision.
Job ToJob(const farm::JobRecord& record, std::uint64_t sequence);
farm::ResultRecord ToRecord(const PartResult& result);
PartResult ToResult(farm::ResultRecord record);
farm::FaultRecord ToRecord(const PartFault& fault);

bool IsOver(const farm::JobRecord& record);
bool IsCounted(const farm::JobRecord& record, int part);
// Those that have no result that counts.
std::vector<int> MissingParts(const farm::JobRecord& record);

// Counts a part's result, once; the job may be done by it. Nothing happens to one that is over. Returns whether the
// record has changed.
bool CountResult(farm::JobRecord& record, const farm::ResultRecord& result, JobTime now);
// Ends a job that is not over.
bool EndJob(farm::JobRecord& record, JobState state, absl::string_view reason, absl::string_view message, JobTime now);
void AddFault(farm::JobRecord& record, const PartFault& fault);

// Parts that the same nodes may do for the same owner with the same priority wait in a lane of their own, by whose name
// JetStream knows it.
struct Lane {
  std::string id;
  std::string tenant;
  int priority = 0;
  int format = 1;
  Generation generation;
};
Lane LaneOf(const farm::JobRecord& record);
bool CanDo(const JobQueue::Ability& ability, const Lane& lane);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_JOB_RECORDS_H_
