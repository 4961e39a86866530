// Who wants to hear of which job.

#ifndef KIBITZ_SERVER_JOBS_WATCH_LIST_H_
#define KIBITZ_SERVER_JOBS_WATCH_LIST_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace kibitz::server {

// All methods may be called from any thread.
class WatchList {
 public:
  using Watch = std::shared_ptr<void>;

  WatchList();

  // Calls back for that job until what is returned is let go of, which may outlive the list. A call that is under way
  // then is not waited for.
  Watch Add(const std::string& job, std::function<void()> on_change);
  // The job may have changed.
  void Tell(const std::string& job) const;
  std::size_t size() const;

 private:
  struct Watches;

  const std::shared_ptr<Watches> watches_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_WATCH_LIST_H_
