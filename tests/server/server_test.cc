#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/server_options.h"
#include "tests/server/error_details.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};

// A server without a socket, with one worker unless told otherwise.
class ServerTest : public ::testing::Test {
 protected:
  void Start(ServerOptions options = {.workers = 1}) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = *std::move(server);
    stub_ = v1::AnalysisService::NewStub(server_->InProcessChannel());
    health_ = grpc::health::v1::Health::NewStub(server_->InProcessChannel());
  }

  v1::GetServerInfoResponse Info() {
    grpc::ClientContext context;
    v1::GetServerInfoResponse response;
    const grpc::Status status = stub_->GetServerInfo(&context, v1::GetServerInfoRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  // Asks until the server is as busy as that, and tells how long it took.
  milliseconds AwaitLoad(int live, int queued) {
    const auto start = steady_clock::now();
    while (steady_clock::now() - start < kPatience) {
      const v1::GetServerInfoResponse info = Info();
      if (info.live_analyses() == live && info.queued_analyses() == queued) break;
      std::this_thread::yield();
    }
    EXPECT_EQ(Info().live_analyses(), live);
    EXPECT_EQ(Info().queued_analyses(), queued);
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;
  std::unique_ptr<grpc::health::v1::Health::Stub> health_;
};

// A call of a streaming method.
template <typename Response>
struct Call {
  Call() { context.set_deadline(system_clock::now() + kPatience); }

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

v1::PerftRequest PerftOf(int depth, int threads = 1, int hash_mb = 0) {
  v1::PerftRequest request;
  request.set_depth(depth);
  request.set_threads(threads);
  request.set_hash_mb(hash_mb);
  return request;
}

// Takes hours.
v1::PerftRequest EndlessPerft() { return PerftOf(13); }

v1::AnalyzeRequest EndlessAnalysis() {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_infinite(true);
  return request;
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

TEST_F(ServerTest, CountsAndDivides) {
  Start({.workers = 2});
  for (const int hash_mb : {0, 1}) {
    PerftCall call;
    call.reader = stub_->Perft(&call.context, PerftOf(4, 2, hash_mb));
    const std::vector<v1::PerftResponse> responses = call.ReadAll();
    ASSERT_TRUE(call.status.ok()) << call.status.error_message();
    ASSERT_EQ(responses.size(), 21u);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < responses.size(); ++i) {
      ASSERT_TRUE(responses[i].has_divide());
      sum += responses[i].divide().nodes();
    }
    EXPECT_EQ(responses.back().total().nodes(), 197'281u);
    EXPECT_EQ(sum, 197'281u);
  }
}

// So few positions that the hash soon knows them all, but more than 2^64 paths.
TEST_F(ServerTest, SaysThatACountIsTooLarge) {
  Start();
  v1::PerftRequest request = PerftOf(20, 1, 256);
  request.mutable_position()->set_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
  PerftCall call;
  call.context.set_deadline(system_clock::now() + 8 * kPatience);  // a second, but not under a sanitizer
  call.reader = stub_->Perft(&call.context, request);
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(DetailsOf(call.status).reason, "COUNT_TOO_LARGE");
}

TEST_F(ServerTest, CancelStopsACountAndFreesTheWorker) {
  Start();
  PerftCall call;
  call.reader = stub_->Perft(&call.context, EndlessPerft());
  AwaitLoad(1, 0);
  call.context.TryCancel();
  EXPECT_LT(AwaitLoad(0, 0), milliseconds(500));
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServerTest, DeadlineStopsACount) {
  Start();
  PerftCall call;
  call.context.set_deadline(system_clock::now() + milliseconds(200));
  call.reader = stub_->Perft(&call.context, EndlessPerft());
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  AwaitLoad(0, 0);
}

TEST_F(ServerTest, SharesTheHashBudget) {
  Start({.workers = 2, .perft_hash_mb = 16});
  PerftCall first;
  v1::PerftRequest request = EndlessPerft();
  request.set_hash_mb(10);
  first.reader = stub_->Perft(&first.context, request);
  AwaitLoad(1, 0);
  PerftCall second;
  second.reader = stub_->Perft(&second.context, PerftOf(2, 1, 7));
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(second.status).reason, "PERFT_HASH_EXHAUSTED");
  EXPECT_GT(DetailsOf(second.status).retry_seconds.value_or(0), 0);

  first.context.TryCancel();
  AwaitLoad(0, 0);
  PerftCall third;
  third.reader = stub_->Perft(&third.context, PerftOf(2, 1, 16));
  third.ReadAll();
  EXPECT_TRUE(third.status.ok()) << third.status.error_message();
}

TEST_F(ServerTest, AnalyzesToADepth) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_depth(4);
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

TEST_F(ServerTest, ObeysSearchMovesAndNodes) {
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

TEST_F(ServerTest, AFinishedGameIsNoError) {
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

TEST_F(ServerTest, FinalComesBeforeTheDeadline) {
  Start();
  AnalyzeCall call;
  // Long enough for the margin of 2 % to be kept on a busy machine.
  call.context.set_deadline(system_clock::now() + milliseconds(5000));
  call.reader = stub_->Analyze(&call.context, EndlessAnalysis());
  const std::vector<v1::AnalyzeResponse> responses = call.ReadAll();
  ASSERT_TRUE(call.status.ok()) << call.status.error_message();
  EXPECT_EQ(responses.back().final().stop_reason(), v1::STOP_REASON_DEADLINE);
  EXPECT_NE(responses.back().final().best_move(), "");
}

TEST_F(ServerTest, UpdatesKeepTheirDistance) {
  Start();
  AnalyzeCall call;
  v1::AnalyzeRequest request = EndlessAnalysis();
  request.mutable_limits()->clear_infinite();
  request.mutable_limits()->set_depth(6);
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

TEST_F(ServerTest, CancelStopsASearch) {
  Start();
  AnalyzeCall call;
  call.reader = stub_->Analyze(&call.context, EndlessAnalysis());
  v1::AnalyzeResponse response;
  ASSERT_TRUE(call.reader->Read(&response));
  EXPECT_TRUE(response.has_update());
  call.context.TryCancel();
  EXPECT_LT(AwaitLoad(0, 0), milliseconds(500));
}

TEST_F(ServerTest, ALateAnalysisWaitsItsTurn) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, EndlessAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_depth(2);
  second.reader = stub_->Analyze(&second.context, request);
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

TEST_F(ServerTest, ManyAnalysesShareOneWorker) {
  Start();
  std::vector<std::unique_ptr<AnalyzeCall>> calls;
  for (int i = 0; i < 40; ++i) {
    calls.push_back(std::make_unique<AnalyzeCall>());
    calls.back()->reader = stub_->Analyze(&calls.back()->context, EndlessAnalysis());
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

TEST_F(ServerTest, TimeIsKeptAmongManyAnalyses) {
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

TEST_F(ServerTest, SeveralWorkersSearchTogether) {
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

// Two servers, one of them busy with others: the same bytes, but for the time it took.
TEST_F(ServerTest, ReproducibleAnswersAreTheSameIdleOrLoaded) {
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
      others.back()->reader = stub_->Analyze(&others.back()->context, EndlessAnalysis());
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

TEST_F(ServerTest, ReproducibleSearchesShareABudget) {
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

// A stream of its own makes each end at another moment: while it begins, runs, sends, or waits for its turn.
TEST_F(ServerTest, ThousandsOfCancelsAtRandomMomentsLeaveNothingBehind) {
  Start({.workers = 2});
  std::vector<std::thread> clients;
  for (unsigned seed = 0; seed < 8; ++seed) {
    clients.emplace_back([this, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 250; ++round) {
        AnalyzeCall call;
        v1::AnalyzeRequest request = EndlessAnalysis();
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

TEST_F(ServerTest, AQueuedCallCanBeCancelled) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, EndlessAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, EndlessAnalysis());
  AwaitLoad(1, 1);
  second.context.TryCancel();
  AwaitLoad(1, 0);
}

TEST_F(ServerTest, AQueuedCallHearsOfItsDeadline) {
  Start({.workers = 1, .max_live = 1});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, EndlessAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.context.set_deadline(system_clock::now() + milliseconds(5000));
  second.reader = stub_->Analyze(&second.context, EndlessAnalysis());
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(DetailsOf(second.status).reason, "DEADLINE_NEAR");
}

TEST_F(ServerTest, AFullQueueRefuses) {
  Start({.workers = 1, .max_live = 1, .max_queue = 0});
  AnalyzeCall first;
  first.reader = stub_->Analyze(&first.context, EndlessAnalysis());
  AwaitLoad(1, 0);
  AnalyzeCall second;
  second.reader = stub_->Analyze(&second.context, EndlessAnalysis());
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(second.status).reason, "QUEUE_FULL");
  EXPECT_GT(DetailsOf(second.status).retry_seconds.value_or(0), 0);
}

TEST_F(ServerTest, ShutdownEndsEveryStreamInGoodOrder) {
  Start({.workers = 2, .max_live = 2});
  AnalyzeCall analysis;
  analysis.reader = stub_->Analyze(&analysis.context, EndlessAnalysis());
  PerftCall count;
  count.reader = stub_->Perft(&count.context, EndlessPerft());
  AwaitLoad(2, 0);
  AnalyzeCall queued;
  queued.reader = stub_->Analyze(&queued.context, EndlessAnalysis());
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

TEST_F(ServerTest, IsHealthy) {
  Start();
  for (const char* service : {"", "kibitz.v1.AnalysisService"}) {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::health::v1::HealthCheckResponse response;
    ASSERT_TRUE(health_->Check(&context, request, &response).ok());
    EXPECT_EQ(response.status(), response.SERVING);
  }
}

TEST_F(ServerTest, KnowsNoHealthOfOthers) {
  Start();
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("other.Service");
  grpc::health::v1::HealthCheckResponse response;
  EXPECT_EQ(health_->Check(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServerTest, WatchersOfHealthHearOfTheEnd) {
  Start();
  Call<grpc::health::v1::HealthCheckResponse> call;
  call.reader = health_->Watch(&call.context, grpc::health::v1::HealthCheckRequest());
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(call.reader->Read(&response));
  EXPECT_EQ(response.status(), response.SERVING);
  std::thread stopper([&] { server_->Shutdown(kPatience); });
  ASSERT_TRUE(call.reader->Read(&response));
  EXPECT_EQ(response.status(), response.NOT_SERVING);
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
}

TEST_F(ServerTest, AWatcherMayLeave) {
  Start();
  Call<grpc::health::v1::HealthCheckResponse> call;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("unknown.Service");
  call.reader = health_->Watch(&call.context, request);
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(call.reader->Read(&response));
  EXPECT_EQ(response.status(), response.SERVICE_UNKNOWN);
  call.context.TryCancel();
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServerTest, ManyCallsComeAndGo) {
  Start({.workers = 2});
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([this, i] {
      for (int round = 0; round < 25; ++round) {
        AnalyzeCall call;
        v1::AnalyzeRequest request;
        request.mutable_limits()->set_depth(3);
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

}  // namespace
}  // namespace kibitz::server
