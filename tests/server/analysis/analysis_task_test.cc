// What one analysis hears, from whole servers without sockets.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "tests/server/server_fixture.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

class AnalysisTaskTest : public ServerFixture {};

TEST_F(AnalysisTaskTest, AnalyzesToADepth) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request = AnalysisToDepth(4);
  request.set_multi_pv(3);
  request.mutable_min_update_interval();  // none
  call.reader = stub_->Analyze(&call.context, request);
  const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
  ASSERT_TRUE(call.status.ok()) << call.status.error_message();
  ASSERT_FALSE(responses.empty());
  for (std::size_t i = 0; i + 1 < responses.size(); ++i) EXPECT_TRUE(responses[i].has_update());
  ASSERT_TRUE(responses.back().has_final());
  const v1::AnalyzeResponse::Final& final = responses.back().final();
  EXPECT_EQ(final.stop_reason(), v1::STOP_REASON_DEPTH);
  EXPECT_EQ(final.result().depth(), 4);
  ASSERT_EQ(final.result().lines_size(), 3);
  EXPECT_EQ(final.best_move(), final.result().lines(0).pv_uci(0));
}

TEST_F(AnalysisTaskTest, ObeysSearchMovesAndNodes) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(20'000);
  request.add_search_moves("a2a3");
  request.add_search_moves("h2h3");
  request.add_exclude_moves("a2a3");
  call.reader = stub_->Analyze(&call.context, request);
  const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
  ASSERT_FALSE(responses.empty());
  EXPECT_EQ(responses.back().final().best_move(), "h2h3");
  EXPECT_EQ(responses.back().final().stop_reason(), v1::STOP_REASON_NODES);
}

TEST_F(AnalysisTaskTest, AFinishedGameIsNoError) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request;
  for (const char* move : {"f2f3", "e7e5", "g2g4", "d8h4"}) request.mutable_position()->add_moves(move);
  call.reader = stub_->Analyze(&call.context, request);
  const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
  ASSERT_TRUE(call.status.ok());
  ASSERT_EQ(responses.size(), 1u);
  EXPECT_EQ(responses[0].final().stop_reason(), v1::STOP_REASON_NO_LEGAL_MOVES);
  EXPECT_EQ(responses[0].final().status(), v1::GAME_STATUS_CHECKMATE);
  EXPECT_EQ(responses[0].final().best_move(), "");
}

TEST_F(AnalysisTaskTest, FinalComesBeforeTheDeadline) {
  Start();
  EXPECT_TRUE(WithSomeDeadline([&](milliseconds deadline) {
    AnalyzeCall call;
    call.context.set_deadline(system_clock::now() + deadline);
    call.reader = stub_->Analyze(&call.context, InfiniteAnalysis());
    const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
    if (!call.status.ok()) return false;
    EXPECT_EQ(responses.back().final().stop_reason(), v1::STOP_REASON_DEADLINE);
    EXPECT_NE(responses.back().final().best_move(), "");
    return true;
  }));
}

TEST_F(AnalysisTaskTest, UpdatesKeepTheirDistance) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request = AnalysisToDepth(6);
  request.mutable_min_update_interval()->set_seconds(3600);
  call.reader = stub_->Analyze(&call.context, request);
  // The first goes at once; after that only a new best move may interrupt the silence, and no two that say the same.
  std::string last_best;
  for (const v1::AnalyzeResponse& response : call.ReadAll()) {
    if (!response.has_update()) continue;
    EXPECT_NE(response.update().lines(0).pv_uci(0), last_best);
    last_best = response.update().lines(0).pv_uci(0);
  }
  EXPECT_NE(last_best, "");
}

TEST_F(AnalysisTaskTest, SeveralWorkersSearchTogether) {
  Start({.workers = 3});
  AnalyzeCall call;
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(300'000);
  request.set_threads(3);
  call.reader = stub_->Analyze(&call.context, request);
  const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
  ASSERT_TRUE(call.status.ok()) << call.status.error_message();
  EXPECT_EQ(responses.back().final().stop_reason(), v1::STOP_REASON_NODES);
  EXPECT_EQ(responses.back().final().provenance().options(), "threads=3");
  AwaitLoad(0, 0);
}

TEST_F(AnalysisTaskTest, CancelStopsASearch) {
  Start();
  AnalyzeCall call;
  call.reader = stub_->Analyze(&call.context, InfiniteAnalysis());
  v1::AnalyzeResponse response;
  ASSERT_TRUE(call.reader->Read(&response));
  EXPECT_TRUE(response.has_update());
  call.context.TryCancel();
  EXPECT_LT(AwaitLoad(0, 0), milliseconds(500));
}

}  // namespace
}  // namespace kibitz::server
