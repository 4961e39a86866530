// What tenants have searched, against what they may search in a minute.

#ifndef KIBITZ_SERVER_QUOTA_NODE_QUOTAS_H_
#define KIBITZ_SERVER_QUOTA_NODE_QUOTAS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// The nodes that one tenant has left: a bucket that fills up evenly, to a minute's worth, and is emptied by what its
// searches do. When it is empty the tenant is shut out for a while that is fixed then: until the bucket holds an eighth
// of a minute's worth again, even if the searches that still run take another eighth. Those that take more are to stop.
// So whoever is told to come back then finds the door open, and nobody else can have closed it before: for a second it
// stays open whatever the others do.
//
// All methods may be called from any thread.
class NodeBucket {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  NodeBucket(std::int64_t nodes_per_minute, Time now);

  // Another quota from now on.
  void SetQuota(std::int64_t nodes_per_minute, Time now);

  // How long new work has to wait; zero when it may begin.
  Clock::duration Wait(Time now) const;
  // Work was done, or, if negative, less than was said before. False: whatever runs is to stop.
  bool Charge(std::int64_t nodes, Time now);

  // Nobody is shut out, and as much is left as ever can be.
  bool IsFull(Time now) const;

 private:
  static constexpr std::chrono::seconds kOpenAtLeast{1};

  double PerSecond() const { return per_minute_ / 60; }
  double Part() const { return per_minute_ / 8; }
  double LevelAt(Time now) const;

  mutable std::mutex mutex_;  // guards what follows
  double per_minute_;
  double level_;  // below zero when more was used than there was
  Time updated_;
  Time opens_ = Time::min();     // the end of the last time that it was shut
  double taken_since_shut_ = 0;  // by what runs
};

// One search or count of a tenant.
class NodeMeter {
 public:
  using Now = std::function<NodeBucket::Time()>;

  NodeMeter(std::shared_ptr<NodeBucket> bucket, std::string tenant, const Now& now)
      : bucket_(std::move(bucket)), tenant_(std::move(tenant)), now_(now) {}

  // So many more nodes, as far as one can tell while it runs. From any of its threads. False: it is to stop.
  bool Charge(std::int64_t nodes);
  // So many they were in all. After this nothing is charged any more.
  void Settle(std::int64_t nodes);

  // What the caller of work is told that could not begin or had to stop.
  absl::Status Refusal() const;

 private:
  friend class NodeQuotas;

  const std::shared_ptr<NodeBucket> bucket_;
  const std::string tenant_;
  const Now& now_;
  std::mutex mutex_;  // guards what follows
  std::int64_t charged_ = 0;
  bool settled_ = false;
};

// The buckets of all tenants. Must outlive the meters. All methods may be called from any thread.
class NodeQuotas {
 public:
  explicit NodeQuotas(NodeMeter::Now now = NodeBucket::Clock::now) : now_(std::move(now)) {}

  // A meter for work that is about to begin, nullptr where the tenant's nodes are not counted; or a refusal that says
  // when to come back.
  absl::StatusOr<std::shared_ptr<NodeMeter>> Begin(const Tenant& tenant);

 private:
  std::shared_ptr<NodeBucket> BucketOf(const Tenant& tenant, std::int64_t nodes_per_minute);

  const NodeMeter::Now now_;
  std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<std::string, std::shared_ptr<NodeBucket>> buckets_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_QUOTA_NODE_QUOTAS_H_
