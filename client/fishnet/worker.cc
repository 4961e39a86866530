#include "client/fishnet/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/http/request.h"
#include "client/readable_status.h"

namespace kibitz::client::fishnet {
namespace {

std::string_view Words(const absl::Status& status) { return {status.message().data(), status.message().size()}; }

// How long the pool may refuse a position, or be gone, before its game is given back.
constexpr absl::Duration kPatience = absl::Minutes(1);
// Those who wait for another queue look at it this often.
constexpr absl::Duration kLookAgain = absl::Seconds(60);

}  // namespace

// Work under way. All but the work itself is guarded by the worker's mutex.
struct Worker::Batch {
  explicit Batch(Work taken) : work(std::move(taken)) {}

  const Work work;
  std::vector<nlohmann::json> parts{};
  std::string best_move{};
  int left = 0;           // positions that are still to come
  std::string failure{};  // why it cannot be done
  bool news = false;      // since the last report
  absl::Time last_report = absl::Now();

  bool is_move() const { return work.kind == Work::Kind::kMove; }
};

Worker::Worker(Api& api, const Connection& pool, WorkerOptions options)
    : api_(api), pool_(pool), options_(std::move(options)), idle_(options_.idle), failed_(options_.failed) {}

void Worker::Log(std::string_view words) const {
  if (options_.log) options_.log(words);
}

WorkerCounts Worker::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

absl::Status Worker::Run(const std::stop_token& stop) {
  start_ = absl::Now();
  std::stop_source cores_stop;
  std::vector<std::jthread> cores;
  for (int i = 0; i < options_.cores; ++i) {
    cores.emplace_back([this, token = cores_stop.get_token()] { SearchTasks(token); });
  }
  absl::Status status;
  while (true) {
    const bool leaving = stop.stop_requested() || !status.ok();
    if (leaving) cores_stop.request_stop();
    std::unique_lock lock(mutex_);
    const Next next = NextStep(leaving);
    if (next.step == Step::kWait) {
      if (leaving) break;
      // Only the cores and the clock bring something new, besides the stop.
      const auto until = absl::ToChronoTime(std::min(next.until, absl::Now() + absl::Hours(1)));
      changed_.wait_until(lock, stop, until, [&] { return NextStep(false).step != Step::kWait; });
      continue;
    }
    lock.unlock();
    const absl::Status taken = Take(next, leaving, stop);
    if (status.ok()) status = taken;
  }
  cores.clear();
  std::lock_guard lock(mutex_);
  counts_.working = absl::Now() - start_;
  return status;
}

Worker::Next Worker::NextStep(bool leaving) const {
  const absl::Time now = absl::Now();
  Next next;
  for (const auto& batch : batches_) {
    if (batch->failure.empty() && batch->left == 0) return {Step::kHandIn, batch};
  }
  for (const auto& batch : batches_) {
    if (leaving || !batch->failure.empty()) return {Step::kReturn, batch};
  }
  if (leaving) return next;
  for (const auto& batch : batches_) {
    const absl::Time due = batch->last_report + options_.report_interval;
    if (!batch->news || batch->is_move()) continue;
    if (due <= now) return {Step::kReport, batch};
    next.until = std::min(next.until, due);
  }
  if (tasks_.empty()) {
    if (next_acquire_ <= now) return {Step::kAcquire};
    next.until = std::min(next.until, next_acquire_);
  }
  return next;
}

absl::Status Worker::Take(const Next& next, bool leaving, const std::stop_token& stop) {
  switch (next.step) {
    case Step::kAcquire:
      return Acquire(stop);
    case Step::kReport:
      Report(next.batch, stop);
      break;
    case Step::kHandIn:
      return HandIn(next.batch, leaving, stop);
    case Step::kReturn:
      Return(next.batch);
      break;
    case Step::kWait:
      break;
  }
  return absl::OkStatus();
}

// What does not pass ends the worker; what may is waited out.
absl::Status Worker::Heed(const absl::Status& failure) {
  if (absl::IsCancelled(failure)) return absl::OkStatus();
  if (IsFinal(failure)) {
    return absl::Status(failure.code(), absl::StrCat(api_.host(), " does not want this worker: ", failure.message()));
  }
  const absl::Duration pause = failed_.Next();
  Log(fmt::format("{}; again in {:.0f} s", Words(failure), absl::ToDoubleSeconds(pause)));
  std::lock_guard lock(mutex_);
  next_acquire_ = absl::Now() + pause;
  return absl::OkStatus();
}

bool Worker::Chooses() const {
  return options_.user_backlog > absl::ZeroDuration() || options_.system_backlog > absl::ZeroDuration();
}

absl::StatusOr<std::optional<bool>> Worker::ChooseQueue(const std::stop_token& stop) {
  if (!Chooses()) return false;
  const auto ages = api_.Ages(stop);
  if (!ages.ok()) return ages.status();
  // A server that does not tell how long its queues are has them taken from as if they were long.
  if (!*ages) return options_.user_backlog > options_.system_backlog;
  const absl::Duration user = std::max(absl::ZeroDuration(), options_.user_backlog - (*ages)->user);
  const absl::Duration system = std::max(absl::ZeroDuration(), options_.system_backlog - (*ages)->system);
  if (std::min(user, system) <= absl::ZeroDuration()) return user > absl::ZeroDuration();
  std::lock_guard lock(mutex_);
  next_acquire_ = absl::Now() + std::min({user, system, kLookAgain});
  return std::nullopt;
}

absl::Status Worker::Acquire(const std::stop_token& stop) {
  const auto slow = ChooseQueue(stop);
  if (!slow.ok()) return Heed(slow.status());
  if (!*slow) return absl::OkStatus();
  slow_ = **slow;
  absl::StatusOr<std::optional<Offer>> offer = api_.Acquire(slow_, stop);
  if (!offer.ok()) return Heed(offer.status());
  failed_.Reset();
  if (*offer) {
    idle_.Reset();
    Begin(**std::move(offer));
    return absl::OkStatus();
  }
  std::lock_guard lock(mutex_);
  next_acquire_ = absl::Now() + idle_.Next();
  return absl::OkStatus();
}

void Worker::Begin(Offer offer) {
  Work work = offer.work.ok() ? *std::move(offer.work) : Work{.id = offer.id};
  auto batch = std::make_shared<Batch>(std::move(work));
  if (!offer.work.ok()) batch->failure = std::string(Words(offer.work.status()));
  std::lock_guard lock(mutex_);
  batches_.push_back(batch);
  if (!batch->failure.empty()) return;
  if (batch->is_move()) {
    batch->left = 1;
    // Somebody waits for it.
    tasks_.push_front({batch, 0});
  } else {
    batch->parts.resize(static_cast<std::size_t>(batch->work.positions()));
    // From the end: what a search learns of a position helps with the one before it.
    for (int place = batch->work.positions() - 1; place >= 0; --place) {
      if (batch->work.skipped.contains(place)) {
        batch->parts[static_cast<std::size_t>(place)] = SkippedPart();
        ++counts_.skipped;
      } else {
        tasks_.push_back({batch, place});
        ++batch->left;
      }
    }
  }
  changed_.notify_all();
}

void Worker::Report(const std::shared_ptr<Batch>& batch, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::vector<nlohmann::json> parts = batch->parts;
  batch->news = false;
  batch->last_report = absl::Now();
  lock.unlock();
  const absl::Status status = api_.Report(batch->work.id, AnalysisText(options_.engine, parts), stop);
  // The whole answer will say all of it.
  if (!status.ok()) return Log(fmt::format("{}: no report: {}", http::OneLine(batch->work.id, 40), Words(status)));
  lock.lock();
  ++counts_.reports;
}

absl::Status Worker::HandIn(const std::shared_ptr<Batch>& batch, bool leaving, const std::stop_token& stop) {
  Wish wish{.slow = slow_, .stop = leaving || Chooses()};
  {
    std::lock_guard lock(mutex_);
    batches_.remove(batch);
    // What waits for its turn is enough for now.
    wish.stop = wish.stop || !tasks_.empty();
  }
  const std::string& id = batch->work.id;
  auto offer = batch->is_move() ? api_.SubmitMove(id, MoveText(options_.engine, batch->best_move), wish, stop)
                                : api_.SubmitAnalysis(id, AnalysisText(options_.engine, batch->parts), wish, stop);
  if (absl::IsCancelled(offer.status()) && !leaving) {
    // It has one more attempt on the way out.
    std::lock_guard lock(mutex_);
    batches_.push_back(batch);
    return absl::OkStatus();
  }
  const bool taken = offer.ok() || absl::IsInternal(offer.status());
  {
    std::lock_guard lock(mutex_);
    ++(!taken ? counts_.refused : batch->is_move() ? counts_.moves : counts_.analyses);
    if (offer.ok()) next_acquire_ = absl::InfinitePast();
  }
  const std::string name = http::OneLine(id, 40);
  if (taken) {
    Log(fmt::format("{}: {}", name,
                    batch->is_move() ? batch->best_move : fmt::format("{} positions", batch->work.positions())));
  }
  if (offer.ok()) {
    if (*offer) Begin(**std::move(offer));
    return absl::OkStatus();
  }
  if (!taken) Log(fmt::format("{}: the answer was not taken: {}", name, Words(offer.status())));
  // An answer that is no good, or too late, says nothing about the next.
  const bool about_one = absl::IsInvalidArgument(offer.status()) || absl::IsNotFound(offer.status()) ||
                         absl::IsFailedPrecondition(offer.status());
  return about_one ? absl::OkStatus() : Heed(offer.status());
}

void Worker::Return(const std::shared_ptr<Batch>& batch) {
  std::string why;
  {
    std::lock_guard lock(mutex_);
    batches_.remove(batch);
    std::erase_if(tasks_, [&](const Task& task) { return task.batch == batch; });
    why = batch->failure;
    ++counts_.returned;
    // The same may come again at once.
    if (!why.empty()) next_acquire_ = std::max(next_acquire_, absl::Now() + failed_.Next());
  }
  const std::string id = http::OneLine(batch->work.id, 40);
  Log(fmt::format("{}: given back{}{}", id, why.empty() ? "" : ": ", why));
  const absl::Status status = api_.Abort(batch->work.id);
  if (!status.ok()) Log(fmt::format("{}: {}", id, Words(status)));
}

void Worker::SearchTasks(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !tasks_.empty(); }) && !stop.stop_requested()) {
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    // The next game is fetched when the last position of this one begins.
    if (tasks_.empty()) changed_.notify_all();
    lock.unlock();
    SearchTask(task, stop);
    lock.lock();
  }
}

