// What every JobQueue must do. A test of an implementation includes this and instantiates it:
//
//   INSTANTIATE_TEST_SUITE_P(Sqlite, JobQueueContract, testing::Values(JobQueueMaker(MakeSqliteBench)));

#ifndef KIBITZ_TESTS_SERVER_JOBS_JOB_QUEUE_CONTRACT_H_
#define KIBITZ_TESTS_SERVER_JOBS_JOB_QUEUE_CONTRACT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"
#include "server/jobs/job_queue.h"

namespace kibitz::server {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

// A queue to be tested, with one node at work.
class JobQueueBench {
 public:
  struct Bounds {
    int max_jobs = 1000;
    TermsOf terms_of{};
  };

  virtual ~JobQueueBench() = default;
  virtual JobQueue& queue() = 0;
  // The node is gone without a word, in the midst of what it did, and comes back: what it did is given out again,
  // sooner or later. Nobody else holds on to the queue.
  virtual void Restart() = 0;
};
using JobQueueMaker = std::function<std::unique_ptr<JobQueueBench>(const JobQueueBench::Bounds& bounds)>;

// Remembers what it heard.
class JobEar final : public JobQueue::Listener {
 public:
  void OnWork() override { ++works_; }
  void OnJobOver(const std::string& job) override {
    std::lock_guard lock(mutex_);
    over_.insert(job);
  }
  int works() const { return works_; }
  bool HeardEndOf(const std::string& job) const {
    std::lock_guard lock(mutex_);
    return over_.contains(job);
  }

 private:
  std::atomic<int> works_{0};
  mutable std::mutex mutex_;
  std::set<std::string> over_;
};

class JobQueueContract : public testing::TestWithParam<JobQueueMaker> {
 protected:
  static constexpr milliseconds kPatience{20'000};
  static constexpr std::int64_t kManyBytes = 1 << 20;

  void Make(const JobQueueBench::Bounds& bounds = {}) { bench_ = GetParam()(bounds); }
  JobQueue& queue() {
    if (bench_ == nullptr) Make();
    return bench_->queue();
  }
  void Restart() { bench_->Restart(); }

  // A job of two parts with two positions each, if nothing else is said.
  static JobSpec Spec(const std::string& tenant = "site", int parts = 2) {
    static std::atomic<int> count{0};
    JobSpec spec;
    spec.id = absl::StrCat("job", ++count);
    spec.tenant = tenant;
    spec.request = std::string("request\0of\xff", 11) + spec.id;
    spec.fingerprint = std::string("finger\0\xfe", 8) + spec.id;
    spec.parts = parts;
    spec.part_size = 2;
    spec.positions = 2 * parts;
    spec.submitted = system_clock::now();
    spec.deadline = spec.submitted + hours(24);
    spec.keep = hours(1);
    return spec;
  }
  Job Submit(const JobSpec& spec) {
    absl::StatusOr<JobQueue::Accepted> accepted = queue().Submit(spec);
    EXPECT_TRUE(accepted.ok()) << accepted.status();
    return accepted.ok() ? accepted->job : Job();
  }
  Job Find(const Job& job) {
    absl::StatusOr<Job> found = queue().Find(job.spec.tenant, job.spec.id);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : Job();
  }
  static JobQueue::Ability Able() { return {.max_format = 1, .generation = {"Kibitz 1", "classical"}, .node = "here"}; }
  static bool Wait(const std::function<bool()>& come) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!come()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(2));
    }
    return true;
  }
  // The next part. It may take a queue a moment to have it.
  TakenPart Take() {
    std::optional<TakenPart> part;
    EXPECT_TRUE(Wait([&] {
      const absl::StatusOr<std::optional<TakenPart>> taken = queue().Take(Able());
      EXPECT_TRUE(taken.ok()) << taken.status();
      if (taken.ok()) part = *taken;
      return !taken.ok() || part.has_value();
    })) << "there is no part to take";
    return part.value_or(TakenPart());
  }
  bool HasNone() {
    const absl::StatusOr<std::optional<TakenPart>> taken = queue().Take(Able());
    EXPECT_TRUE(taken.ok()) << taken.status();
    return taken.ok() && !taken->has_value();
  }
  static PartResult ResultOf(const TakenPart& part, const std::string& text = "found") {
    PartResult result;
    result.part = part.part;
    result.attempt = part.attempt;
    result.positions = 2;
    result.results = absl::StrCat(text, " of ", part.part) + std::string("\0\xff", 2);
    result.node = "here";
    result.generation = Able().generation;
    result.nodes = 1000 + part.part;
    result.elapsed = milliseconds(7);
    return result;
  }
  void Complete(const TakenPart& part, const std::string& text = "found") {
    const absl::Status status = queue().Complete(part, ResultOf(part, text));
    EXPECT_TRUE(status.ok()) << status;
  }
  void Fail(const TakenPart& part) {
    const absl::Status status =
        queue().GiveBack(part, {.failed = true, .reason = "TASK_FAILED", .message = "it fell over"});
    EXPECT_TRUE(status.ok()) << status;
  }
  std::vector<PartResult> Results(const Job& job, int first = 0, std::int64_t max_bytes = kManyBytes) {
    const absl::StatusOr<std::vector<PartResult>> results = queue().Results(job.spec.id, first, max_bytes);
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? *results : std::vector<PartResult>();
  }
  bool ComesTo(const Job& job, JobState state) {
    return Wait([&] { return Find(job).status.state == state; });
  }

  std::unique_ptr<JobQueueBench> bench_;
};

