// One search that streams what it finds: an Analyze call, or a Go of a session.

#ifndef KIBITZ_SERVER_ANALYZE_TASK_H_
#define KIBITZ_SERVER_ANALYZE_TASK_H_

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis_conversion.h"
#include "server/game_memory.h"
#include "server/memory_budget.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/timer.h"
#include "server/scheduler/task.h"
#include "server/update_pacer.h"

namespace kibitz::server {

// At most one Queued, then Updates as often as the client wants them, then one Final or an error.
class AnalyzeTask final : public Task, public std::enable_shared_from_this<AnalyzeTask> {
 public:
  using Stream = ResponseStream<v1::AnalyzeResponse>;

  // What it takes from others for as long as it lives; each may be missing.
  struct Loans {
    MemoryBudget::Lease private_table;  // its part of the budget
    std::shared_ptr<GameMemory> game;   // what earlier searches of its game have learnt
  };

  // Its timers run on `loop`.
  AnalyzeTask(Engine& engine, AnalyzeOrder order, std::shared_ptr<Stream> stream, CompletionLoop& loop, Loans loans);

  // Calls back at that time, unless the task has ended. Before it is submitted.
  void CallAt(std::chrono::system_clock::time_point time, std::function<void()> callback);

  // The move pondered on was played. From any thread.
  void PonderHit();

  void OnQueued(int place) override;
  void Run(RunPermit& permit) override;
  void Help(int helper, RunPermit& permit) override;
  void End() override;
  void Drop(const absl::Status& why) override;

 private:
  // Made by the first worker that comes: time counts from then.
  Search& TheSearch();
  SearchMemory& MemoryOf(int worker_number);

  void OnUpdate(const Analysis& analysis);
  // Sends the update that waits if its time has come, and otherwise sees to it that it will. Under the lock.
  void SendWhenDue();
  void OnUpdateTimer(int number);
  // After this nothing is sent but the end.
  void StopTimers();

  Engine& engine_;
  const AnalyzeOrder order_;
  const std::shared_ptr<Stream> stream_;
  CompletionLoop& loop_;
  const Loans loans_;
  std::shared_ptr<Timer> end_timer_;

  std::mutex mutex_;  // guards what follows
  std::optional<Search> search_;
  bool ponder_hit_ = false;
  UpdatePacer pacer_;
  std::optional<Analysis> held_;         // waits for its time
  std::shared_ptr<Timer> update_timer_;  // set while it waits
  UpdatePacer::Time update_timer_due_;
  int update_timer_number_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYZE_TASK_H_
