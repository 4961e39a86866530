#include "client/fishnet/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/lichess/fishnet_api.h"

namespace kibitz::client::fishnet {
namespace {

using nlohmann::json;
using stand_in::FishnetJob;
using stand_in::FishnetQueue;
using stand_in::HttpReply;
using stand_in::HttpRequest;
using stand_in::HttpServer;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kKey[] = "the-workers-key";
constexpr absl::Duration kPatience = absl::Seconds(30);
constexpr auto kGame = {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"};

bool Eventually(const std::function<bool()>& so) {
  const auto latest = std::chrono::steady_clock::now() + absl::ToChronoMilliseconds(kPatience);
  while (!so()) {
    if (std::chrono::steady_clock::now() > latest) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// One server for all tests: it is what takes longest to start.
const Connection& Pool() {
  static const std::unique_ptr<Connection> pool = *Connection::Open({.embedded = {.workers = 2, .hash_mb = 16}});
  return *pool;
}

// A worker at work, and what it says about it.
class Working {
 public:
  Working(const std::string& url, WorkerOptions options, const std::string& key = kKey)
      : http_(*http::HttpClient::Open({.base_url = url + "/fishnet", .token = key})), api_(*http_) {
    options.cores = 2;
    options.engine = {.version = "1", .evaluation = "classical"};
    options.idle = options.failed = {.first = absl::Milliseconds(1), .longest = absl::Milliseconds(20)};
    options.log = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    };
    worker_.emplace(api_, Pool(), options);
    thread_ = std::jthread([this](const std::stop_token& stop) { outcome_ = worker_->Run(stop); });
  }

  absl::Status End() {
    thread_.request_stop();
    return Await();
  }
  absl::Status Await() {
    thread_.join();
    return outcome_;
  }
  WorkerCounts counts() const { return worker_->counts(); }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  const std::unique_ptr<http::HttpClient> http_;
  Api api_;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::optional<Worker> worker_;
  absl::Status outcome_;
  std::jthread thread_;
};

class WorkerTest : public testing::Test {
 protected:
  explicit WorkerTest(const stand_in::FaultOptions& faults = {}) : http_({.faults = faults}) {
    queue_.AddKey(kKey);
    queue_.AddKey("a-disabled-key", /*enabled=*/false);
    stand_in::AddFishnetApi(http_, queue_);
    EXPECT_TRUE(http_.Start().ok());
  }

  static FishnetJob Game(std::int64_t nodes = 1000) { return {.moves = {kGame.begin(), kGame.end()}, .nodes = nodes}; }

  FishnetQueue queue_;
  HttpServer http_;
};

TEST_F(WorkerTest, AnalysesGames) {
  Working worker(http_.url(), {});
  FishnetJob skipping = Game();
  skipping.skip = {0, 4, 10};
  queue_.Add(skipping);
  queue_.Add({.moves = {"f2f3", "e7e5", "g2g4", "d8h4"}});
  queue_.Add(
      {.variant = "chess960", .fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1", .moves = {"e1h1"}, .depth = 3, .multi_pv = 3});
  ASSERT_TRUE(queue_.AwaitAnswers(3, kPatience));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_THAT(queue_.complaints(), IsEmpty());
  for (const auto& answer : queue_.answers()) {
    EXPECT_EQ(answer.body.at("engine").at("name"), "Kibitz");
    if (answer.job.moves.size() != 4) continue;
    EXPECT_EQ(answer.body.at("analysis")[3].at("score"), json::parse(R"({"mate":1})"));
    EXPECT_EQ(answer.body.at("analysis")[4].at("score"), json::parse(R"({"mate":0})"));
  }
  EXPECT_EQ(worker.counts().analyses, 3);
  EXPECT_EQ(worker.counts().positions, 11 - 3 + 5 + 2);
  EXPECT_EQ(worker.counts().skipped, 3);
}

TEST_F(WorkerTest, FindsMoves) {
  Working worker(http_.url(), {});
  queue_.Add({.level = 1});
  queue_.Add({.moves = {"f2f3", "e7e5", "g2g4"}, .level = 8});
  queue_.Add({.moves = {"f2f3", "e7e5", "g2g4", "d8h4"}, .level = 4});
  ASSERT_TRUE(queue_.AwaitAnswers(3, kPatience));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_THAT(queue_.complaints(), IsEmpty());
  for (const auto& answer : queue_.answers()) {
    const json& best = answer.body.at("move").at("bestmove");
    if (answer.job.level == 8) EXPECT_EQ(best, "d8h4");
    if (answer.job.level == 4) EXPECT_TRUE(best.is_null());
  }
}

TEST_F(WorkerTest, ReportsHowFarItHasCome) {
  Working worker(http_.url(), {.report_interval = absl::Milliseconds(1)});
  queue_.Add(Game(30'000));
  EXPECT_TRUE(queue_.AwaitPartial(1, kPatience));
  EXPECT_TRUE(queue_.AwaitAnswers(1, kPatience));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_THAT(queue_.complaints(), IsEmpty());
}

TEST_F(WorkerTest, GivesBackWhatIsNotDone) {
  Working worker(http_.url(), {});
  FishnetJob endless = Game(1'000'000'000);
  endless.timeout = absl::Minutes(30);
  queue_.Add(endless);
  EXPECT_TRUE(Eventually([&] { return queue_.acquired() == 1; }));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_EQ(queue_.aborted(), 1);
  EXPECT_EQ(queue_.waiting(), 1u);
  EXPECT_EQ(worker.counts().returned, 1);
}

TEST_F(WorkerTest, EndsWhenItIsNotWanted) {
  for (const auto& [key, words] : {std::pair("nobodys-key", "Unknown key"), std::pair("a-disabled-key", "disabled")}) {
    Working worker(http_.url(), {}, key);
    const absl::Status status = worker.Await();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(words), Not(HasSubstr(key))));
  }
}

TEST_F(WorkerTest, LeavesTheUsersQueueToOthersUntilItIsLong) {
  Working worker(http_.url(), {.user_backlog = absl::Hours(1)});
  queue_.Add(Game());
  FishnetJob slow = Game();
  slow.by_user = false;
  queue_.Add(slow);
  ASSERT_TRUE(queue_.AwaitAnswers(1, kPatience));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_FALSE(queue_.answers()[0].job.by_user);
  EXPECT_EQ(queue_.waiting(), 1u);
}

// What the pool says of a game by reviewing it.
TEST_F(WorkerTest, AgreesWithTheReviewOfTheSameGame) {
  constexpr std::int64_t kNodes = 20'000;
  Working worker(http_.url(), {});
  queue_.Add(Game(kNodes / 2));  // the classical evaluation gets twice as many
  v1::AnalyzeGameRequest request;
  for (const char* move : kGame) request.mutable_position()->add_moves(move);
  request.mutable_budget()->set_nodes_per_move(kNodes);
  std::vector<double> reviewed(kGame.size());
  const auto hear = [&](const v1::AnalyzeGameResponse& event) {
    if (!event.has_ply()) return;
    const v1::PlyReview& review = event.ply().review();
    reviewed.at(static_cast<std::size_t>(review.ply() - 1)) = review.before().score().centipawns();
  };
  ASSERT_TRUE(Pool().client().AnalyzeGame(request, hear, Pool().LongCall()).ok());
  ASSERT_TRUE(queue_.AwaitAnswers(1, kPatience));
  EXPECT_TRUE(worker.End().ok());
  const json body = queue_.answers()[0].body;
  for (std::size_t place = 0; place < reviewed.size(); ++place) {
    EXPECT_NEAR(body["analysis"][place]["score"]["cp"].get<double>(), reviewed[place], 60) << "at " << place;
  }
}

class FaultyWorkerTest : public WorkerTest {
 protected:
  FaultyWorkerTest()
      : WorkerTest({.server_error = 0.2, .lost_request = 0.2, .slow_answer = 0.2, .slowness = absl::Milliseconds(20)}) {
  }
};

TEST_F(FaultyWorkerTest, WorksAllTheSame) {
  Working worker(http_.url(), {});
  for (int i = 0; i < 4; ++i) queue_.Add(Game(200));
  EXPECT_TRUE(queue_.AwaitAnswers(4, kPatience));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_THAT(queue_.complaints(), IsEmpty());
}

// A server that says what it likes.
TEST(HostileFishnetTest, IsOutlived) {
  const auto offer = [](const std::string& rest) {
    return HttpReply{.status = 202,
                     .body = R"({"work":{"type":"analysis","id":"w1","nodes":100,"timeout":1000},)" + rest + "}"};
  };
  const std::string position = R"("position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")";
  const std::vector<HttpReply> replies = {{.body = "no JSON"},
                                          {.status = 202, .body = std::string(2 << 20, ' ')},
                                          {.status = 202, .body = "[]"},
                                          {.status = 202, .body = std::string(50'000, '{')},
                                          {.status = 500},
                                          offer(position + R"(,"variant":"atomic","moves":"")"),
                                          offer(position + R"(,"moves":"e2e4 e2e4")"),
                                          offer(R"("position":"rubbish","moves":"")"),
                                          offer(position + R"(,"moves":"e2e4","skipPositions":[5])"),
                                          offer(position + R"(,"moves":"e2e4")")};
  std::mutex mutex;
  std::size_t asked = 0;
  int aborts = 0;
  int answers = 0;
  HttpServer http(stand_in::HttpServerOptions{});
  http.Handle("POST", "/fishnet/acquire", [&](const HttpRequest&) {
    const std::lock_guard lock(mutex);
    return asked < replies.size() ? replies[asked++] : HttpReply{.status = 204};
  });
  http.Handle("POST", "/fishnet/abort/w1", [&](const HttpRequest&) {
    const std::lock_guard lock(mutex);
    ++aborts;
    return HttpReply{.status = 404};
  });
  http.Handle("POST", "/fishnet/analysis/w1", [&](const HttpRequest&) {
    const std::lock_guard lock(mutex);
    ++answers;
    return HttpReply{.status = 202, .body = "more rubbish"};
  });
  ASSERT_TRUE(http.Start().ok());
  Working worker(http.url(), {});
  EXPECT_TRUE(Eventually([&] {
    const std::lock_guard lock(mutex);
    return aborts == 4 && answers == 1;
  }));
  EXPECT_TRUE(worker.End().ok());
  EXPECT_EQ(worker.counts().returned, 4);
  EXPECT_THAT(worker.lines(), Each(Not(HasSubstr(kKey))));
  EXPECT_THAT(worker.lines(), Contains(HasSubstr("variant is 'atomic'")));
  EXPECT_THAT(worker.lines(), Contains(HasSubstr("moves[1]")));
}

}  // namespace
}  // namespace kibitz::client::fishnet