TEST_P(JobQueueContract, FindsWhatItAccepted) {
  JobSpec spec = Spec();
  spec.client_id = "my:job";
  spec.kind = JobKind::kReview;
  spec.priority = JobPriority::kLow;
  spec.generation = {"Kibitz 1", "classical"};
  spec.webhook = "https://site.example/done";
  Submit(spec);
  for (const std::string& id : {spec.id, absl::StrCat("client:", spec.client_id)}) {
    const absl::StatusOr<Job> job = queue().Find("site", id);
    ASSERT_TRUE(job.ok()) << job.status();
    EXPECT_EQ(job->spec.id, spec.id);
    EXPECT_EQ(job->spec.tenant, "site");
    EXPECT_EQ(job->spec.client_id, spec.client_id);
    EXPECT_EQ(job->spec.request, "");
    EXPECT_EQ(job->spec.fingerprint, spec.fingerprint);
    EXPECT_EQ(job->spec.kind, JobKind::kReview);
    EXPECT_EQ(job->spec.priority, JobPriority::kLow);
    EXPECT_EQ(job->spec.generation, spec.generation);
    EXPECT_EQ(job->spec.positions, 4);
    EXPECT_EQ(job->spec.parts, 2);
    EXPECT_EQ(job->spec.part_size, 2);
    EXPECT_EQ(job->spec.submitted, spec.submitted);
    EXPECT_EQ(job->spec.deadline, spec.deadline);
    EXPECT_EQ(job->spec.keep, spec.keep);
    EXPECT_EQ(job->spec.webhook, spec.webhook);
    EXPECT_EQ(job->status.state, JobState::kQueued);
    EXPECT_FALSE(job->status.started.has_value());
  }
  const absl::StatusOr<Job> work = queue().FindForWork(spec.id);
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(work->spec.request, spec.request);
}

TEST_P(JobQueueContract, TakesARepetitionForWhatItIs) {
  JobSpec spec = Spec();
  spec.client_id = "twice";
  const Job first = Submit(spec);
  JobSpec again = spec;
  again.id = "another";
  const absl::StatusOr<JobQueue::Accepted> repeated = queue().Submit(again);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_TRUE(repeated->repeated);
  EXPECT_EQ(repeated->job.spec.id, first.spec.id);
  again.fingerprint = "different";
  const absl::Status taken = queue().Submit(again).status();
  EXPECT_EQ(taken.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReasonOf(taken), "JOB_ID_TAKEN");
  // It is another's own name there.
  again.tenant = "another";
  EXPECT_FALSE(queue().Submit(again)->repeated);
}

TEST_P(JobQueueContract, ShowsNobodyTheJobsOfOthers) {
  JobSpec spec = Spec();
  spec.client_id = "mine";
  Submit(spec);
  for (const std::string& id : {spec.id, std::string("client:mine"), std::string("client:"), std::string("")}) {
    const std::string asks = id == spec.id || id == "client:mine" ? "another" : "site";
    for (const absl::Status& status :
         {queue().Find(asks, id).status(), queue().Cancel(asks, id).status(), queue().Delete(asks, id)}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << id;
      EXPECT_EQ(ReasonOf(status), "NO_SUCH_JOB") << id;
    }
  }
  EXPECT_TRUE(queue().List("another", {})->jobs.empty());
}

