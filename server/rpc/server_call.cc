#include "server/rpc/server_call.h"

#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"
#include "server/rpc/call_server.h"
#include "server/rpc/grpc_status.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

// A client that does not read so much is not asked for more until it has.
constexpr std::size_t kPauseBytes = 256 << 10;
// Whoever waits for room goes on while there is still enough to send for the time that this takes.
constexpr std::size_t kRoomBytes = kPauseBytes / 2;

absl::Status HandlerFailure(const std::exception& error) {
  spdlog::error("a handler failed: {}", error.what());
  return Failure(absl::StatusCode::kInternal, "INTERNAL", "the server failed to handle the request");
}

}  // namespace

void* ServerCall::Step::Begin(ServerCall& call) {
  call_ = call.shared_from_this();
  return call.queue_.Begin(*this);
}

void ServerCall::Step::Forget() {
  const std::shared_ptr<ServerCall> call = std::move(call_);
  call->queue_.Forget();
}

void ServerCall::Step::Done(bool ok) {
  const std::shared_ptr<ServerCall> call = std::move(call_);
  (*call.*then_)(ok);
}

void ServerCall::AwaitNext(CallServer& server, CompletionQueue& queue, CallList& readers) {
  const std::shared_ptr<ServerCall> call(new ServerCall(server, queue, readers));
  call->context_.AsyncNotifyWhenDone(call->end_.Begin(*call));
  server.RequestCall(call->context_, call->wire_, queue, call->arrival_.Begin(*call));
}

ServerCall::~ServerCall() {
  if (!arrived_) return;
  DropUnsent();
  if (let_in_) server_.chain_.Leave(*this);
  CallOutcome outcome{.code = final_status_.value_or(absl::OkStatus()).code(),
                      .reason = final_status_.has_value() && !final_status_->ok() ? ReasonOf(*final_status_) : "",
                      .duration = Clock::now() - arrived_at_};
  if (cancelled_) {
    const bool late = std::chrono::system_clock::now() >= deadline();
    outcome.code = late ? absl::StatusCode::kDeadlineExceeded : absl::StatusCode::kCancelled;
    outcome.reason.clear();  // nobody was told
  }
  server_.chain_.Record(*this, outcome);
  if (working_) server_.CountWork(-1);
}

absl::string_view ServerCall::Metadata(absl::string_view name) const {
  const auto& metadata = context_.client_metadata();
  const auto found = metadata.find(grpc::string_ref(name.data(), name.size()));
  return found == metadata.end() ? absl::string_view() : absl::string_view(found->second.data(), found->second.size());
}

std::size_t ServerCall::SizeOfMetadata() const {
  std::size_t bytes = context_.method().size();
  for (const auto& [name, value] : context_.client_metadata()) bytes += name.size() + value.size();
  return bytes;
}

void ServerCall::OnCancel(std::function<void()> callback) {
  {
    std::lock_guard lock(mutex_);
    if (!cancelled_) {
      // Who is called back holds the call. One that has ended meanwhile would hold itself for ever.
      if (!ended_) on_cancel_ = std::move(callback);
      return;
    }
  }
  callback();
}

std::optional<ServerCall::Clock::time_point> ServerCall::waiting_since() const {
  std::lock_guard lock(mutex_);
  if (!awaits_request_) return std::nullopt;
  return arrived_at_;
}

void ServerCall::Shutdown() {
  std::shared_ptr<RequestHandler> handler;
  {
    std::lock_guard lock(mutex_);
    handler = handler_;
  }
  if (handler != nullptr) handler->OnShutdown();
}

void ServerCall::OnArrived(bool ok) {
  if (!ok) {
    // The server shuts down. gRPC does not report the end of a call that never came.
    end_.Forget();
    return;
  }
  arrived_ = true;
  arrived_at_ = Clock::now();
  AwaitNext(server_, queue_, readers_);
  // gRPC forgets it when the connection is gone.
  peer_ = context_.peer();
  connection_ = server_.find_connection_(peer_);
  metadata_bytes_ = SizeOfMetadata();
  if (connection_ != nullptr) connection_->Account(static_cast<std::int64_t>(metadata_bytes_));
  Begin();
}

