// A call with one request and a stream of responses.

#ifndef KIBITZ_SERVER_RPC_STREAM_CALL_H_
#define KIBITZ_SERVER_RPC_STREAM_CALL_H_

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/async_stream.h"
#include "server/grpc_status.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/wire_message.h"

namespace kibitz::server {

// Hands the calls of one method to `handler`, which answers through the stream then or later, from any thread.
// Lives as long as gRPC works on one of its steps or somebody keeps the stream; there is always one that waits for the
// next call.
template <typename Request, typename Response>
class StreamCall final : public ResponseStream<Response>,
                         public std::enable_shared_from_this<StreamCall<Request, Response>> {
 public:
  using Handler = std::function<void(const Request&, std::shared_ptr<ResponseStream<Response>>)>;
  using Writer = grpc::ServerAsyncWriter<grpc::ByteBuffer>;
  // Asks gRPC for the next call of the method.
  using Accept = std::function<void(grpc::ServerContext*, grpc::ByteBuffer*, Writer*, void* tag)>;

  // Serves the method on `loop` from now until the server shuts down.
  static void Serve(CompletionLoop& loop, Accept accept, Handler handler) {
    AwaitNext(std::make_shared<const Method>(Method{loop, std::move(accept), std::move(handler)}));
  }

  void Send(Response response) override { Enqueue({std::move(response), /*replaceable=*/false}); }

  void SendLatest(Response response) override { Enqueue({std::move(response), /*replaceable=*/true}); }

  void Finish(const grpc::Status& status) override {
    std::lock_guard lock(mutex_);
    final_status_ = status;
    WriteNext();
  }

  void OnCancel(std::function<void()> callback) override {
    {
      std::lock_guard lock(mutex_);
      if (!cancelled_) {
        on_cancel_ = std::move(callback);
        return;
      }
    }
    callback();
  }

  std::chrono::system_clock::time_point Deadline() const override { return context_.deadline(); }

 private:
  struct Method {
    CompletionLoop& loop;
    Accept accept;
    Handler handler;
  };

  struct Message {
    Response response;
    bool replaceable;
  };

  // One thing that gRPC does for the call. It keeps the call alive until it is done.
  class Step final : public Event {
   public:
    explicit Step(void (StreamCall::*next)(bool ok)) : next_(next) {}
    void* Begin(std::shared_ptr<StreamCall> call) {
      call_ = std::move(call);
      return call_->method_->loop.Begin(*this);
    }
    void Forget() {
      const std::shared_ptr<StreamCall> call = std::move(call_);
      call->method_->loop.Forget();
    }

   private:
    void Done(bool ok) override {
      const std::shared_ptr<StreamCall> call = std::move(call_);
      (call.get()->*next_)(ok);
    }

    void (StreamCall::* const next_)(bool ok);
    std::shared_ptr<StreamCall> call_;
  };

  explicit StreamCall(std::shared_ptr<const Method> method) : method_(std::move(method)) {}

  static void AwaitNext(std::shared_ptr<const Method> method) {
    std::shared_ptr<StreamCall> call(new StreamCall(std::move(method)));
    call->context_.AsyncNotifyWhenDone(call->end_.Begin(call));
    call->method_->accept(&call->context_, &call->request_, &call->writer_, call->arrival_.Begin(call));
  }

  void Arrived(bool ok) {
    if (!ok) {
      // The server shuts down. gRPC does not report the end of a call that never came.
      end_.Forget();
      return;
    }
    count_.emplace(method_->loop);
    AwaitNext(method_);
    Request request;
    if (absl::Status status = ReadMessage(request_, request); !status.ok()) return Finish(ToGrpcStatus(status));
    method_->handler(request, this->shared_from_this());
  }

  void Enqueue(Message message) {
    std::lock_guard lock(mutex_);
    if (broken_) return;
    if (message.replaceable && !waiting_.empty() && waiting_.back().replaceable) {
      waiting_.back() = std::move(message);
    } else {
      waiting_.push_back(std::move(message));
    }
    WriteNext();
  }

  // Gives gRPC the next thing to write, if it is not at work. Under the lock.
  void WriteNext() {
    if (writing_ || finished_) return;
    if (waiting_.empty() && !final_status_.has_value()) return;
    const bool last = final_status_.has_value() && waiting_.size() <= 1;
    writing_ = true;
    finished_ = last;
    void* const tag = write_.Begin(this->shared_from_this());
    if (waiting_.empty()) {
      writer_.Finish(*final_status_, tag);
      return;
    }
    const grpc::ByteBuffer bytes = WriteMessage(waiting_.front().response);
    waiting_.pop_front();
    if (last) {
      writer_.WriteAndFinish(bytes, grpc::WriteOptions(), *final_status_, tag);
    } else {
      writer_.Write(bytes, tag);
    }
  }

  void Written(bool ok) {
    std::lock_guard lock(mutex_);
    writing_ = false;
    if (!ok) {
      broken_ = true;
      waiting_.clear();
    }
    WriteNext();
  }

  void Ended(bool /*ok*/) {
    std::function<void()> on_cancel;
    {
      std::lock_guard lock(mutex_);
      cancelled_ = context_.IsCancelled();
      on_cancel = std::exchange(on_cancel_, nullptr);
    }
    if (cancelled_ && on_cancel) on_cancel();
  }

  const std::shared_ptr<const Method> method_;
  std::optional<CompletionLoop::StreamCount> count_;
  grpc::ByteBuffer request_;
  grpc::ServerContext context_;
  Writer writer_{&context_};
  Step arrival_{&StreamCall::Arrived};
  Step write_{&StreamCall::Written};
  Step end_{&StreamCall::Ended};

  std::mutex mutex_;  // guards what follows
  std::deque<Message> waiting_;
  std::optional<grpc::Status> final_status_;
  std::function<void()> on_cancel_;
  bool writing_ = false;
  bool finished_ = false;   // the last write is under way or done
  bool broken_ = false;     // the client is gone
  bool cancelled_ = false;  // known from the end of the call
};

// Serves one method of a generated service on `loop`: `accept` is the RequestX of its WithRawMethod_X, and `handler` is
// called with each request and its stream.
template <typename Request, typename Response, typename Wire, typename Raw, typename Handler>
void ServeStream(CompletionLoop& loop, Wire& wire,
                 void (Raw::*accept)(grpc::ServerContext*, grpc::ByteBuffer*,
                                     grpc::ServerAsyncWriter<grpc::ByteBuffer>*, grpc::CompletionQueue*,
                                     grpc::ServerCompletionQueue*, void*),
                 Handler handler) {
  StreamCall<Request, Response>::Serve(
      loop,
      [&loop, &wire, accept](auto* context, auto* request, auto* writer, void* tag) {
        (wire.*accept)(context, request, writer, loop.queue(), loop.queue(), tag);
      },
      std::move(handler));
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_STREAM_CALL_H_
