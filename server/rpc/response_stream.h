// The way back to one client of a streaming call.

#ifndef KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_
#define KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_

#include <functional>

#include "absl/status/status.h"
#include "server/rpc/call_work.h"

namespace kibitz::server {

// All methods may be called from any thread and return at once: at most one message is on its way, the others wait.
template <typename Response>
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  // Sends after everything that was sent before. A client that lets too much of this wait is cut off.
  virtual void Send(const Response& response) = 0;

  // The same, but takes the place of an earlier message of this kind if that still waits. So a slow reader gets the
  // latest and never makes a queue grow.
  virtual void SendLatest(const Response& response) = 0;

  // Whether the client keeps up with what is sent. Whoever has much to send waits until it does.
  virtual bool HasRoom() { return true; }
  // Calls back once when it has read most of it, or is gone: at once if it has. From any thread; one callback at a
  // time.
  virtual void WhenRoom(std::function<void()> callback) { callback(); }

  // Ends the stream after what still waits. Every stream must be finished, even after a cancel; only the first time
  // counts.
  virtual void Finish(const absl::Status& status) = 0;

  // What is done for its call; good for as long as the stream.
  virtual CallWork& work() = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_RESPONSE_STREAM_H_
