#include "server/jobs/nats/nats_job_queue.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "server/errors/errors.h"
#include "tests/server/jobs/job_queue_contract.h"
#include "tests/support/nats_server.h"

namespace kibitz::server {
namespace {

constexpr seconds kPatience{30};
constexpr milliseconds kShortWait{600};

JobTime Now() { return std::chrono::system_clock::now(); }

bool Await(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(20));
  }
  return true;
}

JobSpec MakeSpec(const std::string& id, int parts, const std::string& tenant = "site") {
  return {.id = id,
          .tenant = tenant,
          .client_id = {},
          .format = 1,
          .request = "the request of " + id,
          .fingerprint = "fingerprint",
          .priority = JobPriority::kNormal,
          .generation = {},
          .positions = parts * 2,
          .parts = parts,
          .part_size = 2,
          .submitted = Now(),
          .deadline = Now() + std::chrono::hours(1),
          .keep = std::chrono::hours(1),
          .webhook = {}};
}

PartResult ResultOf(const TakenPart& part) {
  PartResult result;
  result.part = part.part;
  result.attempt = part.attempt;
  result.positions = 2;
  result.results = "result " + std::to_string(part.part);
  result.nodes = 100;
  return result;
}

std::string NewFolder() {
  static int count = 0;
  const std::string folder = testing::TempDir() + "/nats" + std::to_string(getpid()) + "_" + std::to_string(++count);
  std::filesystem::create_directories(folder);
  return folder;
}

// One server for all cases; each has names of its own.
class Nats final : public testing::Environment {
 public:
  void SetUp() override { servers_ = std::make_unique<NatsServers>(NewFolder(), 1); }
  void TearDown() override { servers_.reset(); }
  std::string url() const { return servers_->url(); }

 private:
  std::unique_ptr<NatsServers> servers_;
};
Nats* const nats = static_cast<Nats*>(testing::AddGlobalTestEnvironment(new Nats));

std::unique_ptr<NatsJobQueue> OpenQueue(const NatsJobQueue::Options& options) {
  auto queue = NatsJobQueue::Open(options);
  EXPECT_TRUE(queue.ok()) << queue.status();
  EXPECT_TRUE(Await([&] { return (*queue)->counts().working; }));
  return *std::move(queue);
}

class NatsBench final : public JobQueueBench {
 public:
  explicit NatsBench(const Bounds& bounds) {
    static int count = 0;
    options_.nats.url = nats->url();
    options_.nats.prefix = "contract" + std::to_string(++count);
    options_.max_jobs = bounds.max_jobs;
    options_.terms_of = bounds.terms_of;
    options_.ack_wait = kShortWait;
    queue_ = OpenQueue(options_);
  }
  JobQueue& queue() override { return *queue_; }
  void Restart() override {
    queue_.reset();
    queue_ = OpenQueue(options_);
  }

 private:
  NatsJobQueue::Options options_;
  std::unique_ptr<NatsJobQueue> queue_;
};

std::unique_ptr<JobQueueBench> MakeNatsBench(const JobQueueBench::Bounds& bounds) {
  return std::make_unique<NatsBench>(bounds);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Nats, JobQueueContract, testing::Values(JobQueueMaker(MakeNatsBench)));

namespace {

class NatsJobQueueTest : public testing::Test {
 protected:
  NatsJobQueue::Options Options() const {
    NatsJobQueue::Options options;
    options.nats.url = nats->url();
    options.nats.prefix = prefix_;
    options.ack_wait = kShortWait;
    return options;
  }

  static std::unique_ptr<NatsJobQueue> Open(const NatsJobQueue::Options& options) { return OpenQueue(options); }
  std::unique_ptr<NatsJobQueue> Open() const { return Open(Options()); }

  // A part, sooner or later.
  static std::optional<TakenPart> Take(NatsJobQueue& queue, const std::string& node = "one") {
    std::optional<TakenPart> part;
    Await([&] {
      const auto taken = queue.Take({.max_format = 1, .generation = {}, .node = node});
      if (taken.ok()) part = *taken;
      return part.has_value();
    });
    return part;
  }

  static Job MustFind(NatsJobQueue& queue, const std::string& id, const std::string& tenant = "site") {
    const auto job = queue.Find(tenant, id);
    EXPECT_TRUE(job.ok()) << job.status();
    return job.ok() ? *job : Job{};
  }

