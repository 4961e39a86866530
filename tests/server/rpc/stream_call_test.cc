#include "server/rpc/stream_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/rpc/completion_loop.h"

namespace kibitz::server {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::chrono::seconds kPatience{30};

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
class StreamCallTest : public ::testing::Test {
 protected:
  StreamCallTest() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&wire_);
    loop_ = std::make_unique<CompletionLoop>(builder.AddCompletionQueue());
    server_ = builder.BuildAndStart();
    ServeStream<v1::PerftRequest, v1::PerftResponse>(
        *loop_, wire_, &Wire::RequestPerft,
        [this](const v1::PerftRequest&, StreamPointer stream) { arrived_.set_value(std::move(stream)); });
    loop_->AddThread();
    loop_->AddThread();
    stub_ = v1::AnalysisService::NewStub(server_->InProcessChannel({}));
    context_.set_deadline(std::chrono::system_clock::now() + kPatience);
  }
  ~StreamCallTest() override {
    server_->Shutdown(std::chrono::system_clock::now());
    loop_->Shutdown();
  }

  // Calls, and gives the server's end of the stream, with nothing read yet.
  StreamPointer Open() {
    reader_ = stub_->Perft(&context_, v1::PerftRequest());
    return Await(arrived_.get_future());
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

 private:
  using Wire = v1::AnalysisService::WithRawMethod_Perft<v1::AnalysisService::Service>;
  Wire wire_;
  std::promise<StreamPointer> arrived_;
  std::unique_ptr<CompletionLoop> loop_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;
  std::unique_ptr<grpc::ClientReader<v1::PerftResponse>> reader_;
};

TEST_F(StreamCallTest, DeliversEveryMessageInOrder) {
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

TEST_F(StreamCallTest, GivesASlowReaderTheLatest) {
  const StreamPointer stream = Open();
  for (int i = 1; i <= 1000; ++i) stream->SendLatest(Message(i));
  stream->Finish(absl::OkStatus());
  const std::vector<int> read = ReadAll();
  // The first was on its way at once, the second may have followed; of the others only the last is left.
  EXPECT_LE(read.size(), 3u);
  EXPECT_EQ(read.front(), 1);
  EXPECT_EQ(read.back(), 1000);
}

TEST_F(StreamCallTest, ReplacesOnlyWhatMayBeReplaced) {
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

TEST_F(StreamCallTest, EndsWithTheStatusAfterTheMessages) {
  const StreamPointer stream = Open();
  stream->Send(Message(1));
  stream->Send(Message(2));
  stream->Finish(absl::UnavailableError("enough"));
  EXPECT_THAT(ReadAll(), ElementsAre(1, 2));
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status_.error_message(), "enough");
}

TEST_F(StreamCallTest, EndsWithoutAMessage) {
  Open()->Finish(absl::NotFoundError("nothing"));
  EXPECT_THAT(ReadAll(), SizeIs(0));
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(StreamCallTest, ReportsACancel) {
  const StreamPointer stream = Open();
  std::promise<void> cancelled;
  stream->OnCancel([&] { cancelled.set_value(); });
  context_.TryCancel();
  Await(cancelled.get_future());
  stream->Send(Message(1));
  stream->Finish(absl::CancelledError());
  ReadAll();
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(StreamCallTest, ReportsACancelThatCameBefore) {
  const StreamPointer stream = Open();
  std::promise<void> first;
  stream->OnCancel([&] { first.set_value(); });
  context_.TryCancel();
  Await(first.get_future());
  bool called = false;
  stream->OnCancel([&] { called = true; });
  EXPECT_TRUE(called);
  stream->Finish(absl::CancelledError());
}

TEST_F(StreamCallTest, ReportsAPassedDeadline) {
  context_.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  const StreamPointer stream = Open();
  EXPECT_LE(stream->Deadline(), std::chrono::system_clock::now() + std::chrono::seconds(1));
  std::promise<void> cancelled;
  stream->OnCancel([&] { cancelled.set_value(); });
  Await(cancelled.get_future());
  stream->Finish(absl::CancelledError());
  ReadAll();
  EXPECT_EQ(status_.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST_F(StreamCallTest, ReportsNoCancelAfterAGoodEnd) {
  StreamPointer stream = Open();
  const auto held = std::make_shared<int>(0);
  std::promise<void> released;
  // Its deleter tells when the stream has let go of the callback.
  const auto deleter = [&](int*) { released.set_value(); };
  bool called = false;
  stream->OnCancel([&called, guard = std::shared_ptr<int>(held.get(), deleter)] { called = true; });
  stream->Finish(absl::OkStatus());
  ReadAll();
  Await(released.get_future());
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace kibitz::server
