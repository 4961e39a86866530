// Hears of every job of a farm, at first and whenever one changes, whichever node changed it.

#ifndef KIBITZ_SERVER_JOBS_NATS_JOB_FEED_H_
#define KIBITZ_SERVER_JOBS_NATS_JOB_FEED_H_

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "server/jobs/nats/farm_streams.h"
#include "server/jobs/nats/job_index.h"
#include "server/jobs/nats/nats_client.h"

namespace kibitz::server {

// Follows the stream of jobs on a thread of its own, for ever: what it missed while it was cut off it hears when it is
// back. What it hears goes into the index.
class JobFeed {
 public:
  // The job has changed, and stands in the index as it is now; or it is gone. On the feed's thread.
  using OnChange = std::function<void(const std::string& job, const JobIndex::EntryPointer& before)>;

  // Throws what the system throws when there is no thread to be had.
  JobFeed(NatsClient& client, FarmStreams& streams, JobIndex& index, OnChange on_change);
  ~JobFeed();
  JobFeed(const JobFeed&) = delete;
  JobFeed& operator=(const JobFeed&) = delete;

  // It has heard of all jobs there were when it began, and hears of changes now.
  bool current() const { return current_; }

 private:
  void Run();
  // Listens until that breaks off: what was told may have gaps from then on.
  absl::Status Follow();
  absl::Status Begin(const std::string& inbox, bool& empty);
  // False: something is missing, or cannot be read.
  bool Hear(const NatsMessage& message);
  void EndSurvey();

  NatsClient& client_;
  FarmStreams& streams_;
  JobIndex& index_;
  const OnChange on_change_;
  std::uint64_t heard_ = 0;  // messages since it began anew
  std::atomic<bool> current_{false};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_JOB_FEED_H_
