// One Analyze call: a search that streams what it finds.

#ifndef KIBITZ_SERVER_ANALYZE_TASK_H_
#define KIBITZ_SERVER_ANALYZE_TASK_H_

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis_conversion.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/rpc/timer.h"
#include "server/scheduler.h"
#include "server/update_pacer.h"

namespace kibitz::server {

// At most one Queued, then Updates as often as the client wants them, then one Final or an error.
class AnalyzeTask final : public Task, public std::enable_shared_from_this<AnalyzeTask> {
 public:
  using Stream = ResponseStream<v1::AnalyzeResponse>;

  // Its timers run on `loop`.
  AnalyzeTask(Engine& engine, AnalyzeOrder order, std::shared_ptr<Stream> stream, CompletionLoop& loop);

  // Calls back shortly before the client's deadline, early enough for a Final to reach it, unless the task has ended.
  void OnDeadlineNear(std::function<void()> callback);

  void OnQueued(int place) override;
  void Run(int threads) override;
  void Drop(const absl::Status& why) override;

 private:
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
  std::shared_ptr<Timer> deadline_timer_;

  std::mutex mutex_;  // guards what follows
  UpdatePacer pacer_;
  std::optional<Analysis> held_;         // waits for its time
  std::shared_ptr<Timer> update_timer_;  // set while it waits
  UpdatePacer::Time update_timer_due_;
  int update_timer_number_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYZE_TASK_H_
