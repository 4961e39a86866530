// Jobs in an SQLite file, for a server that is alone.

#ifndef KIBITZ_SERVER_JOBS_SQLITE_JOB_QUEUE_H_
#define KIBITZ_SERVER_JOBS_SQLITE_JOB_QUEUE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/errors/log_limit.h"
#include "server/jobs/job_file.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/job_schedule.h"
#include "server/jobs/watch_list.h"

namespace kibitz::server {

// The file says what there is, and what is being done is known in memory as well: this process alone has the file. What
// was being done when a process ended without a word is given out again, alone; what ends processes again and again is
// set aside. One thread sees to what becomes due.
class SqliteJobQueue final : public JobQueue {
 public:
  struct Options {
    std::string path;
    // No job is accepted beyond these. Requests, results, and room for the results that are to come.
    std::int64_t max_bytes = std::int64_t{1} << 30;
    int max_jobs = 10'000;  // that are not over
    TermsOf terms_of{};     // must not use the queue; none: the same for all
    // A part of which nobody has heard for so long is given out again.
    std::chrono::milliseconds lease_time = std::chrono::seconds(15);
    std::string node{};    // its own name
    bool crashed = false;  // whether the process before this one ended by a fault of its own
  };

  // An error says what is wrong with the file. Throws what the system throws when there is no thread to be had.
  static absl::StatusOr<std::unique_ptr<SqliteJobQueue>> Open(Options options);
  ~SqliteJobQueue() override;

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

  // A part that was lost so often, though nothing is known of a fault, is set aside as well: something ends whoever
  // does it. Chance does not, because it is done alone; ten times were too few for a server that was killed three times
  // a second.
  static constexpr int kMaxLosses = 50;

 private:
  // A second, of jobs that are over.
  static constexpr int kLogLines = 20;

  using Clock = JobSchedule::Clock;

  // What others are to be told once the lock is free.
  struct News {
    bool work = false;
    std::vector<std::string> changed{};  // jobs
    std::vector<std::string> over{};
  };
  // A part that was not done, and what is to become of it.
  struct Setback {
    JobSchedule::Part part;  // its history brought up to date
    PartFault fault;
    std::chrono::milliseconds pause{0};
  };

  SqliteJobQueue(Options options, JobFile file) : options_(std::move(options)), file_(std::move(file)) {}

  // Does something under the lock, and then tells others what came of it.
  template <typename Work>
  auto Do(Work work);
  void Tell(const News& news);

  // All that follows is called under the lock.
  absl::Status Load();
  JobSchedule::Entry EntryOf(std::int64_t number, const JobSpec& spec) const;
  TenantTerms TermsFor(const std::string& tenant) const;
  // Whether there is room for one more.
  absl::Status CheckRoom(const JobSpec& spec);
  absl::Duration TimeToRoom();
  // In one transaction. An error is made one for callers.
  absl::Status Write(const std::function<absl::Status()>& steps);
  // What the file says: an error is made one for callers.
  absl::Status Heed(const absl::Status& status);
  absl::StatusOr<std::int64_t> NumberOf(const std::string& tenant, const std::string& id);
  // How a job ends. Where it is not done there is a reason.
  struct Ending {
    JobState state = JobState::kDone;
    std::string reason{};
    std::string message{};
  };
  static Ending EndingOf(const Job& job, const PartResult& last);
  // Within a transaction, and after it.
  absl::Status WriteEnd(std::int64_t number, const Ending& ending, Job& job);
  void NoteEnd(std::int64_t number, const Job& job, JobState before, News& news);
  absl::Status End(std::int64_t number, const Ending& ending, Job& job, News& news);
  // Puts down what came of a part, and ends the job with its last one.
  absl::Status Finish(std::int64_t number, PartResult result, const PartFault* fault, News& news);
  absl::Status SetBack(const Setback& setback, News& news);
  Setback LossOf(const JobSchedule::Part& part, bool crashed) const;

  void RunHousekeeping();
  void ExpireJobs(News& news);
  void ForgetJobs();
  void LoseLapsed(News& news);
  void Measure();

  const Options options_;
  WatchList watches_;

  std::mutex listener_mutex_;  // guards what follows
  Listener* listener_ = nullptr;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  JobFile file_;
  JobSchedule schedule_;
  JobCounts counts_;
  std::int64_t last_ticket_ = 0;
  std::optional<absl::StatusCode> fault_;  // what is wrong with the file now
  Clock::time_point last_end_ = Clock::now();
  std::optional<std::chrono::duration<double>> end_interval_;  // of late, between the ends of jobs
  LogLimit end_log_{kLogLines};
  bool ending_ = false;
  std::thread housekeeping_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_SQLITE_JOB_QUEUE_H_
