// Many analyses at once, on whole servers without sockets: how they share, wait, end, and are refused.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
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

using std::chrono::milliseconds;
using std::chrono::system_clock;

class AnalyzerTest : public ServerFixture {};

TEST_F(AnalyzerTest, ManyAnalysesShareOneWorker) {
  Start();
  std::vector<std::unique_ptr<AnalyzeCall>> calls;
  for (int i = 0; i < 40; ++i) {
    calls.push_back(std::make_unique<AnalyzeCall>());
    calls.back()->reader = stub_->Analyze(&calls.back()->context, InfiniteAnalysis());
  }
  // Each is heard of, though the others never end.
  for (const auto& call : calls) {
    v1::AnalyzeResponse response;
    ASSERT_TRUE(call->reader->Read(&response));
    EXPECT_TRUE(response.has_update());
  }
  AwaitLoad(40, 0);
  for (const auto& call : calls) call->context.TryCancel();
  AwaitLoad(0, 0);
}

TEST_F(AnalyzerTest, TimeIsKeptAmongManyAnalyses) {
  Start();
  std::vector<std::unique_ptr<AnalyzeCall>> calls;
  v1::AnalyzeRequest request;
  request.mutable_limits()->mutable_movetime()->set_nanos(300'000'000);
  for (int i = 0; i < 40; ++i) {
    calls.push_back(std::make_unique<AnalyzeCall>());
    calls.back()->reader = stub_->Analyze(&calls.back()->context, request);
  }
  for (const auto& call : calls) {
    const std::vector<v1::AnalyzeResponse> responses = call->ReadAll();
    ASSERT_TRUE(call->status.ok()) << call->status.error_message();
    const v1::AnalyzeResponse::Final& final = responses.back().final();
    EXPECT_EQ(final.stop_reason(), v1::STOP_REASON_TIME);
    // Its turn would come seconds later only.
    EXPECT_LT(final.result().elapsed().seconds(), 1);
  }
}

// Two servers, one of them busy with others: the same bytes, but for the time it took.
TEST_F(AnalyzerTest, ReproducibleAnswersAreTheSameIdleOrLoaded) {
  v1::AnalyzeRequest request;
  request.mutable_position()->set_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
  request.mutable_limits()->set_nodes(100'000);
  request.set_multi_pv(2);
  request.set_reproducible(true);
  std::vector<std::string> answers;
  for (const bool loaded : {false, true}) {
    Start({.workers = 1, .hash_mb = loaded ? 1 : 16});
    std::vector<std::unique_ptr<AnalyzeCall>> others;
    for (int i = 0; loaded && i < 20; ++i) {
      others.push_back(std::make_unique<AnalyzeCall>());
      others.back()->reader = stub_->Analyze(&others.back()->context, InfiniteAnalysis());
    }
    AwaitLoad(static_cast<int>(others.size()), 0);
    AnalyzeCall call;
    call.reader = stub_->Analyze(&call.context, request);
    std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
    ASSERT_TRUE(call.status.ok()) << call.status.error_message();
    v1::AnalyzeResponse& last = responses.back();
    last.mutable_final()->mutable_result()->clear_elapsed();
    last.mutable_final()->mutable_result()->clear_nps();
    answers.push_back(last.SerializeAsString());
    for (const auto& other : others) other->context.TryCancel();
  }
  EXPECT_EQ(answers[0], answers[1]);
}

TEST_F(AnalyzerTest, ReproducibleSearchesShareABudget) {
  Start({.workers = 1, .private_tables_mb = 16});
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(1'000'000'000'000);
  request.set_reproducible(true);
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, request);
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, request);
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(second.status).reason, "PRIVATE_TABLES_EXHAUSTED");
  EXPECT_GT(DetailsOf(second.status).retry_seconds.value_or(0), 0);
}

TEST_F(AnalyzerTest, ALateAnalysisWaitsItsTurn) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, InfiniteAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, AnalysisToDepth(2));
  v1::AnalyzeResponse response;
  ASSERT_TRUE(second.reader->Read(&response));
  EXPECT_EQ(response.queued().place(), 1);
  AwaitLoad(1, 1);

  first.context.TryCancel();
  const std::vector<v1::AnalyzeResponse> responses = second.ReadAll();
  ASSERT_TRUE(second.status.ok());
  for (const v1::AnalyzeResponse& each : responses) EXPECT_FALSE(each.has_queued());
  EXPECT_TRUE(responses.back().has_final());
}

TEST_F(AnalyzerTest, AQueuedCallCanBeCancelled) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, InfiniteAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, InfiniteAnalysis());
  AwaitLoad(1, 1);
  second.context.TryCancel();
  AwaitLoad(1, 0);
}

TEST_F(AnalyzerTest, AQueuedCallHearsOfItsDeadline) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, InfiniteAnalysis());
  AwaitLoad(1, 0);
  EXPECT_TRUE(WithSomeDeadline([&](milliseconds deadline) {
    AnalyzeCall second;
    second.context.set_deadline(system_clock::now() + deadline);
    second.reader = stub_->Analyze(&second.context, InfiniteAnalysis());
    second.ReadAll();
    EXPECT_EQ(second.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    // Where the client's own deadline came first there is no reason from the server.
    return DetailsOf(second.status).reason == "DEADLINE_NEAR";
  }));
}

TEST_F(AnalyzerTest, AFullQueueRefuses) {
  Start({.workers = 1, .max_live = 1, .max_queue = 0});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, InfiniteAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, InfiniteAnalysis());
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(second.status).reason, "QUEUE_FULL");
  EXPECT_GT(DetailsOf(second.status).retry_seconds.value_or(0), 0);
}

// A stream of its own makes each end at another moment: while it begins, runs, sends, or waits for its turn.
TEST_F(AnalyzerTest, ThousandsOfCancelsAtRandomMomentsLeaveNothingBehind) {
  Start({.workers = 2});
  std::vector<std::thread> clients;
  for (unsigned seed = 0; seed < 8; ++seed) {
    clients.emplace_back([this, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 250; ++round) {
        AnalyzeCall call;
        v1::AnalyzeRequest request = InfiniteAnalysis();
        request.set_threads(1 + static_cast<int>(random() % 2));
        request.mutable_min_update_interval();
        call.reader = stub_->Analyze(&call.context, request);
        v1::AnalyzeResponse response;
        for (unsigned reads = random() % 4; reads > 0 && call.reader->Read(&response); --reads) continue;
        call.context.TryCancel();
        if (random() % 2 == 0) call.ReadAll();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  AwaitLoad(0, 0);
}

}  // namespace
}  // namespace kibitz::server
