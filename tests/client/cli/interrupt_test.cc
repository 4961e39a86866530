#include "client/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <future>
#include <stop_token>

namespace kibitz::client {
namespace {

constexpr auto kPatience = std::chrono::seconds(30);

TEST(InterruptTest, TurnsTheSignalIntoAStopRequest) {
  const Interrupt interrupt;
  std::promise<void> stopped;
  const std::stop_callback on_stop(interrupt.token(), [&] { stopped.set_value(); });
  EXPECT_FALSE(interrupt.token().stop_requested());
  kill(getpid(), SIGINT);
  EXPECT_EQ(stopped.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(InterruptTest, LeavesWithoutAStopRequestWhenNobodyInterrupts) {
  std::stop_token token;
  {
    const Interrupt interrupt;
    token = interrupt.token();
  }
  EXPECT_FALSE(token.stop_requested());
}

TEST(InterruptTest, EndsTheProgramAtTheSecondSignal) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        std::promise<void> stopped;
        const std::stop_callback on_stop(interrupt.token(), [&] { stopped.set_value(); });
        kill(getpid(), SIGINT);
        stopped.get_future().wait_for(kPatience);
        kill(getpid(), SIGINT);
        std::promise<void>().get_future().wait_for(kPatience);
      },
      testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace kibitz::client
