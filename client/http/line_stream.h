// A response that comes line by line, for as long as the server likes: newline-delimited JSON. Blank lines, by which
// servers say that they are still there, are not shown.

#ifndef KIBITZ_CLIENT_HTTP_LINE_STREAM_H_
#define KIBITZ_CLIENT_HTTP_LINE_STREAM_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
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

struct LineStreamOptions {
  // A server that says nothing at all for so long is taken for gone.
  absl::Duration stall_timeout = absl::Seconds(30);
  // A longer line ends the stream with an error.
  std::size_t max_line_bytes = 1 << 20;
  // With so many unread the server is held up.
  std::size_t max_unread_bytes = 4 << 20;
};

// Cuts bytes into lines, however they come.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line_bytes) : max_(max_line_bytes) {}

  // Adds the lines that are complete, without their ends ("\n" or "\r\n"), to `lines`. False when one is too long.
  bool Add(std::string_view bytes, std::deque<std::string>& lines);
  // What has come since the last complete line.
  const std::string& rest() const { return rest_; }

 private:
  const std::size_t max_;
  std::string rest_;
};

// For one reader. Destroying it closes the stream.
class LineStream {
 public:
  LineStream(const LineStreamOptions& options, std::stop_token stop, std::string host);
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  // Waits for the next line; it is not blank. Otherwise:
  //   OUT_OF_RANGE        the server has ended the stream
  //   DEADLINE_EXCEEDED   `until` came first; the stream goes on
  //   CANCELLED           a stop was requested; the stream is of no more use
  //   UNAVAILABLE         the connection was lost, or nothing came for too long
  //   RESOURCE_EXHAUSTED  a line was too long
  absl::StatusOr<std::string> Next(absl::Time until = absl::InfiniteFuture());

 private:
  friend class HttpClient;

  TransferEvents Events();
  // Waits for the head: the answer to the request, with its body if it is no success.
  absl::StatusOr<Response> AwaitHead();

  bool TakeData(std::string_view data);
  absl::Status OutcomeOf(const absl::Status& end) const;

  const LineStreamOptions options_;
  const std::stop_token stop_;
  const std::string host_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::optional<Response> head_;
  LineSplitter splitter_;
  std::deque<std::string> lines_;
  std::size_t unread_bytes_ = 0;
  bool paused_ = false;
  std::optional<absl::Status> end_;
  std::unique_ptr<Transfer> transfer_;  // the last: it ends before what its callbacks use
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_LINE_STREAM_H_
