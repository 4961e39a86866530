// The way back to one client of a streaming call.

#ifndef KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_
#define KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_

#include <chrono>
#include <functional>

#include "absl/status/status.h"

namespace kibitz::server {

// All methods may be called from any thread and return at once: at most one message is on its way, the others wait.
template <typename Response>
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  // Sends after everything that was sent before. The caller bounds how many messages it sends this way.
  virtual void Send(Response response) = 0;

  // The same, but takes the place of an earlier message of this kind if that still waits. So a slow reader gets the
  // latest and never makes a queue grow.
  virtual void SendLatest(Response response) = 0;

  // Ends the stream after what still waits. Every stream must be finished, once, even after a cancel.
  virtual void Finish(const absl::Status& status) = 0;

  // Calls back once if the client cancels, disconnects or lets its deadline pass: at once if it already has.
  virtual void OnCancel(std::function<void()> callback) = 0;

  // The client's deadline; time_point::max() when it set none.
  virtual std::chrono::system_clock::time_point Deadline() const = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_
