#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "tests/server/error_details.h"
#include "tests/server/server_fixture.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

class ServerTest : public ServerFixture {};

TEST(ServerStartTest, RefusesABadAddress) {
  EXPECT_TRUE(absl::IsInvalidArgument(Server::Start({.listen = "nowhere"}).status()));
}

TEST(ServerStartTest, TakesAFreePort) {
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start({.listen = "127.0.0.1:0", .workers = 1});
  ASSERT_TRUE(server.ok());
  EXPECT_GT((*server)->port(), 0);
  EXPECT_EQ((*server)->address(), "127.0.0.1:" + std::to_string((*server)->port()));
}

TEST(ServerStartTest, ExplainsAPortInUse) {
  absl::StatusOr<std::unique_ptr<Server>> first = Server::Start({.listen = "127.0.0.1:0", .workers = 1});
  ASSERT_TRUE(first.ok());
  absl::StatusOr<std::unique_ptr<Server>> second = Server::Start({.listen = (*first)->address(), .workers = 1});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()), HasSubstr((*first)->address()));
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("in use"));
}

TEST_F(ServerTest, ListsLegalMoves) {
  Start();
  grpc::ClientContext context;
  v1::LegalMovesResponse response;
  ASSERT_TRUE(stub_->LegalMoves(&context, v1::LegalMovesRequest(), &response).ok());
  EXPECT_EQ(response.moves_size(), 20);
}

TEST_F(ServerTest, AnswersOneCallAfterAnother) {
  Start();
  for (const auto& [moves, count] : std::map<std::string, int>{{"e2e4", 20}, {"d2d4", 20}, {"a2a3", 20}}) {
    grpc::ClientContext context;
    v1::LegalMovesRequest request;
    request.mutable_position()->add_moves(moves);
    v1::LegalMovesResponse response;
    ASSERT_TRUE(stub_->LegalMoves(&context, request, &response).ok());
    EXPECT_EQ(response.moves_size(), count);
    EXPECT_EQ(response.side_to_move(), v1::COLOR_BLACK);
  }
}

TEST_F(ServerTest, GivesBitboards) {
  Start();
  grpc::ClientContext context;
  v1::BitboardsResponse response;
  ASSERT_TRUE(stub_->Bitboards(&context, v1::BitboardsRequest(), &response).ok());
  EXPECT_EQ(response.occupied(), 0xffff00000000ffffu);
}

TEST_F(ServerTest, TellsAboutItself) {
  Start({.workers = 3, .max_live = 5, .max_queue = 7, .perft_hash_mb = 9});
  const v1::GetServerInfoResponse info = Info();
  EXPECT_THAT(info.version(), HasSubstr("Kibitz"));
  EXPECT_EQ(info.workers(), 3);
  EXPECT_EQ(info.caps().max_threads(), 3);
  EXPECT_EQ(info.caps().max_live_analyses(), 5);
  EXPECT_EQ(info.caps().max_queued_analyses(), 7);
  EXPECT_EQ(info.caps().max_perft_hash_mb(), 9);
  EXPECT_EQ(info.caps().max_moves(), 12000);
  EXPECT_EQ(info.live_analyses(), 0);
}

TEST_F(ServerTest, ManyCallsComeAndGo) {
  Start({.workers = 2});
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([this, i] {
      for (int round = 0; round < 25; ++round) {
        AnalyzeCall call;
        v1::AnalyzeRequest request = AnalysisToDepth(3);
        request.mutable_min_update_interval()->set_nanos(1'000'000 * (i % 3));
        call.reader = stub_->Analyze(&call.context, request);
        if (round % 4 == 3) call.context.TryCancel();
        const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
        if (round % 4 != 3) EXPECT_TRUE(call.status.ok() && responses.back().has_final());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  AwaitLoad(0, 0);
}

TEST_F(ServerTest, ShutdownEndsEveryStreamInGoodOrder) {
  Start({.workers = 2, .max_live = 2});
  AnalyzeCall analysis;
  analysis.reader = stub_->Analyze(&analysis.context, InfiniteAnalysis());
  PerftCall count;
  count.reader = stub_->Perft(&count.context, EndlessPerft());
  AwaitLoad(2, 0);
  AnalyzeCall queued;
  queued.reader = stub_->Analyze(&queued.context, InfiniteAnalysis());
  AwaitLoad(2, 1);

  std::thread stopper([&] { server_->Shutdown(kPatience); });
  const std::vector<v1::AnalyzeResponse> responses = analysis.ReadAll();
  EXPECT_TRUE(analysis.status.ok()) << analysis.status.error_message();
  EXPECT_EQ(responses.back().final().stop_reason(), v1::STOP_REASON_SHUTDOWN);
  EXPECT_NE(responses.back().final().best_move(), "");
  count.ReadAll();
  EXPECT_EQ(count.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(DetailsOf(count.status).reason, "SHUTTING_DOWN");
  queued.ReadAll();
  EXPECT_EQ(queued.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
}

TEST_F(ServerTest, WaitReturnsAfterShutdown) {
  Start();
  std::thread waiter([&] { server_->Wait(); });
  server_->Shutdown(kPatience);
  waiter.join();
}

}  // namespace
}  // namespace kibitz::server
