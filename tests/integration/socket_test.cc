// A real server process and a C++ client, over a socket.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "tests/integration/server_process.h"
#include "tests/server/error_details.h"
#include "tests/support/requests.h"

namespace kibitz::integration {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{60};

std::string Kibitzd() {
  return std::string(std::getenv("TEST_SRCDIR")) + "/" + std::getenv("TEST_WORKSPACE") + "/server/kibitzd";
}

class SocketTest : public ::testing::Test {
 protected:
  SocketTest() : server_(Kibitzd(), {"--listen", "127.0.0.1:0", "--workers", "2", "--log-level", "off"}) {
    stub_ = v1::AnalysisService::NewStub(grpc::CreateChannel(server_.address(), grpc::InsecureChannelCredentials()));
  }
  void SetUp() override { ASSERT_NE(server_.address(), ""); }

  static std::unique_ptr<grpc::ClientContext> Context() {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + kPatience);
    return context;
  }

  int Live() {
    v1::GetServerInfoResponse response;
    const grpc::Status status = stub_->GetServerInfo(Context().get(), v1::GetServerInfoRequest(), &response);
    return status.ok() ? response.live_analyses() : -1;
  }
  void AwaitLive(int wanted) {
    const auto end = steady_clock::now() + kPatience;
    while (Live() != wanted && steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(Live(), wanted);
  }

  ServerProcess server_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;
};

TEST_F(SocketTest, ListsLegalMoves) {
  v1::LegalMovesRequest request;
  request.mutable_position()->add_moves("e2e4");
  v1::LegalMovesResponse response;
  const grpc::Status status = stub_->LegalMoves(Context().get(), request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.moves_size(), 20);
  EXPECT_EQ(response.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

TEST_F(SocketTest, StreamsACount) {
  const auto context = Context();
  const auto reader = stub_->Perft(context.get(), PerftOf(5, /*threads=*/2));
  v1::PerftResponse response;
  std::uint64_t sum = 0;
  int entries = 0;
  while (reader->Read(&response) && response.has_divide()) {
    sum += response.divide().nodes();
    ++entries;
  }
  EXPECT_EQ(entries, 20);
  EXPECT_EQ(response.total().nodes(), 4'865'609u);
  EXPECT_EQ(sum, 4'865'609u);
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_TRUE(reader->Finish().ok());
}

TEST_F(SocketTest, CarriesErrorDetails) {
  v1::LegalMovesRequest request;
  request.mutable_position()->add_moves("e2e4");
  request.mutable_position()->add_moves("e2e4");
  v1::LegalMovesResponse response;
  const grpc::Status status = stub_->LegalMoves(Context().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(DetailsOf(status).field, "position.moves[1]");
  EXPECT_EQ(DetailsOf(status).reason, "ILLEGAL_MOVE");
}

TEST_F(SocketTest, CancelFreesTheWorkers) {
  const auto context = Context();
  const auto reader = stub_->Perft(context.get(), EndlessPerft(/*threads=*/2));
  AwaitLive(1);
  context->TryCancel();
  AwaitLive(0);
}

TEST_F(SocketTest, AClientThatIsGoneFreesTheWorkers) {
  {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto other = v1::AnalysisService::NewStub(
        grpc::CreateCustomChannel(server_.address(), grpc::InsecureChannelCredentials(), arguments));
    const auto context = Context();
    const auto reader = other->Perft(context.get(), EndlessPerft(/*threads=*/2));
    AwaitLive(1);
  }
  AwaitLive(0);
}

TEST_F(SocketTest, SigtermLetsASearchEnd) {
  const auto context = Context();
  const auto reader = stub_->Analyze(context.get(), InfiniteAnalysis());
  v1::AnalyzeResponse response;
  ASSERT_TRUE(reader->Read(&response));
  server_.Signal(SIGTERM);
  while (reader->Read(&response)) {
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(response.final().stop_reason(), v1::STOP_REASON_SHUTDOWN);
  EXPECT_EQ(server_.WaitForExit(kPatience), 0);
}

TEST_F(SocketTest, APortInUseIsAnError) {
  ServerProcess second(Kibitzd(), {"--listen", server_.address()});
  EXPECT_EQ(second.address(), "");
  EXPECT_EQ(second.WaitForExit(kPatience), 1);
  EXPECT_NE(second.ReadStandardError().find("in use"), std::string::npos);
}

}  // namespace
}  // namespace kibitz::integration
