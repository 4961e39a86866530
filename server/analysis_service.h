// kibitz.v1.AnalysisService: thin handlers between the wire and the engine.

#ifndef KIBITZ_SERVER_ANALYSIS_SERVICE_H_
#define KIBITZ_SERVER_ANALYSIS_SERVICE_H_

#include <chrono>
#include <list>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/analyses.h"
#include "server/analyze_session.h"
#include "server/memory_budget.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/scheduler.h"
#include "server/server_options.h"

namespace kibitz::server {

class AnalysisService {
 public:
  // `options` has no zeros that stand for a default any more.
  explicit AnalysisService(const ServerOptions& options);

  // Opens the endgame tables that the options name. Before Serve.
  absl::Status OpenTablebases() { return engine_.SetSyzygyPath(options_.syzygy_path); }

  // For the server's builder.
  grpc::Service* service() { return &wire_; }

  // Answers the calls that come in from now on, on the threads of `loop`.
  void Serve(CompletionLoop& loop);

  // Forgets what all searches have found.
  void ClearHash() { engine_.ClearHash(options_.workers); }

  // Ends all work: searches that run send their Final, what waits and what comes later is told that the server ends.
  void Shutdown();

 private:
  // Requests and responses come and go as bytes; see server/rpc/wire_message.h.
  using V1 = v1::AnalysisService;
  using Wire = V1::WithRawMethod_LegalMoves<V1::WithRawMethod_Bitboards<V1::WithRawMethod_GetServerInfo<
      V1::WithRawMethod_Perft<V1::WithRawMethod_AnalyzeSession<V1::WithRawMethod_Analyze<V1::Service>>>>>>;

  template <typename Response>
  using StreamPointer = std::shared_ptr<ResponseStream<Response>>;

  absl::Status LegalMoves(const v1::LegalMovesRequest& request, v1::LegalMovesResponse& response);
  absl::Status Bitboards(const v1::BitboardsRequest& request, v1::BitboardsResponse& response);
  absl::Status GetServerInfo(const v1::GetServerInfoRequest& request, v1::GetServerInfoResponse& response);
  void Perft(const v1::PerftRequest& request, StreamPointer<v1::PerftResponse> stream);
  void Analyze(CompletionLoop& loop, const v1::AnalyzeRequest& request, StreamPointer<v1::AnalyzeResponse> stream);
  std::shared_ptr<AnalyzeSession> OpenSession(CompletionLoop& loop, StreamPointer<v1::AnalyzeSessionResponse> stream);

  const ServerOptions options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Wire wire_;
  Engine engine_;
  MemoryBudget perft_hash_;
  // The scheduler ends before what its tasks use.
  Analyses analyses_;
  Scheduler scheduler_;

  std::mutex mutex_;  // guards what follows
  bool shutting_down_ = false;
  std::list<std::weak_ptr<AnalyzeSession>> sessions_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_SERVICE_H_
