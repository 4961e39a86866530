// Keeps up with how several servers do.

#ifndef KIBITZ_CLIENT_CLI_SERVER_WATCH_H_
#define KIBITZ_CLIENT_CLI_SERVER_WATCH_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/cli/top_text.h"
#include "client/connection.h"

namespace kibitz::client {

// Watches each server on a thread of its own, and tries again where one does not answer. All methods may be called from
// any thread.
class ServerWatch {
 public:
  struct Target {
    std::string address;
    std::unique_ptr<Connection> connection;
  };

  ServerWatch(std::vector<Target> targets, absl::Duration interval);
  // Ends the calls.
  ~ServerWatch();

  // What is known now.
  std::vector<ServerView> views() const;

 private:
  void Watch(std::size_t server);

  const absl::Duration interval_;
  const std::vector<Target> targets_;
  std::stop_source stop_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::vector<ServerView> views_;
  std::vector<std::thread> threads_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_SERVER_WATCH_H_
