#include "client/analysis_session.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/analysis_client.h"
#include "client/connection.h"
#include "tests/client/fake_server.h"
#include "tests/support/requests.h"

namespace kibitz::client {
namespace {

using Sent = v1::AnalyzeSessionRequest;

class AnalysisSessionTest : public ::testing::Test {
 protected:
  std::unique_ptr<AnalysisSession> Open(std::function<void(const v1::AnalyzeSessionResponse&)> on_response,
                                        const CallOptions& options = {}) {
    return client_.OpenSession(
        {std::move(on_response), [this](const absl::Status& status) { ended_.set_value(status); }}, options);
  }
  absl::Status End() {
    auto future = ended_.get_future();
    if (future.wait_for(std::chrono::seconds(20)) != std::future_status::ready) return absl::InternalError("no end");
    return future.get();
  }

  // Runs one search to its end and keeps its last event.
  absl::Status AnalyzeUntil(std::stop_token finish, const CallOptions& options = {}) {
    return client_.AnalyzeUntil(
        finish, InfiniteAnalysis(), [this](const v1::AnalyzeResponse& event) { events_.push_back(event); }, options);
  }

  FakeServer server_;
  const std::unique_ptr<Connection> connection_ = Connection::Open({.server = server_.address()}).value();
  const AnalysisClient& client_ = connection_->client();
  std::promise<absl::Status> ended_;
  std::vector<v1::AnalyzeResponse> events_;
};

TEST_F(AnalysisSessionTest, NumbersItsSearches) {
  server_.on_go = [](const FakeGo& go) { go.Final({"e2e4"}); };
  std::vector<std::int64_t> answered;
  const auto session = Open([&](const v1::AnalyzeSessionResponse& response) { answered.push_back(response.go()); });
  EXPECT_EQ(session->Go(InfiniteAnalysis()), 1);
  EXPECT_EQ(session->Go(InfiniteAnalysis()), 2);
  session->Close();
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(answered, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(AnalysisSessionTest, SendsEveryCommandInOrder) {
  server_.on_stop = [](const FakeGo&) {};
  const auto session = Open([](const auto&) {});
  session->Go(InfiniteAnalysis(), /*ponder=*/true);
  session->PonderHit();
  session->Stop();
  session->NewGame();
  session->Close();
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(server_.Kinds(),
            (std::vector<Sent::CommandCase>{Sent::kGo, Sent::kPonderHit, Sent::kStop, Sent::kNewGame}));
}

TEST_F(AnalysisSessionTest, TakesNoCommandAfterItsClose) {
  const auto session = Open([](const auto&) {});
  session->Close();
  session->Stop();
  EXPECT_TRUE(End().ok());
  session->Stop();
  EXPECT_EQ(server_.Count(Sent::kStop), 0);
}

TEST_F(AnalysisSessionTest, TellsThatNobodyIsThere) {
  server_.Kill();
  const auto session = Open([](const auto&) {});
  session->Go(InfiniteAnalysis());
  const absl::Status status = End();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_EQ(status.message(), "no server at " + server_.address());
}

TEST_F(AnalysisSessionTest, EndsWhenItGoes) {
  auto session = Open([](const auto&) {});
  session->Go(InfiniteAnalysis());
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  session.reset();
  EXPECT_TRUE(absl::IsCancelled(End()));
}

TEST_F(AnalysisSessionTest, GivesTheResultOfASearchThatIsFinishedEarly) {
  std::stop_source finish;
  server_.on_go = [&](const FakeGo& go) {
    go.Update(3, {"d2d4"});
    finish.request_stop();
  };
  EXPECT_TRUE(AnalyzeUntil(finish.get_token()).ok());
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_TRUE(events_[0].has_update());
  EXPECT_EQ(events_[1].final().best_move(), "e2e4");
}

TEST_F(AnalysisSessionTest, LeavesTheDeadlineToTheServer) {
  EXPECT_TRUE(absl::IsDeadlineExceeded(AnalyzeUntil({}, {.timeout = absl::Milliseconds(300)})));
  server_.Kill();
  EXPECT_EQ(server_.Count(Sent::kStop), 0);
}

TEST_F(AnalysisSessionTest, MakesARefusalAFailure) {
  server_.on_go = [](const FakeGo& go) { go.Refuse("limits", "cannot be"); };
  const absl::Status status = AnalyzeUntil({});
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(status.message(), "limits: cannot be");
}

TEST_F(AnalysisSessionTest, MakesALossAFailure) {
  server_.on_go = [this](const FakeGo&) { server_.CutSessions(); };
  EXPECT_FALSE(AnalyzeUntil({}).ok());
}

}  // namespace
}  // namespace kibitz::client
