// Health, asked of whole servers without sockets.

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "tests/server/server_fixture.h"

namespace kibitz::server {
namespace {

// A server, and the health that it tells.
class HealthServiceTest : public ServerFixture {
 protected:
  void SetUp() override {
    Start();
    health_ = grpc::health::v1::Health::NewStub(server_->InProcessChannel());
  }

  std::unique_ptr<grpc::health::v1::Health::Stub> health_;
};

TEST_F(HealthServiceTest, IsHealthy) {
  for (const char* service : {"", "kibitz.v1.AnalysisService"}) {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::health::v1::HealthCheckResponse response;
    ASSERT_TRUE(health_->Check(&context, request, &response).ok());
    EXPECT_EQ(response.status(), response.SERVING);
  }
}

TEST_F(HealthServiceTest, KnowsNoHealthOfOthers) {
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("other.Service");
  grpc::health::v1::HealthCheckResponse response;
  EXPECT_EQ(health_->Check(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(HealthServiceTest, WatchersOfHealthHearOfTheEnd) {
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

TEST_F(HealthServiceTest, SaysThatItWillStopWhileAllElseGoesOn) {
  Call<grpc::health::v1::HealthCheckResponse> before;
  before.reader = health_->Watch(&before.context, grpc::health::v1::HealthCheckRequest());
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(before.reader->Read(&response));
  server_->Drain();
  ASSERT_TRUE(before.reader->Read(&response));
  EXPECT_EQ(response.status(), response.NOT_SERVING);
  Call<grpc::health::v1::HealthCheckResponse> after;
  after.reader = health_->Watch(&after.context, grpc::health::v1::HealthCheckRequest());
  ASSERT_TRUE(after.reader->Read(&response));
  EXPECT_EQ(response.status(), response.NOT_SERVING);
  std::thread stopper([&] { server_->Shutdown(kPatience); });
  for (auto* watch : {&before, &after}) {
    watch->ReadAll();
    EXPECT_EQ(watch->status.error_code(), grpc::StatusCode::UNAVAILABLE);
  }
  stopper.join();
}

TEST_F(HealthServiceTest, AWatcherMayLeave) {
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

}  // namespace
}  // namespace kibitz::server
