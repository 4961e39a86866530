#include "tests/bench/answering_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "grpcpp/grpcpp.h"
#include "server/memory/memory_budget.h"
#include "server/rpc/call_chain.h"
#include "server/rpc/call_server.h"
#include "server/rpc/method.h"
#include "server/rpc/server_call.h"

namespace kibitz::bench {
namespace {

class Answerer final : public server::RequestHandler {
 public:
  Answerer(std::shared_ptr<server::ServerCall> call, const grpc::Slice& answer)
      : call_(std::move(call)), answer_(answer) {}
  bool OnRequest(grpc::ByteBuffer& /*message*/) override {
    // A copy, as a message is written anew for each call.
    const grpc::Slice bytes(answer_.begin(), answer_.size());
    call_->Answer(grpc::ByteBuffer(&bytes, 1));
    return false;
  }
  void OnRequestsEnd(const absl::Status& why) override { call_->Finish(why); }

 private:
  const std::shared_ptr<server::ServerCall> call_;
  const grpc::Slice& answer_;
};

}  // namespace

int ServeAnswers(int bytes) {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const grpc::Slice answer(std::string(static_cast<std::size_t>(bytes), 'x'));
  server::MethodTable methods;
  methods[kAnswerMethod] = {
      .max_request_bytes = 1 << 20,
      .needs_request = true,
      .open = [&](const std::shared_ptr<server::ServerCall>& call) -> std::shared_ptr<server::RequestHandler> {
        return std::make_shared<Answerer>(call, answer);
      }};
  server::MemoryBudget unsent(server::MemoryBudget::Megabytes(256));
  server::CallServer calls({}, std::move(methods), {}, unsent, [](const std::string&) { return nullptr; });
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  calls.AddTo(builder, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  calls.Serve();
  fmt::print("listening on 127.0.0.1:{}\n", port);
  std::fflush(stdout);
  server->Wait();
  return 0;
}

}  // namespace kibitz::bench
