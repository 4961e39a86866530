#include "tests/bench/tenant_load.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "kibitz/v1/analysis.pb.h"
#include "server/rpc/call_work.h"

namespace kibitz::bench {
namespace {

using server::MemoryBudget;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{60};
constexpr int kHashMb = 64;
constexpr int kMemoryMb = 4096;

}  // namespace

// Hears of one analysis.
class TenantLoad::Stream final : public server::AnalysisTask::Stream {
 public:
  void Send(const v1::AnalyzeResponse& response) override { Hear(response); }
  void SendLatest(const v1::AnalyzeResponse& response) override { Hear(response); }
  void Finish(const absl::Status& /*status*/) override {
    std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  server::CallWork& work() override { return work_; }

  // In milliseconds; less than nothing: none came.
  double AwaitUpdate() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] { return first_update_ms_ >= 0 || over_; });
    return first_update_ms_;
  }
  std::int64_t AwaitNodes() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] { return over_; });
    return nodes_;
  }

 private:
  void Hear(const v1::AnalyzeResponse& response) {
    std::lock_guard lock(mutex_);
    if (response.has_final()) nodes_ = response.final().result().nodes();
    if (!response.has_update() || first_update_ms_ >= 0) return;
    first_update_ms_ = std::chrono::duration<double, std::milli>(steady_clock::now() - start_).count();
    changed_.notify_all();
  }

  const steady_clock::time_point start_ = steady_clock::now();
  server::CallWork work_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  double first_update_ms_ = -1;
  std::int64_t nodes_ = 0;
  bool over_ = false;
};

struct TenantLoad::Group {
  std::vector<std::shared_ptr<Stream>> streams;
  std::vector<std::shared_ptr<server::AnalysisTask>> tasks;
};

TenantLoad::TenantLoad(int workers)
    : engine_(kHashMb),
      memory_(MemoryBudget::Megabytes(kMemoryMb)),
      private_tables_(0, &memory_),
      memories_(memory_, /*max_idle_bytes=*/0),
      scheduler_({.permits = workers}),
      analyzer_({.engine = engine_,
                 .scheduler = scheduler_,
                 .timers = timers_,
                 .memories = memories_,
                 .private_tables = private_tables_,
                 .quotas = quotas_,
                 .ledger = ledger_},
                {.max_threads = workers}) {
  engine_.ClearHash();
}

TenantLoad::~TenantLoad() {
  scheduler_.Shutdown();
  timers_.Shutdown();
}

std::shared_ptr<TenantLoad::Stream> TenantLoad::Start(const server::TenantPointer& tenant, const std::string& fen,
                                                      std::shared_ptr<server::AnalysisTask>& task) {
  v1::AnalyzeRequest request;
  request.mutable_position()->set_fen(fen);
  request.mutable_limits()->set_infinite(true);
  auto stream = std::make_shared<Stream>();
  task = analyzer_.Begin(request, /*ponder=*/false,
                         {.deadline = std::chrono::system_clock::time_point::max(), .tenant = tenant}, stream);
  if (task == nullptr) throw std::runtime_error("an analysis was refused");
  return stream;
}

void TenantLoad::Begin(const server::TenantPointer& tenant, const std::vector<std::string>& fens) {
  auto group = std::make_unique<Group>();
  for (const std::string& fen : fens) {
    group->tasks.emplace_back();
    group->streams.push_back(Start(tenant, fen, group->tasks.back()));
  }
  groups_.push_back(std::move(group));
}

double TenantLoad::FirstUpdateMs(const server::TenantPointer& tenant, const std::string& fen) {
  std::shared_ptr<server::AnalysisTask> task;
  const std::shared_ptr<Stream> stream = Start(tenant, fen, task);
  const double milliseconds = stream->AwaitUpdate();
  analyzer_.Stop(task);
  stream->AwaitNodes();
  if (milliseconds < 0) throw std::runtime_error("an analysis was never heard of");
  return milliseconds;
}

std::vector<std::int64_t> TenantLoad::End() {
  for (const auto& group : groups_) {
    for (const auto& task : group->tasks) analyzer_.Stop(task);
  }
  std::vector<std::int64_t> nodes;
  for (const auto& group : groups_) {
    nodes.push_back(0);
    for (const auto& stream : group->streams) nodes.back() += stream->AwaitNodes();
  }
  groups_.clear();
  return nodes;
}

}  // namespace kibitz::bench
