// One call as gRPC carries it: its arrival, its messages in both directions, its end. The only file that knows how.

#ifndef KIBITZ_SERVER_RPC_SERVER_CALL_H_
#define KIBITZ_SERVER_RPC_SERVER_CALL_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/grpcpp.h"
#include "server/rpc/call.h"
#include "server/rpc/call_list.h"
#include "server/rpc/completion_queue.h"
#include "server/rpc/connection.h"
#include "server/rpc/method.h"

namespace kibitz::server {

class CallServer;

// Every call is taken when its headers are here, whatever its method: so all that follows, the wait for its first
// message included, is under our bounds. Lives as long as gRPC works on one of its steps or somebody keeps it.
class ServerCall final : public Call, public std::enable_shared_from_this<ServerCall> {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes the next call that comes in on this queue, and sees to it that the one after it is taken too. While the call
  // may say something it is one of the readers.
  static void AwaitNext(CallServer& server, CompletionQueue& queue, CallList& readers);
  ~ServerCall() override;

  absl::string_view method() const override { return context_.method(); }
  const std::string& peer() const override { return peer_; }
  Connection* connection() const override { return connection_.get(); }
  absl::string_view Metadata(absl::string_view name) const override;
  std::size_t MetadataBytes() const override { return metadata_bytes_; }
  Time deadline() const override { return context_.deadline(); }
  void OnCancel(std::function<void()> callback) override;

  // As ResponseStream has it.
  void Send(grpc::ByteBuffer message) { Enqueue({std::move(message), /*replaceable=*/false}); }
  void SendLatest(grpc::ByteBuffer message) { Enqueue({std::move(message), /*replaceable=*/true}); }
  bool HasRoom();
  void WhenRoom(std::function<void()> callback);
  void Finish(const absl::Status& status);
  // The only message and the end in one, for calls that have one answer.
  void Answer(grpc::ByteBuffer message);

  // For the server: it has been waiting for its first message since then. Nothing once that has come, or is not needed.
  std::optional<Clock::time_point> waiting_since() const;
  // For the server: it stops.
  void Shutdown();

 private:
  friend class CallList;

  // Something that gRPC does for the call, and what follows. It holds the call until then.
  class Step final : public QueueEvent {
   public:
    explicit Step(void (ServerCall::*then)(bool ok)) : then_(then) {}
    void* Begin(ServerCall& call);
    void Forget();

   private:
    void Done(bool ok) override;

    void (ServerCall::* const then_)(bool ok);
    std::shared_ptr<ServerCall> call_;
  };
  struct Message {
    grpc::ByteBuffer bytes;
    bool replaceable;
  };

  ServerCall(CallServer& server, CompletionQueue& queue, CallList& readers)
      : server_(server), queue_(queue), readers_(readers) {}

  // What gRPC has done.
  void OnArrived(bool ok);
  void OnRead(bool ok);
  void OnWritten(bool ok);
  void OnEnded(bool ok);

  std::size_t SizeOfMetadata() const;
  // Lets the call through to its method, or refuses it.
  void Begin();
  void Read();
  // Hands a message to the handler. True: it wants more.
  absl::StatusOr<bool> Handle();
  // Tells the handler that there is nothing more.
  void EndRequests(const absl::Status& why);
  // Lets go of the handler, which may hold the call.
  std::shared_ptr<RequestHandler> TakeHandler();

  void Enqueue(Message message);
  // Gives gRPC the next thing to write, if it is not at work. Under the lock.
  void WriteNext();
  void SendRequestId();
  // Adds to what waits to be sent, or cancels the call for want of room. Under the lock, like the others.
  bool AddUnsent(Message message);
  grpc::ByteBuffer TakeUnsent();
  void DropUnsent();

  CallServer& server_;
  CompletionQueue& queue_;
  CallList& readers_;
  CallList::Links links_;  // the list's
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter wire_{&context_};
  grpc::ByteBuffer request_;
  Step arrival_{&ServerCall::OnArrived};
  Step read_{&ServerCall::OnRead};
  Step write_{&ServerCall::OnWritten};
  Step end_{&ServerCall::OnEnded};

  std::string peer_;
  std::size_t metadata_bytes_ = 0;
  std::shared_ptr<Connection> connection_;
  const Method* method_ = nullptr;
  Clock::time_point arrived_at_;
  bool arrived_ = false;
  bool let_in_ = false;
  std::atomic<bool> working_{false};  // a request came: the server waits for it when it shuts down

  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<RequestHandler> handler_;
  bool reading_paused_ = false;  // until the client has read what waits
  bool awaits_request_ = false;
  std::list<Message> unsent_;
  std::size_t unsent_bytes_ = 0;
  std::optional<absl::Status> final_status_;
  std::function<void()> on_cancel_;
  std::function<void()> when_room_;
  bool writing_ = false;
  bool finished_ = false;   // the last write is under way or done
  bool cancelled_ = false;  // the client is gone
  bool ended_ = false;      // gRPC is done with it, whatever the reason
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_SERVER_CALL_H_