void ServerCall::Begin() {
  if (absl::Status entered = server_.chain_.Enter(*this); !entered.ok()) return Finish(entered);
  let_in_ = true;
  method_ = server_.FindMethod(context_.method());
  if (method_ == nullptr) {
    return Finish(Failure(absl::StatusCode::kUnimplemented, "UNKNOWN_METHOD",
                          absl::StrCat("this server has no method ", Printable(context_.method()))));
  }
  std::shared_ptr<RequestHandler> handler = method_->open(shared_from_this());
  if (handler == nullptr) return;
  {
    std::lock_guard lock(mutex_);
    handler_ = std::move(handler);
    awaits_request_ = method_->needs_request;
  }
  readers_.Add(*this);
  // Whoever stops it either finds it in the list or is seen here.
  if (server_.stopped_reading_) Shutdown();
  Read();
}

void ServerCall::Read() { wire_.Read(&request_, read_.Begin(*this)); }

void ServerCall::OnRead(bool ok) {
  {
    std::lock_guard lock(mutex_);
    awaits_request_ = false;
  }
  if (!ok) return EndRequests(absl::OkStatus());
  if (!working_.exchange(true)) server_.CountWork(1);
  if (connection_ != nullptr) connection_->Account(static_cast<std::int64_t>(request_.Length()));
  const absl::StatusOr<bool> more = Handle();
  request_.Clear();
  if (!more.ok()) return EndRequests(more.status());
  if (!*more) {
    TakeHandler();
    return;
  }
  {
    std::lock_guard lock(mutex_);
    if (unsent_bytes_ > kPauseBytes && !cancelled_) {
      reading_paused_ = true;
      return;
    }
  }
  Read();
}

absl::StatusOr<bool> ServerCall::Handle() {
  if (request_.Length() > method_->max_request_bytes) {
    return Failure(absl::StatusCode::kResourceExhausted, "MESSAGE_TOO_LARGE",
                   absl::StrCat("the message has ", request_.Length(), " bytes: the bound of this method is ",
                                method_->max_request_bytes));
  }
  try {
    return handler_->OnRequest(request_);
  } catch (const std::bad_alloc& error) {
    spdlog::error("out of memory in a handler");
    return Exhausted("MEMORY_EXHAUSTED", "the server has no memory for this now", absl::Seconds(5));
  } catch (const std::exception& error) {
    return HandlerFailure(error);
  }
}

std::shared_ptr<RequestHandler> ServerCall::TakeHandler() {
  readers_.Remove(*this);
  std::lock_guard lock(mutex_);
  return std::move(handler_);
}

void ServerCall::EndRequests(const absl::Status& why) {
  const std::shared_ptr<RequestHandler> handler = TakeHandler();
  if (handler == nullptr) return;
  try {
    handler->OnRequestsEnd(why);
  } catch (const std::exception& error) {
    Finish(HandlerFailure(error));
  }
}

void ServerCall::Enqueue(Message message) {
  std::lock_guard lock(mutex_);
  if (cancelled_ || final_status_.has_value()) return;
  if (message.replaceable && !unsent_.empty() && unsent_.back().replaceable) {
    const std::size_t size = unsent_.back().bytes.Length();
    unsent_.pop_back();
    unsent_bytes_ -= size;
    server_.unsent_.GiveBack(size);
  }
  if (AddUnsent(std::move(message))) WriteNext();
}

bool ServerCall::HasRoom() {
  std::lock_guard lock(mutex_);
  return unsent_bytes_ <= kPauseBytes || cancelled_;
}