TEST_P(JobQueueContract, ListsTheNewestFirstPageByPage) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(Submit(Spec()).spec.id);
  Submit(Spec("another"));
  ASSERT_TRUE(queue().Cancel("site", ids[1]).ok());
  std::reverse(ids.begin(), ids.end());
  std::vector<std::string> found;
  JobQueue::Filter filter{.max_jobs = 2};
  for (int pages = 1;; ++pages) {
    const absl::StatusOr<JobQueue::Page> page = queue().List("site", filter);
    ASSERT_TRUE(page.ok()) << page.status();
    for (const Job& job : page->jobs) found.push_back(job.spec.id);
    filter.from = page->next;
    if (page->next.empty()) {
      EXPECT_EQ(pages, 3);
      break;
    }
    EXPECT_EQ(page->jobs.size(), 2u);
  }
  EXPECT_EQ(found, ids);
  const absl::StatusOr<JobQueue::Page> cancelled = queue().List("site", {.states = {JobState::kCancelled}});
  ASSERT_TRUE(cancelled.ok()) << cancelled.status();
  ASSERT_EQ(cancelled->jobs.size(), 1u);
  EXPECT_EQ(cancelled->jobs[0].spec.id, ids[3]);
  EXPECT_EQ(queue().List("site", {.from = "no such page"}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_P(JobQueueContract, GivesOutEachPartOnceAndPutsTheResultsInOrder) {
  const Job job = Submit(Spec("site", 3));
  std::vector<TakenPart> parts;
  for (int i = 0; i < 3; ++i) {
    parts.push_back(Take());
    EXPECT_EQ(parts[i].job, job.spec.id);
    EXPECT_EQ(parts[i].tenant, "site");
    EXPECT_EQ(parts[i].attempt, 1);
    EXPECT_EQ(parts[i].format, 1);
    EXPECT_FALSE(parts[i].alone);
  }
  EXPECT_TRUE(HasNone());
  std::sort(parts.begin(), parts.end(), [](const TakenPart& a, const TakenPart& b) { return a.part < b.part; });
  Job now = Find(job);
  EXPECT_EQ(now.status.state, JobState::kRunning);
  EXPECT_TRUE(now.status.started.has_value());
  std::int64_t revision = now.status.revision;

  Complete(parts[1]);
  EXPECT_TRUE(Results(job).empty()) << "the first is not there";
  now = Find(job);
  EXPECT_GT(now.status.revision, revision);
  revision = now.status.revision;
  EXPECT_EQ(now.status.parts_done, 1);
  EXPECT_EQ(now.status.positions_done, 2);
  EXPECT_EQ(now.status.nodes, 1001);
  Complete(parts[0]);
  std::vector<PartResult> results = Results(job);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].part, 1);
  EXPECT_EQ(results[1].results, ResultOf(parts[1]).results);
  EXPECT_EQ(results[1].attempt, 1);
  EXPECT_EQ(results[1].positions, 2);
  EXPECT_EQ(results[1].node, "here");
  EXPECT_EQ(results[1].generation, Able().generation);
  EXPECT_EQ(results[1].nodes, 1001);
  EXPECT_EQ(results[1].elapsed, milliseconds(7));
  EXPECT_FALSE(results[1].set_aside);

  Complete(parts[2]);
  now = Find(job);
  EXPECT_EQ(now.status.state, JobState::kDone);
  EXPECT_GT(now.status.revision, revision);
  EXPECT_EQ(now.status.parts_done, 3);
  EXPECT_EQ(now.status.reason, "");
  ASSERT_TRUE(now.status.ended.has_value());
  EXPECT_EQ(now.status.removed, *now.status.ended + hours(1));
  ASSERT_EQ(Results(job, 2).size(), 1u);
  EXPECT_EQ(Results(job, 2)[0].part, 2);
  EXPECT_TRUE(Results(job, 3).empty());
  // At least one, and no more than there is room for.
  EXPECT_EQ(Results(job, 0, 1).size(), 1u);
}

TEST_P(JobQueueContract, KeepsTheFirstResultOfAPart) {
  const Job job = Submit(Spec());
  const TakenPart first = Take();
  Complete(first, "first");
  Complete(first, "second");
  EXPECT_EQ(Find(job).status.parts_done, 1);
  Complete(Take(), "first");
  Complete(first, "third");
  EXPECT_EQ(Find(job).status.parts_done, 2);
  for (const PartResult& result : Results(job)) EXPECT_EQ(result.results.substr(0, 5), "first");
}

