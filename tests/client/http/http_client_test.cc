#include "client/http/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <iterator>
#include <latch>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "tests/client/http/fake_clock.h"
#include "tests/client/http/raw_server.h"

namespace kibitz::client::http {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kToken[] = "lip_sesame";

std::unique_ptr<HttpClient> ClientOf(const RawServer& server, HttpClientOptions options = {}) {
  options.base_url = server.url();
  auto client = HttpClient::Open(options);
  EXPECT_TRUE(client.ok()) << client.status();
  return *std::move(client);
}

// Answers every request by its own text.
void Echo(RawPeer& peer) {
  for (std::string request; !(request = peer.ReadRequest()).empty();) {
    if (!peer.Answer("200 OK", request)) return;
  }
}

TEST(HttpClientTest, SendsMethodPathHeadersBodyAndToken) {
  RawServer server(Echo);
  const auto client = ClientOf(server, {.token = kToken, .user_agent = "kibitz/test"});
  const auto answer = client->Send(PostForm(PathOf({"api", "game", "a/b ?"}), {{"a", "1&2"}, {"b", "ü"}}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 200);
  EXPECT_THAT(answer->body,
              AllOf(StartsWith("POST /api/game/a%2Fb%20%3F HTTP/1.1\r\n"),
                    HasSubstr("\r\nAuthorization: Bearer lip_sesame\r\n"), HasSubstr("\r\nUser-Agent: kibitz/test\r\n"),
                    HasSubstr("\r\nContent-Type: application/x-www-form-urlencoded\r\n"), Not(HasSubstr("Expect")),
                    EndsWith("\r\n\r\na=1%262&b=%C3%BC")));
  EXPECT_THAT(client->Send(PutJson("/x", "{}"))->body, AllOf(StartsWith("PUT /x "), EndsWith("\r\n\r\n{}")));
  EXPECT_THAT(client->Send(Delete("/x"))->body, StartsWith("DELETE /x "));
  EXPECT_THAT(client->Send(Get("/x"))->body, AllOf(StartsWith("GET /x "), Not(HasSubstr("Content-Type"))));
  EXPECT_EQ(server.connections(), 1) << "the connection is kept";
}

TEST(HttpClientTest, AnswersAreGivenWhateverTheirStatus) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Answer("404 Not Found", R"({"error":"No such \u001b[31mgame"})", "Content-Type: application/json\r\n");
  });
  const auto answer = ClientOf(server)->Send(Get("/"));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->headers.at("content-type"), "application/json");
  EXPECT_EQ(StatusOf(*answer), absl::NotFoundError("HTTP status 404: No such  [31mgame"));
}

TEST(HttpClientTest, DoesNotFollowRedirects) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Answer("302 Found", "", "Location: http://127.0.0.1:1/\r\n");
  });
  EXPECT_EQ(ClientOf(server, {.token = kToken})->Send(Get("/"))->status, 302);
}

TEST(HttpClientTest, TellsOfServersThatAreNotThere) {
  std::string url;
  {
    RawServer gone(Echo);
    url = gone.url();
  }
  const auto client = HttpClient::Open({.base_url = url, .token = kToken});
  const auto answer = (*client)->Send(Get("/"));
  EXPECT_TRUE(absl::IsUnavailable(answer.status())) << answer.status();
  EXPECT_THAT(answer.status().message(), AllOf(HasSubstr("127.0.0.1"), Not(HasSubstr(kToken))));
}

TEST(HttpClientTest, TellsOfConnectionsThatAreLost) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  });
  EXPECT_TRUE(absl::IsUnavailable(ClientOf(server)->Send(Get("/")).status()));
}

TEST(HttpClientTest, GivesUpWhenTheTimeIsOver) {
  RawServer server([](RawPeer& peer) { peer.AwaitEnd(); });
  Request request = Get("/");
  request.timeout = absl::Milliseconds(50);
  const absl::Status status = ClientOf(server)->Send(request).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

TEST(HttpClientTest, GivesUpWhenTold) {
  std::stop_source stop;
  std::latch gone(1);
  RawServer server([&](RawPeer& peer) {
    peer.ReadRequest();
    stop.request_stop();
    if (peer.AwaitClose()) gone.count_down();
  });
  const auto client = ClientOf(server);
  EXPECT_TRUE(absl::IsCancelled(client->Send(Get("/"), stop.get_token()).status()));
  gone.wait();
}

TEST(HttpClientTest, BoundsAnswers) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (peer.Say("400\r\n" + std::string(1024, 'x') + "\r\n")) {
    }
  });
  Request request = Get("/");
  request.max_body_bytes = 100'000;
  EXPECT_TRUE(absl::IsResourceExhausted(ClientOf(server)->Send(request).status()));
}

TEST(HttpClientTest, BoundsHeaders) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Say("HTTP/1.1 200 OK\r\n");
    while (peer.Say("x: " + std::string(1000, 'x') + "\r\n")) {
    }
  });
  const absl::Status status = ClientOf(server)->Send(Get("/")).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

TEST(HttpClientTest, SurvivesWhatIsNoHttp) {
  RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Say("SSH-2.0-OpenSSH\r\n\x01\x02\r\n\r\n");
  });
  EXPECT_FALSE(ClientOf(server)->Send(Get("/")).ok());
}

