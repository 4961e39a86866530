// A job as plain data: what was asked for, how it stands, and the parts that it is done by. No chess: the request and
// the results of parts are bytes to whoever keeps them.

#ifndef KIBITZ_SERVER_JOBS_JOB_H_
#define KIBITZ_SERVER_JOBS_JOB_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kibitz::server {

using JobTime = std::chrono::system_clock::time_point;

// In this order a job goes through them: it is queued until its first part begins, and over from kDone on. The numbers
// are those of the contract.
enum class JobState : std::uint8_t { kQueued = 1, kRunning = 2, kDone = 3, kFailed = 4, kCancelled = 5, kExpired = 6 };

inline bool IsOver(JobState state) { return state >= JobState::kDone; }

// Which of a tenant's jobs go first.
enum class JobPriority : std::uint8_t { kHigh = 1, kNormal = 2, kLow = 3 };

// What the work is, by the numbers of the contract.
enum class JobKind : std::uint8_t { kBatch = 1, kReview = 2 };

// Who may take the parts of a job. Empty: any.
struct Generation {
  std::string engine;      // and its version
  std::string evaluation;  // the net's id, or "classical"

  friend bool operator==(const Generation&, const Generation&) = default;
};

// What a job is. It never changes once it is accepted.
struct JobSpec {
  std::string id;         // random, and so known to its owner alone
  std::string tenant;     // whose it is; empty: of those of whom nothing is known
  std::string client_id;  // the owner's own name for it; empty: none
  JobKind kind = JobKind::kBatch;
  // How the request is to be read and cut into parts. Who does not know the number cannot do the job.
  int format = 1;
  std::string request;      // what is to be done
  std::string fingerprint;  // a digest of all that was asked for: the same for a repetition
  JobPriority priority = JobPriority::kNormal;
  Generation generation;  // that is demanded
  int positions = 0;      // in all
  int parts = 1;          // at least one
  int part_size = 1;      // positions of each part but the last
  JobTime submitted;
  JobTime deadline;              // by when it must be done; there always is one
  std::chrono::seconds keep{0};  // how long to keep it once it is over
  std::string webhook;           // who is told when it is over; empty: nobody
};

// The positions of a part.
inline int PositionsOf(const JobSpec& spec, int part) {
  return std::clamp(spec.positions - part * spec.part_size, 0, spec.part_size);
}

// What went wrong with a part, once.
struct PartFault {
  int part = 0;
  int attempt = 0;  // 1 is the first
  std::string node;
  JobTime time;
  std::string reason;   // in capitals: "NODE_LOST", "NODE_CRASHED", "TASK_FAILED", "DRAINED"
  std::string message;  // in words
};

// How a job stands.
struct JobStatus {
  JobState state = JobState::kQueued;
  // Grows with each change.
  std::int64_t revision = 0;
  std::optional<JobTime> started{};
  std::optional<JobTime> ended{};
  std::optional<JobTime> removed{};  // when it will be forgotten; known once it is over
  int parts_done = 0;                // those among them that were set aside count too
  int parts_set_aside = 0;
  int positions_done = 0;
  std::int64_t nodes = 0;           // searched for what is done
  std::vector<PartFault> faults{};  // the latest kMaxFaults
  // Why it ended, if not because it is done.
  std::string reason{};
  std::string message{};
};

inline constexpr int kMaxFaults = 20;

// The request is left out where many jobs are listed, and where nobody asked for it.
struct Job {
  JobSpec spec;
  JobStatus status;
};

// What came of a part.
struct PartResult {
  int part = 0;
  int attempt = 1;
  int positions = 0;
  bool set_aside = false;  // it could not be done: `reason` and `message` say why, and there are no results
  std::string reason;
  std::string message;
  std::string results;  // the results of its positions, as bytes
  // Where they come from.
  std::string node;
  Generation generation;
  std::int64_t nodes = 0;
  std::chrono::nanoseconds elapsed{0};
};

// What stands in place of the result of a part whose job has ended without it.
inline PartResult ResultOfUndone(const Job& job, int part) {
  PartResult result;
  result.part = part;
  result.attempt = 0;
  result.positions = PositionsOf(job.spec, part);
  result.set_aside = true;
  result.reason = job.status.reason;
  result.message = job.status.message;
  return result;
}

// A part that was taken, to be done.
struct TakenPart {
  std::string job;
  int part = 0;
  int attempt = 1;
  std::string tenant;
  int format = 1;
  // It may be what takes its node down: nothing else of its kind is to be done beside it.
  bool alone = false;
  // The queue's own.
  std::int64_t ticket = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_H_
