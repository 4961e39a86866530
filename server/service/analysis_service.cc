#include "server/service/analysis_service.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "engine/board/perft.h"
#include "google/protobuf/util/time_util.h"
#include "server/analysis/batch.h"
#include "server/analysis/game_review.h"
#include "server/analysis/legal_moves_batch.h"
#include "server/analysis/preparation.h"
#include "server/conversion/batch.h"
#include "server/conversion/bitboards.h"
#include "server/conversion/common.h"
#include "server/conversion/evaluation.h"
#include "server/conversion/game.h"
#include "server/conversion/position.h"
#include "server/errors/errors.h"
#include "server/rpc/typed_methods.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kSessionRetryDelay = absl::Seconds(5);
constexpr std::chrono::seconds kTrimInterval{2};
constexpr std::chrono::seconds kRateInterval{1};
// What searches leave behind for the next move of their game.
constexpr std::size_t kMaxIdleBytes = MemoryBudget::Megabytes(64);

// For requests that hold neither a position nor anything else of size.
constexpr std::size_t kSmallRequest = 1 << 10;

}  // namespace

AnalysisService::AnalysisService(const Options& options, MemoryBudget& memory, std::unique_ptr<ResultStore> store)
    : options_(options),
      engine_(static_cast<std::size_t>(options.hash_mb)),
      perft_hash_(MemoryBudget::Megabytes(options.perft_hash_mb), &memory),
      private_tables_(MemoryBudget::Megabytes(options.private_tables_mb), &memory),
      memories_(memory, kMaxIdleBytes),
      store_(std::move(store)),
      openings_(options.openings),
      scheduler_({.permits = options.workers, .max_workers = options.max_live, .max_queue = options.max_queue}),
      analyzer_({.engine = engine_,
                 .scheduler = scheduler_,
                 .timers = timers_,
                 .memories = memories_,
                 .private_tables = private_tables_,
                 .quotas = quotas_,
                 .ledger = ledger_,
                 .store = store_.get()},
                options.caps),
      counter_(scheduler_, timers_, perft_hash_, quotas_, ledger_, options.caps) {
  // The system hands memory out when it is first touched: searches are to find it there, and nobody is to wait for it.
  toucher_ = std::jthread([this](const std::stop_token& stop) { engine_.TouchHash(stop); });
  TrimMemories();
  SampleRates();
}

AnalysisService::~AnalysisService() {
  scheduler_.Shutdown();
  // Its callbacks use what is destroyed before it.
  timers_.Shutdown();
}

void AnalysisService::AddMethods(MethodTable& methods) {
  const auto name = [](const char* method) { return absl::StrCat("/kibitz.v1.AnalysisService/", method); };
  const auto bytes = static_cast<std::size_t>(options_.max_message_bytes);
  const auto batch_bytes = static_cast<std::size_t>(options_.max_batch_bytes);
  using Service = AnalysisService;
  methods[name("LegalMoves")] =
      UnaryMethod<v1::LegalMovesRequest, v1::LegalMovesResponse>(bytes, std::bind_front(&Service::LegalMoves, this));
  methods[name("Evaluate")] =
      UnaryMethod<v1::EvaluateRequest, v1::EvaluateResponse>(bytes, std::bind_front(&Service::Evaluate, this));
  methods[name("Bitboards")] =
      UnaryMethod<v1::BitboardsRequest, v1::BitboardsResponse>(bytes, std::bind_front(&Service::Bitboards, this));
  methods[name("GetServerInfo")] = UnaryMethod<v1::GetServerInfoRequest, v1::GetServerInfoResponse>(
      kSmallRequest, std::bind_front(&Service::GetServerInfo, this));
  methods[name("Perft")] =
      StreamMethod<v1::PerftRequest, v1::PerftResponse>(bytes, std::bind_front(&Service::Perft, this));
  methods[name("Analyze")] =
      StreamMethod<v1::AnalyzeRequest, v1::AnalyzeResponse>(bytes, std::bind_front(&Service::Analyze, this));
  methods[name("AnalyzeGame")] = StreamMethod<v1::AnalyzeGameRequest, v1::AnalyzeGameResponse>(
      batch_bytes, std::bind_front(&Service::AnalyzeGame, this));
  methods[name("AnalyzeBatch")] = StreamMethod<v1::AnalyzeBatchRequest, v1::AnalyzeBatchResponse>(
      batch_bytes, std::bind_front(&Service::AnalyzeBatch, this));
  methods[name("LegalMovesBatch")] = StreamMethod<v1::LegalMovesBatchRequest, v1::LegalMovesBatchResponse>(
      batch_bytes, std::bind_front(&Service::LegalMovesBatch, this));
  methods[name("AnalyzeSession")] = SessionMethod<v1::AnalyzeSessionRequest, v1::AnalyzeSessionResponse>(
      bytes, std::bind_front(&Service::OpenSession, this));
}

