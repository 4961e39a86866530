// A call with one request and one response.

#ifndef KIBITZ_SERVER_RPC_UNARY_CALL_H_
#define KIBITZ_SERVER_RPC_UNARY_CALL_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/async_unary_call.h"
#include "server/grpc_status.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/method.h"
#include "server/rpc/wire_message.h"

namespace kibitz::server {

// Answers calls of one method on the thread that they come in on, so `handler` must be quick and must not block.
// Deletes itself when its call is over; there is always one that waits for the next call.
template <typename Request, typename Response>
class UnaryCall final : public Event {
 public:
  using Handler = std::function<absl::Status(const Request&, Response&)>;
  using Responder = grpc::ServerAsyncResponseWriter<grpc::ByteBuffer>;
  // Asks gRPC for the next call of the method.
  using Accept = std::function<void(void* tag, grpc::ServerContext*, grpc::ByteBuffer*, Responder*)>;

  // Serves the method on `loop` from now until the server shuts down.
  static void Serve(CompletionLoop& loop, Accept accept, Handler handler) {
    new UnaryCall(std::make_shared<const Method>(Method{loop, std::move(accept), std::move(handler)}));
  }

 private:
  using Method = server::Method<Accept, Handler>;

  explicit UnaryCall(std::shared_ptr<const Method> method) : method_(std::move(method)) {
    method_->accept(method_->loop.Begin(*this), &context_, &request_, &responder_);
  }
  ~UnaryCall() = default;

  void Done(bool ok) override {
    // Not ok: the server shuts down, or the client is gone. Either way the call is over.
    if (!ok || answered_) {
      delete this;
      return;
    }
    new UnaryCall(method_);
    answered_ = true;
    // One of each for a thread is enough, and they keep their memory from call to call.
    static thread_local Request request;
    static thread_local Response response;
    response.Clear();
    absl::Status status = ReadMessage(request_, request);
    if (status.ok()) status = method_->handler(request, response);
    void* const tag = method_->loop.Begin(*this);
    if (status.ok()) {
      responder_.Finish(WriteMessage(response), grpc::Status::OK, tag);
    } else {
      responder_.FinishWithError(ToGrpcStatus(status), tag);
    }
  }

  const std::shared_ptr<const Method> method_;
  bool answered_ = false;
  grpc::ByteBuffer request_;
  grpc::ServerContext context_;
  Responder responder_{&context_};
};

// Serves one method of a generated service on `loop`: `accept` is the RequestX of its WithRawMethod_X, and `handler` a
// method of `owner`.
template <typename Wire, typename Raw, typename Owner, typename Request, typename Response>
void ServeUnary(CompletionLoop& loop, Wire& wire,
                void (Raw::*accept)(grpc::ServerContext*, grpc::ByteBuffer*,
                                    grpc::ServerAsyncResponseWriter<grpc::ByteBuffer>*, grpc::CompletionQueue*,
                                    grpc::ServerCompletionQueue*, void*),
                Owner* owner, absl::Status (Owner::*handler)(const Request&, Response&)) {
  UnaryCall<Request, Response>::Serve(loop, AcceptFrom(wire, accept, loop), std::bind_front(handler, owner));
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_UNARY_CALL_H_
