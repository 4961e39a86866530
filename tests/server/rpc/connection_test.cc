#include "server/rpc/connection.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

class ConnectionTest : public ::testing::Test {
 protected:
  // Whether it may go on, after so many more bytes and this time.
  bool Receive(std::int64_t bytes, milliseconds time = milliseconds(100)) {
    received_ += bytes;
    now_ += time;
    return connection_.Check(received_, now_);
  }

  Connection connection_{96 << 10};

 private:
  std::int64_t received_ = 0;
  Connection::Clock::time_point now_ = Connection::Clock::now();
};

TEST_F(ConnectionTest, MessagesAreNoJunk) {
  for (int i = 0; i < 1000; ++i) {
    connection_.Account(1 << 20);
    ASSERT_TRUE(Receive(1 << 20));
  }
}

TEST_F(ConnectionTest, AFewBytesBesideAreForgivenForever) {
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(Receive(Connection::kForgivenBytesPerSecond / 10));
}

TEST_F(ConnectionTest, AFloodOfFramesThatAreNoMessagesIsNot) {
  int ticks = 0;
  while (ticks < 1000 && Receive(10 << 20)) ++ticks;
  EXPECT_LE(ticks, 1);
}

TEST_F(ConnectionTest, NeitherIsASlowerOneInTheLongRun) {
  int ticks = 0;
  while (ticks < 1000 && Receive(10 << 10)) ++ticks;  // 100 kB a second
  EXPECT_LT(ticks, 300);
}

TEST_F(ConnectionTest, MessagesInBetweenDoNotHideTheFlood) {
  int ticks = 0;
  while (ticks < 1000) {
    connection_.Account(1000);
    if (!Receive(1 << 20)) break;
    ++ticks;
  }
  EXPECT_LT(ticks, 20);
}

TEST(ConnectionOfLargeRequestsTest, EachOpenCallMayHaveSentHalfOfOne) {
  constexpr std::int64_t kMessageBytes = 64 << 20;
  Connection connection(kMessageBytes);
  const Connection::Clock::time_point now = Connection::Clock::now();
  connection.Open();
  EXPECT_TRUE(connection.Check(kMessageBytes, now));
  for (int i = 1; i < 100; ++i) connection.Open();
  EXPECT_TRUE(connection.Check(Connection::kHalfRequests * kMessageBytes, now));
  EXPECT_FALSE(connection.Check((Connection::kHalfRequests + 1) * kMessageBytes, now));
}

TEST(ConnectionOfLargeRequestsTest, WithoutACallThereIsNothingToSend) {
  Connection connection(64 << 20);
  EXPECT_FALSE(connection.Check(2 * Connection::kMaxJunkBytes, Connection::Clock::now()));
}

TEST_F(ConnectionTest, RequestsThatAreRefusedHalfwayAreNoJunk) {
  for (int i = 0; i < 1000; ++i) {
    connection_.Open();
    ASSERT_TRUE(Receive(1 << 20));
    connection_.Close();
    connection_.AccountHalfRequest();
  }
}

TEST_F(ConnectionTest, CancelsByTheHundredAreNormalByTheThousandTheyAreNot) {
  for (int i = 0; i < 1000; ++i) {
    for (int cancel = 0; cancel < 50; ++cancel) connection_.CountCancel();
    ASSERT_TRUE(Receive(0));
  }
  int ticks = 0;
  while (ticks < 1000) {
    for (int cancel = 0; cancel < 3000; ++cancel) connection_.CountCancel();
    if (!Receive(0)) break;
    ++ticks;
  }
  EXPECT_LT(ticks, 10);
}

}  // namespace
}  // namespace kibitz::server