absl::Status AnalysisService::LegalMoves(Call& call, const v1::LegalMovesRequest& request,
                                         v1::LegalMovesResponse& response) {
  const absl::StatusOr<Position> position = ParsePosition(request.position());
  if (!position.ok()) return position.status();
  call.work().SetPosition(position->key());
  WriteLegalMoves(*position, response);
  return absl::OkStatus();
}

absl::Status AnalysisService::Evaluate(Call& call, const v1::EvaluateRequest& request, v1::EvaluateResponse& response) {
  const absl::StatusOr<Position> position = ParsePosition(request.position());
  if (!position.ok()) return position.status();
  call.work().SetPosition(position->key());
  WriteEvaluation(*position, response);
  return absl::OkStatus();
}

absl::Status AnalysisService::Bitboards(Call& call, const v1::BitboardsRequest& request,
                                        v1::BitboardsResponse& response) {
  const absl::StatusOr<BitboardsSpec> spec = ParseBitboards(request);
  if (!spec.ok()) return spec.status();
  call.work().SetPosition(spec->position.key());
  WriteBitboards(*spec, response);
  return absl::OkStatus();
}

absl::Status AnalysisService::GetServerInfo(Call& call, const v1::GetServerInfoRequest& /*request*/,
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
  response.set_search_nodes_per_second(static_cast<std::int64_t>(ledger_.search_nodes_per_second()));
  *response.mutable_uptime() = ToWire(std::chrono::steady_clock::now() - start_);
  *response.mutable_time() = google::protobuf::util::TimeUtil::GetCurrentTime();
  response.set_tenant(call.tenant()->name);
  response.set_role(call.role() == Role::kAdmin ? v1::GetServerInfoResponse::ROLE_ADMIN
                                                : v1::GetServerInfoResponse::ROLE_ANALYSE);
  WriteCaps(call.tenant()->quota, *response.mutable_caps());
  return absl::OkStatus();
}

void AnalysisService::WriteStatus(ServerStatus& status) const {
  status.uptime = std::chrono::steady_clock::now() - start_;
  status.workers = options_.workers;
  status.max_live = options_.max_live;
  status.max_queue = options_.max_queue;
  status.hash_mb = static_cast<int>(engine_.hash_mb());
  status.hashfull = engine_.hashfull();
  status.sessions = sessions_;
  status.load = scheduler_.load();
  status.survey = scheduler_.survey();
  status.history = scheduler_.history();
  status.first_updates = ledger_.first_updates().counts();
  status.ledger = ledger_.entries();
  status.search_nodes_per_second = ledger_.search_nodes_per_second();
  if (store_ != nullptr) status.store = store_->status();
  status.budgets.push_back(BudgetStatus::Of("perft_hash", perft_hash_));
  status.budgets.push_back(BudgetStatus::Of("private_tables", private_tables_));
}

void AnalysisService::WriteCaps(const Quota& quota, v1::GetServerInfoResponse::Caps& caps) const {
  const RequestCaps own = CapsWithin(options_.caps, quota);
  caps.set_max_depth(own.max_depth);
  caps.set_max_perft_depth(kMaxPerftDepth);
  caps.set_max_threads(own.max_threads);
  caps.set_max_multi_pv(own.max_multi_pv);
  caps.set_max_perft_hash_mb(own.max_perft_hash_mb);
  caps.set_max_moves(kMaxGameMoves);
  caps.set_max_message_bytes(options_.max_message_bytes);
  *caps.mutable_max_search_time() = ToWire(own.max_search_time);
  caps.set_max_live_analyses(std::min(options_.max_live, quota.max_live.value_or(options_.max_live)));
  caps.set_max_batch_bytes(options_.max_batch_bytes);
  caps.set_max_review_plies(kMaxReviewPlies);
  caps.set_max_batch_positions(kMaxBatchPositions);
  caps.set_max_queued_analyses(std::min(options_.max_queue, quota.max_queued.value_or(options_.max_queue)));
}

void AnalysisService::Perft(Call& call, const v1::PerftRequest& request, StreamPointer<v1::PerftResponse> stream) {
  const std::shared_ptr<PerftTask> task = counter_.Begin(request, call.tenant(), std::move(stream));
  if (task != nullptr) call.OnCancel([this, task] { counter_.Stop(task); });
}

void AnalysisService::Analyze(Call& call, const v1::AnalyzeRequest& request,
                              StreamPointer<v1::AnalyzeResponse> stream) {
  const std::shared_ptr<AnalysisTask> task = analyzer_.Begin(
      request, /*ponder=*/false, {.deadline = call.deadline(), .tenant = call.tenant()}, std::move(stream));
  if (task != nullptr) call.OnCancel([this, task] { analyzer_.Stop(task); });
}