TEST_P(JobQueueContract, GivesOutAgainWhatWasGivenBack) {
  const Job job = Submit(Spec("site", 1));
  for (int attempt = 1; attempt <= 5; ++attempt) {
    const TakenPart part = Take();
    EXPECT_EQ(part.attempt, attempt);
    EXPECT_EQ(part.part, 0);
    const absl::Status status = queue().GiveBack(part, {.reason = "DRAINED", .message = "the server ends"});
    EXPECT_TRUE(status.ok()) << status;
  }
  const Job now = Find(job);
  ASSERT_EQ(now.status.faults.size(), 5u);
  EXPECT_EQ(now.status.faults[4].attempt, 5);
  EXPECT_EQ(now.status.faults[4].part, 0);
  EXPECT_EQ(now.status.faults[4].reason, "DRAINED");
  EXPECT_EQ(now.status.faults[4].message, "the server ends");
  EXPECT_EQ(now.status.state, JobState::kRunning);
  Complete(Take());
  EXPECT_EQ(Find(job).status.state, JobState::kDone);
  EXPECT_EQ(Results(job)[0].attempt, 6);
}

TEST_P(JobQueueContract, GivesOutNothingBeforeItsPauseIsOver) {
  const Job job = Submit(Spec("site", 1));
  const absl::Status status = queue().GiveBack(Take(), {.reason = "NO_ROOM", .message = "", .pause = hours(1)});
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(HasNone());
  EXPECT_EQ(Find(job).status.parts_done, 0);
}

TEST_P(JobQueueContract, SetsAsideWhatFailsTwice) {
  const Job job = Submit(Spec());
  for (int i = 0; i < 4; ++i) {
    const TakenPart part = Take();
    if (part.part == 0) {
      Fail(part);
    } else {
      Complete(part);
      break;
    }
  }
  if (Find(job).status.parts_done == 1) Fail(Take());
  ASSERT_TRUE(ComesTo(job, JobState::kDone));
  const Job now = Find(job);
  EXPECT_EQ(now.status.parts_done, 2);
  EXPECT_EQ(now.status.parts_set_aside, 1);
  EXPECT_EQ(now.status.positions_done, 2);
  const std::vector<PartResult> results = Results(job);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].set_aside);
  EXPECT_EQ(results[0].reason, "TASK_FAILED");
  EXPECT_EQ(results[0].message, "it fell over");
  EXPECT_EQ(results[0].attempt, 2);
  EXPECT_EQ(results[0].positions, 2);
  EXPECT_EQ(results[0].results, "");
  EXPECT_FALSE(results[1].set_aside);
}

TEST_P(JobQueueContract, FailsAJobOfWhichNothingCanBeDone) {
  const Job job = Submit(Spec("site", 1));
  Fail(Take());
  EXPECT_FALSE(IsOver(Find(job).status.state));
  Fail(Take());
  const Job now = Find(job);
  EXPECT_EQ(now.status.state, JobState::kFailed);
  EXPECT_EQ(now.status.reason, "TASK_FAILED");
  EXPECT_EQ(now.status.faults.size(), 2u);
}

TEST_P(JobQueueContract, TellsTheLatestFaultsOnly) {
  const Job job = Submit(Spec("site", 1));
  for (int i = 0; i < kMaxFaults + 3; ++i) {
    ASSERT_TRUE(queue().GiveBack(Take(), {.reason = "DRAINED", .message = ""}).ok());
  }
  const Job now = Find(job);
  ASSERT_EQ(now.status.faults.size(), static_cast<std::size_t>(kMaxFaults));
  EXPECT_EQ(now.status.faults.back().attempt, kMaxFaults + 3);
}