  static void DoAll(NatsJobQueue& queue, int parts) {
    for (int done = 0; done < parts; ++done) {
      const auto part = Take(queue);
      ASSERT_TRUE(part.has_value());
      const absl::Status status = queue.Complete(*part, ResultOf(*part));
      ASSERT_TRUE(status.ok()) << status;
    }
  }

  const std::string prefix_ = testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(NatsJobQueueTest, DoesAJobPartByPart) {
  const auto front = Open();
  const auto worker = Open();
  std::atomic<int> changes = 0;
  const auto watch = front->WatchJob("a1", [&] { ++changes; });
  const auto accepted = front->Submit(MakeSpec("a1", 5));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  EXPECT_EQ(accepted->job.status.state, JobState::kQueued);
  ASSERT_TRUE(Await([&] { return worker->counts().waiting_parts == 5; }));

  const auto first = Take(*worker);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->attempt, 1);
  EXPECT_FALSE(first->alone);
  EXPECT_EQ(worker->FindForWork("a1")->spec.request, "the request of a1");
  EXPECT_EQ(MustFind(*front, "a1").status.state, JobState::kRunning);
  ASSERT_TRUE(worker->Complete(*first, ResultOf(*first)).ok());
  EXPECT_TRUE(worker->Complete(*first, ResultOf(*first)).ok()) << "twice is harmless";
  DoAll(*worker, 4);

  const Job job = MustFind(*front, "a1");
  EXPECT_EQ(job.status.state, JobState::kDone);
  EXPECT_EQ(job.status.parts_done, 5);
  EXPECT_EQ(job.status.positions_done, 10);
  EXPECT_EQ(job.status.nodes, 500);
  const auto results = front->Results("a1", 0, 1 << 20);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 5);
  for (int part = 0; part < 5; ++part) EXPECT_EQ((*results)[part].results, "result " + std::to_string(part));
  EXPECT_EQ(front->Results("a1", 3, 1)->size(), 1);
  EXPECT_TRUE(Await([&] { return changes >= 6; })) << changes;
}

TEST_F(NatsJobQueueTest, TakesTheSameNameOnceHoweverManyAskAtOnce) {
  const auto one = Open();
  const auto other = Open();
  JobSpec first = MakeSpec("a1", 1);
  first.client_id = "mine:1.x";
  JobSpec second = first;
  second.id = "a2";
  absl::StatusOr<JobQueue::Accepted> from_one = absl::UnknownError("");
  std::thread thread([&] { from_one = one->Submit(first); });
  const auto from_other = other->Submit(second);
  thread.join();
  ASSERT_TRUE(from_one.ok() && from_other.ok()) << from_one.status() << from_other.status();
  EXPECT_EQ(from_one->job.spec.id, from_other->job.spec.id);
  EXPECT_NE(from_one->repeated, from_other->repeated);
  EXPECT_EQ(MustFind(*one, "client:mine:1.x").spec.id, from_one->job.spec.id);
  second.fingerprint = "another";
  EXPECT_EQ(ReasonOf(other->Submit(second).status()), "JOB_ID_TAKEN");
  EXPECT_EQ(ReasonOf(one->Find("another", from_one->job.spec.id).status()), "NO_SUCH_JOB");

  EXPECT_EQ(ReasonOf(one->Delete("site", "client:mine:1.x")), "JOB_NOT_OVER");
  ASSERT_TRUE(other->Cancel("site", "client:mine:1.x").ok());
  ASSERT_TRUE(one->Delete("site", "client:mine:1.x").ok());
  EXPECT_EQ(ReasonOf(other->Find("site", "client:mine:1.x").status()), "NO_SUCH_JOB");
  second.id = "a3";
  const auto anew = one->Submit(second);
  ASSERT_TRUE(anew.ok()) << anew.status();
  EXPECT_FALSE(anew->repeated) << "the name is free again";
}

