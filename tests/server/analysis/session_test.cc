// Sessions, against whole servers without sockets.

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
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
using Final = v1::AnalyzeResponse::Final;
using Refused = v1::AnalyzeSessionResponse::Refused;

// One client's end of a session.
class ClientSession {
 public:
  explicit ClientSession(v1::AnalysisService::Stub& stub, milliseconds deadline = kPatience) {
    context_.set_deadline(system_clock::now() + deadline);
    stream_ = stub.AnalyzeSession(&context_);
  }

  void Go(const v1::AnalyzeRequest& request, bool ponder = false) {
    v1::AnalyzeSessionRequest command;
    *command.mutable_go()->mutable_request() = request;
    command.mutable_go()->set_ponder(ponder);
    Say(command);
  }
  void Stop() {
    v1::AnalyzeSessionRequest command;
    command.mutable_stop();
    Say(command);
  }
  void PonderHit() {
    v1::AnalyzeSessionRequest command;
    command.mutable_ponder_hit();
    Say(command);
  }
  void NewGame() {
    v1::AnalyzeSessionRequest command;
    command.mutable_new_game();
    Say(command);
  }
  void Say(const v1::AnalyzeSessionRequest& command) { stream_->Write(command); }
  void WritesDone() { stream_->WritesDone(); }
  void Cancel() { context_.TryCancel(); }

  // The next answer of a Go, past its updates. None when the session ends.
  std::optional<v1::AnalyzeSessionResponse> NextAnswer() {
    v1::AnalyzeSessionResponse response;
    while (stream_->Read(&response)) {
      if (response.has_refused() || response.analysis().has_final()) return response;
    }
    return std::nullopt;
  }
  // The same when it should be the Final of this Go.
  Final FinalOf(int go) {
    const std::optional<v1::AnalyzeSessionResponse> answer = NextAnswer();
    EXPECT_TRUE(answer.has_value() && answer->analysis().has_final() && answer->go() == go)
        << (answer ? answer->ShortDebugString() : "the session has ended");
    return answer ? answer->analysis().final() : Final();
  }
  void AwaitUpdate() {
    v1::AnalyzeSessionResponse response;
    ASSERT_TRUE(stream_->Read(&response));
    EXPECT_TRUE(response.analysis().has_update()) << response.ShortDebugString();
  }
  grpc::Status Finish() {
    EXPECT_FALSE(NextAnswer().has_value());
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::AnalyzeSessionRequest, v1::AnalyzeSessionResponse>> stream_;
};

class SessionTest : public ServerFixture {
 protected:
  void SetUp() override { Start({.workers = 2}); }
};

TEST_F(SessionTest, AnswersOneGoAfterAnother) {
  ClientSession session(*stub_);
  for (int go = 1; go <= 5; ++go) {
    session.Go(AnalysisToDepth(go));
    EXPECT_EQ(session.FinalOf(go).result().depth(), go);
  }
  session.WritesDone();
  EXPECT_TRUE(session.Finish().ok());
}

TEST_F(SessionTest, StopBringsTheFinal) {
  ClientSession session(*stub_);
  session.Go(InfiniteAnalysis());
  session.AwaitUpdate();
  session.Stop();
  const Final final = session.FinalOf(1);
  EXPECT_EQ(final.stop_reason(), v1::STOP_REASON_CANCELLED);
  EXPECT_NE(final.best_move(), "");
}

TEST_F(SessionTest, AStopRightAfterTheGoStillGivesAMove) {
  ClientSession session(*stub_);
  for (int go = 1; go <= 100; ++go) {
    session.Go(InfiniteAnalysis());
    session.Stop();
    EXPECT_NE(session.FinalOf(go).best_move(), "");
  }
}

TEST_F(SessionTest, StopWithoutASearchDoesNothing) {
  ClientSession session(*stub_);
  session.Stop();
  session.PonderHit();
  session.NewGame();
  session.Go(AnalysisToDepth(2));
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_DEPTH);
}

TEST_F(SessionTest, AnotherGoEndsTheSearchFirst) {
  ClientSession session(*stub_);
  session.Go(InfiniteAnalysis());
  session.Go(InfiniteAnalysis());
  session.Go(AnalysisToDepth(3));
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_CANCELLED);
  EXPECT_EQ(session.FinalOf(2).stop_reason(), v1::STOP_REASON_CANCELLED);
  EXPECT_EQ(session.FinalOf(3).stop_reason(), v1::STOP_REASON_DEPTH);
}

