#include "server/rpc/server_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/memory/memory_budget.h"
#include "server/rpc/call_server.h"
#include "server/rpc/typed_methods.h"
#include "tests/server/error_details.h"

namespace kibitz::server {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::chrono::seconds kPatience{30};
constexpr char kPerft[] = "/kibitz.v1.AnalysisService/Perft";
constexpr std::size_t kMaxRequestBytes = 1000;
constexpr int kThrow = 99;  // a depth that makes the handler throw

using Stream = ResponseStream<v1::PerftResponse>;
using StreamPointer = std::shared_ptr<Stream>;

v1::PerftResponse Message(int number) {
  v1::PerftResponse response;
  response.mutable_divide()->set_nodes(number);
  return response;
}

template <typename T>
T Await(std::future<T> future) {
  if (future.wait_for(kPatience) != std::future_status::ready) throw std::runtime_error("waited in vain");
  return future.get();
}

// A server with one streaming method, called once. What it does is up to the test.
class ServerCallTest : public ::testing::Test {
 protected:
  ServerCallTest() {
    MethodTable methods;
    methods[kPerft] = StreamMethod<v1::PerftRequest, v1::PerftResponse>(
        kMaxRequestBytes, [this](Call& call, const v1::PerftRequest& request, StreamPointer stream) {
          call_ = &call;
          if (request.depth() == kThrow) throw std::runtime_error("a handler fails");
          arrived_.set_value(std::move(stream));
        });
    calls_ = std::make_unique<CallServer>(CallChain(), std::move(methods), bounds_, unsent_,
                                          [](const std::string&) { return nullptr; });
    grpc::ServerBuilder builder;
    calls_->AddTo(builder, 2);
    server_ = builder.BuildAndStart();
    calls_->Serve();
    stub_ = v1::AnalysisService::NewStub(server_->InProcessChannel({}));
    context_.set_deadline(std::chrono::system_clock::now() + kPatience);
  }
  ~ServerCallTest() override {
    server_->Shutdown(std::chrono::system_clock::now());
    calls_->Shutdown();
  }

  // Calls, and gives the server's end of the stream, with nothing read yet.
  StreamPointer Open() {
    reader_ = stub_->Perft(&context_, request_);
    return Await(arrived_.get_future());
  }

  // Calls, and gives what the call ended with.
  grpc::Status StatusOfCall() {
    reader_ = stub_->Perft(&context_, request_);
    ReadAll();
    return status_;
  }

  std::vector<int> ReadAll() {
    std::vector<int> numbers;
    v1::PerftResponse response;
    while (reader_->Read(&response)) numbers.push_back(static_cast<int>(response.divide().nodes()));
    status_ = reader_->Finish();
    return numbers;
  }

  grpc::ClientContext context_;
  grpc::Status status_;