TEST_P(JobQueueContract, EndsWhatItsOwnerCancels) {
  const Job job = Submit(Spec("site", 3));
  const TakenPart first = Take();
  const TakenPart second = Take();
  Complete(second.part == 1 ? second : first);
  JobEar ear;
  queue().SetListener(&ear);
  const absl::StatusOr<Job> cancelled = queue().Cancel("site", job.spec.id);
  ASSERT_TRUE(cancelled.ok()) << cancelled.status();
  EXPECT_EQ(cancelled->status.state, JobState::kCancelled);
  EXPECT_TRUE(Wait([&] { return ear.HeardEndOf(job.spec.id); }));
  queue().SetListener(nullptr);
  EXPECT_TRUE(HasNone());
  // What comes too late does no harm.
  const TakenPart& late = second.part == 1 ? first : second;
  Complete(late);
  ASSERT_TRUE(queue().GiveBack(late, {.reason = "DRAINED", .message = ""}).ok());
  const Job now = Find(job);
  EXPECT_EQ(now.status.state, JobState::kCancelled);
  EXPECT_EQ(now.status.parts_done, 1);
  EXPECT_EQ(now.status.reason, "CANCELLED");
  EXPECT_TRUE(now.status.removed.has_value());
  // What it has found is kept, and for the rest it is said why there is nothing.
  const std::vector<PartResult> results = Results(job);
  ASSERT_EQ(results.size(), 3u);
  for (const PartResult& result : results) {
    EXPECT_EQ(result.set_aside, result.part != 1);
    EXPECT_EQ(result.reason, result.part == 1 ? "" : "CANCELLED");
    EXPECT_EQ(result.positions, 2);
  }
  // Once is enough.
  const absl::StatusOr<Job> again = queue().Cancel("site", job.spec.id);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->status.revision, now.status.revision);
}

TEST_P(JobQueueContract, TellsWhoKeepsAPartAliveThatNobodyWants) {
  const Job job = Submit(Spec());
  const TakenPart part = Take();
  ASSERT_TRUE(queue().Cancel("site", job.spec.id).ok());
  JobEar ear;
  queue().SetListener(&ear);
  EXPECT_TRUE(Wait([&] {
    queue().KeepAlive({part});
    return ear.HeardEndOf(job.spec.id);
  }));
  queue().SetListener(nullptr);
}

TEST_P(JobQueueContract, ExpiresWhatIsNotDoneByItsDeadline) {
  JobSpec spec = Spec();
  spec.deadline = system_clock::now() + milliseconds(50);
  const Job job = Submit(spec);
  ASSERT_TRUE(ComesTo(job, JobState::kExpired));
  EXPECT_EQ(Find(job).status.reason, "DEADLINE_PASSED");
  EXPECT_TRUE(HasNone());
}