void AnalysisService::LegalMovesBatch(Call& call, const v1::LegalMovesBatchRequest& request,
                                      StreamPointer<v1::LegalMovesBatchResponse> stream) {
  if (absl::Status check = CheckPositions(request.positions()); !check.ok()) return stream->Finish(check);
  const auto batch = std::make_shared<server::LegalMovesBatch>(scheduler_, call.tenant(), request, std::move(stream));
  call.OnCancel([batch] { batch->Cancel(); });
  batch->Begin();
}

void AnalysisService::AnalyzeBatch(Call& call, const v1::AnalyzeBatchRequest& request,
                                   StreamPointer<v1::AnalyzeBatchResponse> stream) {
  const RequestCaps caps = CapsWithin(options_.caps, call.tenant()->quota);
  absl::StatusOr<v1::AnalyzeRequest> search = ParseBatch(request, caps);
  if (!search.ok()) return stream->Finish(search.status());
  BeginGroup(call, {.searches = request.positions_size(), .width = WidthFor(*call.tenant(), request.threads())},
             std::make_shared<Batch>(request, *std::move(search), std::move(stream)));
}

void AnalysisService::AnalyzeGame(Call& call, const v1::AnalyzeGameRequest& request,
                                  StreamPointer<v1::AnalyzeGameResponse> stream) {
  const RequestCaps caps = CapsWithin(options_.caps, call.tenant()->quota);
  absl::StatusOr<ReviewSpec> spec = ParseReview(request, caps);
  if (!spec.ok()) return stream->Finish(spec.status());
  const Priority priority = request.priority() == v1::PRIORITY_BATCH ? Priority::kBatch : Priority::kInteractive;
  const int width = WidthFor(*call.tenant(), request.threads());
  const auto review = std::make_shared<GameReview>(*std::move(spec), review_knowledge(), stream);
  // The stream keeps the call.
  const auto begin = [this, &call, stream, review, width](const absl::Status& status) {
    if (!status.ok()) return stream->Finish(status);
    BeginGroup(call, {.searches = review->Plan(width), .width = width, .let_in = true}, review);
  };
  const auto task = std::make_shared<Preparation>(
      priority, call.tenant(),
      Preparation::Steps{.on_queued = [review](int place) { review->SendQueued(place); },
                         .prepare = [review, request] { return review->Prepare(request); },
                         .then = begin});
  call.OnCancel([this, task] { scheduler_.Stop(task, StopCause::kCancelled); });
  scheduler_.Submit(task);
}

ReviewKnowledge AnalysisService::review_knowledge() {
  return {.tables = [this](const Position& position, Move move) { return engine_.JudgeByTables(position, move); },
          .openings = openings_.Get()};
}

int AnalysisService::WidthFor(const Tenant& tenant, int wanted) const {
  const int width = wanted > 0 ? wanted : CapsWithin(options_.caps, tenant.quota).max_threads;
  return std::max(1, std::min(width, tenant.quota.max_live.value_or(width)));
}

void AnalysisService::BeginGroup(Call& call, const SearchGroup::Plan& plan, std::shared_ptr<SearchGroup::Owner> owner) {
  const auto group = std::make_shared<SearchGroup>(
      analyzer_, timers_, Analyzer::Caller{.deadline = call.deadline(), .tenant = call.tenant()}, call.work(), plan,
      std::move(owner));
  call.OnCancel([group] { group->Cancel(); });
  group->Begin();
}

std::shared_ptr<Session> AnalysisService::OpenSession(Call& call, StreamPointer<v1::AnalyzeSessionResponse> stream) {
  if (sessions_.fetch_add(1) >= options_.max_sessions) {
    sessions_.fetch_sub(1);
    stream->Finish(
        Exhausted("TOO_MANY_SESSIONS", absl::StrCat(options_.max_sessions, " sessions are open"), kSessionRetryDelay));
    return nullptr;
  }
  const std::shared_ptr<Session> session(
      new Session(analyzer_, {.deadline = call.deadline(), .tenant = call.tenant()}, std::move(stream)),
      [this](Session* ended) {
        delete ended;
        sessions_.fetch_sub(1);
      });
  call.OnCancel([session] { session->OnCancel(); });
  return session;
}

void AnalysisService::TrimMemories() {
  memories_.Trim(SearchMemories::Clock::now());
  timers_.Schedule(TimerQueue::Clock::now() + kTrimInterval, [this] { TrimMemories(); });
}

void AnalysisService::SampleRates() {
  ledger_.SampleRates(Rate::Time::clock::now());
  timers_.Schedule(TimerQueue::Clock::now() + kRateInterval, [this] { SampleRates(); });
}

}  // namespace kibitz::server
