// Jobs in NATS JetStream, for a farm: every node may accept them, and every node may do their parts.

#ifndef KIBITZ_SERVER_JOBS_NATS_NATS_JOB_QUEUE_H_
#define KIBITZ_SERVER_JOBS_NATS_NATS_JOB_QUEUE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/nats/farm_streams.h"
#include "server/jobs/nats/held_parts.h"
#include "server/jobs/nats/job_feed.h"
#include "server/jobs/nats/job_index.h"
#include "server/jobs/nats/job_records.h"
#include "server/jobs/nats/nats_client.h"
#include "server/jobs/nats/nats_options.h"
#include "server/jobs/nats/work_lanes.h"
#include "server/jobs/watch_list.h"

namespace kibitz::server {

// Nothing is kept here but copies. A job is accepted by one message; whoever finds that its parts are not in the queue
// of work yet puts them there. A part's first result stays, counts once, and only then its message is acknowledged: a
// node may die between any two of these, and whoever is given the part next goes on from there. Each node sees to what
// is due, and the first one does it.
class NatsJobQueue final : public JobQueue {
 public:
  struct Options {
    NatsOptions nats;
    // No job is accepted beyond these, as far as this node knows.
    int max_jobs = 10'000;        // that are not over
    int max_kept_jobs = 200'000;  // all of them
    std::int64_t max_parts = 1'000'000;
    std::int64_t max_bytes = std::int64_t{8} << 30;  // that JetStream has of them, on each server that keeps them
    TermsOf terms_of{};                              // must not use the queue; none: the same for all
    // A part of which JetStream has not heard for so long is given out again.
    std::chrono::milliseconds ack_wait = WorkLanes::kAckWait;
  };

  // Lost so often, a part is what ends its nodes: the first time it may have been another that was done beside it,
  // after that it was done alone.
  static constexpr int kMaxLosses = 1 + kMaxFailures;

  // NATS need not answer yet. Throws what the system throws when there is no thread to be had.
  static absl::StatusOr<std::unique_ptr<NatsJobQueue>> Open(Options options);
  ~NatsJobQueue() override;

  absl::StatusOr<Accepted> Submit(JobSpec spec) override;
  absl::StatusOr<Job> Find(const std::string& tenant, const std::string& id) override;
  absl::StatusOr<Page> List(const std::string& tenant, const Filter& filter) override;
  absl::StatusOr<Job> Cancel(const std::string& tenant, const std::string& id) override;
  absl::Status Delete(const std::string& tenant, const std::string& id) override;
  absl::StatusOr<std::vector<PartResult>> Results(const std::string& id, int first, std::int64_t max_bytes) override;
  Watch WatchJob(const std::string& id, std::function<void()> on_change) override;

  absl::StatusOr<Job> FindForWork(const std::string& id) override;
  absl::StatusOr<std::optional<TakenPart>> Take(const Ability& ability) override;
  void KeepAlive(const std::vector<TakenPart>& parts) override;
  absl::Status Complete(const TakenPart& part, PartResult result) override;
  absl::Status GiveBack(const TakenPart& part, const GiveBackReason& why) override;
  void SetListener(Listener* listener) override;

  absl::StatusOr<std::vector<Delivery>> TakeDeliveries(int max_deliveries) override;
  absl::Status EndDelivery(const Delivery& delivery, std::optional<JobTime> next) override;

  JobCounts counts() const override;

 private:
  using Clock = std::chrono::steady_clock;
  using JobEntry = Versioned<farm::JobRecord>;
  using Change = std::function<bool(farm::JobRecord&)>;  // whether it has changed anything

