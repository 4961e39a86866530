// kibitz.v1.AnalysisService: thin handlers between the wire and what does the work.

#ifndef KIBITZ_SERVER_SERVICE_ANALYSIS_SERVICE_H_
#define KIBITZ_SERVER_SERVICE_ANALYSIS_SERVICE_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/analyzer.h"
#include "server/analysis/perft_counter.h"
#include "server/analysis/search_group.h"
#include "server/analysis/search_memories.h"
#include "server/analysis/session.h"
#include "server/conversion/request_caps.h"
#include "server/measure/ledger.h"
#include "server/memory/memory_budget.h"
#include "server/metrics/server_status.h"
#include "server/quota/node_quotas.h"
#include "server/review/openings.h"
#include "server/review/reviewed_game.h"
#include "server/rpc/call.h"
#include "server/rpc/method.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/scheduler.h"
#include "server/scheduler/timer_queue.h"
#include "server/store/result_store.h"

namespace kibitz::server {

class AnalysisService {
 public:
  struct Options {
    int workers = 1;
    int max_live = 1000;
    int max_queue = 2000;
    int max_sessions = 4000;
    int hash_mb = 64;
    // Parts of the memory that requests may use beside the shared table.
    int perft_hash_mb = 256;
    int private_tables_mb = 512;
    int max_message_bytes = 96 << 10;
    int max_batch_bytes = 1 << 20;  // of requests that hold many positions, or games
    std::string openings;           // a list of them in PGN; empty: Debian's, if it is there
    RequestCaps caps;
  };

  // Without a store nothing is stored. Throws what the system throws when it has no memory or threads for it.
  AnalysisService(const Options& options, MemoryBudget& memory, std::unique_ptr<ResultStore> store);
  ~AnalysisService();

  // Opens endgame tables. Before any call comes.
  absl::Status OpenTablebases(const std::string& path) { return engine_.SetSyzygyPath(path); }

  // Its methods hold on to the service.
  void AddMethods(MethodTable& methods);

  // What others begin searches by. They live as long as the service.
  Analyzer& analyzer() { return analyzer_; }
  TimerQueue& timers() { return timers_; }
  // What is known of moves without a search.
  ReviewKnowledge review_knowledge();

  // What each tenant has had. It lives as long as the service.
  Ledger& ledger() { return ledger_; }

  // How it does: writes its part of the status.
  void WriteStatus(ServerStatus& status) const;

  // Forgets what all searches have found.
  void ClearHash() { engine_.ClearHash(options_.workers); }

  // Ends all work: searches that run send their Final, what waits and what comes later is told that the server ends.
  // Sessions must have heard of it before.
  void Shutdown() { scheduler_.Shutdown(); }

 private:
  template <typename Response>
  using StreamPointer = std::shared_ptr<ResponseStream<Response>>;

  absl::Status LegalMoves(Call& call, const v1::LegalMovesRequest& request, v1::LegalMovesResponse& response);
  absl::Status Evaluate(Call& call, const v1::EvaluateRequest& request, v1::EvaluateResponse& response);
  absl::Status Bitboards(Call& call, const v1::BitboardsRequest& request, v1::BitboardsResponse& response);
  absl::Status GetServerInfo(Call& call, const v1::GetServerInfoRequest& request, v1::GetServerInfoResponse& response);
  void Perft(Call& call, const v1::PerftRequest& request, StreamPointer<v1::PerftResponse> stream);
  void Analyze(Call& call, const v1::AnalyzeRequest& request, StreamPointer<v1::AnalyzeResponse> stream);
  void LegalMovesBatch(Call& call, const v1::LegalMovesBatchRequest& request,
                       StreamPointer<v1::LegalMovesBatchResponse> stream);
  void AnalyzeBatch(Call& call, const v1::AnalyzeBatchRequest& request, StreamPointer<v1::AnalyzeBatchResponse> stream);
  void AnalyzeGame(Call& call, const v1::AnalyzeGameRequest& request, StreamPointer<v1::AnalyzeGameResponse> stream);
  std::shared_ptr<Session> OpenSession(Call& call, StreamPointer<v1::AnalyzeSessionResponse> stream);

  // How many searches of a tenant's call run at a time; it wants so many, or leaves it to the server by 0.
  int WidthFor(const Tenant& tenant, int wanted) const;
  void BeginGroup(Call& call, const SearchGroup::Plan& plan, std::shared_ptr<SearchGroup::Owner> owner);

  void WriteCaps(const Quota& quota, v1::GetServerInfoResponse::Caps& caps) const;
  void TrimMemories();
  void SampleRates();

  const Options options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Engine engine_;
  Ledger ledger_;
  MemoryBudget perft_hash_;
  MemoryBudget private_tables_;
  SearchMemories memories_;
  NodeQuotas quotas_;
  const std::unique_ptr<ResultStore> store_;  // null: there is none
  OpeningsFile openings_;
  std::atomic<int> sessions_{0};
  // Each ends before what its tasks and callbacks use.
  TimerQueue timers_;
  Scheduler scheduler_;
  Analyzer analyzer_;
  PerftCounter counter_;
  std::jthread toucher_;  // of a new table
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_ANALYSIS_SERVICE_H_
