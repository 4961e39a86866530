// Works for a fishnet with the pool of a server: positions of several games side by side, so that no core waits for the
// end of a game.

#ifndef KIBITZ_CLIENT_FISHNET_WORKER_H_
#define KIBITZ_CLIENT_FISHNET_WORKER_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/connection.h"
#include "client/fishnet/answers.h"
#include "client/fishnet/api.h"
#include "client/http/backoff.h"

namespace kibitz::client::fishnet {

struct WorkerOptions {
  // Positions searched at a time.
  int cores = 1;
  // Work of a user, or of the system, is taken only once some has waited for so long: others may be faster.
  absl::Duration user_backlog{};
  absl::Duration system_backlog{};
  EngineName engine{};
  // How often the server hears how far an analysis has come.
  absl::Duration report_interval = absl::Seconds(5);
  // Between two questions while there is no work, and after failures.
  http::BackoffOptions idle{.first = absl::Seconds(1), .longest = absl::Seconds(30)};
  http::BackoffOptions failed{.first = absl::Seconds(1), .longest = absl::Minutes(2)};
  // Hears what happens, a line at a time, on any thread. May be absent.
  std::function<void(std::string_view)> log{};
};

struct WorkerCounts {
  int analyses = 0;
  int moves = 0;
  std::int64_t positions = 0;
  std::int64_t skipped = 0;
  std::int64_t nodes = 0;
  int reports = 0;
  int returned = 0;  // given back to the server
  int refused = 0;   // answers that the server did not take
  absl::Duration working{};
};

class Worker {
 public:
  // The server's client and the connection must outlive it.
  Worker(Api& api, const Connection& pool, WorkerOptions options);

  // Takes and does work until a stop is requested; gives back what is not done by then. An error: the server does not
  // want this worker, in its own words. Other failures are waited out.
  absl::Status Run(const std::stop_token& stop);

  WorkerCounts counts() const;

 private:
  struct Batch;
  struct Task {
    std::shared_ptr<Batch> batch;
    int place = 0;
  };
  enum class Step { kWait, kAcquire, kReport, kHandIn, kReturn };
  struct Next {
    Step step = Step::kWait;
    std::shared_ptr<Batch> batch{};
    absl::Time until = absl::InfiniteFuture();
  };

  // What is to be done next; `until` is when to look again.
  Next NextStep(bool leaving) const;
  absl::Status Take(const Next& next, bool leaving, const std::stop_token& stop);
  absl::Status Acquire(const std::stop_token& stop);
  // Whether the queue has waited long enough to be taken from, and how. Nothing: not yet.
  absl::StatusOr<std::optional<bool>> ChooseQueue(const std::stop_token& stop);
  void Report(const std::shared_ptr<Batch>& batch, const std::stop_token& stop);
  absl::Status HandIn(const std::shared_ptr<Batch>& batch, bool leaving, const std::stop_token& stop);
  // Whether it matters to us from which queue work comes.
  bool Chooses() const;
  void Return(const std::shared_ptr<Batch>& batch);
  void Begin(Offer offer);
  absl::Status Heed(const absl::Status& failure);

  // On the threads of the cores.
  void SearchTasks(const std::stop_token& stop);
  void SearchTask(const Task& task, const std::stop_token& stop);
  void Log(std::string_view words) const;

  Api& api_;
  const Connection& pool_;
  const WorkerOptions options_;
  http::Backoff idle_;
  http::Backoff failed_;
  bool slow_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::deque<Task> tasks_;
  std::list<std::shared_ptr<Batch>> batches_;
  absl::Time next_acquire_ = absl::InfinitePast();
  absl::Time start_;
  WorkerCounts counts_;
};

}  // namespace kibitz::client::fishnet

#endif  // KIBITZ_CLIENT_FISHNET_WORKER_H_
