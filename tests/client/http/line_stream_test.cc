#include "client/http/line_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/http/http_client.h"
#include "tests/client/http/raw_server.h"

namespace kibitz::client::http {
namespace {

using testing::ElementsAre;

constexpr char kHead[] = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n";

TEST(LineSplitterTest, CutsHoweverTheBytesCome) {
  const std::string text = "one\n\ntwo\r\n{\"three\":3}\nrest";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LineSplitter splitter(11);
    std::deque<std::string> lines;
    EXPECT_TRUE(splitter.Add(text.substr(0, cut), lines));
    EXPECT_TRUE(splitter.Add(text.substr(cut), lines));
    EXPECT_THAT(lines, ElementsAre("one", "", "two", "{\"three\":3}"));
    EXPECT_EQ(splitter.rest(), "rest");
  }
}

TEST(LineSplitterTest, RefusesLongLines) {
  std::deque<std::string> lines;
  LineSplitter splitter(5);
  EXPECT_TRUE(splitter.Add("12345\n123", lines));
  EXPECT_FALSE(splitter.Add("456", lines));
}

class LineStreamTest : public testing::Test {
 protected:
  // A stream from a server that does this once it has read the request.
  absl::StatusOr<std::unique_ptr<LineStream>> Open(std::function<void(RawPeer&)> serve,
                                                   const LineStreamOptions& options = {}) {
    server_ = std::make_unique<RawServer>([serve = std::move(serve)](RawPeer& peer) {
      peer.ReadRequest();
      serve(peer);
    });
    client_ = *HttpClient::Open({.base_url = server_->url()});
    return client_->OpenLines(Get("/stream"), options, stop_.get_token());
  }

  std::stop_source stop_;
  std::unique_ptr<RawServer> server_;
  std::unique_ptr<HttpClient> client_;
};

TEST_F(LineStreamTest, ReadsLinesAndSkipsKeepAlives) {
  const auto stream = Open([](RawPeer& peer) {
    peer.Say(absl::StrCat(kHead, "\n{\"a\""));
    peer.Say(":1}\n\n\n{\"b\":2}\r\n\n");
  });
  ASSERT_TRUE(stream.ok()) << stream.status();
  EXPECT_EQ(*(*stream)->Next(), "{\"a\":1}");
  EXPECT_EQ(*(*stream)->Next(), "{\"b\":2}");
  EXPECT_TRUE(absl::IsOutOfRange((*stream)->Next().status()));
  EXPECT_TRUE(absl::IsOutOfRange((*stream)->Next().status()));
}

TEST_F(LineStreamTest, TellsAnEndWithinALine) {
  const auto stream = Open([](RawPeer& peer) { peer.Say(absl::StrCat(kHead, "one\n{\"ha")); });
  EXPECT_EQ(*(*stream)->Next(), "one");
  EXPECT_TRUE(absl::IsUnavailable((*stream)->Next().status()));
}

TEST_F(LineStreamTest, TellsALostConnection) {
  const auto stream = Open([](RawPeer& peer) {
    peer.Say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n");
    peer.ReadUntil("never");
  });
  EXPECT_EQ(*(*stream)->Next(), "one");
  server_.reset();
  const absl::Status status = (*stream)->Next().status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST_F(LineStreamTest, TellsAServerThatHasGoneSilent) {
  const auto stream = Open(
      [](RawPeer& peer) {
        peer.Say(absl::StrCat(kHead, "one\n"));
        peer.AwaitEnd();
      },
      {.stall_timeout = absl::Milliseconds(100)});
  EXPECT_EQ(*(*stream)->Next(), "one");
  const absl::Status status = (*stream)->Next().status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST_F(LineStreamTest, TellsALineThatIsTooLong) {
  const auto stream = Open(
      [](RawPeer& peer) {
        peer.Say(absl::StrCat(kHead, "one\n"));
        while (peer.Say(std::string(10'000, 'x'))) {
        }
      },
      {.max_line_bytes = 100'000});
  EXPECT_EQ(*(*stream)->Next(), "one");
  EXPECT_TRUE(absl::IsResourceExhausted((*stream)->Next().status()));
}

TEST_F(LineStreamTest, AnAnswerThatIsNoSuccessIsAnError) {
  const auto stream = Open([](RawPeer& peer) { peer.Answer("401 Unauthorized", R"({"error":"No such token"})"); });
  EXPECT_EQ(stream.status(), absl::UnauthenticatedError("HTTP status 401: No such token"));
}

TEST_F(LineStreamTest, WaitsNoLongerThanAsked) {
  const auto stream = Open([](RawPeer& peer) {
    peer.Say(absl::StrCat(kHead, "\n"));
    peer.AwaitEnd();
  });
  EXPECT_TRUE(absl::IsDeadlineExceeded((*stream)->Next(absl::Now() + absl::Milliseconds(10)).status()));
  EXPECT_TRUE(absl::IsDeadlineExceeded((*stream)->Next(absl::Now()).status()));
}

TEST_F(LineStreamTest, EndsWhenTold) {
  const auto stream = Open([this](RawPeer& peer) {
    peer.Say(absl::StrCat(kHead, "\n"));
    stop_.request_stop();
    peer.AwaitEnd();
  });
  // The stop may come before the head.
  EXPECT_TRUE(absl::IsCancelled(stream.ok() ? (*stream)->Next().status() : stream.status()));
}

// A server that sends more than anybody reads waits with it; nothing is lost.
TEST_F(LineStreamTest, HoldsUpServersThatAreTooFast) {
  std::atomic<int> sent = 0;
  constexpr int kLines = 20'000;
  const std::string padding(1000, 'x');
  const auto stream = Open(
      [&](RawPeer& peer) {
        peer.Say(kHead);
        while (sent < kLines && peer.Say(absl::StrCat(sent.load(), " ", padding, "\n"))) ++sent;
      },
      {.max_unread_bytes = 100'000});
  ASSERT_TRUE(stream.ok());
  for (int i = 0; i < kLines; ++i) {
    const auto line = (*stream)->Next();
    ASSERT_TRUE(line.ok()) << line.status();
    ASSERT_EQ(*line, absl::StrCat(i, " ", padding));
    if (i == 0) absl::SleepFor(absl::Milliseconds(300));  // gives a client that hoards the time to do so
    if (i == 0) EXPECT_LT(sent, kLines);
  }
  EXPECT_TRUE(absl::IsOutOfRange((*stream)->Next().status()));
}

}  // namespace
}  // namespace kibitz::client::http
