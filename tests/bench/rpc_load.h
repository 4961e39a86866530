// Keeps a number of unary calls in flight and counts how many are answered.

#ifndef KIBITZ_TESTS_BENCH_RPC_LOAD_H_
#define KIBITZ_TESTS_BENCH_RPC_LOAD_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "google/protobuf/message_lite.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"

namespace kibitz::bench {

// One method with one request, written once. Responses are taken as bytes and not read: the client shares the machine
// with the server, and the less it does the more of the figures are the server's.
class UnaryLoad {
 public:
  // `method` is its path: "/package.Service/Method".
  UnaryLoad(std::string method, const google::protobuf::MessageLite& request);

  // Keeps `in_flight` calls going for `duration`, then waits for the last of them. Gives their number; throws if one
  // fails.
  std::int64_t Run(const std::shared_ptr<grpc::Channel>& channel, int in_flight,
                   std::chrono::milliseconds duration) const;

 private:
  struct Slot;
  void Begin(Slot& slot, grpc::GenericStub& stub, grpc::CompletionQueue& queue) const;

  const std::string method_;
  grpc::ByteBuffer request_;
};

// The same with calls whose answer is a stream, one at a time.
class StreamLoad {
 public:
  StreamLoad(std::string method, const google::protobuf::MessageLite& request);

  // Makes one call after the other until `duration` is over. Gives their number; throws if one fails.
  std::int64_t Run(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds duration) const;

 private:
  void CallOnce(grpc::GenericStub& stub) const;

  const std::string method_;
  grpc::ByteBuffer request_;
};

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_RPC_LOAD_H_
