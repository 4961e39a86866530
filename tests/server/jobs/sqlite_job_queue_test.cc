#include "server/jobs/sqlite_job_queue.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/sqlite/sqlite.h"
#include "tests/server/jobs/job_queue_contract.h"

namespace kibitz::server {
namespace {

// A folder that is gone when this is.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::path(testing::TempDir()) / absl::StrCat("jobs-", getpid(), "-", ++count);
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string File() const { return path_ / "jobs.db"; }

 private:
  std::filesystem::path path_;
};

class SqliteBench final : public JobQueueBench {
 public:
  explicit SqliteBench(const Bounds& bounds) : bounds_(bounds) { Open(); }
  JobQueue& queue() override { return *queue_; }
  void Restart() override {
    queue_.reset();
    Open();
  }

 private:
  void Open() {
    auto queue = SqliteJobQueue::Open(
        {.path = folder_.File(), .max_jobs = bounds_.max_jobs, .terms_of = bounds_.terms_of, .node = "here"});
    ASSERT_TRUE(queue.ok()) << queue.status();
    queue_ = *std::move(queue);
  }

  const Bounds bounds_;
  Folder folder_;
  std::unique_ptr<SqliteJobQueue> queue_;
};

std::unique_ptr<JobQueueBench> MakeSqliteBench(const JobQueueBench::Bounds& bounds) {
  return std::make_unique<SqliteBench>(bounds);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, JobQueueContract, testing::Values(JobQueueMaker(MakeSqliteBench)));

class SqliteJobQueueTest : public testing::Test {
 protected:
  SqliteJobQueue::Options Options() const { return {.path = folder_.File(), .node = "here"}; }
  static std::unique_ptr<SqliteJobQueue> Open(const SqliteJobQueue::Options& options) {
    auto queue = SqliteJobQueue::Open(options);
    EXPECT_TRUE(queue.ok()) << queue.status();
    return queue.ok() ? *std::move(queue) : nullptr;
  }
  static JobSpec Spec(const std::string& id, int parts = 1) {
    JobSpec spec;
    spec.id = id;
    spec.tenant = "site";
    spec.request = "request";
    spec.parts = parts;
    spec.positions = parts;
    spec.submitted = system_clock::now();
    spec.deadline = spec.submitted + hours(1);
    return spec;
  }
  static std::optional<TakenPart> Take(JobQueue& queue) {
    const absl::StatusOr<std::optional<TakenPart>> part = queue.Take({.node = "here"});
    EXPECT_TRUE(part.ok()) << part.status();
    return part.ok() ? *part : std::nullopt;
  }

  Folder folder_;
};

TEST_F(SqliteJobQueueTest, SetsAsideWhatCrashesItsServerTwice) {
  for (int crashes = 0; crashes < 3; ++crashes) {
    SqliteJobQueue::Options options = Options();
    options.crashed = crashes > 0;
    const auto queue = Open(options);
    if (crashes == 0) ASSERT_TRUE(queue->Submit(Spec("bad", 2)).ok());
    if (crashes < 2) {
      const std::optional<TakenPart> part = Take(*queue);
      ASSERT_TRUE(part.has_value());
      EXPECT_EQ(part->part, 0);
      EXPECT_EQ(part->alone, crashes > 0);
      continue;
    }
    EXPECT_EQ(Take(*queue)->part, 1);
    const Job job = *queue->Find("site", "bad");
    EXPECT_EQ(job.status.parts_set_aside, 1);
    EXPECT_EQ(job.status.faults.back().reason, "NODE_CRASHED");
    EXPECT_EQ(queue->counts().parts_failed, 1);
    EXPECT_EQ(queue->counts().parts_set_aside, 1);
  }
}

TEST_F(SqliteJobQueueTest, BlamesNoPartForAServerThatIsKilled) {
  ASSERT_TRUE(Open(Options())->Submit(Spec("good")).ok());
  for (int kills = 0; kills < SqliteJobQueue::kMaxLosses; ++kills) {
    const auto queue = Open(Options());
    const std::optional<TakenPart> part = Take(*queue);
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(part->attempt, kills + 1);
  }
  // Something kills whoever does it.
  const Job job = *Open(Options())->Find("site", "good");
  EXPECT_EQ(job.status.state, JobState::kFailed);
  EXPECT_EQ(job.status.reason, "NODE_LOST");
}

TEST_F(SqliteJobQueueTest, GivesOutAgainWhatNobodyKeepsAlive) {
  SqliteJobQueue::Options options = Options();
  options.lease_time = milliseconds(1500);
  const auto queue = Open(options);
  ASSERT_TRUE(queue->Submit(Spec("job", 2)).ok());
  const TakenPart kept = *Take(*queue);
  const TakenPart lost = *Take(*queue);
  std::optional<TakenPart> again;
  for (int i = 0; i < 2000 && !again.has_value(); ++i) {
    queue->KeepAlive({kept});
    again = Take(*queue);
    std::this_thread::sleep_for(milliseconds(10));
  }
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->part, lost.part);
  EXPECT_EQ(again->attempt, 2);
  // Whoever comes first has done it.
  PartResult result;
  result.results = "late";
  ASSERT_TRUE(queue->Complete(lost, result).ok());
  result.results = "second";
  ASSERT_TRUE(queue->Complete(*again, result).ok());
  ASSERT_TRUE(queue->Complete(kept, result).ok());
  const std::vector<PartResult> results = *queue->Results("job", 0, 1000);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[lost.part].results, "late");
}

