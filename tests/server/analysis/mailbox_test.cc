#include "server/analysis/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

TEST(MailboxTest, HandlesWhatIsPostedWhileItHandles) {
  std::vector<int> handled;
  Mailbox<int>* self = nullptr;
  Mailbox<int> mailbox([&](int event) {
    if (event == 1) {
      self->Post(2);
      EXPECT_TRUE(handled.empty());  // not in between
    }
    handled.push_back(event);
  });
  self = &mailbox;
  mailbox.Post(1);
  EXPECT_EQ(handled, (std::vector<int>{1, 2}));
}

TEST(MailboxTest, HandlesOneAtATimeAndLosesNone) {
  constexpr int kThreads = 4;
  constexpr int kEvents = 5000;
  int handled = 0;  // without a lock: the mailbox is one
  std::atomic<int> at_work{0};
  Mailbox<int> mailbox([&](int) {
    EXPECT_EQ(++at_work, 1);
    ++handled;
    --at_work;
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int event = 0; event < kEvents; ++event) mailbox.Post(event);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(handled, kThreads * kEvents);
}

}  // namespace
}  // namespace kibitz::server
