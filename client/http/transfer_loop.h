// The one thread of a client, on which libcurl carries all of its exchanges. What this header says is for the files
// beside it; everybody else takes HttpClient.

#ifndef KIBITZ_CLIENT_HTTP_TRANSFER_LOOP_H_
#define KIBITZ_CLIENT_HTTP_TRANSFER_LOOP_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/http/request.h"

// libcurl's handles, without its header in everybody's way.
using CURL = void;
using CURLM = void;
struct curl_sockaddr;

namespace kibitz::client::http {

// Called on the loop's thread, so none of them may wait for anything. Those that are absent are not called.
struct TransferEvents {
  // The final status and headers are here.
  std::function<void(const ResponseHead&)> on_head{};
  // A part of the body. False: not now; Resume gives it once more.
  std::function<bool(std::string_view)> on_data{};
  // What to send next: how many bytes were put there, 0 at the end, nothing if there is nothing yet (then Resume).
  std::function<std::optional<std::size_t>(char*, std::size_t)> read_body{};
  // The exchange has ended. Called once, and nothing after it; not at all if the Transfer was destroyed before.
  std::function<void(absl::Status)> on_end{};
};

// How one exchange is to be carried.
struct TransferSpec {
  Request request{};
  std::string url{};
  std::string host{};  // for messages
  std::string user_agent{};
  std::string bearer{};
  std::string ca_file{};
  absl::Duration connect_timeout = absl::InfiniteDuration();
  // Until the end of the exchange, or of a stream until its head.
  bool is_stream = false;
  // For how long nothing may come, or be taken that we have to send.
  absl::Duration stall_timeout = absl::InfiniteDuration();
  TransferEvents events{};
};

class TransferLoop;

// One exchange. Destroying it ends it at once; no callback runs from then on. Not to be destroyed by a callback.
class Transfer {
 public:
  Transfer(TransferLoop& loop, TransferSpec spec);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // There is room for data, or something to send.
  void Resume();

 private:
  friend class TransferLoop;
  class Job;

  TransferLoop& loop_;
  const std::shared_ptr<Job> job_;
};

class TransferLoop {
 public:
  TransferLoop();
  // All its transfers are gone by then.
  ~TransferLoop();

 private:
  friend class Transfer;

  // Has it done on the thread.
  void Post(std::function<void()> work);
  void Run();
  void DoPosted();
  void Begin(const std::shared_ptr<Transfer::Job>& job);
  // Takes a job out, and tells its end unless that is nobody's concern any more.
  void End(CURL* handle, std::optional<absl::Status> outcome);
  void EndFinished();
  void EndOverdue();
  void EndDeserted();
  void Await();
  int PollMs() const;
  // Called by libcurl with the loop.
  static int OpenSocket(void* loop, int purpose, curl_sockaddr* address);
  static int CloseSocket(void* loop, int socket);

  std::set<int> sockets_;  // those that are open
  CURLM* const multi_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // guarded by mutex_
  bool leaving_ = false;                       // guarded by mutex_
  std::map<CURL*, std::shared_ptr<Transfer::Job>> jobs_;
  std::thread thread_;
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_TRANSFER_LOOP_H_
