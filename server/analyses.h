// Begins searches, for Analyze calls and for sessions.

#ifndef KIBITZ_SERVER_ANALYSES_H_
#define KIBITZ_SERVER_ANALYSES_H_

#include <memory>

#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analyze_task.h"
#include "server/game_memory.h"
#include "server/memory_budget.h"
#include "server/rpc/completion_loop.h"
#include "server/scheduler/scheduler.h"
#include "server/server_options.h"

namespace kibitz::server {

// All methods may be called from any thread.
class Analyses {
 public:
  using Stream = AnalyzeTask::Stream;

  Analyses(Engine& engine, Scheduler& scheduler, const ServerOptions& options)
      : engine_(engine), scheduler_(scheduler), options_(options), private_tables_(options.private_tables_mb) {}

  // Begins a search that answers through `stream`, and ends it in time for the client's deadline. nullptr when the
  // request is refused, which the stream is told. `game` may be missing.
  std::shared_ptr<AnalyzeTask> Begin(const v1::AnalyzeRequest& request, bool ponder, std::shared_ptr<Stream> stream,
                                     std::shared_ptr<GameMemory> game, CompletionLoop& loop);

  void Stop(const std::shared_ptr<AnalyzeTask>& task) { scheduler_.Stop(task, StopCause::kCancelled); }
  void PonderHit(const std::shared_ptr<AnalyzeTask>& task);

  const ServerOptions& options() const { return options_; }

 private:
  Engine& engine_;
  Scheduler& scheduler_;
  const ServerOptions& options_;
  MemoryBudget private_tables_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSES_H_
