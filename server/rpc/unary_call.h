// A call with one request and one response.

#ifndef KIBITZ_SERVER_RPC_UNARY_CALL_H_
#define KIBITZ_SERVER_RPC_UNARY_CALL_H_

#include <functional>
#include <memory>
#include <utility>

#include "grpcpp/grpcpp.h"
#include "server/rpc/completion_loop.h"

namespace kibitz::server {

// Answers calls of one method on the thread that they come in on, so `handler` must be quick and must not block.
// Deletes itself when its call is over; there is always one that waits for the next call.
template <typename Request, typename Response>
class UnaryCall final : public Event {
 public:
  using Handler = std::function<grpc::Status(const Request&, Response&)>;
  using Responder = grpc::ServerAsyncResponseWriter<Response>;
  // Asks gRPC for the next call of the method: AsyncService::RequestX with its service.
  using Accept =
      std::function<void(grpc::ServerContext*, Request*, Responder*, grpc::ServerCompletionQueue*, void* tag)>;

  // Serves the method on `loop` from now until the server shuts down.
  static void Serve(CompletionLoop& loop, Accept accept, Handler handler) {
    new UnaryCall(std::make_shared<const Method>(Method{loop, std::move(accept), std::move(handler)}));
  }

 private:
  struct Method {
    CompletionLoop& loop;
    Accept accept;
    Handler handler;
  };

  explicit UnaryCall(std::shared_ptr<const Method> method) : method_(std::move(method)) {
    method_->accept(&context_, &request_, &responder_, method_->loop.queue(), method_->loop.Begin(*this));
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
    // gRPC writes the response out before Finish returns, so one for each thread does, and it keeps its memory.
    static thread_local Response response;
    response.Clear();
    const grpc::Status status = method_->handler(request_, response);
    void* const tag = method_->loop.Begin(*this);
    if (status.ok()) {
      responder_.Finish(response, status, tag);
    } else {
      responder_.FinishWithError(status, tag);
    }
  }

  std::shared_ptr<const Method> method_;
  bool answered_ = false;
  Request request_;
  grpc::ServerContext context_;
  Responder responder_{&context_};
};

// Serves one method of a generated AsyncService on `loop`: `accept` is its RequestX.
template <typename Wire, typename Owner, typename Request, typename Response, typename Handler>
void ServeUnary(CompletionLoop& loop, Wire& wire,
                void (Owner::*accept)(grpc::ServerContext*, Request*, grpc::ServerAsyncResponseWriter<Response>*,
                                      grpc::CompletionQueue*, grpc::ServerCompletionQueue*, void*),
                Handler handler) {
  UnaryCall<Request, Response>::Serve(
      loop,
      [&wire, accept](auto* context, auto* request, auto* responder, auto* queue, void* tag) {
        (wire.*accept)(context, request, responder, queue, queue, tag);
      },
      std::move(handler));
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_UNARY_CALL_H_
