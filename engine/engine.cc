#include "engine/engine.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/movegen.h"
#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/evaluator.h"
#include "engine/eval/nnue/embedded_network.h"
#include "engine/eval/nnue/network.h"
#include "engine/eval/nnue/nnue_evaluator.h"
#include "engine/search/iterative_deepening.h"
#include "engine/search/move_order.h"
#include "engine/search/root.h"
#include "engine/search/root_move.h"
#include "engine/search/stopper.h"
#include "engine/search/tablebase_value.h"
#include "engine/search/transposition_table.h"
#include "engine/search/worker.h"
#include "engine/search/worker_memory.h"
#include "engine/strength.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz {
namespace {

// Which of the builds that a package holds this is. The build says it by a word without quotes, which would have to
// survive Bazel and a shell.
#ifdef KIBITZ_VARIANT
#define KIBITZ_QUOTE_WORD(word) #word
#define KIBITZ_QUOTE(macro) KIBITZ_QUOTE_WORD(macro)
constexpr absl::string_view kVariant = KIBITZ_QUOTE(KIBITZ_VARIANT);
#else
constexpr absl::string_view kVariant = "native";
#endif

// Enough for the depths that reproducible requests ask for, and part of their answer: not to be changed lightly.
constexpr std::size_t kReproducibleTableMb = 16;
// Enough for the few nodes of play below full strength.
constexpr std::size_t kLimitedTableMb = 2;

std::unique_ptr<TranspositionTable> MakePrivateTable(const AnalysisRequest& request) {
  const std::size_t megabytes = PrivateTableMb(request);
  return megabytes == 0 ? nullptr : std::make_unique<TranspositionTable>(megabytes);
}

Limits LimitsOf(const AnalysisRequest& request) {
  Limits limits = request.limits;
  if (request.strength_elo != 0) {
    const std::int64_t allowed = HandicapOf(request.strength_elo).nodes;
    limits.nodes = std::min(limits.nodes.value_or(allowed), allowed);
  }
  return limits;
}

bool IsMate(Value value) { return value > kMateThreshold || (value < -kMateThreshold && value != -kInfinite); }

// Puts what the tablebases know of the root's moves beside them, best first.
void Rank(std::vector<RootMove>& root_moves, const std::vector<RankedMove>& ranking) {
  for (RootMove& root_move : root_moves) {
    const auto ranked = std::find_if(ranking.begin(), ranking.end(),
                                     [&](const RankedMove& each) { return each.move == root_move.move; });
    if (ranked == ranking.end()) continue;
    root_move.tablebase_rank = ranked->rank;
    root_move.tablebase_value = TablebaseValue(ranked->result, /*ply=*/1);
  }
  SortByValue(root_moves, 0, root_moves.size());
}

bool IsRanked(const std::vector<RootMove>& root_moves) { return root_moves.front().tablebase_value.has_value(); }

AnalysisLine ToLine(const RootMove& root_move) {
  const bool searched = root_move.value != -kInfinite;
  Value value = searched ? root_move.value : root_move.previous;
  Score::Bound bound = root_move.bound;
  // The search may see a mate on the way to what the tables promise; anything else they know better.
  if (root_move.tablebase_value && !IsMate(value)) {
    value = *root_move.tablebase_value;
    bound = Score::Bound::kExact;
  }
  // Before its first iteration is complete a move has no value at all.
  const Score score = value == -kInfinite ? Score() : Score::FromValue(value, bound);
  return {score, Wdl::FromScore(score), root_move.pv};
}

// What the search has used and found so far.
void WriteCounts(const std::vector<RootMove>& root_moves, const Worker& worker, const Stopper& stopper,
                 const TranspositionTable& table, Analysis& analysis) {
  analysis.nodes = worker.nodes() + stopper.helper_nodes();
  analysis.elapsed = stopper.Elapsed();
  analysis.hashfull = table.Hashfull();
  analysis.tb_hits = worker.tb_hits() + stopper.helper_tb_hits();
  if (IsRanked(root_moves)) analysis.tb_hits += static_cast<std::int64_t>(root_moves.size());
}

Analysis ToAnalysis(const Iteration& iteration, const Worker& worker, const Stopper& stopper,
                    const TranspositionTable& table) {
  Analysis analysis;
  analysis.depth = iteration.depth;
  WriteCounts(iteration.root_moves, worker, stopper, table, analysis);
  for (int i = 0; i < iteration.lines; ++i) {
    const RootMove& root_move = iteration.root_moves[static_cast<std::size_t>(i)];
    analysis.seldepth = std::max(analysis.seldepth, root_move.seldepth);
    analysis.lines.push_back(ToLine(root_move));
  }
  return analysis;
}

// Tells of a search what is new, during its iterations and after them.
class Progress final : public RootWatcher {
 public:
  using OnUpdate = std::function<void(const Analysis&)>;