TEST_F(NatsJobQueueTest, TellsNodesThatAJobIsOver) {
  const auto front = Open();
  const auto worker = Open();
  JobEar ear;
  worker->SetListener(&ear);
  ASSERT_TRUE(front->Submit(MakeSpec("a1", 3)).ok());
  const auto part = Take(*worker);
  ASSERT_TRUE(part.has_value());
  ASSERT_TRUE(front->Cancel("site", "a1").ok());
  EXPECT_TRUE(Await([&] { return ear.HeardEndOf("a1"); }));
  EXPECT_TRUE(worker->Complete(*part, ResultOf(*part)).ok()) << "too late, which is no error";
  const auto results = front->Results("a1", 0, 1 << 20);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 3);
  EXPECT_TRUE((*results)[0].set_aside);
  EXPECT_EQ(MustFind(*front, "a1").status.parts_done, 0);
  EXPECT_FALSE(worker->Take({.max_format = 1})->has_value());
  worker->SetListener(nullptr);
}

TEST_F(NatsJobQueueTest, GivesWhatADeadNodeHeldToAnotherWithinThreeSeconds) {
  NatsJobQueue::Options options = Options();
  options.ack_wait = WorkLanes::kAckWait;
  auto dying = Open(options);
  const auto living = Open(options);
  ASSERT_TRUE(dying->Submit(MakeSpec("a1", 2)).ok());
  const auto held = Take(*dying, "dying");
  ASSERT_TRUE(held.has_value());
  dying->KeepAlive({*held});
  dying.reset();
  const auto lost = std::chrono::steady_clock::now();
  std::map<int, TakenPart> taken;
  while (taken.size() < 2) {
    const auto part = Take(*living, "living");
    ASSERT_TRUE(part.has_value());
    taken.emplace(part->part, *part);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - lost, milliseconds(3500));
  EXPECT_EQ(taken[held->part].attempt, 2);
  EXPECT_TRUE(taken[held->part].alone);
  const Job job = MustFind(*living, "a1");
  ASSERT_EQ(job.status.faults.size(), 1);
  EXPECT_EQ(job.status.faults[0].reason, "NODE_LOST");
  EXPECT_EQ(job.status.faults[0].node, "dying");
}

TEST_F(NatsJobQueueTest, SetsAsideWhatTakesItsNodesDown) {
  const auto front = Open();
  ASSERT_TRUE(front->Submit(MakeSpec("a1", 1)).ok());
  for (int death = 0; death < NatsJobQueue::kMaxLosses; ++death) {
    const auto dying = Open();
    ASSERT_TRUE(Take(*dying).has_value());
  }
  ASSERT_TRUE(Await([&] {
    EXPECT_FALSE(front->Take({.max_format = 1})->has_value());
    return MustFind(*front, "a1").status.state == JobState::kFailed;
  }));
  const Job job = MustFind(*front, "a1");
  EXPECT_EQ(job.status.parts_set_aside, 1);
  EXPECT_EQ(job.status.reason, "NODE_CRASHED");
}

TEST_F(NatsJobQueueTest, KeepsTheFirstResultOfAPartThatWasDoneTwice) {
  const auto slow = Open();
  const auto quick = Open();
  ASSERT_TRUE(slow->Submit(MakeSpec("a1", 1)).ok());
  const auto first = Take(*slow);
  ASSERT_TRUE(first.has_value());
  // Alive, and at it: nobody else gets it.
  const auto end = std::chrono::steady_clock::now() + 3 * kShortWait;
  while (std::chrono::steady_clock::now() < end) {
    ASSERT_FALSE(quick->Take({.max_format = 1})->has_value());
    std::this_thread::sleep_for(milliseconds(50));
  }
  PartResult result = ResultOf(*first);
  ASSERT_TRUE(slow->Complete(*first, result).ok());
  result.results = "another";
  ASSERT_TRUE(quick->Complete(*first, result).ok());
  EXPECT_EQ(quick->Results("a1", 0, 1)->front().results, "result 0");
  EXPECT_EQ(MustFind(*quick, "a1").status.parts_done, 1);
  EXPECT_TRUE(MustFind(*quick, "a1").status.faults.empty());
}

