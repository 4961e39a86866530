#include "server/rpc/completion_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "grpcpp/alarm.h"
#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/grpcpp.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{30};

// Waits for its time on a queue, and is then done.
class AlarmEvent : public QueueEvent {
 public:
  void Set(CompletionQueue& queue, milliseconds delay) {
    alarm_.Set(queue.get(), std::chrono::system_clock::now() + delay, queue.Begin(*this));
  }
  void Done(bool /*ok*/) override { done = true; }

  std::atomic<bool> done = false;

 private:
  grpc::Alarm alarm_;
};

// Is at work until another is done.
class BusyEvent final : public AlarmEvent {
 public:
  explicit BusyEvent(const AlarmEvent& other) : other_(other) {}
  void Done(bool ok) override {
    begun = true;
    const steady_clock::time_point end = steady_clock::now() + kPatience;
    while (!other_.done && steady_clock::now() < end) {
    }
    AlarmEvent::Done(ok);
  }

  std::atomic<bool> begun = false;

 private:
  const AlarmEvent& other_;
};

class CompletionQueueTest : public ::testing::Test {
 protected:
  CompletionQueueTest() {
    grpc::ServerBuilder builder;
    builder.RegisterAsyncGenericService(&service_);
    queue_ = std::make_unique<CompletionQueue>(builder.AddCompletionQueue());
    server_ = builder.BuildAndStart();
    queue_->Serve();
  }
  ~CompletionQueueTest() override {
    server_->Shutdown();
    queue_->Shutdown();
  }

  // Whether it happens before long, while the queue is looked after.
  template <typename Condition>
  bool Await(Condition condition) {
    const steady_clock::time_point end = steady_clock::now() + kPatience;
    while (!condition() && steady_clock::now() < end) {
      queue_->Relieve();
      std::this_thread::sleep_for(milliseconds(1));
    }
    return condition();
  }

  grpc::AsyncGenericService service_;
  std::unique_ptr<CompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(CompletionQueueTest, RunsWhatIsDone) {
  AlarmEvent event;
  event.Set(*queue_, milliseconds(0));
  EXPECT_TRUE(Await([&] { return event.done.load(); }));
}

TEST_F(CompletionQueueTest, GoesOnBesideAnEventThatTakesLong) {
  AlarmEvent other;
  BusyEvent busy(other);
  busy.Set(*queue_, milliseconds(0));
  ASSERT_TRUE(Await([&] { return busy.begun.load(); }));
  other.Set(*queue_, milliseconds(0));
  EXPECT_TRUE(Await([&] { return other.done.load(); }));
  EXPECT_TRUE(Await([&] { return busy.done.load(); }));
}

TEST_F(CompletionQueueTest, GoesOnAgainAndAgain) {
  for (int i = 0; i < 3; ++i) {
    AlarmEvent other;
    BusyEvent busy(other);
    busy.Set(*queue_, milliseconds(0));
    ASSERT_TRUE(Await([&] { return busy.begun.load(); }));
    other.Set(*queue_, milliseconds(0));
    ASSERT_TRUE(Await([&] { return busy.done.load(); }));
  }
}

}  // namespace
}  // namespace kibitz::server
