// How a server does, asked of whole servers without sockets.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/admin.grpc.pb.h"
#include "tests/server/error_details.h"
#include "tests/server/server_fixture.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

using StatusCall = Call<v1::WatchStatusResponse>;

class AdminServiceTest : public ServerFixture {
 protected:
  void StartWithAdmin(const ServerOptions& options = {.workers = 1}) {
    Start(options);
    admin_ = v1::AdminService::NewStub(server_->InProcessChannel());
  }

  v1::ServerStatus Status() {
    grpc::ClientContext context;
    v1::GetStatusResponse response;
    const grpc::Status status = admin_->GetStatus(&context, {}, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.status();
  }

  // Asks until the answer is as it is to be.
  template <typename Condition>
  v1::ServerStatus Await(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    v1::ServerStatus status = Status();
    while (!condition(status) && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
      status = Status();
    }
    EXPECT_TRUE(condition(status)) << status.DebugString();
    return status;
  }

  static v1::WatchStatusRequest Every(int milliseconds) {
    v1::WatchStatusRequest request;
    request.mutable_interval()->set_seconds(milliseconds / 1000);
    request.mutable_interval()->set_nanos(milliseconds % 1000 * 1'000'000);
    return request;
  }

  std::unique_ptr<v1::AdminService::Stub> admin_;
};

const v1::MethodStatus& MethodOf(const v1::ServerStatus& status, const std::string& name) {
  const auto found = std::find_if(status.methods().begin(), status.methods().end(),
                                  [&](const v1::MethodStatus& method) { return method.method() == name; });
  return found == status.methods().end() ? v1::MethodStatus::default_instance() : *found;
}

TEST_F(AdminServiceTest, AnIdleServerHasNothingToDo) {
  StartWithAdmin({.workers = 3, .max_live = 7, .max_queue = 9});
  const v1::ServerStatus status = Status();
  EXPECT_EQ(status.workers(), 3);
  EXPECT_EQ(status.max_live(), 7);
  EXPECT_EQ(status.max_queued(), 9);
  EXPECT_EQ(status.live(), 0);
  EXPECT_EQ(status.queued(), 0);
  EXPECT_EQ(status.tenants_size(), 0);
  EXPECT_NE(status.version(), "");
  EXPECT_GT(status.process().resident_bytes(), 0);
  EXPECT_GT(status.process().threads(), 0);
  EXPECT_EQ(status.memory(0).name(), "requests");
  EXPECT_FALSE(status.has_store());
}

TEST_F(AdminServiceTest, TellsOfTheStoreWhereThereIsOne) {
  StartWithAdmin({.workers = 1, .store = ::testing::TempDir() + "/admin_service_test.db", .store_mb = 8});
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(20'000);
  for (int time = 0; time < 2; ++time) {
    AnalyzeCall call;
    call.reader = stub_->Analyze(&call.context, request);
    call.ReadAll();
    Await([&](const v1::ServerStatus& now) { return now.store().writes() > 0; });
  }
  const v1::ServerStatus status = Status();
  EXPECT_TRUE(status.store().working());
  EXPECT_EQ(status.store().max_bytes(), 8 << 20);
  EXPECT_GT(status.store().hits(), 0);
  EXPECT_FALSE(status.has_jobs());
}

TEST_F(AdminServiceTest, TellsWhatIsUnderWay) {
  StartWithAdmin({.workers = 1, .max_live = 1});
  AnalyzeCall live;
  live.reader = stub_->Analyze(&live.context, InfiniteAnalysis());
  v1::AnalyzeResponse response;
  ASSERT_TRUE(live.reader->Read(&response));
  AnalyzeCall queued;
  queued.reader = stub_->Analyze(&queued.context, InfiniteAnalysis());
  ASSERT_TRUE(queued.reader->Read(&response));
  EXPECT_TRUE(response.has_queued());
  const v1::ServerStatus status = Await(
      [](const v1::ServerStatus& now) { return now.search_nodes_per_second() > 0 && now.running_workers() == 1; });
  EXPECT_EQ(status.live(), 1);
  EXPECT_EQ(status.queued(), 1);
  EXPECT_GT(status.oldest_live().seconds() + status.oldest_live().nanos(), 0);
  EXPECT_GT(status.oldest_queued().seconds() + status.oldest_queued().nanos(), 0);
  ASSERT_EQ(status.tenants_size(), 1);
  EXPECT_EQ(status.tenants(0).name(), "");
  EXPECT_EQ(status.tenants(0).live(), 1);
  EXPECT_EQ(status.tenants(0).queued(), 1);
  EXPECT_EQ(status.tenants(0).searches(), 2);
  EXPECT_GT(status.tenants(0).search_nodes(), 0);
  EXPECT_EQ(MethodOf(status, "/kibitz.v1.AnalysisService/Analyze").open(), 2);
}

TEST_F(AdminServiceTest, CountsEveryNodeOfASearch) {
  StartWithAdmin();
  std::int64_t nodes = 0;
  for (const int wanted : {100, 20'000, 2048}) {
    AnalyzeCall call;
    v1::AnalyzeRequest request;
    request.mutable_limits()->set_nodes(wanted);
    call.reader = stub_->Analyze(&call.context, request);
    nodes += call.ReadAll().back().final().result().nodes();
  }
  EXPECT_EQ(Status().tenants(0).search_nodes(), nodes);
}

TEST_F(AdminServiceTest, CountsTheLeavesOfAPerft) {
  StartWithAdmin();
  PerftCall call;
  v1::PerftRequest request;
  request.set_depth(4);
  call.reader = stub_->Perft(&call.context, request);
  EXPECT_EQ(call.ReadAll().back().total().nodes(), 197'281u);
  EXPECT_EQ(Status().tenants(0).perft_nodes(), 197'281);
  EXPECT_EQ(Status().tenants(0).perfts(), 1);
}

TEST_F(AdminServiceTest, CountsRefusalsOfCallsAndOfSessions) {
  StartWithAdmin({.workers = 1, .max_live = 1, .max_queue = 0});
  AnalyzeCall live;
  live.reader = stub_->Analyze(&live.context, InfiniteAnalysis());
  v1::AnalyzeResponse response;
  ASSERT_TRUE(live.reader->Read(&response));
  AnalyzeCall refused;
  refused.reader = stub_->Analyze(&refused.context, InfiniteAnalysis());
  refused.ReadAll();
  EXPECT_EQ(refused.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  grpc::ClientContext context;
  const auto session = stub_->AnalyzeSession(&context);
  v1::AnalyzeSessionRequest go;
  *go.mutable_go()->mutable_request() = InfiniteAnalysis();
  ASSERT_TRUE(session->Write(go));
  v1::AnalyzeSessionResponse told;
  ASSERT_TRUE(session->Read(&told));
  EXPECT_EQ(told.refused().reason(), "QUEUE_FULL");
  const v1::ServerStatus status = Await([](const v1::ServerStatus& now) {
    return now.tenants_size() == 1 && now.tenants(0).refusals_size() == 1 && now.tenants(0).refusals(0).count() == 2;
  });
  EXPECT_EQ(status.tenants(0).refusals(0).reason(), "QUEUE_FULL");
  EXPECT_EQ(status.sessions(), 1);
  session->WritesDone();
  EXPECT_TRUE(session->Finish().ok());
}

TEST_F(AdminServiceTest, WatchersAreToldAgainAndAgain) {
  StartWithAdmin();
  StatusCall call;
  call.reader = admin_->WatchStatus(&call.context, Every(250));
  v1::WatchStatusResponse first;
  v1::WatchStatusResponse second;
  ASSERT_TRUE(call.reader->Read(&first));
  ASSERT_TRUE(call.reader->Read(&second));
  const auto nanoseconds = [](const v1::WatchStatusResponse& response) {
    return response.status().uptime().seconds() * 1'000'000'000 + response.status().uptime().nanos();
  };
  EXPECT_GE(nanoseconds(second) - nanoseconds(first), 200'000'000);
  call.context.TryCancel();
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::CANCELLED);
  Await([](const v1::ServerStatus& now) { return MethodOf(now, "/kibitz.v1.AdminService/WatchStatus").open() == 0; });
}

TEST_F(AdminServiceTest, AnIntervalOutOfRangeIsNamed) {
  StartWithAdmin();
  for (const int milliseconds : {0, 249, -1, 3'600'001}) {
    StatusCall call;
    call.reader = admin_->WatchStatus(&call.context, Every(milliseconds));
    EXPECT_TRUE(call.ReadAll().empty());
    EXPECT_EQ(call.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << milliseconds;
    EXPECT_EQ(DetailsOf(call.status).field, "interval");
  }
}

TEST_F(AdminServiceTest, NotEverybodyCanWatch) {
  StartWithAdmin();
  std::vector<std::unique_ptr<StatusCall>> calls;
  v1::WatchStatusResponse response;
  for (int i = 0; i < 16; ++i) {
    calls.push_back(std::make_unique<StatusCall>());
    calls.back()->reader = admin_->WatchStatus(&calls.back()->context, Every(60'000));
    ASSERT_TRUE(calls.back()->reader->Read(&response));
  }
  StatusCall call;
  call.reader = admin_->WatchStatus(&call.context, Every(60'000));
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  for (const auto& each : calls) each->context.TryCancel();
}

TEST_F(AdminServiceTest, WatchersHearOfTheEnd) {
  StartWithAdmin();
  StatusCall call;
  call.reader = admin_->WatchStatus(&call.context, v1::WatchStatusRequest());
  v1::WatchStatusResponse response;
  ASSERT_TRUE(call.reader->Read(&response));
  std::thread stopper([&] { server_->Shutdown(kPatience); });
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
}

}  // namespace
}  // namespace kibitz::server
