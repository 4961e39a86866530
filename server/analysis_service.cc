#include "server/analysis_service.h"

#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/perft.h"
#include "engine/engine.h"
#include "server/grpc_status.h"
#include "server/perft_task.h"
#include "server/proto_conversion.h"
#include "server/rpc/session_call.h"
#include "server/rpc/stream_call.h"
#include "server/rpc/unary_call.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kHashRetryDelay = absl::Seconds(5);

}  // namespace

AnalysisService::AnalysisService(const ServerOptions& options)
    : options_(options),
      engine_(static_cast<std::size_t>(options.hash_mb)),
      perft_hash_(options.perft_hash_mb),
      analyses_(engine_, scheduler_, options_),
      scheduler_({.permits = options.workers, .max_workers = options.max_live, .max_queue = options.max_queue}) {
  // The system hands memory out when it is first touched, which is better done now than during the first searches.
  ClearHash();
}

void AnalysisService::Shutdown() {
  std::list<std::weak_ptr<AnalyzeSession>> sessions;
  {
    std::lock_guard lock(mutex_);
    shutting_down_ = true;
    sessions.swap(sessions_);
  }
  for (const auto& session : sessions) {
    if (const auto open = session.lock()) open->Shutdown();
  }
  scheduler_.Shutdown();
}

void AnalysisService::Serve(CompletionLoop& loop) {
  using Service = AnalysisService;
  ServeUnary(loop, wire_, &Wire::RequestLegalMoves, this, &Service::LegalMoves);
  ServeUnary(loop, wire_, &Wire::RequestBitboards, this, &Service::Bitboards);
  ServeUnary(loop, wire_, &Wire::RequestGetServerInfo, this, &Service::GetServerInfo);
  ServeStream<v1::PerftRequest, v1::PerftResponse>(loop, wire_, &Wire::RequestPerft,
                                                   std::bind_front(&Service::Perft, this));
  ServeStream<v1::AnalyzeRequest, v1::AnalyzeResponse>(loop, wire_, &Wire::RequestAnalyze,
                                                       std::bind_front(&Service::Analyze, this, std::ref(loop)));
  ServeSession<v1::AnalyzeSessionRequest, v1::AnalyzeSessionResponse>(
      loop, wire_, &Wire::RequestAnalyzeSession, std::bind_front(&Service::OpenSession, this, std::ref(loop)));
}

absl::Status AnalysisService::LegalMoves(const v1::LegalMovesRequest& request, v1::LegalMovesResponse& response) {
  const absl::StatusOr<Position> position = ParsePosition(request.position());
  if (!position.ok()) return position.status();
  WriteLegalMoves(*position, response);
  return absl::OkStatus();
}

absl::Status AnalysisService::Bitboards(const v1::BitboardsRequest& request, v1::BitboardsResponse& response) {
  const absl::StatusOr<BitboardsOrder> order = ParseBitboards(request);
  if (!order.ok()) return order.status();
  WriteBitboards(*order, response);
  return absl::OkStatus();
}

absl::Status AnalysisService::GetServerInfo(const v1::GetServerInfoRequest& /*request*/,
                                            v1::GetServerInfoResponse& response) {
  const Scheduler::Load load = scheduler_.load();
  response.set_version(std::string(EngineVersion()));
  response.set_build(EngineBuild());
  response.set_evaluation(std::string(EvaluationName()));
  response.set_workers(options_.workers);
  response.set_hash_mb(static_cast<int>(engine_.hash_mb()));
  response.set_hashfull(engine_.hashfull());
  response.set_live_analyses(load.live);
  response.set_queued_analyses(load.queued);
  *response.mutable_uptime() = ToWire(std::chrono::steady_clock::now() - start_);
  auto* caps = response.mutable_caps();
  caps->set_max_depth(kMaxSearchDepth);
  caps->set_max_perft_depth(kMaxPerftDepth);
  caps->set_max_threads(options_.workers);
  caps->set_max_multi_pv(options_.max_multi_pv);
  caps->set_max_perft_hash_mb(options_.perft_hash_mb);
  caps->set_max_moves(kMaxGameMoves);
  caps->set_max_message_bytes(options_.max_message_bytes);
  *caps->mutable_max_search_time() = ToWire(options_.max_search_time);
  caps->set_max_live_analyses(options_.max_live);
  caps->set_max_queued_analyses(options_.max_queue);
  return absl::OkStatus();
}

void AnalysisService::Perft(const v1::PerftRequest& request, StreamPointer<v1::PerftResponse> stream) {
  absl::StatusOr<PerftOrder> order = ParsePerft(request, options_);
  if (!order.ok()) return stream->Finish(order.status());
  MemoryBudget::Lease lease = perft_hash_.Take(order->hash_mb);
  if (lease == nullptr) {
    return stream->Finish(
        Exhausted("PERFT_HASH_EXHAUSTED",
                  absl::StrCat("other counts use the memory for hash tables, ", options_.perft_hash_mb, " MiB in all"),
                  kHashRetryDelay));
  }
  const auto task = std::make_shared<PerftTask>(*std::move(order), stream, std::move(lease));
  stream->OnCancel([this, task] { scheduler_.Stop(task, StopCause::kCancelled); });
  scheduler_.Submit(task);
}

void AnalysisService::Analyze(CompletionLoop& loop, const v1::AnalyzeRequest& request,
                              StreamPointer<v1::AnalyzeResponse> stream) {
  analyses_.Begin(request, /*ponder=*/false, std::move(stream), /*game=*/nullptr, loop);
}

std::shared_ptr<AnalyzeSession> AnalysisService::OpenSession(CompletionLoop& loop,
                                                             StreamPointer<v1::AnalyzeSessionResponse> stream) {
  const auto session = std::make_shared<AnalyzeSession>(analyses_, stream, loop);
  stream->OnCancel([session] { session->OnCancel(); });
  {
    std::lock_guard lock(mutex_);
    sessions_.remove_if([](const auto& each) { return each.expired(); });
    if (!shutting_down_) {
      sessions_.push_back(session);
      return session;
    }
  }
  session->Shutdown();
  return session;
}

}  // namespace kibitz::server
