#include "client/lichess/external_engine/provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client/lichess/external_engine/registration.h"
#include "tests/support/lichess/external_engine_api.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::client::lichess {
namespace {

using nlohmann::json;
using stand_in::EngineBroker;
using stand_in::HttpReply;
using stand_in::HttpRequest;
using stand_in::HttpServer;
using stand_in::LineStream;
using stand_in::StandIn;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kSecret[] = "a-secret-of-the-provider";
constexpr char kToken[] = "a-token-of-the-user";
constexpr char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr char kWorkPath[] = "/api/external-engine/work";
constexpr std::chrono::seconds kPatience{30};

// Looks until it is so, or the test is as good as failed.
bool Eventually(const std::function<bool()>& so) {
  const auto latest = std::chrono::steady_clock::now() + kPatience;
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

int LiveAnalyses() { return Pool().client().GetServerInfo(Pool().QuickCall())->live_analyses(); }

// A provider at work, and what it says about it.
class Working {
 public:
  Working(const std::string& url, int concurrency) : http_(*http::HttpClient::Open({.base_url = url})) {
    provider_.emplace(*http_, Pool(),
                      ProviderOptions{.provider_secret = kSecret,
                                      .concurrency = concurrency,
                                      .caps = {.max_threads = 2, .max_depth = 100},
                                      .backoff = {.first = absl::Milliseconds(1), .longest = absl::Milliseconds(20)},
                                      .log = [this](std::string_view line) {
                                        const std::lock_guard lock(mutex_);
                                        lines_.emplace_back(line);
                                      }});
    thread_ = std::jthread([this](const std::stop_token& stop) { outcome_ = provider_->Run(stop); });
  }

  absl::Status End() {
    thread_.request_stop();
    return Await();
  }
  absl::Status Await() {
    thread_.join();
    return outcome_;
  }
  ProviderCounts counts() const { return provider_->counts(); }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  const std::unique_ptr<http::HttpClient> http_;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::optional<Provider> provider_;
  absl::Status outcome_;
  std::jthread thread_;
};

class ProviderTest : public testing::Test {
 protected:
  explicit ProviderTest(const stand_in::FaultOptions& faults = {})
      : broker_({.poll = absl::Milliseconds(100)}), lichess_({.http = {.faults = faults}, .world = {}}) {
    lichess_.world().AddAccount({.name = "User", .token = kToken, .scopes = {"engine:read", "engine:write"}});
    lichess_.world().AddAccount({.name = "Bot", .token = "for-bots-only"});
    stand_in::AddExternalEngineApi(lichess_.http(), lichess_.world(), broker_);
    EXPECT_TRUE(lichess_.Start().ok());
    engine_ = *broker_.Create(
        "user",
        {{"name", "Kibitz"}, {"maxThreads", 2}, {"maxHash", 16}, {"defaultDepth", 20}, {"providerSecret", kSecret}});
  }

  // A board that asks: what it asks besides the starting position.
  std::shared_ptr<LineStream> Board(const json& work = json::object()) {
    json whole{{"sessionId", "s"},     {"threads", 1},          {"hash", 16}, {"multiPv", 1}, {"variant", "chess"},
               {"initialFen", kStart}, {"moves", json::array()}};
    whole.update(work);
    auto board = broker_.Analyse(engine_.at("id"), engine_.at("clientSecret"), whole);
    EXPECT_TRUE(board.ok()) << board.status();
    return *std::move(board);
  }
  // All that a board is shown until the end.
  static std::vector<json> ReadAll(LineStream& board) {
    std::vector<json> shown;
    const auto latest = std::chrono::steady_clock::now() + kPatience;
    while (!board.exhausted() && std::chrono::steady_clock::now() < latest) {
      if (const auto line = board.Next(std::chrono::milliseconds(100))) shown.push_back(json::parse(*line));
    }
    return shown;
  }
  static std::optional<json> ReadOne(LineStream& board) {
    const auto line = board.Next(kPatience);
    return line ? std::optional(json::parse(*line)) : std::nullopt;
  }

  std::unique_ptr<http::HttpClient> Account(const std::string& token) {
    return *http::HttpClient::Open({.base_url = lichess_.url(), .token = token});
  }

  EngineBroker broker_;
  StandIn lichess_;
  json engine_;
};

TEST_F(ProviderTest, ShowsABoardItsLines) {
  Working provider(lichess_.url(), 4);
  const auto board = Board({{"depth", 8}, {"multiPv", 2}, {"moves", {"e2e4", "e7e5"}}});
  const std::vector<json> shown = ReadAll(*board);
  ASSERT_FALSE(shown.empty());
  const json& last = shown.back();
  EXPECT_EQ(last.at("depth"), 8);
  EXPECT_EQ(last.at("pvs").size(), 2u);
  EXPECT_EQ(last.at("pvs")[0].at("moves")[0], last.at("bestmove"));
  EXPECT_TRUE(Eventually([&] { return provider.counts().served == 1; }));
  EXPECT_THAT(broker_.complaints(), IsEmpty());
  EXPECT_EQ(broker_.bounded(), 0);
  EXPECT_TRUE(provider.End().ok());
}

TEST_F(ProviderTest, StopsWhenTheBoardIsGone) {
  Working provider(lichess_.url(), 4);
  const auto board = Board();
  EXPECT_TRUE(ReadOne(*board));
  board->Close();
  EXPECT_TRUE(Eventually([&] { return broker_.submitting() == 0 && provider.counts().served == 1; }));
  EXPECT_TRUE(Eventually([] { return LiveAnalyses() == 0; }));
  EXPECT_TRUE(provider.End().ok());
  EXPECT_THAT(broker_.complaints(), IsEmpty());
}

TEST_F(ProviderTest, ServesManyBoardsAtOnce) {
  Working provider(lichess_.url(), 8);
  std::vector<std::shared_ptr<LineStream>> boards;
  for (int i = 0; i < 8; ++i) boards.push_back(Board());
  for (const auto& board : boards) EXPECT_TRUE(ReadOne(*board));
  EXPECT_EQ(broker_.submitting(), 8);
  // A ninth waits until there is a place.
  const auto ninth = Board({{"depth", 3}});
  boards.back()->Close();
  EXPECT_EQ(ReadAll(*ninth).back().at("depth"), 3);
  for (const auto& board : boards) board->Close();
  EXPECT_TRUE(Eventually([&] { return provider.counts().served == 9; }));
  EXPECT_TRUE(provider.End().ok());
  EXPECT_THAT(broker_.complaints(), IsEmpty());
}

TEST_F(ProviderTest, EndsItsSearchesWithItself) {
  Working provider(lichess_.url(), 4);
  const auto board = Board();
  EXPECT_TRUE(ReadOne(*board));
  EXPECT_TRUE(provider.End().ok());
  EXPECT_TRUE(ReadAll(*board).back().contains("bestmove"));
  EXPECT_TRUE(Eventually([] { return LiveAnalyses() == 0; }));
}

TEST_F(ProviderTest, CastlesAsTheBrokerWritesIt) {
  Working provider(lichess_.url(), 4);
  const auto board =
      Board({{"initialFen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}, {"moves", {"e1h1", "e8d7"}}, {"depth", 4}});
  EXPECT_TRUE(ReadAll(*board).back().contains("bestmove"));
  const auto mated = Board({{"initialFen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}, {"depth", 4}});
  EXPECT_EQ(ReadAll(*mated).back().at("bestmove"), "(none)");
  EXPECT_TRUE(provider.End().ok());
  EXPECT_THAT(broker_.complaints(), IsEmpty());
}

TEST_F(ProviderTest, IsRegisteredOnceAndDeleted) {
  const auto user = Account(kToken);
  Registration registration{.name = "Mine", .max_threads = 2, .max_hash_mb = 64, .provider_secret = kSecret};
  const auto first = Register(*user, registration, {});
  ASSERT_TRUE(first.ok()) << first.status();
  registration.max_threads = 3;
  EXPECT_EQ(*Register(*user, registration, {}), *first);
  EXPECT_EQ(broker_.Get("user", *first)->at("maxThreads"), 3);
  EXPECT_EQ(*Unregister(*user, "Mine", {}), 1);
  EXPECT_EQ(*Unregister(*user, "Mine", {}), 0);
  EXPECT_EQ(broker_.List("user").size(), 1u);
}

TEST_F(ProviderTest, SaysWhyItIsNotRegistered) {
  const Registration registration{.name = "Mine", .provider_secret = kSecret};
  EXPECT_THAT(std::string(Register(*Account("nobody"), registration, {}).status().message()),
              HasSubstr("is the token still valid?"));
  EXPECT_THAT(std::string(Register(*Account("for-bots-only"), registration, {}).status().message()),
              HasSubstr("engine:read and engine:write"));
}

class FaultyProviderTest : public ProviderTest {
 protected:
  FaultyProviderTest()
      : ProviderTest({.server_error = 0.2,
                      .lost_request = 0.2,
                      .lost_answer = 0.1,
                      .slow_answer = 0.2,
                      .slowness = absl::Milliseconds(50)}) {}
};

TEST_F(FaultyProviderTest, ServesAllTheSame) {
  Working provider(lichess_.url(), 4);
  // An offer whose answer was lost is lost for the board too: it asks again.
  for (int served = 0; served < 10;) {
    const auto board = Board({{"depth", 3}});
    const auto first = board->Next(std::chrono::seconds(1));
    served += first && ReadAll(*board).back().contains("bestmove") ? 1 : 0;
    board->Close();
    ASSERT_LT(broker_.acquired(), 100);
  }
  EXPECT_TRUE(provider.End().ok());
  EXPECT_THAT(broker_.complaints(), IsEmpty());
}

// A broker that says what it likes.
class HostileBrokerTest : public testing::Test {
 protected:
  explicit HostileBrokerTest() : http_(stand_in::HttpServerOptions{}) {
    http_.Handle("POST", kWorkPath, [this](const HttpRequest&) {
      const std::lock_guard lock(mutex_);
      if (asked_ == replies_.size()) return HttpReply{.status = 204};
      return replies_[asked_++];
    });
    http_.HandleUpload(std::string(kWorkPath) + "/(\\w+)", [this](const HttpRequest&, stand_in::Upload& upload) {
      std::string body;
      upload.Read([&](std::string_view piece) {
        body += piece;
        return true;
      });
      const std::lock_guard lock(mutex_);
      uploads_.push_back(std::move(body));
      return HttpReply{};
    });
    EXPECT_TRUE(http_.Start().ok());
  }

  static HttpReply Offer(const std::string& members) {
    return {.body =
                R"({"id":"job1","work":{"sessionId":"s","threads":1,"hash":16,"multiPv":1,"depth":2)" + members + "}}"};
  }
  std::size_t asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::vector<std::string> uploads() const {
    const std::lock_guard lock(mutex_);
    return uploads_;
  }

  mutable std::mutex mutex_;
  std::vector<HttpReply> replies_;
  std::size_t asked_ = 0;
  std::vector<std::string> uploads_;
  HttpServer http_;
};

TEST_F(HostileBrokerTest, IsOutlived) {
  const std::string fen = std::string(R"(,"initialFen":")") + kStart + R"(")";
  replies_ = {{.status = 204},
              {.body = "no JSON at all"},
              {.body = std::string(2 << 20, 'x')},
              {.body = std::string(100'000, '[')},
              {.body = R"({"work":{}})"},
              {.status = 500, .body = std::string("the secret is ") + kSecret, .content_type = "text/plain"},
              {.status = 418, .body = std::string(R"({"error":")") + kSecret + R"("})"},
              Offer(R"(,"variant":"atomic","moves":[])" + fen),
              Offer(R"(,"variant":"chess","moves":["e2e5"])" + fen),
              Offer(R"(,"variant":"chess","moves":[],"initialFen":"rubbish")"),
              Offer(R"(,"variant":"chess","moves":{})" + fen),
              Offer(R"(,"variant":"chess","moves":["e2e4"])" + fen)};
  Working provider(http_.url(), 2);
  EXPECT_TRUE(Eventually([&] { return asked() == replies_.size() && uploads().size() == 5; }));
  EXPECT_TRUE(Eventually([&] { return provider.counts().failed == 4 && provider.counts().served == 1; }));
  EXPECT_TRUE(provider.End().ok());
  EXPECT_THAT(provider.lines(), Each(Not(HasSubstr(kSecret))));
  EXPECT_THAT(provider.lines(), Contains(HasSubstr("work.variant is 'atomic'")));
  EXPECT_THAT(provider.lines(), Contains(AllOf(HasSubstr("position.moves[0]"), HasSubstr("e2e5"))));
  EXPECT_THAT(uploads(), Each(HasSubstr("bestmove ")));
  EXPECT_THAT(uploads(), Contains(HasSubstr("bestmove (none)")));
}

TEST_F(HostileBrokerTest, EndsAProviderThatItNeverWanted) {
  replies_ = {{.status = 403, .body = std::string(R"({"error":"away with )") + kSecret + R"("})"}};
  Working provider(http_.url(), 2);
  const absl::Status status = provider.Await();
  EXPECT_TRUE(absl::IsPermissionDenied(status));
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("away with"), Not(HasSubstr(kSecret))));
}

}  // namespace
}  // namespace kibitz::client::lichess
