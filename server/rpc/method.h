// What the server does with the calls of one method, in bytes. See typed_methods.h for handlers of messages.

#ifndef KIBITZ_SERVER_RPC_METHOD_H_
#define KIBITZ_SERVER_RPC_METHOD_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "grpcpp/support/byte_buffer.h"

namespace kibitz::server {

class ServerCall;

// Hears what one client says. One call at a time, on a thread of the call's queue, but for OnShutdown, which may come
// from any thread at any time. None of them may block.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  // The next message. False: no more of them are wanted.
  virtual bool OnRequest(grpc::ByteBuffer& message) = 0;
  // No more will come. OK: the client has said all that it wanted to say, or is gone. Otherwise its last message was
  // not acceptable, or handling it failed: the call is to end with this error, and all work for it.
  virtual void OnRequestsEnd(const absl::Status& why) = 0;
  // The server shuts down: a call that waits for more is to end.
  virtual void OnShutdown() {}
};

struct Method {
  // A larger message ends the call.
  std::size_t max_request_bytes;
  // The client must send its first message soon: without it the call only takes up room.
  bool needs_request;
  // Called when a call has been let in, before anything of it is read. nullptr: it has been finished already.
  std::function<std::shared_ptr<RequestHandler>(const std::shared_ptr<ServerCall>&)> open;
};

// By the method's name: "/kibitz.v1.AnalysisService/Analyze".
using MethodTable = absl::flat_hash_map<std::string, Method>;

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_METHOD_H_
