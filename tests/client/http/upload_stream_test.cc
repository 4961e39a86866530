#include "client/http/upload_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "client/http/http_client.h"
#include "tests/client/http/raw_server.h"

namespace kibitz::client::http {
namespace {

using testing::HasSubstr;
using Written = UploadStream::Written;

class UploadStreamTest : public testing::Test {
 protected:
  std::unique_ptr<UploadStream> Open(std::function<void(RawPeer&)> serve, UploadStreamOptions options = {}) {
    server_ = std::make_unique<RawServer>(std::move(serve));
    client_ = *HttpClient::Open({.base_url = server_->url()});
    options.on_closed = [this] { closed_.count_down(); };
    return *client_->OpenUpload(Post("/work"), std::move(options), stop_.get_token());
  }

  std::stop_source stop_;
  std::latch closed_{1};
  std::unique_ptr<RawServer> server_;
  std::unique_ptr<HttpClient> client_;
};

TEST_F(UploadStreamTest, SendsWhatIsWrittenAtOnce) {
  std::latch first(1);
  std::latch second(1);
  const auto upload = Open([&](RawPeer& peer) {
    EXPECT_THAT(peer.ReadUntil("\r\n\r\n"), HasSubstr("Transfer-Encoding: chunked"));
    EXPECT_NE(peer.ReadUntil("info depth 1\n"), "");
    first.count_down();
    EXPECT_NE(peer.ReadUntil("info depth 2\n"), "");
    second.count_down();
    EXPECT_NE(peer.ReadUntil("\r\n0\r\n\r\n"), "");
    peer.Answer("200 OK", "done");
  });
  EXPECT_EQ(upload->Write("info depth 1\n"), Written::kYes);
  first.wait();
  EXPECT_EQ(upload->Write("info depth 2\n"), Written::kYes);
  second.wait();
  const auto answer = upload->Finish();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->body, "done");
}

TEST_F(UploadStreamTest, EndsWhenTheServerAnswersEarly) {
  const auto upload = Open([](RawPeer& peer) {
    peer.ReadUntil("info\n");
    peer.Answer("200 OK", "enough");
    peer.AwaitClose();
  });
  EXPECT_EQ(upload->Write("info\n"), Written::kYes);
  closed_.wait();
  EXPECT_EQ(upload->Write("info\n"), Written::kClosed);
  const auto answer = upload->Finish();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 200);
}

TEST_F(UploadStreamTest, EndsWhenTheServerRefuses) {
  const auto upload = Open([](RawPeer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Answer("404 Not Found", "no such work");
    peer.AwaitClose();
  });
  closed_.wait();
  EXPECT_EQ(upload->Finish()->status, 404);
}

TEST_F(UploadStreamTest, EndsWhenTheServerCloses) {
  const auto upload = Open([](RawPeer& peer) { peer.ReadUntil("info\n"); });
  EXPECT_EQ(upload->Write("info\n"), Written::kYes);
  closed_.wait();
  EXPECT_EQ(upload->Write("info\n"), Written::kClosed);
  EXPECT_TRUE(absl::IsUnavailable(upload->Finish().status()));
}

TEST_F(UploadStreamTest, EndsWhenTheConnectionIsReset) {
  const auto upload = Open([](RawPeer& peer) {
    peer.ReadUntil("info\n");
    peer.Reset();
  });
  EXPECT_EQ(upload->Write("info\n"), Written::kYes);
  closed_.wait();
  EXPECT_TRUE(absl::IsUnavailable(upload->Finish().status()));
}

TEST_F(UploadStreamTest, EndsWhenNobodyTakesIt) {
  const auto upload = Open([](RawPeer& peer) { peer.AwaitEnd(); }, {.stall_timeout = absl::Milliseconds(100)});
  const std::string much(1 << 20, 'x');
  while (upload->Write(much) != Written::kClosed) {
  }
  closed_.wait();
  const absl::Status status = upload->Finish().status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST_F(UploadStreamTest, TakesNoMoreThanItMay) {
  const auto upload = Open([](RawPeer& peer) { peer.AwaitEnd(); }, {.max_unsent_bytes = 10});
  EXPECT_EQ(upload->Write("12345678901"), Written::kNoRoom);
}

TEST_F(UploadStreamTest, MayBeSilentForLong) {
  const auto upload = Open(
      [](RawPeer& peer) {
        peer.ReadUntil("info\n");
        peer.Answer("200 OK", "");
      },
      {.stall_timeout = absl::Milliseconds(50)});
  EXPECT_EQ(closed_.try_wait(), false);
  absl::SleepFor(absl::Milliseconds(150));
  EXPECT_EQ(upload->Write("info\n"), Written::kYes);
  EXPECT_TRUE(upload->Finish().ok());
}

TEST_F(UploadStreamTest, IsGivenUpWhenTold) {
  const auto upload = Open([](RawPeer& peer) { peer.AwaitEnd(); });
  stop_.request_stop();
  EXPECT_TRUE(absl::IsCancelled(upload->Finish().status()));
}

}  // namespace
}  // namespace kibitz::client::http