TEST(HttpClientTest, KeepsTokensOffThePlainNetwork) {
  const auto plain = HttpClient::Open({.base_url = "http://lichess.example", .token = kToken});
  EXPECT_TRUE(absl::IsFailedPrecondition(plain.status()));
  EXPECT_THAT(plain.status().message(), Not(HasSubstr(kToken)));
  EXPECT_TRUE(HttpClient::Open({.base_url = "https://lichess.example", .token = kToken}).ok());
  EXPECT_TRUE(HttpClient::Open({.base_url = "http://lichess.example"}).ok());
  EXPECT_TRUE(HttpClient::Open({.base_url = "http://lichess.example", .token = kToken, .insecure = true}).ok());
  EXPECT_TRUE(HttpClient::Open({.base_url = "http://[::1]:8080", .token = kToken}).ok());
}

TEST(HttpClientTest, RefusesWhatIsNoBaseUrl) {
  for (const char* url : {"", "lichess.org", "ftp://lichess.org", "https://user:word@lichess.org", "https://a/?b",
                          "file:///etc/passwd", "https://a b"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(HttpClient::Open({.base_url = url}).status())) << url;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(HttpClient::Open({.base_url = "https://a", .token = "a b"}).status()));
}

TEST(HttpClientTest, WaitsAFullMinuteAfterA429) {
  std::atomic<int> asked = 0;
  RawServer server([&](RawPeer& peer) {
    while (!peer.ReadRequest().empty()) {
      const char* const after = asked == 1 ? "Retry-After: 7\r\n" : "";
      peer.Answer(asked++ < 2 ? "429 Too Many Requests" : "200 OK", "", after);
    }
  });
  FakeClock clock;
  const auto client = ClientOf(server, {.clock = &clock});
  EXPECT_EQ(client->Send(Get("/"))->status, 429);
  EXPECT_EQ(client->Send(Get("/"))->status, 429);
  EXPECT_TRUE(client->Send(Get("/")).ok());
  EXPECT_TRUE(client->Send(Get("/")).ok());
  EXPECT_THAT(clock.pauses(), ElementsAre(absl::Minutes(1), absl::Seconds(7)));
}

TEST(HttpClientTest, TriesAgainWhatMayPass) {
  std::atomic<int> asked = 0;
  RawServer server([&](RawPeer& peer) {
    if (asked++ == 0) return;  // no answer at all
    while (!peer.ReadRequest().empty()) {
      if (!peer.Answer(asked++ < 4 ? "503 Later" : "200 OK", "")) return;
    }
  });
  FakeClock clock;
  const auto client = ClientOf(server, {.clock = &clock});
  const RetryPolicy policy{.max_attempts = 9, .backoff = {.first = absl::Seconds(1), .jitter = 0}};
  const auto answer = client->SendPatiently(Get("/"), policy);
  EXPECT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(clock.pauses(), ElementsAre(absl::Seconds(1), absl::Seconds(2), absl::Seconds(4)));
}

TEST(HttpClientTest, LosesPatience) {
  std::atomic<int> asked = 0;
  RawServer server([&](RawPeer& peer) {
    while (!peer.ReadRequest().empty()) peer.Answer(asked++ < 3 ? "500 Oh" : "400 No", "");
  });
  FakeClock clock;
  const auto client = ClientOf(server, {.clock = &clock});
  EXPECT_TRUE(absl::IsUnavailable(client->SendPatiently(Get("/"), {.max_attempts = 3}).status()));
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(absl::IsInvalidArgument(client->SendPatiently(Get("/"), {.max_attempts = 3}).status()));
  EXPECT_EQ(asked, 4) << "what does not pass is not tried again";
}

TEST(HttpClientTest, HasOneRequestAtATimeIfAsked) {
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  RawServer server([&](RawPeer& peer) {
    while (!peer.ReadRequest().empty()) {
      most = std::max<int>(most, ++under_way);
      std::this_thread::yield();
      --under_way;
      peer.Answer("200 OK", "");
    }
  });
  const auto client = ClientOf(server, {.one_at_a_time = true});
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int j = 0; j < 20; ++j) EXPECT_TRUE(client->Send(Get("/")).ok());
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(most, 1);
}

std::ptrdiff_t CountEntries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

// All of them at once, each ended in another way; then what is open must be what was open before.
TEST(HttpClientTest, LeaksNeitherThreadsNorDescriptors) {
  const auto threads = CountEntries("/proc/self/task");
  const auto descriptors = CountEntries("/proc/self/fd");
  {
    RawServer server([](RawPeer& peer) {
      const std::string request = peer.ReadRequest();
      if (request.starts_with("GET /drop")) return;
      peer.Say("HTTP/1.1 200 OK\r\n\r\nline\n");
      if (request.starts_with("GET /end")) return;
      peer.AwaitClose();
    });
    const auto client = ClientOf(server);
    std::vector<std::thread> readers;
    for (int i = 0; i < 30; ++i) {
      readers.emplace_back([&, i] {
        std::stop_source stop;
        const char* const paths[] = {"/drop", "/end", "/stay"};
        auto stream = client->OpenLines(Get(paths[i % 3]), {}, stop.get_token());
        EXPECT_EQ(stream.ok(), i % 3 != 0);
        if (!stream.ok()) return;
        EXPECT_EQ(*(*stream)->Next(), "line");
        if (i % 3 == 1) EXPECT_TRUE(absl::IsOutOfRange((*stream)->Next().status()));
        if (i % 3 == 2) stop.request_stop();
        if (i % 3 == 2) EXPECT_TRUE(absl::IsCancelled((*stream)->Next().status()));
      });
    }
    for (std::thread& reader : readers) reader.join();
  }
  EXPECT_EQ(CountEntries("/proc/self/task"), threads);
  EXPECT_EQ(CountEntries("/proc/self/fd"), descriptors);
}

}  // namespace
}  // namespace kibitz::client::http
