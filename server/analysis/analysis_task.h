// One search that streams what it finds: an Analyze call, or a Go of a session.

#ifndef KIBITZ_SERVER_ANALYSIS_ANALYSIS_TASK_H_
#define KIBITZ_SERVER_ANALYSIS_ANALYSIS_TASK_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/search_memories.h"
#include "server/analysis/update_pacer.h"
#include "server/conversion/analysis.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/quota/node_quotas.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/task.h"
#include "server/scheduler/timer_queue.h"
#include "server/store/result_store.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// At most one Queued, then Updates as often as the client wants them, then one Final or an error.
class AnalysisTask final : public Task, public std::enable_shared_from_this<AnalysisTask> {
 public:
  using Stream = ResponseStream<v1::AnalyzeResponse>;

  // What it needs of the server.
  struct Resources {
    Engine& engine;
    SearchMemories& memories;
    TimerQueue& timers;
    Ledger& ledger;
    MemoryBudget::Lease private_table;  // the budget's part for a table of its own, if it has one
    TenantPointer tenant = AnonymousTenant();
    std::shared_ptr<NodeMeter> meter = nullptr;  // counts its nodes, if they are counted
    ResultStore* store = nullptr;                // of results, if there is one
    SearchMemories::Game game = 0;               // whose memories it uses
  };

  AnalysisTask(AnalysisSpec spec, std::shared_ptr<Stream> stream, Resources resources);

  // Called once when it has ended, or will not begin. Set before it is submitted.
  void set_on_end(std::function<void()> on_end) { on_end_ = std::move(on_end); }

  // The move pondered on was played. From any thread.
  void PonderHit();

  void OnQueued(int place) override;
  void Run(RunPermit& permit) override;
  void Help(int helper, RunPermit& permit) override;
  void End() override;
  void Drop(const absl::Status& why) override;

 private:
  // Made by the first worker that comes: time counts from then.
  Search& GetSearch();
  // Answers without a search, if it may be and a result is stored; or refuses, if nothing else may answer.
  bool AnswerFromStore();
  bool CanUseStore() const;
  // Lets the search begin from what is stored, if anything is.
  void BeginFromStore();
  // Its workers have searched so many nodes more.
  void CountNodes(std::int64_t nodes);
  // Before anything but its place in the queue is sent. Under the lock.
  void CountFirstUpdate();

  void OnUpdate(const Analysis& analysis);
  // Sends the update that waits if its time has come, and otherwise sees to it that it will. Under the lock.
  void SendWhenDue();
  void OnUpdateTimer(int number);
  // After this nothing is sent but the end.
  void StopUpdates();
  void Finish(const absl::Status& status);

  const AnalysisSpec spec_;
  const std::shared_ptr<Stream> stream_;
  const Resources resources_;
  LedgerPage& page_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> nodes_counted_{0};
  std::optional<StoredResult> begun_from_;  // the first worker's
  std::function<void()> on_end_;

  std::mutex mutex_;  // guards what follows
  std::optional<Search> search_;
  absl::Status refused_;  // there was no memory for it
  bool ponder_hit_ = false;
  bool told_something_ = false;
  UpdatePacer pacer_;
  std::optional<Analysis> held_;  // waits for its time
  bool update_timer_set_ = false;
  TimerQueue::Timer update_timer_;  // runs while it waits
  UpdatePacer::Time update_timer_due_;
  int update_timer_number_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_ANALYSIS_TASK_H_
