#include "client/analysis_client.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace kibitz::client {
namespace {

// Answers with what the test has put in, and can hold a call until it is cancelled.
class ScriptedService final : public v1::AnalysisService::Service {
 public:
  grpc::Status LegalMoves(grpc::ServerContext* context, const v1::LegalMovesRequest* request,
                          v1::LegalMovesResponse* response) override {
    deadline = absl::FromChrono(context->deadline());
    response->set_fen(request->position().fen());
    return status;
  }

  grpc::Status Perft(grpc::ServerContext* context, const v1::PerftRequest*,
                     grpc::ServerWriter<v1::PerftResponse>* writer) override {
    for (const v1::PerftResponse& response : perft) writer->Write(response);
    return HoldIfAsked(context);
  }

  grpc::Status Analyze(grpc::ServerContext* context, const v1::AnalyzeRequest*,
                       grpc::ServerWriter<v1::AnalyzeResponse>* writer) override {
    for (const v1::AnalyzeResponse& response : analysis) writer->Write(response);
    return HoldIfAsked(context);
  }

  // Is lost over as many sessions as are to be lost before it says anything.
  grpc::Status AnalyzeSession(
      grpc::ServerContext*,
      grpc::ServerReaderWriter<v1::AnalyzeSessionResponse, v1::AnalyzeSessionRequest>* stream) override {
    v1::AnalyzeSessionRequest command;
    stream->Read(&command);
    if (losses-- > 0) return grpc::Status(grpc::StatusCode::UNAVAILABLE, lost_words);
    v1::AnalyzeSessionResponse response;
    response.set_go(1);
    response.mutable_analysis()->mutable_final()->set_best_move("e2e4");
    stream->Write(response);
    return grpc::Status::OK;
  }

  absl::Time deadline;
  grpc::Status status;
  int losses = 0;
  std::string lost_words = "Socket closed";
  std::vector<v1::PerftResponse> perft;
  std::vector<v1::AnalyzeResponse> analysis;
  bool hold = false;

 private:
  grpc::Status HoldIfAsked(grpc::ServerContext* context) const {
    const absl::Time latest = absl::Now() + absl::Seconds(30);
    while (hold && !context->IsCancelled() && absl::Now() < latest) absl::SleepFor(absl::Milliseconds(1));
    return status;
  }
};

class AnalysisClientTest : public ::testing::Test {
 protected:
  AnalysisClientTest() {
    server_ = grpc::ServerBuilder().RegisterService(&service_).BuildAndStart();
    client_ = std::make_unique<AnalysisClient>(server_->InProcessChannel({}), Peer{.name = "the test's server"});
  }
  ~AnalysisClientTest() override { server_->Shutdown(); }

  static v1::PerftResponse Divide(const std::string& uci, std::uint64_t nodes) {
    v1::PerftResponse response;
    response.mutable_divide()->set_uci(uci);
    response.mutable_divide()->set_nodes(nodes);
    return response;
  }

  static v1::PerftResponse Total(std::uint64_t nodes) {
    v1::PerftResponse response;
    response.mutable_total()->set_nodes(nodes);
    return response;
  }

  ScriptedService service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<AnalysisClient> client_;
};

TEST_F(AnalysisClientTest, ReturnsTheAnswerOfAUnaryCall) {
  v1::LegalMovesRequest request;
  request.mutable_position()->set_fen("some fen");
  const auto response = client_->LegalMoves(request, {});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->fen(), "some fen");
}

TEST_F(AnalysisClientTest, ReturnsTheFailureOfAUnaryCall) {
  service_.status = grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "not now");
  const auto response = client_->LegalMoves({}, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(response.status()));
  EXPECT_EQ(response.status().message(), "not now");
}

TEST_F(AnalysisClientTest, SendsItsDeadline) {
  const absl::Time before = absl::Now();
  ASSERT_TRUE(client_->LegalMoves({}, {.timeout = absl::Seconds(100)}).ok());
  EXPECT_GE(service_.deadline, before + absl::Seconds(90));
  EXPECT_LE(service_.deadline, absl::Now() + absl::Seconds(101));
}

