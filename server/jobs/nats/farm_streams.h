// What a farm keeps in JetStream, and under which names.
//
//   PREFIX_jobs   PREFIX.job.ID               how each job stands: the last message counts
//                 PREFIX.name.TENANT.NAME     the job that a tenant has given a name
//   PREFIX_data   PREFIX.request.ID.N         a job's request, in pieces
//                 PREFIX.result.ID.PART       what came of a part: the first message stays
//                 PREFIX.more.ID.NAME.N       the rest of a large result
//   PREFIX_parts  PREFIX.part.ID.PART         what was tried with a part
//   PREFIX_work   PREFIX.work.LANE.ID.PART    the parts to be done; a message goes when it is acknowledged
//
// Whoever changes what is there says which message it has seen: of two nodes that change the same at once, one has to
// look again.

#ifndef KIBITZ_SERVER_JOBS_NATS_FARM_STREAMS_H_
#define KIBITZ_SERVER_JOBS_NATS_FARM_STREAMS_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/jobs/job.h"
#include "server/jobs/nats/nats_client.h"
#include "server/jobs/nats/records.pb.h"

namespace kibitz::server {

// A record, and the number of the message it was read from.
template <typename Record>
struct Versioned {
  Record record;
  std::uint64_t sequence = 0;
};

class FarmStreams {
 public:
  FarmStreams(NatsClient& client, std::string prefix, int replicas);

  // Makes the streams that are missing. Quick once that is done.
  absl::Status Ensure();

  std::string jobs() const { return prefix_ + "_jobs"; }
  std::string work() const { return prefix_ + "_work"; }
  // What all nodes listen to, and one.
  std::string AllJobs() const { return prefix_ + ".job.*"; }
  std::string NodeSubject(absl::string_view holder) const;
  std::string LaneSubject(absl::string_view lane) const;
  // The job and the part that a message of the work is about.
  struct Work {
    std::string job;
    int part = 0;
  };
  static std::optional<Work> ParseWork(absl::string_view subject);
  static std::string ParseJob(absl::string_view subject);

  // The records. What is not there is nothing; a write fails with ABORTED if the message seen is not the last.
  absl::StatusOr<std::optional<Versioned<farm::JobRecord>>> ReadJob(const std::string& id);
  absl::StatusOr<std::uint64_t> WriteJob(const farm::JobRecord& job, std::uint64_t seen);
  absl::StatusOr<std::optional<Versioned<farm::NameRecord>>> ReadName(absl::string_view tenant, absl::string_view name);
  absl::StatusOr<std::uint64_t> WriteName(absl::string_view tenant, absl::string_view name,
                                          const farm::NameRecord& record, std::uint64_t seen);
  absl::StatusOr<std::optional<Versioned<farm::PartRecord>>> ReadPart(const std::string& job, int part);
  absl::StatusOr<std::uint64_t> WritePart(const std::string& job, int part, const farm::PartRecord& record,
                                          std::uint64_t seen);
  absl::StatusOr<std::optional<farm::ResultRecord>> ReadResult(const std::string& job, int part);
  // ABORTED if there is one.
  absl::Status WriteResult(const std::string& job, farm::ResultRecord result);

  // Returns how many pieces it has become.
  absl::StatusOr<int> WriteRequest(const std::string& job, absl::string_view request);
  absl::StatusOr<std::string> ReadRequest(const std::string& job, int chunks);

  // Puts parts into the queue of work, unless they are there.
  absl::Status WriteWork(absl::string_view lane, const std::string& job, const std::vector<int>& parts);
  // Takes what is left of a job out of it.
  absl::Status PurgeWork(const std::string& job);
  // Forgets all of a job but its own record, and the record.
  absl::Status PurgeData(const std::string& job);
  absl::Status PurgeName(absl::string_view tenant, absl::string_view name);
  absl::Status PurgeJob(const std::string& id);

  // That all of it takes on the disk of a server.
  absl::StatusOr<std::int64_t> MeasureBytes();

 private:
  template <typename Record>
  absl::StatusOr<std::optional<Versioned<Record>>> ReadRecord(const std::string& stream, const std::string& subject);
  absl::Status EnsureStream(const std::string& name, std::vector<std::string> subjects, bool work);
  std::string NameSubject(absl::string_view tenant, absl::string_view name) const;
  absl::StatusOr<int> WriteChunks(const std::string& subject, absl::string_view bytes);
  absl::StatusOr<std::string> ReadChunks(const std::string& subject, int chunks);

  std::string data() const { return prefix_ + "_data"; }
  std::string parts() const { return prefix_ + "_parts"; }

  NatsClient& client_;
  const std::string prefix_;
  const int replicas_;
  std::mutex mutex_;  // of Ensure
  std::atomic<bool> ensured_{false};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_FARM_STREAMS_H_