  v1::PerftRequest request_;
  Call* call_ = nullptr;
  const CallServer::Bounds bounds_{.max_unsent_bytes_per_call = 100'000};
  MemoryBudget unsent_{100 << 20};
  std::unique_ptr<CallServer> calls_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;

 private:
  std::promise<StreamPointer> arrived_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::ClientReader<v1::PerftResponse>> reader_;
};

TEST_F(ServerCallTest, DeliversEveryMessageInOrder) {
  const StreamPointer stream = Open();
  std::vector<int> sent;
  for (int i = 1; i <= 218; ++i) {
    stream->Send(Message(i));
    sent.push_back(i);
  }
  stream->Finish(absl::OkStatus());
  EXPECT_EQ(ReadAll(), sent);
  EXPECT_TRUE(status_.ok());
}

TEST_F(ServerCallTest, GivesASlowReaderTheLatest) {
  const StreamPointer stream = Open();
  for (int i = 1; i <= 1000; ++i) stream->SendLatest(Message(i));
  stream->Finish(absl::OkStatus());
  const std::vector<int> read = ReadAll();
  // The first was on its way at once, the second may have followed; of the others only the last is left.
  EXPECT_LE(read.size(), 3u);
  EXPECT_EQ(read.front(), 1);
  EXPECT_EQ(read.back(), 1000);
}

TEST_F(ServerCallTest, ReplacesOnlyWhatMayBeReplaced) {
  const StreamPointer stream = Open();
  stream->Send(Message(1));  // on its way
  stream->Send(Message(2));
  stream->Send(Message(3));
  stream->SendLatest(Message(4));
  stream->SendLatest(Message(5));
  stream->Send(Message(6));
  stream->SendLatest(Message(7));
  stream->Finish(absl::OkStatus());
  EXPECT_THAT(ReadAll(), ElementsAre(1, 2, 3, 5, 6, 7));
}

TEST_F(ServerCallTest, EndsWithTheStatusAfterTheMessages) {
  const StreamPointer stream = Open();
  stream->Send(Message(1));
  stream->Send(Message(2));
  stream->Finish(absl::UnavailableError("enough"));
  EXPECT_THAT(ReadAll(), ElementsAre(1, 2));
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status_.error_message(), "enough");
}

TEST_F(ServerCallTest, EndsWithoutAMessage) {
  Open()->Finish(absl::NotFoundError("nothing"));
  EXPECT_THAT(ReadAll(), SizeIs(0));
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServerCallTest, ReportsACancel) {
  const StreamPointer stream = Open();
  std::promise<void> cancelled;
  call_->OnCancel([&] { cancelled.set_value(); });
  context_.TryCancel();
  Await(cancelled.get_future());
  stream->Send(Message(1));
  stream->Finish(absl::CancelledError());
  ReadAll();
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServerCallTest, ReportsACancelThatCameBefore) {
  const StreamPointer stream = Open();
  std::promise<void> first;
  call_->OnCancel([&] { first.set_value(); });
  context_.TryCancel();
  Await(first.get_future());
  bool called = false;
  call_->OnCancel([&] { called = true; });
  EXPECT_TRUE(called);
  stream->Finish(absl::CancelledError());
}

TEST_F(ServerCallTest, ReportsAPassedDeadline) {
  context_.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  const StreamPointer stream = Open();
  EXPECT_LE(call_->deadline(), std::chrono::system_clock::now() + std::chrono::seconds(1));
  std::promise<void> cancelled;
  call_->OnCancel([&] { cancelled.set_value(); });
  Await(cancelled.get_future());
  stream->Finish(absl::CancelledError());
  ReadAll();
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST_F(ServerCallTest, ReportsNoCancelAfterAGoodEnd) {
  StreamPointer stream = Open();
  const auto held = std::make_shared<int>(0);
  std::promise<void> released;
  // Its deleter tells when the stream has let go of the callback.
  const auto deleter = [&](int*) { released.set_value(); };
  bool called = false;
  call_->OnCancel([&called, guard = std::shared_ptr<int>(held.get(), deleter)] { called = true; });
  stream->Finish(absl::OkStatus());
  ReadAll();
  Await(released.get_future());
  EXPECT_FALSE(called);
}

// Whoever is to be called back mostly holds the call: kept by a call that has ended, both would stay for ever.
TEST_F(ServerCallTest, KeepsNoCallbackAfterItsEnd) {
  const StreamPointer stream = Open();
  stream->Finish(absl::OkStatus());
  ReadAll();
  const auto kept = [this] {
    const auto token = std::make_shared<int>();
    call_->OnCancel([token] {});
    return token.use_count() > 1;
  };
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (kept() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(kept());
}

TEST_F(ServerCallTest, AHandlerThatThrowsEndsItsCallOnly) {
  request_.set_depth(kThrow);
  const grpc::Status status = StatusOfCall();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(DetailsOf(status).reason, "INTERNAL");
  EXPECT_EQ(status.error_message().find("a handler fails"), std::string::npos) << "what is inside stays inside";
}

TEST_F(ServerCallTest, RefusesAMessageLargerThanTheMethodTakes) {
  request_.mutable_position()->set_fen(std::string(kMaxRequestBytes, 'x'));
  const grpc::Status status = StatusOfCall();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(status).reason, "MESSAGE_TOO_LARGE");
}

TEST_F(ServerCallTest, RefusesAMethodThatItDoesNotHave) {
  v1::LegalMovesResponse response;
  const grpc::Status status = stub_->LegalMoves(&context_, v1::LegalMovesRequest(), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(DetailsOf(status).reason, "UNKNOWN_METHOD");
}

TEST_F(ServerCallTest, CutsOffAClientThatLetsTooMuchWait) {
  const StreamPointer stream = Open();
  std::promise<void> cancelled;
  call_->OnCancel([&] { cancelled.set_value(); });
  v1::PerftResponse large = Message(1);
  large.mutable_divide()->set_san(std::string(10'000, 'x'));
  // gRPC takes some of it itself.
  auto future = cancelled.get_future();
  for (int i = 0; i < 10'000 && future.wait_for(std::chrono::seconds(0)) != std::future_status::ready; ++i) {
    stream->Send(large);
  }
  Await(std::move(future));
  stream->Finish(absl::CancelledError());
  ReadAll();
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServerCallTest, OnlyTheFirstEndCounts) {
  const StreamPointer stream = Open();
  stream->Finish(absl::NotFoundError("first"));
  stream->Finish(absl::InternalError("second"));
  stream->Send(Message(1));
  EXPECT_THAT(ReadAll(), SizeIs(0));
  EXPECT_EQ(status_.error_message(), "first");
}

TEST_F(ServerCallTest, WaitsForWorkWhenItShutsDown) {
  const StreamPointer stream = Open();
  calls_->AwaitWork(std::chrono::system_clock::now() + std::chrono::milliseconds(1));  // in vain
  stream->Finish(absl::OkStatus());
  ReadAll();
}

}  // namespace
}  // namespace kibitz::server