void Worker::SearchTask(const Task& task, const std::stop_token& stop) {
  Batch& batch = *task.batch;
  const v1::AnalyzeRequest request =
      batch.is_move() ? MoveRequest(batch.work) : AnalysisRequest(batch.work, task.place, options_.engine.evaluation);
  std::optional<v1::AnalyzeResponse::Final> final;
  const auto on_event = [&](const v1::AnalyzeResponse& event) {
    if (event.has_final()) final = event.final();
  };
  http::Backoff backoff;
  const absl::Time latest = absl::Now() + kPatience;
  absl::Status status;
  while (true) {
    status = pool_.client().Analyze(request, on_event, pool_.LongCall(stop));
    const absl::Duration pause = std::max(backoff.Next(), RetryDelay(status).value_or(absl::ZeroDuration()));
    if (status.ok() || !http::MayPass(status) || absl::Now() + pause > latest) break;
    if (!http::RealClock().WaitFor(pause, stop)) break;
  }
  if (status.ok() && (!final || final->stop_reason() == v1::STOP_REASON_SHUTDOWN)) {
    status = absl::UnavailableError("the pool is shutting down");
  }
  std::lock_guard lock(mutex_);
  if (!status.ok()) {
    // After a stop the game is given back anyway.
    if (!stop.stop_requested()) batch.failure = std::string(Words(status));
  } else {
    if (batch.is_move()) batch.best_move = final->best_move();
    if (!batch.is_move()) batch.parts[static_cast<std::size_t>(task.place)] = PartOf(*final, batch.work);
    --batch.left;
    batch.news = true;
    ++counts_.positions;
    counts_.nodes += final->result().nodes();
  }
  changed_.notify_all();
}

}  // namespace kibitz::client::fishnet