TEST_F(NatsJobQueueTest, TakesTurnsBetweenTenantsByTheirSharesAndGoesByPriorityWithinOne) {
  NatsJobQueue::Options options = Options();
  options.terms_of = [](const std::string& tenant) {
    return TenantTerms{.share = tenant == "large" ? 3 : 1, .max_jobs = 3};
  };
  const auto queue = Open(options);
  ASSERT_TRUE(queue->Submit(MakeSpec("big", 100, "large")).ok());
  JobSpec low = MakeSpec("low", 4, "small");
  low.priority = JobPriority::kLow;
  ASSERT_TRUE(queue->Submit(low).ok());
  JobSpec high = MakeSpec("high", 4, "small");
  high.priority = JobPriority::kHigh;
  ASSERT_TRUE(queue->Submit(high).ok());
  std::map<std::string, int> taken;
  for (int turn = 0; turn < 16; ++turn) ++taken[Take(*queue)->job];
  EXPECT_EQ(taken["big"], 12);
  EXPECT_EQ(taken["high"], 4);
  ASSERT_TRUE(queue->Submit(MakeSpec("third", 1, "small")).ok());
  EXPECT_EQ(ReasonOf(queue->Submit(MakeSpec("fourth", 1, "small")).status()), "JOB_QUOTA");
}

TEST_F(NatsJobQueueTest, GivesEachDeliveryToOneNode) {
  const auto one = Open();
  const auto other = Open();
  JobSpec spec = MakeSpec("a1", 1);
  spec.webhook = "https://example.org/";
  ASSERT_TRUE(one->Submit(spec).ok());
  ASSERT_TRUE(one->Cancel("site", "a1").ok());
  ASSERT_TRUE(Await([&] { return other->counts().jobs[static_cast<std::size_t>(JobState::kCancelled)] == 1; }));
  auto deliveries = *one->TakeDeliveries(10);
  ASSERT_EQ(deliveries.size(), 1);
  EXPECT_TRUE(other->TakeDeliveries(10)->empty());
  ASSERT_TRUE(one->EndDelivery(deliveries[0], Now()).ok());
  ASSERT_TRUE(Await([&] {
    deliveries = *other->TakeDeliveries(10);
    return !deliveries.empty();
  }));
  EXPECT_EQ(deliveries[0].attempt, 2);
  ASSERT_TRUE(other->EndDelivery(deliveries[0], std::nullopt).ok());
  EXPECT_TRUE(other->TakeDeliveries(10)->empty());
}

TEST_F(NatsJobQueueTest, KeepsLargeRequestsAndResultsInPieces) {
  const auto queue = Open();
  JobSpec spec = MakeSpec("a1", 1);
  spec.request = std::string(3 << 20, 'r');
  ASSERT_TRUE(queue->Submit(spec).ok());
  EXPECT_EQ(queue->FindForWork("a1")->spec.request, spec.request);
  const auto part = Take(*queue);
  ASSERT_TRUE(part.has_value());
  PartResult result = ResultOf(*part);
  result.results = std::string(2 << 20, 'x') + "end";
  ASSERT_TRUE(queue->Complete(*part, result).ok());
  EXPECT_EQ(queue->Results("a1", 0, 1)->front().results, result.results);
}

TEST_F(NatsJobQueueTest, GoesOnWhenNatsComesBack) {
  NatsServers servers(NewFolder(), 1);
  NatsJobQueue::Options options = Options();
  options.nats.url = servers.url();
  const auto front = Open(options);
  const auto worker = Open(options);
  ASSERT_TRUE(front->Submit(MakeSpec("a1", 3)).ok());
  const auto held = Take(*worker);
  ASSERT_TRUE(held.has_value());
  servers.Kill(0);
  ASSERT_TRUE(Await([&] { return !front->counts().working && !worker->counts().working; }));
  const absl::Status refused = front->Submit(MakeSpec("a2", 1)).status();
  EXPECT_EQ(ReasonOf(refused), "JOBS_UNAVAILABLE");
  EXPECT_TRUE(RetryAfter(refused).has_value());
  EXPECT_EQ(worker->Complete(*held, ResultOf(*held)).code(), absl::StatusCode::kUnavailable);
  // Long enough that JetStream would take the part for lost.
  const auto end = std::chrono::steady_clock::now() + 2 * kShortWait;
  while (std::chrono::steady_clock::now() < end) {
    worker->KeepAlive({*held});
    std::this_thread::sleep_for(milliseconds(100));
  }
  servers.Restart(0);
  ASSERT_TRUE(Await([&] { return worker->Complete(*held, ResultOf(*held)).ok(); }));
  ASSERT_TRUE(Await([&] { return front->counts().working && worker->counts().working; }));
  DoAll(*front, 2);
  const Job job = MustFind(*front, "a1");
  EXPECT_EQ(job.status.state, JobState::kDone);
  EXPECT_TRUE(job.status.faults.empty());
}

