#include "server/quota/node_quotas.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// Names come from the file of keys, which may be another one tomorrow.
constexpr std::size_t kManyBuckets = 1000;

}  // namespace

NodeBucket::NodeBucket(std::int64_t nodes_per_minute, Time now)
    : per_minute_(static_cast<double>(nodes_per_minute)), level_(per_minute_), updated_(now) {}

double NodeBucket::LevelAt(Time now) const {
  const double seconds = std::chrono::duration<double>(std::max(now, updated_) - updated_).count();
  return std::min(per_minute_, level_ + seconds * PerSecond());
}

void NodeBucket::SetQuota(std::int64_t nodes_per_minute, Time now) {
  std::lock_guard lock(mutex_);
  level_ = LevelAt(now);
  updated_ = std::max(now, updated_);
  per_minute_ = static_cast<double>(nodes_per_minute);
  level_ = std::min(level_, per_minute_);
}

NodeBucket::Clock::duration NodeBucket::Wait(Time now) const {
  std::lock_guard lock(mutex_);
  return now < opens_ ? opens_ - now : Clock::duration::zero();
}

bool NodeBucket::Charge(std::int64_t nodes, Time now) {
  std::lock_guard lock(mutex_);
  level_ = LevelAt(now) - static_cast<double>(nodes);
  updated_ = std::max(now, updated_);
  if (now < opens_) {
    taken_since_shut_ += static_cast<double>(nodes);
    return taken_since_shut_ <= Part();
  }
  const bool may_shut = opens_ == Time::min() || now >= opens_ + kOpenAtLeast;
  if (level_ > 0 || !may_shut) return true;
  const std::chrono::duration<double> shut((2 * Part() - level_) / PerSecond());
  opens_ = now + std::chrono::ceil<Clock::duration>(shut);
  taken_since_shut_ = 0;
  return true;
}

bool NodeBucket::IsFull(Time now) const {
  std::lock_guard lock(mutex_);
  return now >= opens_ && LevelAt(now) >= per_minute_;
}

bool NodeMeter::Charge(std::int64_t nodes) {
  {
    std::lock_guard lock(mutex_);
    if (settled_) return true;
    charged_ += nodes;
  }
  return bucket_->Charge(nodes, now_());
}

void NodeMeter::Settle(std::int64_t nodes) {
  std::int64_t missing = 0;
  {
    std::lock_guard lock(mutex_);
    if (settled_) return;
    settled_ = true;
    missing = nodes - charged_;
  }
  bucket_->Charge(missing, now_());
}

absl::Status NodeMeter::Refusal() const {
  return QuotaExceeded("NODES_EXHAUSTED", absl::StrCat("tenant:", tenant_),
                       absl::StrCat("the tenant ", tenant_, " has searched all the nodes that it may for now"),
                       absl::FromChrono(bucket_->Wait(now_())));
}

absl::StatusOr<std::shared_ptr<NodeMeter>> NodeQuotas::Begin(const Tenant& tenant) {
  if (!tenant.quota.nodes_per_minute.has_value()) return nullptr;
  auto meter = std::make_shared<NodeMeter>(BucketOf(tenant, *tenant.quota.nodes_per_minute), tenant.name, now_);
  if (meter->bucket_->Wait(now_()) > NodeBucket::Clock::duration::zero()) return meter->Refusal();
  return meter;
}

std::shared_ptr<NodeBucket> NodeQuotas::BucketOf(const Tenant& tenant, std::int64_t nodes_per_minute) {
  const NodeBucket::Time now = now_();
  std::lock_guard lock(mutex_);
  if (buckets_.size() >= kManyBuckets) {
    absl::erase_if(buckets_,
                   [&](const auto& each) { return each.second.use_count() == 1 && each.second->IsFull(now); });
  }
  std::shared_ptr<NodeBucket>& bucket = buckets_[tenant.name];
  if (bucket == nullptr) {
    bucket = std::make_shared<NodeBucket>(nodes_per_minute, now);
  } else {
    bucket->SetQuota(nodes_per_minute, now);
  }
  return bucket;
}

}  // namespace kibitz::server
