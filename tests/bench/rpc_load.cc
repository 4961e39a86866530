#include "tests/bench/rpc_load.h"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace kibitz::bench {

// One of the calls in flight, over and over again.
struct UnaryLoad::Slot {
  std::optional<grpc::ClientContext> context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer response;
  grpc::Status status;
};

namespace {

grpc::ByteBuffer BytesOf(const google::protobuf::MessageLite& message) {
  const grpc::Slice bytes(message.SerializeAsString());
  return grpc::ByteBuffer(&bytes, 1);
}

}  // namespace

UnaryLoad::UnaryLoad(std::string method, const google::protobuf::MessageLite& request)
    : method_(std::move(method)), request_(BytesOf(request)) {}

std::int64_t UnaryLoad::Run(const std::shared_ptr<grpc::Channel>& channel, int in_flight,
                            std::chrono::milliseconds duration) const {
  const auto end = std::chrono::steady_clock::now() + duration;
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  std::vector<Slot> slots(in_flight);
  for (Slot& slot : slots) Begin(slot, stub, queue);
  std::int64_t answered = 0;
  void* tag;
  bool ok;
  for (int open = in_flight; open > 0 && queue.Next(&tag, &ok);) {
    Slot& slot = *static_cast<Slot*>(tag);
    if (!slot.status.ok()) throw std::runtime_error(method_ + " failed: " + slot.status.error_message());
    ++answered;
    if (std::chrono::steady_clock::now() < end) {
      Begin(slot, stub, queue);
    } else {
      --open;
    }
  }
  return answered;
}

void UnaryLoad::Begin(Slot& slot, grpc::GenericStub& stub, grpc::CompletionQueue& queue) const {
  slot.context.emplace();
  slot.reader = stub.PrepareUnaryCall(&*slot.context, method_, request_, &queue);
  slot.reader->StartCall();
  slot.reader->Finish(&slot.response, &slot.status, &slot);
}

StreamLoad::StreamLoad(std::string method, const google::protobuf::MessageLite& request)
    : method_(std::move(method)), request_(BytesOf(request)) {}

std::int64_t StreamLoad::Run(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds duration) const {
  const auto end = std::chrono::steady_clock::now() + duration;
  grpc::GenericStub stub(channel);
  std::int64_t answered = 0;
  do {
    CallOnce(stub);
    ++answered;
  } while (std::chrono::steady_clock::now() < end);
  return answered;
}

void StreamLoad::CallOnce(grpc::GenericStub& stub) const {
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  const auto await = [&queue] {
    void* tag;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  const std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream = stub.PrepareCall(&context, method_, &queue);
  stream->StartCall(nullptr);
  await();
  stream->WriteLast(request_, grpc::WriteOptions(), nullptr);
  await();
  grpc::ByteBuffer response;
  do {
    stream->Read(&response, nullptr);
  } while (await());
  grpc::Status status;
  stream->Finish(&status, nullptr);
  await();
  if (!status.ok()) throw std::runtime_error(method_ + " failed: " + status.error_message());
}

}  // namespace kibitz::bench