  Progress(const std::vector<RootMove>& root_moves, const Worker& worker, const Stopper& stopper,
           const TranspositionTable& table, const OnUpdate& on_update)
      : root_moves_(root_moves), worker_(worker), stopper_(stopper), table_(table), on_update_(on_update) {}

  void OnIteration(const Iteration& iteration) {
    last_ = ToAnalysis(iteration, worker_, stopper_, table_);
    on_update_(last_);
  }

  void OnMove(const RootMove& move, int number) override {
    // In short searches this would only be noise.
    if (stopper_.Elapsed() < std::chrono::seconds(1) || last_.lines.empty()) return;
    last_.current_move = move.move;
    last_.current_move_number = number;
    Tell();
  }

  void OnBetterMove(const RootMove& move, int depth) override {
    // Of several lines the others are as the last iteration saw them, and would not be in order with this one.
    if (last_.lines.size() != 1) return;
    last_.lines.front() = ToLine(move);
    last_.depth = depth;
    last_.seldepth = std::max(last_.seldepth, move.seldepth);
    Tell();
  }

 private:
  void Tell() {
    WriteCounts(root_moves_, worker_, stopper_, table_, last_);
    on_update_(last_);
  }

  const std::vector<RootMove>& root_moves_;
  const Worker& worker_;
  const Stopper& stopper_;
  const TranspositionTable& table_;
  const OnUpdate& on_update_;
  Analysis last_;
};

TableOutcome OutcomeOf(TablebaseResult result) {
  switch (result) {
    case TablebaseResult::kWin:
      return TableOutcome::kWin;
    case TablebaseResult::kLoss:
      return TableOutcome::kLoss;
    default:
      return TableOutcome::kDraw;
  }
}

}  // namespace

// CHANGELOG.md begins with the same version.
absl::string_view EngineVersion() { return "Kibitz 0.3.0"; }

std::string EngineBuild() { return absl::StrCat(kVariant, ", ", __VERSION__, ", sliders by ", Sliders::kName); }

namespace {

EvaluatorKind CarriedNet() { return nnue::NnueKind(nnue::EmbeddedNetwork()); }

EvaluatorKind& ChosenEvaluator() {
  static EvaluatorKind* const chosen = new EvaluatorKind(CarriedNet());
  return *chosen;
}

}  // namespace

const EvaluatorKind& DefaultEvaluator() { return ChosenEvaluator(); }

