#include "client/uci/dialogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/client/fake_server.h"

namespace kibitz::client::uci {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using Sent = v1::AnalyzeSessionRequest;

constexpr std::chrono::seconds kPatience{20};
constexpr char kMated[] = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

// A bridge to a fake server, and what it has said since the test last looked.
class DialogueTest : public ::testing::Test {
 protected:
  DialogueTest()
      : dialogue_(Options{.server = server_.address(), .key = "sesame"}, [this](const auto& lines) { Note(lines); }) {}
  ~DialogueTest() override {
    Say("quit");
    if (thread_.joinable()) thread_.join();
  }

  void Say(const std::string& line) {
    // Started late, so that a test can first tell its server what to do.
    if (!thread_.joinable()) thread_ = std::thread([this] { dialogue_.Run(); });
    dialogue_.Post(ParseCommand(line));
  }

  // The lines up to the first that begins with `last`.
  std::vector<std::string> Until(const std::string& last) {
    std::unique_lock lock(mutex_);
    std::vector<std::string> lines;
    const bool came = changed_.wait_for(lock, kPatience, [&] {
      return std::any_of(said_.begin(), said_.end(), [&](const auto& line) { return line.starts_with(last); });
    });
    EXPECT_TRUE(came) << "no '" << last << "' in " << ::testing::PrintToString(said_);
    while (!said_.empty()) {
      lines.push_back(said_.front());
      said_.erase(said_.begin());
      if (lines.back().starts_with(last)) break;
    }
    return lines;
  }

  // All that is said before the answer to an "isready" that comes now.
  std::vector<std::string> SaidSoFar() {
    Say("isready");
    std::vector<std::string> lines = Until("readyok");
    lines.pop_back();
    return lines;
  }

  std::string BestMove() { return Until("bestmove").back(); }

  FakeServer server_;
  Dialogue dialogue_;