TEST_F(SessionTest, NewGameEndsTheSearchFirst) {
  ClientSession session(*stub_);
  session.Go(InfiniteAnalysis());
  session.NewGame();
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_CANCELLED);
}

TEST_F(SessionTest, PonderingTakesNoTimeUntilTheHit) {
  ClientSession session(*stub_);
  v1::AnalyzeRequest request;
  request.mutable_limits()->mutable_movetime()->set_nanos(1'000'000);
  session.Go(request, /*ponder=*/true);
  session.AwaitUpdate();
  // Well past its millisecond it goes on.
  std::this_thread::sleep_for(milliseconds(50));
  session.PonderHit();
  const Final final = session.FinalOf(1);
  EXPECT_EQ(final.stop_reason(), v1::STOP_REASON_TIME);
  EXPECT_GT(final.result().elapsed().nanos(), 50'000'000);
}

TEST_F(SessionTest, PonderingCanBeStopped) {
  ClientSession session(*stub_);
  v1::AnalyzeRequest request;
  request.mutable_limits()->mutable_movetime()->set_nanos(1'000'000);
  session.Go(request, /*ponder=*/true);
  session.Stop();
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_CANCELLED);
}

// Searches that have done all that they were asked to, long before the move is played.
TEST_F(SessionTest, PonderingDoesNotEndOfItself) {
  v1::AnalyzeRequest limited;
  limited.set_strength_elo(1500);
  v1::AnalyzeRequest mated;
  mated.mutable_position()->set_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
  for (const v1::AnalyzeRequest& request : {AnalysisToDepth(1), limited, mated}) {
    ClientSession session(*stub_);
    session.Go(request, /*ponder=*/true);
    auto answer = std::async(std::launch::async, [&] { return session.FinalOf(1); });
    EXPECT_EQ(answer.wait_for(milliseconds(100)), std::future_status::timeout);
    session.PonderHit();
    EXPECT_NE(answer.get().stop_reason(), v1::STOP_REASON_CANCELLED);
    session.Go(AnalysisToDepth(2));
    EXPECT_EQ(session.FinalOf(2).result().depth(), 2);
  }
}

TEST_F(SessionTest, PonderingThatIsDoneEndsWithWhatComesNext) {
  ClientSession session(*stub_);
  const auto ponder = [&] {
    session.Go(AnalysisToDepth(1), /*ponder=*/true);
    session.AwaitUpdate();
    AwaitLoad(0, 0);
  };
  ponder();
  session.Stop();
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_DEPTH);
  ponder();
  session.Go(AnalysisToDepth(2), /*ponder=*/true);
  EXPECT_EQ(session.FinalOf(2).stop_reason(), v1::STOP_REASON_DEPTH);
  session.AwaitUpdate();
  AwaitLoad(0, 0);
  session.WritesDone();
  EXPECT_EQ(session.FinalOf(3).stop_reason(), v1::STOP_REASON_DEPTH);
  EXPECT_TRUE(session.Finish().ok());
}

TEST_F(SessionTest, RefusesABadGoAndGoesOn) {
  ClientSession session(*stub_);
  v1::AnalyzeRequest bad;
  bad.mutable_position()->add_moves("e2e5");
  session.Go(bad);
  session.Go(AnalysisToDepth(2));
  const std::optional<v1::AnalyzeSessionResponse> answer = session.NextAnswer();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->go(), 1);
  EXPECT_EQ(answer->refused().code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(answer->refused().reason(), "ILLEGAL_MOVE");
  EXPECT_EQ(answer->refused().field(), "position.moves[0]");
  EXPECT_EQ(answer->refused().description(), "'e2e5' is not legal here: the piece cannot go there");
  EXPECT_EQ(session.FinalOf(2).stop_reason(), v1::STOP_REASON_DEPTH);
}

TEST_F(SessionTest, ACommandThatIsNotSetEndsTheSession) {
  ClientSession session(*stub_);
  session.Go(InfiniteAnalysis());
  session.AwaitUpdate();
  session.Say(v1::AnalyzeSessionRequest());
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_CANCELLED);
  const grpc::Status status = session.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(DetailsOf(status).reason, "MISSING_FIELD");
}

TEST_F(SessionTest, TheLastSearchEndsByItsLimitsAfterWritesDone) {
  ClientSession session(*stub_);
  session.Go(AnalysisToDepth(8));
  session.WritesDone();
  EXPECT_EQ(session.FinalOf(1).stop_reason(), v1::STOP_REASON_DEPTH);
  EXPECT_TRUE(session.Finish().ok());
}