void ServerCall::WhenRoom(std::function<void()> callback) {
  {
    std::lock_guard lock(mutex_);
    // As with OnCancel, nobody would let go of it after the end.
    if (unsent_bytes_ > kRoomBytes && !ended_) {
      when_room_ = std::move(callback);
      return;
    }
  }
  callback();
}

bool ServerCall::AddUnsent(Message message) {
  const std::size_t size = message.bytes.Length();
  const bool room = unsent_bytes_ + size <= server_.bounds_.max_unsent_bytes_per_call && server_.unsent_.Reserve(size);
  if (!room) {
    // A client that has so much unread does not read at all. Nothing else would end its call.
    context_.TryCancel();
    return false;
  }
  unsent_bytes_ += size;
  unsent_.push_back(std::move(message));
  return true;
}

grpc::ByteBuffer ServerCall::TakeUnsent() {
  grpc::ByteBuffer bytes = std::move(unsent_.front().bytes);
  unsent_.pop_front();
  unsent_bytes_ -= bytes.Length();
  server_.unsent_.GiveBack(bytes.Length());
  return bytes;
}

void ServerCall::DropUnsent() {
  server_.unsent_.GiveBack(std::exchange(unsent_bytes_, 0));
  unsent_.clear();
}

void ServerCall::Answer(grpc::ByteBuffer message) {
  std::lock_guard lock(mutex_);
  if (cancelled_ || final_status_.has_value()) return;
  final_status_ = absl::OkStatus();
  if (AddUnsent({std::move(message), /*replaceable=*/false})) WriteNext();
}

void ServerCall::Finish(const absl::Status& status) {
  std::lock_guard lock(mutex_);
  if (final_status_.has_value()) return;
  final_status_ = status;
  WriteNext();
}

void ServerCall::WriteNext() {
  if (writing_ || finished_) return;
  if (unsent_.empty() && !final_status_.has_value()) return;
  const bool last = final_status_.has_value() && unsent_.size() <= 1;
  writing_ = true;
  finished_ = last;
  if (last) SendRequestId();
  void* const tag = write_.Begin(*this);
  if (unsent_.empty()) {
    wire_.Finish(ToGrpcStatus(*final_status_), tag);
    return;
  }
  const grpc::ByteBuffer bytes = TakeUnsent();
  if (connection_ != nullptr) connection_->Account(0);
  if (last) {
    wire_.WriteAndFinish(bytes, grpc::WriteOptions(), ToGrpcStatus(*final_status_), tag);
  } else {
    wire_.Write(bytes, tag);
  }
}

void ServerCall::SendRequestId() {
  if (!request_id().empty()) context_.AddTrailingMetadata(kRequestIdName, request_id());
}

void ServerCall::OnWritten(bool /*ok*/) {
  bool resume = false;
  std::function<void()> when_room;
  {
    std::lock_guard lock(mutex_);
    writing_ = false;
    WriteNext();
    if (reading_paused_ && unsent_bytes_ <= kPauseBytes) resume = std::exchange(reading_paused_, false);
    if (unsent_bytes_ <= kRoomBytes) when_room = std::exchange(when_room_, nullptr);
  }
  if (resume) Read();
  if (when_room) when_room();
}

void ServerCall::OnEnded(bool /*ok*/) {
  std::function<void()> on_cancel;
  std::function<void()> when_room;
  bool was_paused = false;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    cancelled_ = context_.IsCancelled();
    on_cancel = std::exchange(on_cancel_, nullptr);
    when_room = std::exchange(when_room_, nullptr);
    was_paused = std::exchange(reading_paused_, false);
    if (cancelled_) DropUnsent();
  }
  if (cancelled_ && connection_ != nullptr) connection_->CountCancel();
  if (!working_ && connection_ != nullptr) connection_->AccountHalfRequest();
  if (cancelled_ && on_cancel) on_cancel();
  if (when_room) when_room();
  // Nothing is being read that would tell the handler of the end.
  if (was_paused) EndRequests(absl::OkStatus());
}

}  // namespace kibitz::server
