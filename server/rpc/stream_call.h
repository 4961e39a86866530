// A call with one request and a stream of responses.

#ifndef KIBITZ_SERVER_RPC_STREAM_CALL_H_
#define KIBITZ_SERVER_RPC_STREAM_CALL_H_

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

// Hands the calls of one method to `handler`, which answers through the stream then or later, from any thread. There is
// always one that waits for the next call.
template <typename Request, typename Response>
class StreamCall final : public OpenStream<grpc::ServerAsyncWriter<grpc::ByteBuffer>, Response> {
 public:
  using Handler = std::function<void(const Request&, std::shared_ptr<ResponseStream<Response>>)>;
  using Writer = grpc::ServerAsyncWriter<grpc::ByteBuffer>;
  // Asks gRPC for the next call of the method.
  using Accept = std::function<void(void* tag, grpc::ServerContext*, grpc::ByteBuffer*, Writer*)>;

  // Serves the method on `loop` from now until the server shuts down.
  static void Serve(CompletionLoop& loop, Accept accept, Handler handler) {
    AwaitNext(std::make_shared<const Method>(Method{loop, std::move(accept), std::move(handler)}));
  }

 private:
  using Method = server::Method<Accept, Handler>;

  explicit StreamCall(std::shared_ptr<const Method> method)
      : OpenStream<Writer, Response>(method->loop), method_(std::move(method)) {}

  static void AwaitNext(std::shared_ptr<const Method> method) {
    std::shared_ptr<StreamCall> call(new StreamCall(std::move(method)));
    call->AwaitEnd();
    void* const tag = call->arrival_.Begin(call->loop(), [call](bool ok) { call->Begin(ok); });
    call->method_->accept(tag, &call->context(), &call->request_, &call->wire());
  }

  void Begin(bool ok) {
    this->Arrived(ok);
    if (!ok) return;
    AwaitNext(method_);
    Request request;
    if (absl::Status status = ReadMessage(request_, request); !status.ok()) return this->Finish(status);
    method_->handler(request, this->shared_from_this());
  }

  const std::shared_ptr<const Method> method_;
  grpc::ByteBuffer request_;
  Step arrival_;
};

// Serves one method of a generated service on `loop`: `accept` is the RequestX of its WithRawMethod_X, and `handler` is
// called with each request and its stream.
template <typename Request, typename Response, typename Wire, typename Raw, typename Handler>
void ServeStream(CompletionLoop& loop, Wire& wire,
                 void (Raw::*accept)(grpc::ServerContext*, grpc::ByteBuffer*,
                                     grpc::ServerAsyncWriter<grpc::ByteBuffer>*, grpc::CompletionQueue*,
                                     grpc::ServerCompletionQueue*, void*),
                 Handler handler) {
  StreamCall<Request, Response>::Serve(loop, AcceptFrom(wire, accept, loop), std::move(handler));
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_STREAM_CALL_H_
