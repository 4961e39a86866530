// Accepted work that is not lost: what keeps jobs, gives out their parts, and puts down what comes of them.

#ifndef KIBITZ_SERVER_JOBS_JOB_QUEUE_H_
#define KIBITZ_SERVER_JOBS_JOB_QUEUE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/job.h"
#include "server/jobs/job_counts.h"

namespace kibitz::server {

// What a tenant may have of a queue, asked for by its name whenever that matters.
struct TenantTerms {
  int share = 1;        // of the parts that are done, when there is not enough for all
  int max_jobs = 1000;  // that are not over
};
using TermsOf = std::function<TenantTerms(const std::string& tenant)>;

// Two of them are there: an SQLite file for a server that is alone, and NATS JetStream in a farm. A job is accepted
// once Submit has returned it; from then on it ends, in one of the states that are over, whatever happens to nodes.
// Each of its parts has one result, however often it was done.
//
// All methods may be called from any thread. Those of the first two groups may block, on a disk or a network: never
// call them where a search or a call waits. Errors carry reasons as all errors here do; UNAVAILABLE with a time to come
// back says that the queue cannot be used now.
class JobQueue {
 public:
  // Hears of what happens. Called from any thread; returns at once, and calls nothing of the queue.
  class Listener {
   public:
    virtual ~Listener() = default;
    // There may be a part to take.
    virtual void OnWork() = 0;
    // A job is over, or gone: nobody wants the parts of it that are being done. May come again.
    virtual void OnJobOver(const std::string& job) = 0;
  };

  virtual ~JobQueue() = default;

  // For those who have jobs. `tenant` is who asks: the jobs of others are NOT_FOUND. `id` is the job's, or kByClientId
  // and its owner's own name for it.

  // Accepts a job, once it is sure not to be lost. One with the same tenant and client id was accepted before: if its
  // fingerprint is the same that job is given, and otherwise ALREADY_EXISTS (JOB_ID_TAKEN). RESOURCE_EXHAUSTED, with a
  // time to come back, past a bound.
  struct Accepted {
    Job job;
    bool repeated = false;  // it was accepted before
  };
  virtual absl::StatusOr<Accepted> Submit(JobSpec spec) = 0;

  // Without its request.
  virtual absl::StatusOr<Job> Find(const std::string& tenant, const std::string& id) = 0;

  // The newest first.
  struct Page {
    std::vector<Job> jobs;
    std::string next;  // where the next page begins; empty: there is none
  };
  struct Filter {
    std::vector<JobState> states{};  // empty: all
    std::string from{};              // Page::next; empty: the first page
    int max_jobs = 50;
  };
  virtual absl::StatusOr<Page> List(const std::string& tenant, const Filter& filter) = 0;

  // Ends a job. What it has found is kept. One that is over stays as it is.
  virtual absl::StatusOr<Job> Cancel(const std::string& tenant, const std::string& id) = 0;
  // Forgets a job that is over (FAILED_PRECONDITION otherwise: JOB_NOT_OVER).
  virtual absl::Status Delete(const std::string& tenant, const std::string& id) = 0;

  // The results of the parts from `first` on, in order, as far as they are there without a gap: at most so many bytes
  // of them, but at least one. Of a job that is over every part has one: those that were never done are set aside, with
  // the reason why the job has ended.
  virtual absl::StatusOr<std::vector<PartResult>> Results(const std::string& id, int first, std::int64_t max_bytes) = 0;

  // Calls back when a job may have changed, until what is returned is let go of. The callback must return at once.
  using Watch = std::shared_ptr<void>;
  virtual Watch WatchJob(const std::string& id, std::function<void()> on_change) = 0;

  // For whoever does the work.

  // The job of a part, with its request.
  virtual absl::StatusOr<Job> FindForWork(const std::string& id) = 0;

  // What this node can do.
  struct Ability {
    int max_format = 1;
    Generation generation{};
    std::string node{};  // its name
  };
  // A part to be done, if there is one: the one that is most due. It is put down, before it is given out, that it is
  // being done. Returns at once if there is none.
  virtual absl::StatusOr<std::optional<TakenPart>> Take(const Ability& ability) = 0;

  // Says that parts are still being done; to be called every second. Those that are not wanted any more are told to
  // the listener.
  virtual void KeepAlive(const std::vector<TakenPart>& parts) = 0;

  // The part is done. Returns once that is sure not to be lost. Doing it twice is harmless: the first result stays.
  // UNAVAILABLE: the result could not be kept; try again, or give the part back.
  virtual absl::Status Complete(const TakenPart& part, PartResult result) = 0;

  // The part was not done, and is for somebody else, or for later.
  struct GiveBackReason {
    // It was its own fault: after kMaxFailures such attempts it is set aside.
    bool failed = false;
    std::string reason{};
    std::string message{};
    std::chrono::milliseconds pause{0};  // before it is given out again
  };
  virtual absl::Status GiveBack(const TakenPart& part, const GiveBackReason& why) = 0;

  // One listener, for as long as it is set; nullptr: none. Once this returns the former is not called any more.
  virtual void SetListener(Listener* listener) = 0;

  // For whoever tells owners that their jobs are over.

  struct Delivery {
    Job job;  // without its request
    int attempt = 1;
  };
  // Those that are due, which then are not due again for a while.
  virtual absl::StatusOr<std::vector<Delivery>> TakeDeliveries(int max_deliveries) = 0;
  // It was told, or will not be any more (`next` is nothing), or is to be tried again then.
  virtual absl::Status EndDelivery(const Delivery& delivery, std::optional<JobTime> next) = 0;

  // How it does.
  virtual JobCounts counts() const = 0;

  // A part that fails so often of its own, or takes its node down so often, is set aside.
  static constexpr int kMaxFailures = 2;

  static constexpr char kByClientId[] = "client:";
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_QUEUE_H_