TEST_P(JobQueueContract, ForgetsWhatIsOverWhenItIsToldTo) {
  JobSpec spec = Spec();
  spec.client_id = "again";
  const Job job = Submit(spec);
  const absl::Status refused = queue().Delete("site", job.spec.id);
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReasonOf(refused), "JOB_NOT_OVER");
  ASSERT_TRUE(queue().Cancel("site", job.spec.id).ok());
  const absl::Status deleted = queue().Delete("site", job.spec.id);
  EXPECT_TRUE(deleted.ok()) << deleted;
  EXPECT_EQ(queue().Find("site", job.spec.id).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(queue().Results(job.spec.id, 0, kManyBytes).status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(queue().List("site", {})->jobs.empty());
  // Its name is free.
  spec.id = "new";
  spec.fingerprint = "new";
  const absl::StatusOr<JobQueue::Accepted> accepted = queue().Submit(spec);
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  EXPECT_FALSE(accepted->repeated);
}

TEST_P(JobQueueContract, ForgetsWhatWasKeptLongEnough) {
  JobSpec spec = Spec();
  spec.keep = seconds(0);
  const Job job = Submit(spec);
  ASSERT_TRUE(queue().Cancel("site", job.spec.id).ok());
  EXPECT_TRUE(Wait([&] { return !queue().Find("site", job.spec.id).ok(); }));
}

TEST_P(JobQueueContract, LetsATenantSayWhichOfItsJobsGoFirst) {
  JobSpec low = Spec("site", 1);
  low.priority = JobPriority::kLow;
  Submit(low);
  const Job normal = Submit(Spec("site", 1));
  JobSpec high = Spec("site", 1);
  high.priority = JobPriority::kHigh;
  Submit(high);
  EXPECT_EQ(Take().job, high.id);
  EXPECT_EQ(Take().job, normal.spec.id);
  EXPECT_EQ(Take().job, low.id);
}

TEST_P(JobQueueContract, LetsNobodyWaitForAnothersLongQueue) {
  for (int i = 0; i < 3; ++i) Submit(Spec("greedy", 20));
  Submit(Spec("modest", 2));
  int modest = 0;
  for (int i = 0; i < 8; ++i) modest += Take().tenant == "modest" ? 1 : 0;
  EXPECT_EQ(modest, 2);
}

TEST_P(JobQueueContract, GivesPartsOnlyToWhoUnderstandsThem) {
  JobSpec newer = Spec("site", 1);
  newer.format = 2;
  Submit(newer);
  JobSpec other = Spec("site", 1);
  other.generation = {"Kibitz 2", ""};
  Submit(other);
  EXPECT_TRUE(HasNone());
  const Job mine = Submit(Spec("site", 1));
  EXPECT_EQ(Take().job, mine.spec.id);
  EXPECT_TRUE(HasNone());
  JobQueue::Ability able = Able();
  able.generation.engine = "Kibitz 2";
  EXPECT_TRUE(Wait([&] {
    const absl::StatusOr<std::optional<TakenPart>> taken = queue().Take(able);
    return taken.ok() && taken->has_value() && (*taken)->job == other.id;
  }));
}

TEST_P(JobQueueContract, RefusesWhatIsTooMuch) {
  Make({.max_jobs = 5, .terms_of = [](const std::string&) { return TenantTerms{.max_jobs = 3}; }});
  for (int i = 0; i < 3; ++i) Submit(Spec());
  const absl::Status quota = queue().Submit(Spec()).status();
  EXPECT_EQ(quota.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(quota), "JOB_QUOTA");
  EXPECT_GT(RetryAfter(quota).value_or(absl::ZeroDuration()), absl::ZeroDuration());
  for (int i = 0; i < 2; ++i) Submit(Spec("another"));
  const absl::Status full = queue().Submit(Spec("third")).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(full), "JOBS_FULL");
  EXPECT_GT(RetryAfter(full).value_or(absl::ZeroDuration()), absl::ZeroDuration());
  // Whoever repeats itself asks for no more.
  JobSpec named = Spec("another");
  named.client_id = "named";
  ASSERT_TRUE(queue().Cancel("another", queue().List("another", {})->jobs[0].spec.id).ok());
  Submit(named);
  EXPECT_TRUE(queue().Submit(named)->repeated);
}

TEST_P(JobQueueContract, LosesNothingWithItsNode) {
  JobSpec named = Spec("site", 3);
  named.client_id = "named";
  const Job job = Submit(named);
  TakenPart done = Take();
  Complete(done);
  const TakenPart lost = Take();
  const Job over = Submit(Spec());
  ASSERT_TRUE(queue().Cancel("site", over.spec.id).ok());
  Restart();

  EXPECT_EQ(Find(job).status.parts_done, 1);
  EXPECT_EQ(Find(over).status.state, JobState::kCancelled);
  EXPECT_TRUE(queue().Submit(named)->repeated);
  std::set<int> taken;
  for (int i = 0; i < 2; ++i) {
    const TakenPart part = Take();
    taken.insert(part.part);
    EXPECT_EQ(part.attempt, part.part == lost.part ? 2 : 1);
    EXPECT_EQ(part.alone, part.part == lost.part);
    Complete(part);
  }
  EXPECT_EQ(taken.size(), 2u);
  EXPECT_FALSE(taken.contains(done.part));
  const Job now = Find(job);
  EXPECT_EQ(now.status.state, JobState::kDone);
  ASSERT_EQ(now.status.faults.size(), 1u);
  EXPECT_EQ(now.status.faults[0].reason, "NODE_LOST");
  EXPECT_EQ(now.status.faults[0].part, lost.part);
  EXPECT_EQ(Results(job).size(), 3u);
}

TEST_P(JobQueueContract, TellsWhoWatchesAJob) {
  const Job job = Submit(Spec("site", 1));
  std::atomic<int> heard{0};
  JobQueue::Watch watch = queue().WatchJob(job.spec.id, [&heard] { ++heard; });
  const TakenPart part = Take();
  EXPECT_TRUE(Wait([&] { return heard >= 1; }));
  const int before = heard;
  Complete(part);
  EXPECT_TRUE(Wait([&] { return heard > before; }));
  watch.reset();
}

