#include "server/analysis/update_pacer.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

constexpr Move kOne = Move(Square::kE2, Square::kE4);
constexpr Move kOther = Move(Square::kD2, Square::kD4);
constexpr UpdatePacer::Time kStart = UpdatePacer::Time() + std::chrono::hours(1);

TEST(UpdatePacerTest, TheFirstUpdateGoesAtOnce) {
  UpdatePacer pacer(milliseconds(100));
  pacer.Offer(kOne, kStart);
  EXPECT_EQ(pacer.due(), kStart);
}

TEST(UpdatePacerTest, TheNextWaitsForTheInterval) {
  UpdatePacer pacer(milliseconds(100));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOne, kStart + milliseconds(10));
  EXPECT_EQ(pacer.due(), kStart + milliseconds(100));
}

TEST(UpdatePacerTest, AfterALongPauseAnUpdateIsDueAlready) {
  UpdatePacer pacer(milliseconds(100));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOne, kStart + milliseconds(500));
  EXPECT_LE(pacer.due(), kStart + milliseconds(500));
}

TEST(UpdatePacerTest, ANewBestMoveWaitsFiftyMillisecondsAtMost) {
  UpdatePacer pacer(std::chrono::hours(1));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOther, kStart + milliseconds(10));
  EXPECT_EQ(pacer.due(), kStart + milliseconds(60));
}

TEST(UpdatePacerTest, ANewBestMoveDoesNotWaitLongerThanTheInterval) {
  UpdatePacer pacer(milliseconds(20));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOther, kStart + milliseconds(1));
  EXPECT_EQ(pacer.due(), kStart + milliseconds(20));
}

TEST(UpdatePacerTest, LaterUpdatesDoNotPutOffANewBestMove) {
  UpdatePacer pacer(std::chrono::hours(1));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOther, kStart + milliseconds(10));
  pacer.Offer(kOther, kStart + milliseconds(40));
  EXPECT_EQ(pacer.due(), kStart + milliseconds(60));
  // Even when the old move is best again, the client hears of it in time.
  pacer.Offer(kOne, kStart + milliseconds(50));
  EXPECT_EQ(pacer.due(), kStart + milliseconds(60));
}

TEST(UpdatePacerTest, WithoutAnIntervalEveryUpdateGoesAtOnce) {
  UpdatePacer pacer(milliseconds(0));
  pacer.Offer(kOne, kStart);
  pacer.Sent(kOne, kStart);
  pacer.Offer(kOne, kStart);
  EXPECT_EQ(pacer.due(), kStart);
}

}  // namespace
}  // namespace kibitz::server
