// The jobs of a farm as this node knows them, without asking anybody: what there is to do, to list, to count.

#ifndef KIBITZ_SERVER_JOBS_NATS_JOB_INDEX_H_
#define KIBITZ_SERVER_JOBS_NATS_JOB_INDEX_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/jobs/job_counts.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/nats/job_records.h"

namespace kibitz::server {

// May be a moment behind what JetStream has. All methods may be called from any thread.
class JobIndex {
 public:
  using Clock = std::chrono::steady_clock;

  struct Entry {
    farm::JobRecord record;
    std::uint64_t sequence = 0;
    Clock::time_point changed;  // when this node heard of it
  };
  using EntryPointer = std::shared_ptr<const Entry>;

  // What is older than what is there already is ignored. Returns the entry that was there before, if it is news.
  struct News {
    bool is_news = false;
    EntryPointer before;  // nullptr: there was none
  };
  News Apply(farm::JobRecord record, std::uint64_t sequence);
  // Forgets all that was not applied since the last call of this but one: what is told anew from the start is complete.
  void BeginSurvey();
  std::vector<std::string> EndSurvey();

  // nullptr: not known, or gone.
  EntryPointer Find(const std::string& id) const;

  // Where parts may wait that this node can do, by tenants.
  std::map<std::string, std::vector<Lane>> OpenLanes(const JobQueue::Ability& ability) const;
  bool HasOpenJobs() const;
  std::vector<EntryPointer> OpenJobs() const;
  // Those that are over, the earliest to be forgotten first, up to this time. Those that are gone already are among
  // them.
  std::vector<EntryPointer> Forgettable(JobTime now) const;
  // Those whose owner is to be told.
  std::vector<EntryPointer> DueDeliveries(JobTime now) const;
  void Forget(const std::string& id);

  // A tenant's jobs, the newest first; `from` is where the last page ended.
  JobQueue::Page List(const std::string& tenant, const JobQueue::Filter& filter,
                      std::optional<std::pair<std::int64_t, std::string>> from) const;

  std::int64_t OpenOf(const std::string& tenant) const;
  std::int64_t size() const;
  // Of jobs that are not over: parts without a result, and when the oldest of these jobs came.
  struct Waiting {
    std::int64_t parts = 0;
    std::optional<JobTime> oldest;
  };
  Waiting waiting() const;
  std::array<std::int64_t, JobCounts::kStates> states() const;

 private:
  using Key = std::pair<std::int64_t, std::string>;  // a time in nanoseconds, and an id

  struct LaneUse {
    Lane lane;
    std::int64_t jobs = 0;  // that are open
  };

  void Add(const EntryPointer& entry);
  void Remove(const EntryPointer& entry);
  EntryPointer At(const std::string& id) const;

  mutable std::mutex mutex_;  // guards what follows
  std::unordered_map<std::string, EntryPointer> jobs_;
  std::map<std::string, std::set<Key>> by_tenant_;  // by the time they came
  std::set<Key> open_;                              // by the time they came
  std::set<Key> over_;                              // by the time they are forgotten
  std::set<Key> deliveries_;                        // by the time they are due
  std::map<std::string, LaneUse> lanes_;
  std::map<std::string, std::int64_t> open_of_;
  std::int64_t waiting_parts_ = 0;
  std::array<std::int64_t, JobCounts::kStates> states_{};
  std::set<std::string> unseen_;  // in the survey that goes on
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_JOB_INDEX_H_