TEST_F(SessionTest, CancelEndsTheSearch) {
  ClientSession session(*stub_);
  session.Go(InfiniteAnalysis());
  session.AwaitUpdate();
  session.Cancel();
  AwaitLoad(0, 0);
  EXPECT_EQ(session.Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(SessionTest, FinalComesBeforeTheDeadline) {
  EXPECT_TRUE(WithSomeDeadline([&](milliseconds deadline) {
    ClientSession session(*stub_, deadline);
    session.Go(InfiniteAnalysis());
    const std::optional<v1::AnalyzeSessionResponse> answer = session.NextAnswer();
    if (!answer.has_value() || !answer->analysis().has_final()) return false;
    EXPECT_EQ(answer->analysis().final().stop_reason(), v1::STOP_REASON_DEADLINE);
    return true;
  }));
}

TEST_F(SessionTest, ShutdownEndsSessionsInGoodOrder) {
  ClientSession busy(*stub_);
  ClientSession idle(*stub_);
  busy.Go(InfiniteAnalysis());
  busy.AwaitUpdate();
  idle.Go(AnalysisToDepth(1));
  idle.FinalOf(1);
  std::thread stopper([&] { server_->Shutdown(kPatience); });
  EXPECT_EQ(busy.FinalOf(1).stop_reason(), v1::STOP_REASON_SHUTDOWN);
  EXPECT_EQ(busy.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(idle.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
}

TEST_F(SessionTest, AFloodOfCommandsIsBounded) {
  ClientSession session(*stub_);
  std::thread writer([&] {
    for (int i = 0; i < 5000; ++i) session.Go(InfiniteAnalysis());
    session.WritesDone();
  });
  // Some were done, and if the flood was too fast the client is told.
  int answers = 0;
  while (session.NextAnswer()) ++answers;
  writer.join();
  EXPECT_GT(answers, 0);
  const grpc::Status status = session.Finish();
  EXPECT_TRUE(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED || answers == 5000)
      << status.error_message() << answers;
  AwaitLoad(0, 0);
}

// Every Go is answered, whatever comes after it and when.
TEST_F(SessionTest, RandomConversationsKeepTheContract) {
  std::vector<std::thread> clients;
  for (unsigned seed = 0; seed < 4; ++seed) {
    clients.emplace_back([this, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 20; ++round) {
        ClientSession session(*stub_);
        int gos = 0;
        int answers = 0;
        for (int i = 0; i < 20; ++i) {
          switch (random() % 5) {
            case 0:
            case 1: {
              v1::AnalyzeRequest request = random() % 2 == 0 ? InfiniteAnalysis() : AnalysisToDepth(3);
              request.set_threads(1 + static_cast<int>(random() % 2));
              session.Go(request, random() % 3 == 0);
              ++gos;
              break;
            }
            case 2:
              session.Stop();
              break;
            case 3:
              session.PonderHit();
              break;
            default:
              session.NewGame();
          }
        }
        session.Stop();
        session.WritesDone();
        while (const auto answer = session.NextAnswer()) EXPECT_EQ(answer->go(), ++answers);
        EXPECT_EQ(answers, gos);
        EXPECT_TRUE(session.Finish().ok());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  AwaitLoad(0, 0);
}

TEST_F(SessionTest, RefusesMoreThanItHasRoomForAndGoesOn) {
  Start({.workers = 1, .max_sessions = 1});
  ClientSession first(*stub_);
  first.Go(AnalysisToDepth(1));
  first.FinalOf(1);
  ClientSession second(*stub_);
  second.Go(AnalysisToDepth(1));
  const grpc::Status refused = second.Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(refused).reason, "TOO_MANY_SESSIONS");
  EXPECT_GT(DetailsOf(refused).retry_seconds.value_or(0), 0);
  first.Go(AnalysisToDepth(2));
  first.FinalOf(2);
  first.WritesDone();
  EXPECT_TRUE(first.Finish().ok());
  // There is room again as soon as the server has let go of the first.
  const auto end = system_clock::now() + kPatience;
  bool served = false;
  while (!served && system_clock::now() < end) {
    ClientSession again(*stub_);
    again.Go(AnalysisToDepth(1));
    served = again.NextAnswer().has_value();
    again.Cancel();
  }
  EXPECT_TRUE(served);
}

}  // namespace
}  // namespace kibitz::server
