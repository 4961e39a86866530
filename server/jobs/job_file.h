// The file of a queue of jobs: its tables, and what is done to them.

#ifndef KIBITZ_SERVER_JOBS_JOB_FILE_H_
#define KIBITZ_SERVER_JOBS_JOB_FILE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/jobs/job.h"
#include "server/jobs/job_counts.h"
#include "server/jobs/job_queue.h"
#include "server/sqlite/sqlite.h"

namespace kibitz::server {

// A file that this process alone has open, for one thread at a time. Jobs are known by their numbers, which grow. What
// is written between Begin and Commit is sure to stay once Commit has returned, whatever happens to the machine.
class JobFile {
 public:
  // Tells that a file is ours.
  static constexpr int kApplicationId = 0x4b69626a;  // "Kibj"

  // With the tables as this version has them: made if there are none. An error says what is wrong with the file.
  static absl::StatusOr<JobFile> Open(const std::string& path);

  absl::Status Begin() { return database_->Run("BEGIN IMMEDIATE"); }
  absl::Status Commit() { return database_->Run("COMMIT"); }
  void Rollback() { (void)database_->Run("ROLLBACK"); }

  // A job with its request. Returns its number.
  absl::StatusOr<std::int64_t> Insert(const JobSpec& spec);
  // By its id, or its owner's own name for it, among those of one tenant.
  absl::StatusOr<std::optional<std::int64_t>> Find(const std::string& tenant, const std::string& id);
  // By its id.
  absl::StatusOr<std::optional<std::int64_t>> Find(const std::string& id);
  // Without its request.
  absl::StatusOr<Job> Read(std::int64_t number);
  absl::StatusOr<std::string> ReadRequest(std::int64_t number);
  // All of it but the faults.
  absl::Status WriteStatus(std::int64_t number, const JobStatus& status);
  absl::Status AddFault(std::int64_t number, const PartFault& fault);
  // With all that belongs to it.
  absl::Status Remove(std::int64_t number);

  // The newest first, from before that number on: at most so many.
  absl::StatusOr<std::vector<std::pair<std::int64_t, Job>>> List(const std::string& tenant,
                                                                 const std::vector<JobState>& states,
                                                                 std::int64_t before, int max_jobs);
  // Those that are not over, in the order in which they were accepted, with the first part that was never begun.
  absl::StatusOr<std::vector<std::pair<std::int64_t, int>>> Open();
  // Those that are not over and should be by now; and those that are over and were kept long enough.
  absl::StatusOr<std::vector<std::int64_t>> Overdue(JobTime now, int max_jobs);
  absl::StatusOr<std::vector<std::int64_t>> Forgettable(JobTime now, int max_jobs);
  // When the next of the latter goes.
  absl::StatusOr<std::optional<JobTime>> NextForgettable();

  // A part that was begun and is not over.
  struct BegunPart {
    std::int64_t job = 0;
    int part = 0;
    int attempts = 0;
    int failures = 0;
    int losses = 0;
    bool running = false;
  };
  absl::Status PutPart(const BegunPart& part);
  absl::Status RemovePart(std::int64_t number, int part);
  absl::Status RemoveParts(std::int64_t number);
  absl::StatusOr<std::vector<BegunPart>> BegunParts();

  // The first result of a part stays.
  absl::Status AddResult(std::int64_t number, const PartResult& result);
  // From the part `first` on, without a gap unless they may have gaps: at most so many bytes of them, but at least one.
  absl::StatusOr<std::vector<PartResult>> Results(std::int64_t number, int first, std::int64_t max_bytes, bool gaps);

  absl::Status AddDelivery(std::int64_t number, JobTime due);
  // The jobs whose owners are to be told now, with how often that was tried.
  absl::StatusOr<std::vector<std::pair<std::int64_t, int>>> DueDeliveries(JobTime now, int max_deliveries);
  absl::Status PutDelivery(std::int64_t number, int attempt, JobTime due);
  // None is due later than that.
  absl::Status HastenDeliveries(JobTime due);
  absl::Status RemoveDelivery(std::int64_t number);

  // How many jobs there are in each state; what the requests and results of a tenant take; what is in use of the file.
  absl::StatusOr<std::array<std::int64_t, JobCounts::kStates>> CountJobs();
  absl::StatusOr<std::int64_t> BytesOf(const std::string& tenant);
  absl::StatusOr<std::int64_t> UsedBytes();

 private:
  class Query;

  explicit JobFile(std::unique_ptr<SqliteDatabase> database) : database_(std::move(database)) {}

  // The statement, prepared when it is first used.
  absl::StatusOr<SqliteStatement*> Statement(const char* sql);
  // One that gives no rows.
  template <typename... Values>
  absl::Status Run(const char* sql, const Values&... values);
  // The numbers in the first column of its rows.
  template <typename... Values>
  absl::StatusOr<std::vector<std::int64_t>> Numbers(const char* sql, const Values&... values);

  // Where its statements find it when this is moved.
  std::unique_ptr<SqliteDatabase> database_;
  std::map<const char*, SqliteStatement> statements_;  // by their text, which is in static storage
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_FILE_H_
