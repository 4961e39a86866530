// A call with a stream of requests and a stream of responses.

#ifndef KIBITZ_SERVER_RPC_SESSION_CALL_H_
#define KIBITZ_SERVER_RPC_SESSION_CALL_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/async_stream.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/method.h"
#include "server/rpc/open_stream.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/step.h"
#include "server/rpc/wire_message.h"

namespace kibitz::server {

// What comes from one client. One call at a time, on a thread of the loop: it must not block.
template <typename Request>
class RequestListener {
 public:
  virtual ~RequestListener() = default;
  // False: no more of them.
  virtual bool OnRequest(const Request& request) = 0;
  // The client has said all that it wants to say, or is gone.
  virtual void OnRequestsEnd() = 0;
};

// Hands the calls of one method to `handler`, which gives the listener for each. There is always one that waits for the
// next call. A request that cannot be read ends the call.
template <typename Request, typename Response>
class SessionCall final
    : public OpenStream<grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>, Response> {
 public:
  using Listener = std::shared_ptr<RequestListener<Request>>;
  using Handler = std::function<Listener(std::shared_ptr<ResponseStream<Response>>)>;
  using Wire = grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>;
  // Asks gRPC for the next call of the method.
  using Accept = std::function<void(void* tag, grpc::ServerContext*, Wire*)>;

  // Serves the method on `loop` from now until the server shuts down.
  static void Serve(CompletionLoop& loop, Accept accept, Handler handler) {
    AwaitNext(std::make_shared<const Method>(Method{loop, std::move(accept), std::move(handler)}));
  }

 private:
  using Method = server::Method<Accept, Handler>;

  explicit SessionCall(std::shared_ptr<const Method> method)
      : OpenStream<Wire, Response>(method->loop), method_(std::move(method)) {}

  std::shared_ptr<SessionCall> Self() { return std::static_pointer_cast<SessionCall>(this->shared_from_this()); }

  static void AwaitNext(std::shared_ptr<const Method> method) {
    std::shared_ptr<SessionCall> call(new SessionCall(std::move(method)));
    call->AwaitEnd();
    void* const tag = call->read_.Begin(call->loop(), [call](bool ok) { call->Begin(ok); });
    call->method_->accept(tag, &call->context(), &call->wire());
  }

  void Begin(bool ok) {
    this->Arrived(ok);
    if (!ok) return;
    AwaitNext(method_);
    listener_ = method_->handler(this->shared_from_this());
    ReadNext();
  }

  void ReadNext() {
    void* const tag = read_.Begin(this->loop(), [call = Self()](bool ok) { call->Read(ok); });
    this->wire().Read(&bytes_, tag);
  }

  void Read(bool ok) {
    Request request;
    if (!ok) return EndRequests();
    if (absl::Status status = ReadMessage(bytes_, request); !status.ok()) {
      EndRequests();
      return this->Finish(status);
    }
    if (!listener_->OnRequest(request)) return EndRequests();
    ReadNext();
  }

  // The listener may hold the stream, so the stream must not hold it for longer than it has to.
  void EndRequests() {
    const Listener listener = std::move(listener_);
    listener->OnRequestsEnd();
  }

  const std::shared_ptr<const Method> method_;
  Listener listener_;
  grpc::ByteBuffer bytes_;
  Step read_;
};

// Serves one method of a generated service on `loop`: `accept` is the RequestX of its WithRawMethod_X.
template <typename Request, typename Response, typename Wire, typename Raw, typename Handler>
void ServeSession(CompletionLoop& loop, Wire& wire,
                  void (Raw::*accept)(grpc::ServerContext*,
                                      grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>*,
                                      grpc::CompletionQueue*, grpc::ServerCompletionQueue*, void*),
                  Handler handler) {
  SessionCall<Request, Response>::Serve(loop, AcceptFrom(wire, accept, loop), std::move(handler));
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_SESSION_CALL_H_
