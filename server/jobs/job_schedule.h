// Which part is done next, and which are being done: of the jobs that are not over. In memory alone.

#ifndef KIBITZ_SERVER_JOBS_JOB_SCHEDULE_H_
#define KIBITZ_SERVER_JOBS_JOB_SCHEDULE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs/job_queue.h"
#include "server/scheduler/fair_shares.h"

namespace kibitz::server {

// Tenants have their turns by their shares of the time that parts take. A tenant's own jobs go by their priority and
// then as they came; within a job what was given back goes first. For one thread at a time.
class JobSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // What the schedule needs to know of a job.
  struct Entry {
    std::int64_t number = 0;  // grows with each job that is accepted
    std::string id;
    std::string tenant;
    JobPriority priority = JobPriority::kNormal;
    int format = 1;
    Generation generation;
    int parts = 1;
    int part_size = 1;
    JobTime submitted;
  };
  // What was tried with a part so far.
  struct History {
    int attempts = 0;  // that were begun
    int failures = 0;  // that failed of their own, or took their node down
    int losses = 0;    // whose node was gone, for whatever reason

    // It may be what takes nodes down.
    bool suspect() const { return failures + losses > 0; }
  };
  struct Part {
    std::int64_t number = 0;  // of the job
    int part = 0;
    History history;
  };

  JobSchedule() : shares_(/*capacity=*/1) {}

  // A job, whose parts from `next_part` on were never begun.
  void Add(Entry entry, int next_part, int share);
  // A part that was begun waits, until then at least.
  void Return(const Part& part, Time due);
  // The job is over.
  void Remove(std::int64_t number);

  // The part that is next for those who can do so much.
  std::optional<Part> Next(const JobQueue::Ability& ability, Time now);
  // It is being done, by whoever has the ticket. Its history has been brought up to date. `share` is its tenant's.
  void Begin(const Part& part, std::int64_t ticket, Time now, Time lease_end, int share);
  // It is over, whoever has done it. False: it was over before.
  bool Finish(std::int64_t number, int part, Time now);

  bool IsOver(std::int64_t number, int part) const;

  // What is known of a part that is being done, with that ticket.
  std::optional<Part> FindRunning(std::int64_t number, int part, std::int64_t ticket) const;
  // Whoever does it lives.
  bool KeepAlive(std::int64_t number, int part, std::int64_t ticket, Time lease_end);
  // Parts of which nobody has heard for too long.
  std::vector<Part> Lapsed(Time now) const;

  const Entry* Find(std::int64_t number) const;
  const Entry* Find(const std::string& id) const;
  std::size_t jobs() const { return jobs_.size(); }
  std::size_t JobsOf(const std::string& tenant) const;
  std::int64_t waiting_parts() const;
  std::int64_t running_parts() const;
  // Of all these, about.
  std::int64_t positions() const;
  // When the oldest job was accepted that has a part which waits.
  std::optional<JobTime> oldest() const;

 private:
  struct Waiting {
    History history;
    Time due;
  };
  struct Running {
    History history;
    std::int64_t ticket = 0;
    Time begun;
    Time lease_end;
  };
  struct OpenJob {
    Entry entry;
    int next_part = 0;
    std::map<int, Waiting> waiting{};
    std::map<int, Running> running{};

    bool HasWaiting() const { return next_part < entry.parts || !waiting.empty(); }
    std::int64_t CountWaiting() const { return entry.parts - next_part + static_cast<std::int64_t>(waiting.size()); }
  };
  // The jobs of one tenant that have parts which wait, in their order; and its share.
  struct Line : FairShares::Share {
    std::set<std::pair<JobPriority, std::int64_t>> order;
    std::size_t jobs = 0;  // all of them
  };

  std::optional<Part> NextOf(const Line& line, const JobQueue::Ability& ability, Time now) const;
  // Whether the job stands in its tenant's line is to follow from its parts.
  void PutInLine(const OpenJob& job);

  FairShares shares_;
  std::map<std::string, Line> lines_;  // by tenant; those that have jobs
  std::map<std::int64_t, OpenJob> jobs_;
  std::map<std::string, std::int64_t> numbers_;  // by id
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_SCHEDULE_H_
