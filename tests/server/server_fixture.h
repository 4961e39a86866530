// Whole servers without sockets, and calls of their streaming methods, for tests.

#ifndef KIBITZ_TESTS_SERVER_SERVER_FIXTURE_H_
#define KIBITZ_TESTS_SERVER_SERVER_FIXTURE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/server.h"
#include "server/server_options.h"

namespace kibitz::server {

// How long a test waits for what must come.
inline constexpr std::chrono::seconds kPatience{30};

// What must happen before a deadline may come too late on a machine that is busy enough. So a longer one is tried after
// a shorter one, until `in_time` says that it happened, or none is left.
template <typename InTime>
bool WithSomeDeadline(InTime in_time) {
  using std::chrono::milliseconds;
  for (const milliseconds deadline :
       {milliseconds(500), milliseconds(2'000), milliseconds(8'000), milliseconds(25'000)}) {
    if (in_time(deadline)) return true;
  }
  return false;
}

// A server, with one worker unless told otherwise.
class ServerFixture : public ::testing::Test {
 protected:
  // Begins a test, or goes on with another server.
  void Start(const ServerOptions& options = {.workers = 1}) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = *std::move(server);
    stub_ = v1::AnalysisService::NewStub(server_->InProcessChannel());
  }

  v1::GetServerInfoResponse Info() {
    grpc::ClientContext context;
    v1::GetServerInfoResponse response;
    const grpc::Status status = stub_->GetServerInfo(&context, v1::GetServerInfoRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  // Asks until the server is as busy as that, and tells how long it took.
  std::chrono::milliseconds AwaitLoad(int live, int queued) {
    using std::chrono::steady_clock;
    const auto start = steady_clock::now();
    while (steady_clock::now() - start < kPatience) {
      const v1::GetServerInfoResponse info = Info();
      if (info.live_analyses() == live && info.queued_analyses() == queued) break;
      std::this_thread::yield();
    }
    EXPECT_EQ(Info().live_analyses(), live);
    EXPECT_EQ(Info().queued_analyses(), queued);
    return std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start);
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;
};

// A call of a streaming method.
template <typename Response>
struct Call {
  Call() { context.set_deadline(std::chrono::system_clock::now() + kPatience); }

  // All that comes until the end.
  std::vector<Response> ReadAll() {
    std::vector<Response> responses;
    Response response;
    while (reader->Read(&response)) responses.push_back(response);
    status = reader->Finish();
    return responses;
  }

  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<Response>> reader;
  grpc::Status status;
};

using PerftCall = Call<v1::PerftResponse>;
using AnalyzeCall = Call<v1::AnalyzeResponse>;

}  // namespace kibitz::server

#endif  // KIBITZ_TESTS_SERVER_SERVER_FIXTURE_H_
