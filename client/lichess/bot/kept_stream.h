// A stream of Lichess's that is there for as long as it is wanted: opened again, with growing pauses, whenever it ends.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_KEPT_STREAM_H_
#define KIBITZ_CLIENT_LICHESS_BOT_KEPT_STREAM_H_

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/http/backoff.h"
#include "client/http/line_stream.h"

namespace kibitz::client::lichess {

class KeptStream {
 public:
  struct Events {
    std::function<void()> on_open;
    std::function<void(std::string line)> on_line;
    // The connection is lost, or could not be made: it is tried again.
    std::function<void(const absl::Status&)> on_lost;
    // It cannot be had: no such thing, no right to it. Nothing follows.
    std::function<void(const absl::Status&)> on_refused;
  };
  using Open = std::function<absl::StatusOr<std::unique_ptr<http::LineStream>>(const std::stop_token&)>;

  // What it tells comes on a thread of its own, one call at a time.
  KeptStream(Open open, Events events, const http::BackoffOptions& backoff);
  // No event comes after it.
  ~KeptStream();
  KeptStream(const KeptStream&) = delete;
  KeptStream& operator=(const KeptStream&) = delete;

  // Gives up the stream that is open and opens another, which begins with how things stand.
  void Reopen();

 private:
  void Run(const std::stop_token& stop);
  // Reads one stream to its end.
  absl::Status ReadOne(const std::stop_token& stop, http::Backoff& backoff);
  std::stop_source NewAttempt();

  const Open open_;
  const Events events_;
  const http::BackoffOptions backoff_;
  std::mutex mutex_;
  std::stop_source attempt_;  // guarded by mutex_
  std::jthread thread_;       // the last: it ends before what it uses
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_KEPT_STREAM_H_
