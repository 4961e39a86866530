// Takes messages of the queue of work: whose turn it is, and where there is something.

#ifndef KIBITZ_SERVER_JOBS_NATS_WORK_LANES_H_
#define KIBITZ_SERVER_JOBS_NATS_WORK_LANES_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/nats/farm_streams.h"
#include "server/jobs/nats/job_records.h"
#include "server/jobs/nats/nats_client.h"

namespace kibitz::server {

// For one thread at a time. Each lane is a consumer of the work's stream, shared by all nodes: JetStream gives each
// message to one of them, and to another when it was not acknowledged in time.
class WorkLanes {
 public:
  using Clock = NatsClient::Clock;
  using Lanes = std::map<std::string, std::vector<Lane>>;  // by tenants, those of one by priority

  // Within which JetStream must hear that a part is still being done: what is said every second may come late once.
  static constexpr std::chrono::milliseconds kAckWait{2500};

  WorkLanes(NatsClient& client, FarmStreams& streams, std::chrono::milliseconds ack_wait, TermsOf terms_of);

  // A message of the tenant whose turn it is; nothing: there is none. The turn is its own only once Count is called.
  struct Fetched {
    std::string subject;
    std::string reply;             // where to answer, see work_answers.h
    std::uint64_t deliveries = 1;  // with this one
    std::string tenant;
  };
  absl::StatusOr<std::optional<Fetched>> Fetch(const Lanes& open);
  // The tenant has had a part.
  void Count(const std::string& tenant);
  // There may be something in the lane again.
  void Wake(const std::string& lane);

 private:
  struct Source {
    NatsSubscription subscription;
    std::string inbox;
    Clock::time_point empty_until{};  // there is nothing, as far as is known
    Clock::time_point used{};
  };
  struct Turn {
    double time = 0;  // had so far, by its share
    Clock::time_point used{};
  };

  void Forget(const Lanes& open);
  std::vector<std::string> InOrder(const Lanes& open);
  absl::StatusOr<std::optional<Fetched>> FetchFrom(const Lane& lane, Source& source);
  absl::Status Open(const Lane& lane, Source& source);

  NatsClient& client_;
  FarmStreams& streams_;
  const std::chrono::milliseconds ack_wait_;
  const TermsOf terms_of_;
  std::map<std::string, Source> sources_;  // by lanes
  std::map<std::string, Turn> turns_;      // by tenants
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_WORK_LANES_H_