TEST_F(AnalysisClientTest, SendsNoDeadlineUnlessAsked) {
  ASSERT_TRUE(client_->LegalMoves({}, {}).ok());
  EXPECT_GT(service_.deadline, absl::Now() + absl::Hours(24 * 365));
}

TEST_F(AnalysisClientTest, PassesDividesOnAndReturnsTheTotal) {
  service_.perft = {Divide("a2a3", 3), Divide("a2a4", 4), Total(7)};
  std::vector<std::string> moves;
  const auto total = client_->Perft({}, [&](const auto& divide) { moves.push_back(divide.uci()); }, {});
  ASSERT_TRUE(total.ok()) << total.status();
  EXPECT_EQ(total->nodes(), 7u);
  EXPECT_EQ(moves, (std::vector<std::string>{"a2a3", "a2a4"}));
}

TEST_F(AnalysisClientTest, RefusesACountThatEndsWithoutATotal) {
  service_.perft = {Divide("a2a3", 3)};
  EXPECT_TRUE(absl::IsInternal(client_->Perft({}, [](const auto&) {}, {}).status()));
}

TEST_F(AnalysisClientTest, RefusesAnAnalysisThatEndsWithoutAResult) {
  service_.analysis.resize(1);
  service_.analysis[0].mutable_update()->set_depth(1);
  EXPECT_TRUE(absl::IsInternal(client_->Analyze({}, [](const auto&) {}, {})));
}

TEST_F(AnalysisClientTest, PassesEveryEventOfAnAnalysisOn) {
  service_.analysis.resize(3);
  service_.analysis[0].mutable_queued()->set_place(1);
  service_.analysis[1].mutable_update()->set_depth(1);
  service_.analysis[2].mutable_final()->set_best_move("e2e4");
  std::vector<v1::AnalyzeResponse::EventCase> events;
  ASSERT_TRUE(client_->Analyze({}, [&](const auto& event) { events.push_back(event.event_case()); }, {}).ok());
  EXPECT_EQ(events,
            (std::vector{v1::AnalyzeResponse::kQueued, v1::AnalyzeResponse::kUpdate, v1::AnalyzeResponse::kFinal}));
}

TEST_F(AnalysisClientTest, CancelsWhenAStopIsRequestedDuringTheCall) {
  service_.perft = {Divide("a2a3", 3)};
  service_.hold = true;
  std::stop_source stop;
  const auto total = client_->Perft({}, [&](const auto&) { stop.request_stop(); }, {.stop = stop.get_token()});
  EXPECT_TRUE(absl::IsCancelled(total.status())) << total.status();
}

TEST_F(AnalysisClientTest, CancelsACallThatStartsAfterTheStop) {
  service_.hold = true;
  std::stop_source stop;
  stop.request_stop();
  const auto total = client_->Perft({}, [](const auto&) {}, {.stop = stop.get_token()});
  EXPECT_TRUE(absl::IsCancelled(total.status())) << total.status();
}

TEST_F(AnalysisClientTest, GivesUpAtTheDeadline) {
  service_.hold = true;
  const auto total = client_->Perft({}, [](const auto&) {}, {.timeout = absl::Milliseconds(20)});
  EXPECT_TRUE(absl::IsDeadlineExceeded(total.status())) << total.status();
  EXPECT_EQ(total.status().message(), "the test's server did not answer in time");
}

TEST_F(AnalysisClientTest, GoesOnElsewhereAlsoWhenNothingWasHeardYet) {
  service_.losses = 1;
  std::vector<std::string> moved;
  CallOptions options;
  options.on_moved = [&](const std::string& words) { moved.push_back(words); };
  std::string best;
  const auto listen = [&](const v1::AnalyzeResponse& event) { best = event.final().best_move(); };
  const absl::Status status = client_->AnalyzeUntil({}, {}, listen, options);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(best, "e2e4");
  EXPECT_EQ(moved.size(), 1u);
}

TEST_F(AnalysisClientTest, DoesNotLookElsewhereForAServerThatWasNeverThere) {
  service_.losses = 1;
  service_.lost_words = "failed to connect to all addresses";
  const absl::Status status = client_->AnalyzeUntil({}, {}, [](const v1::AnalyzeResponse&) {}, {});
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_EQ(service_.losses, 0);
}

}  // namespace
}  // namespace kibitz::client
