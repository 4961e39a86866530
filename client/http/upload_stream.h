// A request whose body is written bit by bit, until the writer has said all, or the server has heard enough.

#ifndef KIBITZ_CLIENT_HTTP_UPLOAD_STREAM_H_
#define KIBITZ_CLIENT_HTTP_UPLOAD_STREAM_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/http/request.h"
#include "client/http/transfer_loop.h"

namespace kibitz::client::http {

struct UploadStreamOptions {
  // A server that takes nothing of what is there to send for so long is taken for gone.
  absl::Duration stall_timeout = absl::Seconds(30);
  // With so many not yet sent there is no room for more.
  std::size_t max_unsent_bytes = 1 << 20;
  // Called once when the server has answered, or the connection is lost: it wants no more. On another thread, which
  // must not be held up; not after the stream is destroyed.
  std::function<void()> on_closed{};
};

// Safe to use from several threads at once. Destroying it breaks off what is not finished.
class UploadStream {
 public:
  UploadStream(UploadStreamOptions options, std::stop_token stop);
  UploadStream(const UploadStream&) = delete;
  UploadStream& operator=(const UploadStream&) = delete;

  enum class Written { kYes, kNoRoom, kClosed };
  // Takes all of it or nothing. Never waits.
  Written Write(std::string_view bytes);

  // Ends the body and waits for the answer, whatever its status. A server that has closed without a word is an error,
  // UNAVAILABLE, as is one that does not answer in time (DEADLINE_EXCEEDED).
  absl::StatusOr<Response> Finish(absl::Duration timeout = absl::Seconds(30));

 private:
  friend class HttpClient;

  TransferEvents Events();
  std::optional<std::size_t> Read(char* buffer, std::size_t size);
  void Close();

  const UploadStreamOptions options_;
  const std::stop_token stop_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::string unsent_;
  bool finishing_ = false;
  bool closed_ = false;
  Response response_;
  std::optional<absl::Status> end_;
  std::unique_ptr<Transfer> transfer_;  // the last: it ends before what its callbacks use
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_UPLOAD_STREAM_H_