TEST_F(SqliteJobQueueTest, SharesByWeight) {
  SqliteJobQueue::Options options = Options();
  options.terms_of = [](const std::string& tenant) { return TenantTerms{.share = tenant == "three" ? 3 : 1}; };
  const auto queue = Open(options);
  for (const std::string tenant : {"one", "three"}) {
    JobSpec spec = Spec(tenant, 100);
    spec.tenant = tenant;
    ASSERT_TRUE(queue->Submit(spec).ok());
  }
  int threes = 0;
  for (int i = 0; i < 40; ++i) threes += Take(*queue)->tenant == "three" ? 1 : 0;
  EXPECT_NEAR(threes, 30, 1);
}

TEST_F(SqliteJobQueueTest, RefusesWhatItHasNoRoomFor) {
  SqliteJobQueue::Options options = Options();
  options.max_bytes = 4 << 20;
  const auto queue = Open(options);
  JobSpec large = Spec("large");
  large.request = std::string(1'500'000, 'x');
  large.keep = seconds(1000);
  ASSERT_TRUE(queue->Submit(large).ok());
  JobSpec another = Spec("another");
  another.request = large.request;
  const absl::Status own = queue->Submit(another).status();
  EXPECT_EQ(ReasonOf(own), "JOB_QUOTA");
  another.tenant = "another";
  ASSERT_TRUE(queue->Submit(another).ok());
  another.tenant = another.id = "third";
  EXPECT_EQ(ReasonOf(queue->Submit(another).status()), "JOBS_FULL");
  // It is known when there will be room.
  ASSERT_TRUE(queue->Cancel("site", "large").ok());
  const absl::Duration retry = RetryAfter(queue->Submit(another).status()).value_or(absl::ZeroDuration());
  EXPECT_GT(retry, absl::Seconds(990));
  EXPECT_LE(retry, absl::Seconds(1000));
  ASSERT_TRUE(queue->Delete("site", "large").ok());
  EXPECT_TRUE(queue->Submit(another).ok());
}

TEST_F(SqliteJobQueueTest, IsForOneProcess) {
  const auto queue = Open(Options());
  const absl::Status status = SqliteJobQueue::Open(Options()).status();
  EXPECT_TRUE(absl::StrContains(status.message(), "another process uses it")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), folder_.File())) << status;
}

TEST_F(SqliteJobQueueTest, SaysWhatIsWrongWithAFile) {
  const auto expect = [&](const std::string& what) {
    const absl::Status status = SqliteJobQueue::Open(Options()).status();
    EXPECT_TRUE(absl::StrContains(status.message(), what)) << status;
  };
  std::ofstream(folder_.File()) << std::string(8192, 'x');
  expect("not a database");
  std::filesystem::remove(folder_.File());
  {
    auto database = SqliteDatabase::Open(folder_.File(), SqliteDatabase::Mode::kReadWrite);
    ASSERT_TRUE(database.ok() && database->Run("CREATE TABLE t (x)").ok());
  }
  expect("another kind");
  std::filesystem::remove(folder_.File());
  {
    auto database = SqliteDatabase::Open(folder_.File(), SqliteDatabase::Mode::kReadWrite);
    ASSERT_TRUE(
        database.ok() &&
        database->Run(absl::StrCat("PRAGMA application_id = ", JobFile::kApplicationId, "; PRAGMA user_version = 99"))
            .ok());
  }
  expect("newer Kibitz");
  std::filesystem::remove(folder_.File());
  std::filesystem::create_directory(folder_.File());
  expect("unable to open");
}

// A child that writes as fast as it can and is killed in the midst of it: what it was told is kept is there.
TEST_F(SqliteJobQueueTest, SurvivesAKill) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto queue = SqliteJobQueue::Open(Options());
    if (!queue.ok()) _exit(1);
    for (int i = 0;; ++i) {
      if (!(*queue)->Submit(Spec(absl::StrCat("job", i))).ok()) _exit(2);
      if (write(pipes[1], &i, sizeof(i)) != sizeof(i)) _exit(3);
    }
  }
  close(pipes[1]);
  int last = -1;
  while (last < 50) ASSERT_EQ(read(pipes[0], &last, sizeof(last)), static_cast<ssize_t>(sizeof(last)));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (int more = 0; read(pipes[0], &more, sizeof(more)) == sizeof(more);) last = more;
  close(pipes[0]);
  const auto queue = Open(Options());
  for (int i = 0; i <= last; ++i) EXPECT_TRUE(queue->Find("site", absl::StrCat("job", i)).ok()) << i;
}

// A limit on the size of files stands in for a full disk.
TEST_F(SqliteJobQueueTest, SaysThatTheDiskIsFullAndGoesOnWhenItIsNot) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    auto queue = SqliteJobQueue::Open(Options());
    if (!queue.ok() || !(*queue)->Submit(Spec("before")).ok()) _exit(1);
    const TakenPart part = (*queue)->Take({.node = "here"})->value();
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = std::exchange(limit.rlim_cur, 64 << 10);
    setrlimit(RLIMIT_FSIZE, &limit);
    JobSpec large = Spec("large");
    large.request = std::string(1 << 20, 'x');
    const absl::Status full = (*queue)->Submit(large).status();
    if (!absl::IsUnavailable(full) || ReasonOf(full) != "JOBS_UNAVAILABLE" || !RetryAfter(full).has_value()) _exit(2);
    if ((*queue)->counts().working || (*queue)->counts().failures == 0) _exit(3);
    if (!(*queue)->Find("site", "before").ok()) _exit(4);
    limit.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (!(*queue)->Submit(large).ok() || !(*queue)->counts().working) _exit(5);
    if (!(*queue)->Complete(part, PartResult()).ok()) _exit(6);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto queue = Open(Options());
  EXPECT_EQ(queue->Find("site", "before")->status.state, JobState::kDone);
  EXPECT_TRUE(queue->Find("site", "large").ok());
}

}  // namespace
}  // namespace kibitz::server
