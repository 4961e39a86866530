// Methods whose handlers see messages instead of bytes, of the three kinds that there are.

#ifndef KIBITZ_SERVER_RPC_TYPED_METHODS_H_
#define KIBITZ_SERVER_RPC_TYPED_METHODS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/errors/errors.h"
#include "server/rpc/call.h"
#include "server/rpc/method.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/server_call.h"
#include "server/rpc/wire_message.h"

namespace kibitz::server {

// Hears the messages of a call with a stream of requests; see RequestHandler.
template <typename Request>
class RequestListener {
 public:
  virtual ~RequestListener() = default;
  virtual bool OnRequest(const Request& request) = 0;
  virtual void OnRequestsEnd(const absl::Status& why) = 0;
  virtual void OnShutdown() = 0;
};

namespace rpc_internal {

template <typename Response>
class TypedStream final : public ResponseStream<Response> {
 public:
  explicit TypedStream(std::shared_ptr<ServerCall> call) : call_(std::move(call)) {}
  void Send(const Response& response) override { call_->Send(WriteMessage(response)); }
  void SendLatest(const Response& response) override { call_->SendLatest(WriteMessage(response)); }
  bool HasRoom() override { return call_->HasRoom(); }
  void WhenRoom(std::function<void()> callback) override { call_->WhenRoom(std::move(callback)); }
  void Finish(const absl::Status& status) override { call_->Finish(status); }
  CallWork& work() override { return call_->work(); }

 private:
  const std::shared_ptr<ServerCall> call_;
};

// A message that a thread uses again and again, because it keeps its memory from call to call; not that of a large one.
template <typename Message>
class ReusedMessage {
 public:
  Message& Get() {
    if (message_ == nullptr) message_ = std::make_unique<Message>();
    return *message_;
  }
  void Done(std::size_t size_on_wire) {
    constexpr std::size_t kKeptBytes = 16 << 10;
    if (size_on_wire > kKeptBytes) message_.reset();
  }

 private:
  std::unique_ptr<Message> message_;
};

// Waits for the one request of a call.
class OneRequestHandler : public RequestHandler {
 public:
  explicit OneRequestHandler(std::shared_ptr<ServerCall> call) : call_(std::move(call)) {}
  void OnRequestsEnd(const absl::Status& why) override {
    call_->Finish(why.ok() ? Failure(absl::StatusCode::kInvalidArgument, "MISSING_REQUEST", "there is no request")
                           : why);
  }

 protected:
  const std::shared_ptr<ServerCall> call_;
};

}  // namespace rpc_internal

// One request, one response, on the thread that it came in on: the handler must be quick and must not block.
template <typename Request, typename Response>
Method UnaryMethod(std::size_t max_request_bytes,
                   std::function<absl::Status(Call&, const Request&, Response&)> handler) {
  using Handler = decltype(handler);
  class UnaryHandler final : public rpc_internal::OneRequestHandler {
   public:
    UnaryHandler(std::shared_ptr<ServerCall> call, const Handler& handler)
        : OneRequestHandler(std::move(call)), handler_(handler) {}
    bool OnRequest(grpc::ByteBuffer& message) override {
      static thread_local rpc_internal::ReusedMessage<Request> requests;
      static thread_local rpc_internal::ReusedMessage<Response> responses;
      const std::size_t size = message.Length();
      Request& request = requests.Get();
      Response& response = responses.Get();
      response.Clear();
      absl::Status status = ReadMessage(message, request);
      if (status.ok()) status = handler_(*call_, request, response);
      requests.Done(size);
      if (!status.ok()) {
        call_->Finish(status);
        return false;
      }
      grpc::ByteBuffer bytes = WriteMessage(response);
      responses.Done(bytes.Length());
      call_->Answer(std::move(bytes));
      return false;
    }

   private:
    const Handler& handler_;
  };
  // The table that holds the method outlives its calls.
  const auto kept = std::make_shared<const Handler>(std::move(handler));
  return {.max_request_bytes = max_request_bytes,
          .needs_request = true,
          .open = [kept](const std::shared_ptr<ServerCall>& call) -> std::shared_ptr<RequestHandler> {
            return std::make_shared<UnaryHandler>(call, *kept);
          }};
}

// One request, a stream of responses: the handler answers through the stream then or later, from any thread.
template <typename Request, typename Response>
Method StreamMethod(std::size_t max_request_bytes,
                    std::function<void(Call&, const Request&, std::shared_ptr<ResponseStream<Response>>)> handler) {
  using Handler = decltype(handler);
  class StreamHandler final : public rpc_internal::OneRequestHandler {
   public:
    StreamHandler(std::shared_ptr<ServerCall> call, const Handler& handler)
        : OneRequestHandler(std::move(call)), handler_(handler) {}
    bool OnRequest(grpc::ByteBuffer& message) override {
      Request request;
      if (absl::Status status = ReadMessage(message, request); !status.ok()) {
        call_->Finish(status);
      } else {
        handler_(*call_, request, std::make_shared<rpc_internal::TypedStream<Response>>(call_));
      }
      return false;
    }

   private:
    const Handler& handler_;
  };
  const auto kept = std::make_shared<const Handler>(std::move(handler));
  return {.max_request_bytes = max_request_bytes,
          .needs_request = true,
          .open = [kept](const std::shared_ptr<ServerCall>& call) -> std::shared_ptr<RequestHandler> {
            return std::make_shared<StreamHandler>(call, *kept);
          }};
}

// A stream of requests, a stream of responses. The handler gives the listener for each call, or finishes it and gives
// none; the call is good for as long as the stream.
template <typename Request, typename Response>
Method SessionMethod(
    std::size_t max_request_bytes,
    std::function<std::shared_ptr<RequestListener<Request>>(Call&, std::shared_ptr<ResponseStream<Response>>)>
        handler) {
  class SessionHandler final : public RequestHandler {
   public:
    explicit SessionHandler(std::shared_ptr<RequestListener<Request>> listener) : listener_(std::move(listener)) {}
    bool OnRequest(grpc::ByteBuffer& message) override {
      Request request;
      if (absl::Status status = ReadMessage(message, request); !status.ok()) {
        listener_->OnRequestsEnd(status);
        return false;
      }
      return listener_->OnRequest(request);
    }
    void OnRequestsEnd(const absl::Status& why) override { listener_->OnRequestsEnd(why); }
    void OnShutdown() override { listener_->OnShutdown(); }

   private:
    const std::shared_ptr<RequestListener<Request>> listener_;
  };
  return {.max_request_bytes = max_request_bytes,
          .needs_request = false,
          .open = [handler =
                       std::move(handler)](const std::shared_ptr<ServerCall>& call) -> std::shared_ptr<RequestHandler> {
            auto listener = handler(*call, std::make_shared<rpc_internal::TypedStream<Response>>(call));
            return listener == nullptr ? nullptr : std::make_shared<SessionHandler>(std::move(listener));
          }};
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_TYPED_METHODS_H_
