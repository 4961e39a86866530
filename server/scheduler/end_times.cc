#include "server/scheduler/end_times.h"

#include <algorithm>
#include <utility>

namespace kibitz::server {

EndTimes::Entry::Entry() {
  Order order{Time()};
  node_ = order.extract(order.begin());
}

void EndTimes::Set(Entry& entry, Time latest) {
  Remove(entry);
  entry.node_.value() = latest;
  entry.place_ = order_.insert(std::move(entry.node_));
}

void EndTimes::Remove(Entry& entry) {
  if (entry.node_.empty()) entry.node_ = order_.extract(entry.place_);
}

std::optional<EndTimes::Time> EndTimes::Promise(Time now) {
  for (const Time after : {std::max(now, promised_), now}) {
    const auto next = order_.upper_bound(after);
    if (next != order_.end() && *next != Time::max()) return promised_ = *next;
  }
  return std::nullopt;
}

}  // namespace kibitz::server