  // A change that many parts' results make to one job, made by one of those who wait for it.
  struct CountBatch {
    std::vector<farm::ResultRecord> results;  // without their bytes
    std::optional<absl::Status> outcome;
  };
  struct CountGroup {
    std::shared_ptr<CountBatch> next = std::make_shared<CountBatch>();
    bool busy = false;
    int users = 0;
  };
  // A message of the work, looked at.
  struct Offer {
    FarmStreams::Work work;
    std::string reply;
    std::uint64_t deliveries = 1;
  };
  enum class Verdict : std::uint8_t { kTake, kDone, kLeave };

  NatsJobQueue(Options options, std::unique_ptr<NatsClient> client);

  // The record of a job as JetStream has it; NOT_FOUND if it is another's.
  absl::StatusOr<JobEntry> FindRecord(const std::string& tenant, const std::string& id);
  absl::StatusOr<JobEntry> ReadJob(const std::string& id);
  // Makes a change, again if another was quicker, and puts it into the index.
  absl::StatusOr<JobEntry> Update(const std::string& id, const Change& change);
  absl::StatusOr<JobEntry> Update(JobEntry entry, const Change& change);
  TenantTerms TermsFor(const std::string& tenant) const;
  absl::Status CheckRoom(const JobSpec& spec) const;
  // The id that a job is to have: that of the name's, if there is one.
  absl::StatusOr<std::string> ClaimName(const JobSpec& spec);
  absl::Status Dispatch(const farm::JobRecord& record);
  absl::Status Remove(const farm::JobRecord& record);

  // Of the work.
  absl::StatusOr<std::optional<TakenPart>> Consider(const Offer& offer, const Ability& ability);
  absl::StatusOr<Verdict> Judge(const Offer& offer, const farm::JobRecord& job, const Ability& ability,
                                farm::PartRecord& part);
  absl::StatusOr<Verdict> JudgeAgain(const Offer& offer, const farm::JobRecord& job, farm::PartRecord& part);
  absl::Status Count(const std::string& job, farm::ResultRecord result);
  absl::Status MakeCount(const std::string& job, const CountBatch& batch);
  absl::Status PutDown(const std::string& job, farm::ResultRecord result);
  void NoteFault(const std::string& job, PartFault fault);

  // What happens by itself.
  void OnJobChange(const std::string& job, const JobIndex::EntryPointer& before);
  void TellOfWork();
  void TellOver(const std::string& job);
  void RunHousekeeping();
  void SeeToOpenJobs(JobTime now);
  void SeeToJob(const JobIndex::Entry& entry, JobTime now);
  void ForgetJobs(JobTime now);
  void Measure();
  // Nodes see to what is due at different moments, so that mostly one of them finds it.
  std::chrono::milliseconds Delay(const std::string& job) const;

  const Options options_;
  const std::unique_ptr<NatsClient> client_;
  FarmStreams streams_;
  JobIndex index_;
  HeldParts held_;
  WatchList watches_;

  mutable std::mutex listener_mutex_;  // guards what follows
  Listener* listener_ = nullptr;

  std::mutex take_mutex_;  // guards what follows
  WorkLanes lanes_;

  std::mutex wake_mutex_;           // guards what follows
  std::vector<std::string> awake_;  // lanes in which there may be something again

  std::mutex count_mutex_;  // guards what follows
  std::condition_variable counted_;
  std::map<std::string, CountGroup> count_groups_;

  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::int64_t> submitted_{0};
  std::atomic<std::int64_t> parts_done_{0};
  std::atomic<std::int64_t> parts_failed_{0};
  std::atomic<std::int64_t> parts_given_back_{0};
  std::atomic<std::int64_t> parts_set_aside_{0};
  std::atomic<std::int64_t> failures_{0};
  std::atomic<std::int64_t> queued_parts_{0};  // in the queue of work, and not given out

  std::mutex housekeeping_mutex_;  // guards what follows
  std::condition_variable ended_;
  bool ending_ = false;
  std::map<std::string, Clock::duration> patience_;  // how long open jobs may be silent until they are looked after

  std::optional<JobFeed> feed_;
  std::thread housekeeping_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_NATS_JOB_QUEUE_H_