 private:
  void Note(const std::string& lines) {
    {
      std::lock_guard lock(mutex_);
      std::istringstream stream(lines);
      for (std::string line; std::getline(stream, line);) said_.push_back(line);
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> said_;
  std::thread thread_;
};

TEST_F(DialogueTest, IntroducesItselfWithoutAskingTheServer) {
  server_.Kill();
  Say("uci");
  const std::vector<std::string> lines = Until("uciok");
  EXPECT_THAT(lines.front(), StartsWith("id name Kibitz"));
  EXPECT_THAT(lines, Contains(StartsWith("option name Hash ")));
}

TEST_F(DialogueTest, AnswersWithInfoRightBeforeTheBestMove) {
  server_.on_go = [](const FakeGo& go) {
    go.Update(1, {"d2d4"});
    go.Final({"e2e4", "e7e5"});
  };
  Say("go depth 9");
  EXPECT_THAT(Until("bestmove"),
              ElementsAre(HasSubstr("depth 1 "), AllOf(HasSubstr("depth 9 "), HasSubstr(" pv e2e4 e7e5")),
                          "bestmove e2e4 ponder e7e5"));
}

TEST_F(DialogueTest, IdentifiesItselfByTheKey) {
  server_.on_go = [](const FakeGo& go) { go.Final({"e2e4"}); };
  Say("go depth 1");
  BestMove();
  EXPECT_EQ(server_.authorization(), "Bearer sesame");
}

TEST_F(DialogueTest, SendsThePositionAndItsMoves) {
  v1::AnalyzeRequest request;
  server_.on_go = [&](const FakeGo& go) {
    request = go.request();
    go.Final({"g1f3"});
  };
  Say("setoption name MultiPV value 3");
  Say("setoption name Threads value 64");
  Say("position startpos moves e2e4 e7e5");
  Say("go depth 5 searchmoves g1f3 e2e4 f1c4");
  EXPECT_THAT(Until("bestmove"), Contains("info string go: not legal here: e2e4"));
  EXPECT_THAT(request.position().moves(), ElementsAre("e2e4", "e7e5"));
  EXPECT_THAT(request.search_moves(), ElementsAre("g1f3", "f1c4"));
  EXPECT_EQ(request.multi_pv(), 3);
  EXPECT_EQ(request.threads(), 2) << "the server's cap";
}

TEST_F(DialogueTest, IsReadyDuringASearch) {
  Say("go infinite");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("stop");
  EXPECT_EQ(BestMove(), "bestmove e2e4 ponder e7e5");
}

TEST_F(DialogueTest, HoldsTheAnswerOfAnInfiniteSearchThatHasEnded) {
  server_.on_go = [](const FakeGo& go) { go.Final({"d2d4"}); };
  Say("go infinite");
  Until("info depth 9");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("stop");
  EXPECT_THAT(Until("bestmove"), ElementsAre(StartsWith("info depth 9"), "bestmove d2d4"));
}

TEST_F(DialogueTest, HoldsTheAnswerOfAFinishedGame) {
  server_.on_go = [](const FakeGo& go) { go.FinalWithoutMoves(v1::GAME_STATUS_CHECKMATE); };
  Say(kMated);
  Say("go infinite");
  Until("info depth 0 score mate 0");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("stop");
  EXPECT_EQ(BestMove(), "bestmove (none)");
}

TEST_F(DialogueTest, AnswersAFinishedGameAtOnceUnderALimit) {
  server_.on_go = [](const FakeGo& go) { go.FinalWithoutMoves(v1::GAME_STATUS_STALEMATE); };
  Say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  Say("go wtime 600000 btime 600000");
  EXPECT_THAT(Until("bestmove"), ElementsAre("info depth 0 score cp 0", "bestmove (none)"));
}

TEST_F(DialogueTest, PondersUntilTheHit) {
  server_.on_go = [](const FakeGo& go) { EXPECT_TRUE(go.ponder()); };
  server_.on_ponder_hit = [](const FakeGo& go) { go.Final({"g1f3"}); };
  Say("go ponder wtime 60000 btime 60000");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("ponderhit");
  EXPECT_EQ(BestMove(), "bestmove g1f3");
}

TEST_F(DialogueTest, HoldsTheAnswerOfAPonderSearchThatHasEnded) {
  server_.on_go = [](const FakeGo& go) { go.Final({"g1f3"}); };
  Say("go ponder depth 9");
  Until("info depth 9");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("ponderhit");
  EXPECT_EQ(BestMove(), "bestmove g1f3");
  EXPECT_EQ(server_.Count(Sent::kPonderHit), 0);
}

TEST_F(DialogueTest, StopsPonderingWithAnAnswer) {
  Say("go ponder wtime 60000 btime 60000");
  Say("stop");
  EXPECT_EQ(BestMove(), "bestmove e2e4 ponder e7e5");
}

TEST_F(DialogueTest, GoesOnAfterAPonderHitWithoutALimit) {
  Say("go ponder infinite");
  Say("ponderhit");
  EXPECT_TRUE(server_.Await(Sent::kPonderHit, 1));
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("stop");
  BestMove();
}

TEST_F(DialogueTest, EndsTheSearchBeforeItObeysWhatChangesIt) {
  for (const char* command : {"setoption name Contempt value 1", "position fen junk", "ucinewgame", "go perft 1"}) {
    Say("go infinite");
    Say(command);
    EXPECT_EQ(BestMove(), "bestmove e2e4 ponder e7e5") << command;
    SaidSoFar();
  }
  EXPECT_EQ(server_.Count(Sent::kStop), 4);
}

TEST_F(DialogueTest, AnswersEachOfManyGosOnce) {
  for (int i = 0; i < 50; ++i) Say("go infinite");
  Say("stop");
  Say("stop");
  for (int i = 0; i < 50; ++i) BestMove();
  EXPECT_THAT(SaidSoFar(), IsEmpty());
}

TEST_F(DialogueTest, IgnoresStopAndPonderHitWithoutASearch) {
  Say("stop");
  Say("ponderhit");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
}

TEST_F(DialogueTest, ReportsWhatItCannotObey) {
  Say("setoption name Nonsense value 1");
  Say("position fen nonsense");
  Say("position startpos moves e2e5");
  Say("nonsense");
  EXPECT_THAT(SaidSoFar(), ElementsAre("info string no such option: Nonsense", StartsWith("info string position: "),
                                       HasSubstr("e2e5"), "info string unknown command 'nonsense'"));
}

TEST_F(DialogueTest, RefusesAKeyThatCannotBeSent) {
  Say("setoption name Key value ses\x01"
      "ame");
  Say("go depth 1");
  EXPECT_THAT(Until("bestmove").front(), HasSubstr("the key cannot be sent"));
}

TEST_F(DialogueTest, SaysThatTheServerDecides) {
  for (const char* option : {"Hash value 128", "Clear Hash", "SyzygyPath value /tables"}) {
    Say(std::string("setoption name ") + option);
    EXPECT_THAT(SaidSoFar(), ElementsAre(HasSubstr("for the server at " + server_.address() + " to decide")));
  }
}

TEST_F(DialogueTest, SaysThatTheServerBoundsThreads) {
  Say("setoption name Threads value 64");
  EXPECT_THAT(SaidSoFar(), ElementsAre("info string Threads is bounded by the server at " + server_.address()));
}

TEST_F(DialogueTest, PlaysSomeMoveWhenRefused) {
  server_.on_go = [](const FakeGo& go) { go.Refuse("limits.depth", "is too much"); };
  Say("go depth 5 searchmoves h2h4");
  EXPECT_THAT(Until("bestmove"), ElementsAre(HasSubstr("limits.depth: is too much"), "bestmove h2h4"));
}

TEST_F(DialogueTest, PlaysTheBestMoveKnownWhenTheServerIsLost) {
  server_.on_go = [](const FakeGo& go) { go.Update(4, {"c2c4", "e7e5"}); };
  Say("go wtime 600000 btime 600000");
  Until("info depth 4");
  server_.CutSessions();
  EXPECT_THAT(Until("bestmove"),
              ElementsAre(StartsWith("info string "), HasSubstr("depth 4 "), "bestmove c2c4 ponder e7e5"));
}

TEST_F(DialogueTest, PlaysALegalMoveWhenTheServerIsLostBeforeItSaidAnything) {
  Say("position startpos moves e2e4");
  Say("go depth 9");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  server_.CutSessions();
  EXPECT_THAT(Until("bestmove"), ElementsAre(StartsWith("info string "), MatchesRegex("bestmove [a-h][78][a-h][56]")));
}

TEST_F(DialogueTest, HoldsTheAnswerOfALostInfiniteSearch) {
  Say("go infinite");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  server_.CutSessions();
  Until("info string ");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
  Say("stop");
  BestMove();
}

TEST_F(DialogueTest, ConnectsAgainAfterALoss) {
  server_.on_go = [](const FakeGo& go) {
    if (go.request().limits().depth() == 7) go.Final({"b1c3"});
  };
  Say("go depth 9");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  server_.Kill();
  EXPECT_THAT(Until("bestmove").front(), StartsWith("info string the connection to "));
  Say("go depth 7");
  EXPECT_THAT(Until("bestmove").front(), StartsWith("info string no server at "));
  server_.Start();
  Say("go depth 7");
  EXPECT_EQ(BestMove(), "bestmove b1c3");
}

TEST_F(DialogueTest, AnswersInTimeWhenTheServerFallsSilent) {
  const auto start = std::chrono::steady_clock::now();
  Say("go wtime 300 btime 300");
  EXPECT_THAT(Until("bestmove").front(), HasSubstr("does not answer"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(290));
}

TEST_F(DialogueTest, StopsEvenWhenTheServerDoesNotAnswer) {
  server_.on_stop = [](const FakeGo&) {};
  Say("go infinite");
  Say("stop");
  EXPECT_THAT(Until("bestmove").front(), HasSubstr("does not answer"));
}

TEST_F(DialogueTest, TellsTheServerOfANewGame) {
  server_.on_go = [](const FakeGo& go) { go.Final({"b1c3"}); };
  Say("go depth 1");
  BestMove();
  Say("ucinewgame");
  EXPECT_TRUE(server_.Await(Sent::kNewGame, 1));
}

TEST_F(DialogueTest, CountsMovePathsByItself) {
  Say("go perft 2");
  const std::vector<std::string> lines = Until("Nodes searched");
  EXPECT_EQ(lines.back(), "Nodes searched: 400");
  EXPECT_THAT(lines, Contains("e2e4: 20"));
}

TEST_F(DialogueTest, StopsACount) {
  Say("go perft 15");
  Say("stop");
  EXPECT_THAT(SaidSoFar(), IsEmpty());
}

TEST_F(DialogueTest, DrawsTheBoardDuringASearch) {
  Say("go infinite");
  Say("d");
  Until("Fen: rnbqkbnr/");
  Say("stop");
  BestMove();
}

// A file with one entry: 1. e4.
std::string WriteBook() {
  const std::string path = ::testing::TempDir() + "/one_move.bin";
  constexpr char kEntry[] = "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00";
  std::ofstream(path, std::ios::binary).write(kEntry, sizeof(kEntry));
  return path;
}

TEST_F(DialogueTest, PlaysFromABook) {
  server_.on_go = [](const FakeGo& go) { go.Final({"b1c3"}); };
  Say("setoption name Book File value " + WriteBook());
  Say("go depth 1");
  EXPECT_EQ(BestMove(), "bestmove b1c3") << "nobody asked for the book";
  Say("setoption name OwnBook value true");
  Say("go depth 1");
  EXPECT_THAT(Until("bestmove"), ElementsAre(HasSubstr("book"), "bestmove e2e4"));
  Say("go depth 1 searchmoves b1c3");
  EXPECT_EQ(BestMove(), "bestmove b1c3") << "whoever names moves wants a search";
  Say("setoption name UCI_AnalyseMode value true");
  Say("go depth 1");
  EXPECT_EQ(BestMove(), "bestmove b1c3") << "so does whoever analyses";
}

TEST_F(DialogueTest, ReportsABookThatCannotBeRead) {
  Say("setoption name Book File value /no/such/book.bin");
  EXPECT_THAT(SaidSoFar(), ElementsAre(StartsWith("info string there is no book: ")));
}

TEST_F(DialogueTest, LeavesWithAnAnswer) {
  Say("go infinite");
  EXPECT_TRUE(server_.Await(Sent::kGo, 1));
  Say("quit");
  BestMove();
}

}  // namespace
}  // namespace kibitz::client::uci
