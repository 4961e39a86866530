#include "client/cli/server_watch.h"

#include <chrono>
#include <utility>

namespace kibitz::client {
namespace {

constexpr std::chrono::seconds kPause{1};

}  // namespace

ServerWatch::ServerWatch(std::vector<Target> targets, absl::Duration interval)
    : interval_(interval), targets_(std::move(targets)) {
  for (const Target& target : targets_) views_.push_back({.address = target.address});
  for (std::size_t i = 0; i < targets_.size(); ++i) threads_.emplace_back([this, i] { Watch(i); });
}

ServerWatch::~ServerWatch() {
  stop_.request_stop();
  for (std::thread& thread : threads_) thread.join();
}

std::vector<ServerView> ServerWatch::views() const {
  std::lock_guard lock(mutex_);
  return views_;
}

void ServerWatch::Watch(std::size_t server) {
  const Connection& connection = *targets_[server].connection;
  const std::stop_token stop = stop_.get_token();
  while (!stop.stop_requested()) {
    const absl::Status status = connection.client().WatchStatus(
        interval_,
        [&](const v1::ServerStatus& now) {
          std::lock_guard lock(mutex_);
          views_[server].Update(now);
        },
        connection.LongCall(stop));
    std::unique_lock lock(mutex_);
    views_[server].Fail(status.ok() ? targets_[server].address + " has ended the call" : std::string(status.message()));
    changed_.wait_for(lock, stop, kPause, [] { return false; });
  }
}

}  // namespace kibitz::client
