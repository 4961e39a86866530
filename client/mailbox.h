// Work for one thread, posted by others.

#ifndef KIBITZ_CLIENT_MAILBOX_H_
#define KIBITZ_CLIENT_MAILBOX_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace kibitz::client {

class Mailbox {
 public:
  using Task = std::function<void()>;
  using Time = std::chrono::steady_clock::time_point;

  void Post(Task task) {
    {
      std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    posted_.notify_one();
  }

  // Waits for the next task. Nothing if there is none until `deadline`.
  std::optional<Task> Take(std::optional<Time> deadline) {
    std::unique_lock lock(mutex_);
    const auto has_task = [this] { return !tasks_.empty(); };
    if (!deadline) {
      posted_.wait(lock, has_task);
    } else if (!posted_.wait_until(lock, *deadline, has_task)) {
      return std::nullopt;
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<Task> tasks_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MAILBOX_H_