TEST_P(JobQueueContract, TellsItsListenerOfWork) {
  JobEar ear;
  queue().SetListener(&ear);
  const Job job = Submit(Spec("site", 1));
  EXPECT_TRUE(Wait([&] { return ear.works() > 0; }));
  Complete(Take());
  EXPECT_TRUE(Wait([&] { return ear.HeardEndOf(job.spec.id); }));
  queue().SetListener(nullptr);
}

TEST_P(JobQueueContract, HasOwnersToldWhoWantToBe) {
  JobSpec spec = Spec("site", 1);
  spec.webhook = "https://site.example/done";
  const Job job = Submit(spec);
  Submit(Spec("another", 1));
  EXPECT_TRUE(queue().TakeDeliveries(10)->empty());
  for (int i = 0; i < 2; ++i) Complete(Take());
  std::vector<JobQueue::Delivery> due;
  const auto come = [&] {
    const absl::StatusOr<std::vector<JobQueue::Delivery>> deliveries = queue().TakeDeliveries(10);
    EXPECT_TRUE(deliveries.ok()) << deliveries.status();
    if (deliveries.ok()) due = *deliveries;
    return !due.empty();
  };
  ASSERT_TRUE(Wait(come));
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].job.spec.id, job.spec.id);
  EXPECT_EQ(due[0].job.spec.webhook, spec.webhook);
  EXPECT_EQ(due[0].job.status.state, JobState::kDone);
  EXPECT_EQ(due[0].attempt, 1);
  EXPECT_TRUE(queue().TakeDeliveries(10)->empty()) << "somebody is at it";
  ASSERT_TRUE(queue().EndDelivery(due[0], system_clock::now()).ok());
  ASSERT_TRUE(Wait(come));
  EXPECT_EQ(due[0].attempt, 2);
  ASSERT_TRUE(queue().EndDelivery(due[0], std::nullopt).ok());
  EXPECT_TRUE(queue().TakeDeliveries(10)->empty());
}

TEST_P(JobQueueContract, CountsWhatItDoes) {
  const Job job = Submit(Spec("site", 4));
  Complete(Take());
  Fail(Take());
  const TakenPart running = Take();
  const JobCounts counts = queue().counts();
  EXPECT_TRUE(counts.working);
  EXPECT_EQ(counts.submitted, 1);
  EXPECT_EQ(counts.jobs[static_cast<std::size_t>(JobState::kRunning)], 1);
  EXPECT_EQ(counts.parts_done, 1);
  EXPECT_EQ(counts.parts_failed, 1);
  EXPECT_EQ(counts.running_parts, 1);
  EXPECT_EQ(counts.waiting_parts, 2);
  EXPECT_GT(counts.oldest_part, std::chrono::nanoseconds(0));
}

TEST_P(JobQueueContract, HasOneResultForEachPartWhoeverIsAtIt) {
  constexpr int kJobs = 8;
  constexpr int kParts = 6;
  std::vector<Job> jobs;
  for (int i = 0; i < kJobs; ++i) jobs.push_back(Submit(Spec(absl::StrCat("tenant", i % 3), kParts)));
  std::vector<std::thread> threads;
  std::atomic<int> turn{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto all_over = [&] {
        return std::all_of(jobs.begin(), jobs.end(), [&](const Job& job) { return IsOver(Find(job).status.state); });
      };
      EXPECT_TRUE(Wait([&] {
        const absl::StatusOr<std::optional<TakenPart>> part = queue().Take(Able());
        if (!part.ok() || !part->has_value()) return all_over();
        // Some are given back, some done twice.
        const int kind = ++turn % 4;
        if (kind == 0) {
          EXPECT_TRUE(queue().GiveBack(**part, {.reason = "DRAINED", .message = ""}).ok());
        } else {
          for (int times = kind == 1 ? 2 : 1; times > 0; --times) Complete(**part);
        }
        return false;
      }));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Job& job : jobs) {
    EXPECT_EQ(Find(job).status.state, JobState::kDone);
    EXPECT_EQ(Find(job).status.positions_done, 2 * kParts);
    const std::vector<PartResult> results = Results(job);
    ASSERT_EQ(results.size(), static_cast<std::size_t>(kParts));
    for (int part = 0; part < kParts; ++part) {
      EXPECT_EQ(results[part].part, part);
      EXPECT_EQ(results[part].results.substr(0, 5), "found");
    }
  }
}

}  // namespace kibitz::server

#endif  // KIBITZ_TESTS_SERVER_JOBS_JOB_QUEUE_CONTRACT_H_