TEST_F(NatsJobQueueTest, StartsBeforeNatsDoes) {
  NatsServers servers(NewFolder(), 1);
  servers.Kill(0);
  NatsJobQueue::Options options = Options();
  options.nats.url = servers.url();
  auto queue = NatsJobQueue::Open(options);
  ASSERT_TRUE(queue.ok()) << queue.status();
  EXPECT_EQ(ReasonOf((*queue)->Submit(MakeSpec("a1", 1)).status()), "JOBS_UNAVAILABLE");
  servers.Restart(0);
  ASSERT_TRUE(Await([&] { return (*queue)->Submit(MakeSpec("a2", 1)).ok(); }));
  DoAll(**queue, 1);
  EXPECT_EQ(MustFind(**queue, "a2").status.state, JobState::kDone);
}

// On a busy machine an election may take longer than callers are made to wait: they are told to come back then.
TEST_F(NatsJobQueueTest, GoesOnWhenOneOfThreeServersDies) {
  NatsServers servers(NewFolder(), 3);
  NatsJobQueue::Options options = Options();
  options.nats.url = servers.url();
  options.nats.replicas = 3;
  const auto front = Open(options);
  const auto worker = Open(options);
  constexpr int kJobs = 60;
  std::thread working([&] {
    for (int part = 0; part < kJobs; ++part) {
      const auto taken = Take(*worker);
      if (!taken) return;
      // As a node does, which keeps its result until it can be put down.
      EXPECT_TRUE(Await([&] { return worker->Complete(*taken, ResultOf(*taken)).ok(); }));
    }
  });
  for (int job = 0; job < kJobs; ++job) {
    if (job == kJobs / 3) servers.Kill(0);
    EXPECT_TRUE(Await([&] {
      const auto accepted = front->Submit(MakeSpec("a" + std::to_string(job), 1));
      EXPECT_TRUE(accepted.ok() || absl::IsUnavailable(accepted.status())) << job << accepted.status();
      return accepted.ok();
    }));
  }
  working.join();
  for (int job = 0; job < kJobs; ++job) {
    EXPECT_EQ(MustFind(*front, "a" + std::to_string(job)).status.state, JobState::kDone);
  }
}

// What JetStream takes on this machine, for docs/farms.md: --gtest_also_run_disabled_tests --gtest_filter='*Speed'.
TEST_F(NatsJobQueueTest, DISABLED_Speed) {
  for (const int servers_of_it : {1, 3}) {
    NatsServers servers(NewFolder(), servers_of_it);
    NatsJobQueue::Options options = Options();
    options.nats.url = servers.url();
    options.nats.replicas = servers_of_it;
    const auto queue = Open(options);
    const auto per_second = [](int count, std::chrono::steady_clock::time_point start) {
      return static_cast<int>(count / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    };
    constexpr int kJobs = 200;
    constexpr int kParts = 10;
    auto start = std::chrono::steady_clock::now();
    for (int job = 0; job < kJobs; ++job) {
      ASSERT_TRUE(queue->Submit(MakeSpec("a" + std::to_string(job), kParts, "tenant" + std::to_string(job % 10))).ok());
    }
    const int submitted = per_second(kJobs, start);
    start = std::chrono::steady_clock::now();
    std::atomic<int> done = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        while (done < kJobs * kParts) {
          const auto part = queue->Take({});
          if (!part.ok() || !part->has_value()) continue;
          ASSERT_TRUE(queue->Complete(**part, ResultOf(**part)).ok());
          ++done;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::printf("%d NATS server(s): %d jobs a second accepted, %d parts a second done by one node\n", servers_of_it,
                submitted, per_second(kJobs * kParts, start));
  }
}

TEST(NatsJobQueueOptionsTest, SaysWhatCanNeverDo) {
  NatsJobQueue::Options options;
  options.nats.url = "nats://127.0.0.1:1";
  options.nats.tls_ca = "/nowhere/ca.pem";
  EXPECT_EQ(NatsJobQueue::Open(options).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace kibitz::server
