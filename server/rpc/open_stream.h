// The server's half of a call that streams responses: what waits to be written, the end, and the client's cancel.

#ifndef KIBITZ_SERVER_RPC_OPEN_STREAM_H_
#define KIBITZ_SERVER_RPC_OPEN_STREAM_H_

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "server/grpc_status.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/step.h"
#include "server/rpc/wire_message.h"

namespace kibitz::server {

// `Wire` is gRPC's end of it: a ServerAsyncWriter or a ServerAsyncReaderWriter of bytes. Lives as long as gRPC works on
// one of its steps or somebody keeps the stream.
template <typename Wire, typename Response>
class OpenStream : public ResponseStream<Response>, public std::enable_shared_from_this<OpenStream<Wire, Response>> {
 public:
  void Send(Response response) override { Enqueue({std::move(response), /*replaceable=*/false}); }

  void SendLatest(Response response) override { Enqueue({std::move(response), /*replaceable=*/true}); }

  void Finish(const absl::Status& status) override {
    std::lock_guard lock(mutex_);
    final_status_ = ToGrpcStatus(status);
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

 protected:
  explicit OpenStream(CompletionLoop& loop) : loop_(loop) {}

  CompletionLoop& loop() { return loop_; }
  grpc::ServerContext& context() { return context_; }
  Wire& wire() { return wire_; }

  // Before gRPC is asked for the call.
  void AwaitEnd() {
    context_.AsyncNotifyWhenDone(end_.Begin(loop_, [self = this->shared_from_this()](bool /*ok*/) { self->Ended(); }));
  }
  // The call came, or else never will.
  void Arrived(bool ok) {
    if (ok) {
      count_.emplace(loop_);
    } else {
      // The server shuts down. gRPC does not report the end of a call that never came.
      end_.Forget(loop_);
    }
  }

 private:
  struct Message {
    Response response;
    bool replaceable;
  };

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
    void* const tag = write_.Begin(loop_, [self = this->shared_from_this()](bool ok) { self->Written(ok); });
    if (waiting_.empty()) {
      wire_.Finish(*final_status_, tag);
      return;
    }
    const grpc::ByteBuffer bytes = WriteMessage(waiting_.front().response);
    waiting_.pop_front();
    if (last) {
      wire_.WriteAndFinish(bytes, grpc::WriteOptions(), *final_status_, tag);
    } else {
      wire_.Write(bytes, tag);
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

  void Ended() {
    std::function<void()> on_cancel;
    {
      std::lock_guard lock(mutex_);
      cancelled_ = context_.IsCancelled();
      on_cancel = std::exchange(on_cancel_, nullptr);
    }
    if (cancelled_ && on_cancel) on_cancel();
  }

  CompletionLoop& loop_;
  std::optional<CompletionLoop::StreamCount> count_;
  grpc::ServerContext context_;
  Wire wire_{&context_};
  Step write_;
  Step end_;

  std::mutex mutex_;  // guards what follows
  std::deque<Message> waiting_;
  std::optional<grpc::Status> final_status_;
  std::function<void()> on_cancel_;
  bool writing_ = false;
  bool finished_ = false;   // the last write is under way or done
  bool broken_ = false;     // the client is gone
  bool cancelled_ = false;  // known from the end of the call
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_OPEN_STREAM_H_
