// kibitz.v1.AdminService: tells operators how the server does.

#ifndef KIBITZ_SERVER_SERVICE_ADMIN_SERVICE_H_
#define KIBITZ_SERVER_SERVICE_ADMIN_SERVICE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "kibitz/v1/admin.pb.h"
#include "server/metrics/server_status.h"
#include "server/rpc/call.h"
#include "server/rpc/method.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/timer_queue.h"

namespace kibitz::server {

class AdminService {
 public:
  // `read` gives the status now. It is called from any thread, until Shutdown.
  explicit AdminService(std::function<ServerStatus()> read) : read_(std::move(read)) {}
  // Calls Shutdown.
  ~AdminService() { Shutdown(); }

  // Its methods hold on to the service.
  void AddMethods(MethodTable& methods);

  // Ends the streams of those who watch, and returns when the status is not read for them any more.
  void Shutdown();

 private:
  using Stream = ResponseStream<v1::WatchStatusResponse>;
  struct Watcher {
    std::shared_ptr<Stream> stream;
    std::chrono::nanoseconds interval;
  };

  absl::Status GetStatus(Call& call, const v1::GetStatusRequest& request, v1::GetStatusResponse& response);
  void WatchStatus(Call& call, const v1::WatchStatusRequest& request, std::shared_ptr<Stream> stream);

  // Takes a watcher, or says why not.
  absl::Status Add(std::uint64_t id, Watcher watcher);
  void Remove(std::uint64_t id, const absl::Status& why);
  void Tell(std::uint64_t id);

  const std::function<ServerStatus()> read_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false;
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, Watcher> watchers_;
  // Apart from those of searches, which must not wait while the status is read. There is none before somebody watches.
  std::shared_ptr<TimerQueue> timers_;
};

// As the contract has it.
v1::ServerStatus ToWire(const ServerStatus& status);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_ADMIN_SERVICE_H_
