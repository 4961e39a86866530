#include "server/scheduler/fair_shares.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace kibitz::server {

bool FairShares::Share::Behind::operator()(const Share* one, const Share* other) const {
  return one->time_ != other->time_ ? one->time_ < other->time_ : std::less<>()(one, other);
}

FairShares::Share::Share(int weight) : weight_(weight) {
  Order order{this};
  node_ = order.extract(order.begin());
}

void FairShares::Wait(Share& share) {
  if (Waits(share)) return;
  share.time_ = std::max(share.time_, time_ - kMaxCredit / share.weight_);
  share.place_ = order_.insert(std::move(share.node_)).position;
}

void FairShares::Leave(Share& share) {
  if (Waits(share)) share.node_ = order_.extract(share.place_);
}

void FairShares::Begin(Share& share, Duration length) {
  time_ = std::max(time_, share.time_);
  Add(share, length);
}

void FairShares::Add(Share& share, Duration used) {
  const bool waited = Waits(share);
  Leave(share);
  share.time_ += used / (share.weight_ * capacity_);
  if (waited) share.place_ = order_.insert(std::move(share.node_)).position;
}

}  // namespace kibitz::server