absl::Status SetEvaluation(absl::string_view kind, const std::string& net_file) {
  if (kind == kClassicalEvaluation) {
    if (!net_file.empty()) return absl::InvalidArgumentError("the classical evaluation takes no net");
    ChosenEvaluator() = ClassicalKind();
    return absl::OkStatus();
  }
  if (kind != kNetEvaluation) {
    return absl::InvalidArgumentError(
        absl::StrCat("the evaluation is ", kNetEvaluation, " or ", kClassicalEvaluation, ", not '", kind, "'"));
  }
  if (net_file.empty()) {
    ChosenEvaluator() = CarriedNet();
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<nnue::Network>> network = nnue::Network::Load(net_file);
  if (network.ok()) ChosenEvaluator() = nnue::NnueKind(*std::move(network));
  return network.status();
}
absl::string_view EvaluationName() { return DefaultEvaluator().name; }

std::size_t PrivateTableMb(const AnalysisRequest& request) {
  if (request.reproducible) return kReproducibleTableMb;
  return request.strength_elo != 0 ? kLimitedTableMb : 0;
}

SearchMemory::SearchMemory(const EvaluatorKind& evaluator)
    : memory_(std::make_unique<WorkerMemory>(evaluator.make())) {}
SearchMemory::~SearchMemory() = default;
void SearchMemory::Clear() { memory_->Clear(); }
std::size_t SearchMemory::Bytes(const EvaluatorKind& evaluator) { return sizeof(WorkerMemory) + evaluator.bytes; }

Engine::Engine(std::size_t hash_mb) : table_(std::make_unique<TranspositionTable>(hash_mb)) {}
Engine::~Engine() = default;
void Engine::ResizeHash(std::size_t hash_mb) { table_->Resize(hash_mb); }
void Engine::ClearHash(int threads) { table_->Clear(threads); }
void Engine::TouchHash(const std::stop_token& stop) const { table_->Touch(stop); }
absl::Status Engine::SetSyzygyPath(const std::string& path) {
  tablebases_.reset();
  if (path.empty()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Tablebases>> opened = Tablebases::Open(path);
  if (opened.ok()) tablebases_ = *std::move(opened);
  return opened.status();
}

void Engine::Remember(const Position& position, const AnalysisLine& line, int depth) {
  // Of a value that is only bounded nothing follows for the rest of the line.
  const bool exact = line.score.bound == Score::Bound::kExact;
  const Bound bound = exact ? Bound::kExact : line.score.bound == Score::Bound::kLower ? Bound::kLower : Bound::kUpper;
  const int moves = exact ? static_cast<int>(line.pv.size()) : 1;
  Position here = position;
  Value value = Score::ToValue(line.score);
  for (int ply = 0; ply < moves && depth - ply > 0; ++ply) {
    // A position that has stood before is worth what the game makes of it.
    if (here.Repetitions() > 1) return;
    table_->Store(here.key(), {.move = line.pv[ply],
                               .value = ToTable(value, ply),
                               .evaluation = kNoValue,
                               .depth = std::min(depth - ply, kMaxPly - 1),
                               .bound = bound,
                               .on_pv = true});
    here.MakeMove(line.pv[ply]);
    value = -value;
  }
}

std::size_t Engine::hash_mb() const { return table_->megabytes(); }
int Engine::hashfull() const { return table_->Hashfull(); }

int Engine::tablebase_max_pieces() const { return tablebases_ == nullptr ? 0 : tablebases_->max_pieces(); }

std::optional<TableVerdict> Engine::JudgeByTables(const Position& position, Move move) const {
  if (tablebases_ == nullptr || !tablebases_->Covers(position)) return std::nullopt;
  const std::vector<RankedMove> ranked = tablebases_->RankMoves(position);
  const auto played =
      std::find_if(ranked.begin(), ranked.end(), [&](const RankedMove& each) { return each.move == move; });
  if (played == ranked.end()) return std::nullopt;
  return TableVerdict{OutcomeOf(ranked.front().result), OutcomeOf(played->result)};
}

class Search::Impl {
 public:
  Impl(AnalysisRequest request, TranspositionTable& shared_table, const Tablebases* tablebases)
      : request_(std::move(request)),
        private_table_(MakePrivateTable(request_)),
        table_(IsPrivate() ? *private_table_ : shared_table),
        tablebases_(IsPrivate() ? nullptr : tablebases),
        stopper_(LimitsOf(request_), request_.position.side_to_move()) {}

  AnalysisResult Run(SearchMemory& memory, SearchHost& host, const std::function<void(const Analysis&)>& on_update);
  void Help(int helper, SearchMemory& memory, SearchHost& host);

  Stopper& stopper() { return stopper_; }

 private:
  std::vector<RootMove> RootMoves() const;
  bool IsLimited() const { return request_.strength_elo != 0; }
  // Searches apart from all others, from a clean start.
  bool IsPrivate() const { return request_.reproducible || IsLimited(); }
  WorkerOptions OptionsFor(bool is_main, const std::vector<RootMove>& root_moves) const;

  const AnalysisRequest request_;
  const std::unique_ptr<TranspositionTable> private_table_;
  TranspositionTable& table_;
  const Tablebases* const tablebases_;  // none: nullptr
  Stopper stopper_;
};

std::vector<RootMove> Search::Impl::RootMoves() const {
  std::vector<RootMove> root_moves;
  for (Move move : LegalMoves(request_.position)) {
    const std::vector<Move>& only = request_.search_moves;
    if (only.empty() || std::find(only.begin(), only.end(), move) != only.end()) root_moves.emplace_back(move);
  }
  const Color us = request_.position.side_to_move();
  std::sort(root_moves.begin(), root_moves.end(),
            [us](const RootMove& a, const RootMove& b) { return OrderOf(a.move, us) < OrderOf(b.move, us); });
  if (tablebases_ != nullptr && !root_moves.empty()) Rank(root_moves, tablebases_->RankMoves(request_.position));
  return root_moves;
}

WorkerOptions Search::Impl::OptionsFor(bool is_main, const std::vector<RootMove>& root_moves) const {
  WorkerOptions options;
  options.is_main = is_main;
  options.restricted = !request_.search_moves.empty();
  // Where the tables have sorted the root's moves the search is to find the way, which flat wins would hide from it.
  if (!IsRanked(root_moves)) options.tablebases = tablebases_;
  if (IsLimited()) options.noise = {HandicapOf(request_.strength_elo).noise, request_.position.key()};
  return options;
}

AnalysisResult Search::Impl::Run(SearchMemory& memory, SearchHost& host,
                                 const std::function<void(const Analysis&)>& on_update) {
  std::vector<RootMove> root_moves = RootMoves();
  if (root_moves.empty()) {
    stopper_.Stop(StopReason::kNoLegalMoves);
    return {.analysis = {}, .stop_reason = StopReason::kNoLegalMoves};
  }
  if (IsPrivate()) memory.Clear();
  table_.NewSearch();
  Worker worker(request_.position, table_, *memory.memory_, stopper_, host, OptionsFor(/*is_main=*/true, root_moves));
  int depth = 0;
  const int lines = std::clamp(request_.multi_pv, 1, static_cast<int>(root_moves.size()));
  Progress progress(root_moves, worker, stopper_, table_, on_update);
  worker.SetWatcher(progress);
  DeepenIteratively(worker, root_moves, lines, stopper_, [&](const Iteration& iteration) {
    depth = iteration.depth;
    progress.OnIteration(iteration);
  });
  return {ToAnalysis({depth, root_moves, lines}, worker, stopper_, table_), stopper_.reason()};
}

void Search::Impl::Help(int helper, SearchMemory& memory, SearchHost& host) {
  if (IsLimited()) return;
  std::vector<RootMove> root_moves = RootMoves();
  if (root_moves.empty()) return;
  Worker worker(request_.position, table_, *memory.memory_, stopper_, host, OptionsFor(/*is_main=*/false, root_moves));
  HelpDeepening(worker, std::move(root_moves), helper, stopper_);
}

Search::Search(Engine& engine, AnalysisRequest request)
    : impl_(std::make_unique<Impl>(std::move(request), *engine.table_, engine.tablebases_.get())) {}
Search::~Search() = default;

AnalysisResult Search::Run(SearchMemory& memory, SearchHost& host,
                           const std::function<void(const Analysis&)>& on_update) {
  return impl_->Run(memory, host, on_update);
}
void Search::Help(int helper, SearchMemory& memory, SearchHost& host) { impl_->Help(helper, memory, host); }
void Search::Stop() { impl_->stopper().Stop(StopReason::kStopped); }
void Search::PonderHit() { impl_->stopper().PonderHit(); }
Search::Clock::time_point Search::TimeUp() const { return impl_->stopper().TimeUp(); }

AnalysisResult Analyze(Engine& engine, AnalysisRequest request, int threads,
                       const std::function<void(const Analysis&)>& on_update) {
  Search search(engine, std::move(request));
  std::vector<std::thread> helpers;
  for (int helper = 1; helper < threads; ++helper) {
    helpers.emplace_back([&search, helper] {
      SearchMemory memory;
      SearchHost host;
      search.Help(helper, memory, host);
    });
  }
  SearchMemory memory;
  SearchHost host;
  AnalysisResult result = search.Run(memory, host, on_update);
  for (std::thread& helper : helpers) helper.join();
  return result;
}

}  // namespace kibitz
