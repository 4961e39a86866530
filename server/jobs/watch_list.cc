#include "server/jobs/watch_list.h"

#include <map>
#include <utility>
#include <vector>

namespace kibitz::server {

struct WatchList::Watches {
  using Callback = std::shared_ptr<std::function<void()>>;

  mutable std::mutex mutex;  // guards what follows
  std::multimap<std::string, Callback> by_job;
};

WatchList::WatchList() : watches_(std::make_shared<Watches>()) {}

WatchList::Watch WatchList::Add(const std::string& job, std::function<void()> on_change) {
  auto callback = std::make_shared<std::function<void()>>(std::move(on_change));
  std::lock_guard lock(watches_->mutex);
  const auto place = watches_->by_job.emplace(job, callback);
  return {callback.get(), [watches = watches_, place](void*) {
            // What the callback holds on to is let go of without the lock.
            Watches::Callback removed;
            std::lock_guard guard(watches->mutex);
            removed = std::move(place->second);
            watches->by_job.erase(place);
          }};
}

void WatchList::Tell(const std::string& job) const {
  std::vector<Watches::Callback> callbacks;
  {
    std::lock_guard lock(watches_->mutex);
    const auto [first, last] = watches_->by_job.equal_range(job);
    for (auto each = first; each != last; ++each) callbacks.push_back(each->second);
  }
  for (const Watches::Callback& callback : callbacks) (*callback)();
}

std::size_t WatchList::size() const {
  std::lock_guard lock(watches_->mutex);
  return watches_->by_job.size();
}

}  // namespace kibitz::server
