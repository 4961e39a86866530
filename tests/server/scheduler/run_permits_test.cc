#include "server/scheduler/run_permits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kPatience{30};

RunPermit::Time Never() { return RunPermit::Time::max(); }

void AwaitTrue(const std::function<bool()>& condition) {
  const auto end = RunPermits::Clock::now() + kPatience;
  while (!condition() && RunPermits::Clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(condition());
}

// A thread that goes from checkpoint to checkpoint until it is told to end.
class Runner {
 public:
  explicit Runner(RunPermits& permits, RunPermits::Share& share, Priority priority = Priority::kInteractive,
                  RunPermit::Due due = Never)
      : permit_(permits, share, priority), thread_([this, due] {
          permit_.Acquire();
          began_ = true;
          while (!end_) {
            permit_.Checkpoint(due);
            ++checkpoints_;
            const auto now = RunPermits::Clock::now();
            // What it has at a stretch is its own time; a gap is others'.
            if (now - last_ < milliseconds(1)) used_ += std::chrono::nanoseconds(now - last_).count();
            last_ = now;
          }
          ended_ = true;
        }) {}
  ~Runner() {
    end_ = true;
    permit_.Exempt();
    thread_.join();
  }

  void End() { end_ = true; }
  RunPermit& permit() { return permit_; }
  bool began() const { return began_; }
  bool ended() const { return ended_; }
  std::int64_t checkpoints() const { return checkpoints_; }
  std::int64_t used() const { return used_; }

 private:
  std::atomic<bool> end_ = false;
  std::atomic<bool> began_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<std::int64_t> checkpoints_ = 0;
  std::atomic<std::int64_t> used_ = 0;
  RunPermits::Time last_;
  RunPermit permit_;
  std::thread thread_;
};

TEST(RunPermitsTest, TheOnlyOneRunsOn) {
  RunPermits permits(1);
  RunPermits::Share share;
  Runner runner(permits, share);
  AwaitTrue([&] { return runner.checkpoints() > 1'000'000; });
}

TEST(RunPermitsTest, APermitIsHeldByOneAtATime) {
  RunPermits permits(1);
  RunPermits::Share share;
  std::atomic<int> running = 0;
  std::atomic<int> max_running = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      RunPermit permit(permits, share, Priority::kInteractive);
      permit.Acquire();
      for (int n = 0; n < 2000; ++n) {
        max_running = std::max<int>(max_running, ++running);
        --running;
        permit.Checkpoint(Never);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(max_running, 1);
}

TEST(RunPermitsTest, LongRunnersShareFairly) {
  RunPermits permits(1);
  RunPermits::Share share;
  std::vector<std::unique_ptr<Runner>> runners;
  for (int i = 0; i < 5; ++i) runners.push_back(std::make_unique<Runner>(permits, share));
  const auto min_used = [&] {
    return (*std::min_element(runners.begin(), runners.end(),
                              [](const auto& a, const auto& b) { return a->used() < b->used(); }))
        ->used();
  };
  AwaitTrue([&] { return min_used() > 200'000'000; });
  double sum = 0;
  double squares = 0;
  for (const auto& runner : runners) {
    sum += static_cast<double>(runner->used());
    squares += static_cast<double>(runner->used()) * static_cast<double>(runner->used());
  }
  // Jain's index: 1 when all are equal, 0.2 when one of five has it all.
  EXPECT_GT(sum * sum / (5 * squares), 0.8);
}

TEST(RunPermitsTest, ANewcomerNeedNotWaitForALongSlice) {
  RunPermits permits(1);
  RunPermits::Share share;
  Runner old(permits, share);
  AwaitTrue([&] { return old.used() > 100'000'000; });
  for (int i = 0; i < 20; ++i) {
    Runner newcomer(permits, share);
    AwaitTrue([&] { return newcomer.began(); });
  }
}

TEST(RunPermitsTest, BatchWorkComesAfterInteractiveWorkButDoesNotStarve) {
  RunPermits permits(1);
  RunPermits::Share share;
  Runner batch(permits, share, Priority::kBatch);
  Runner first(permits, share);
  Runner second(permits, share);
  AwaitTrue([&] { return first.used() > 400'000'000 && second.used() > 400'000'000; });
  EXPECT_LT(batch.used(), first.used() / 2);
  EXPECT_LT(batch.used(), second.used() / 2);
  const std::int64_t before = batch.used();
  AwaitTrue([&] { return batch.used() > before; });
}

// One tenant has many workers, the other as few as suffice to use what is its own.
TEST(RunPermitsTest, TenantsShareByWeightHoweverManyWorkersTheyHave) {
  RunPermits permits(1);
  RunPermits::Share many;
  RunPermits::Share few;
  permits.SetWeight(few, 3);
  std::vector<std::unique_ptr<Runner>> flood;
  for (int i = 0; i < 30; ++i) flood.push_back(std::make_unique<Runner>(permits, many));
  AwaitTrue([&] { return std::all_of(flood.begin(), flood.end(), [](const auto& each) { return each->began(); }); });
  const auto flood_used = [&] {
    return std::accumulate(flood.begin(), flood.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& each) { return sum + each->used(); });
  };
  Runner one(permits, few);
  const std::int64_t before = flood_used();
  AwaitTrue([&] { return one.used() > 900'000'000; });
  const auto ratio = static_cast<double>(one.used()) / static_cast<double>(flood_used() - before);
  // It comes to 3, give or take a tenth, on an idle machine; without weights it would be 1, without shares 0.03.
  EXPECT_GT(ratio, 3 * 0.5);
  EXPECT_LT(ratio, 3 * 3);
}

TEST(RunPermitsTest, ANewcomerNeedNotWaitForTheSliceOfAnotherTenant) {
  RunPermits permits(1);
  RunPermits::Share share;
  RunPermits::Share other;
  std::vector<std::unique_ptr<Runner>> flood;
  for (int i = 0; i < 20; ++i) flood.push_back(std::make_unique<Runner>(permits, share));
  AwaitTrue([&] { return flood.front()->used() > 30'000'000; });
  for (int i = 0; i < 20; ++i) {
    Runner newcomer(permits, other);
    AwaitTrue([&] { return newcomer.began(); });
  }
}

TEST(RunPermitsTest, AnExemptOneDoesNotWait) {
  RunPermits permits(1);
  RunPermits::Share share;
  RunPermit holder(permits, share, Priority::kInteractive);
  holder.Acquire();
  Runner waiting(permits, share);
  waiting.End();
  waiting.permit().Exempt();
  AwaitTrue([&] { return waiting.ended(); });
}

TEST(RunPermitsTest, AnExemptOneGivesItsPermitToOthers) {
  RunPermits permits(1);
  RunPermits::Share share;
  RunPermit holder(permits, share, Priority::kInteractive);
  holder.Acquire();
  Runner waiting(permits, share);
  holder.Exempt();
  AwaitTrue([&] { return waiting.checkpoints() > 1000; });
  holder.Checkpoint(Never);
}

// What ends at a given time must not wait for a permit beyond it.
TEST(RunPermitsTest, GoesOnWithoutAPermitWhenItsTimeIsUp) {
  RunPermits permits(1);
  RunPermits::Share share;
  std::atomic<RunPermit::Time> due = RunPermit::Time::max();
  Runner runner(permits, share, Priority::kInteractive, [&] { return due.load(); });
  AwaitTrue([&] { return runner.began(); });
  RunPermit holder(permits, share, Priority::kInteractive);
  holder.Acquire();
  // It waits now, and the holder does not come to a checkpoint.
  const std::int64_t before = runner.checkpoints();
  due = RunPermits::Clock::now();
  runner.permit().Recheck();
  AwaitTrue([&] { return runner.checkpoints() > before + 1; });
}

TEST(RunPermitsTest, ManyComeAndGo) {
  RunPermits permits(2);
  RunPermits::Share share;
  std::vector<std::thread> threads;
  std::atomic<int> done = 0;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 200; ++n) {
        RunPermit permit(permits, share, (i + n) % 3 == 0 ? Priority::kBatch : Priority::kInteractive);
        std::thread other;
        if (n % 16 == 0) other = std::thread([&] { permit.Exempt(); });
        permit.Acquire();
        for (int k = 0; k < 20; ++k) permit.Checkpoint([] { return RunPermits::Clock::now() + milliseconds(1); });
        if (other.joinable()) other.join();
      }
      ++done;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 16);
}

}  // namespace
}  // namespace kibitz::server
