#include "server/conversion/analysis.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/board/movegen.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDefaultUpdateInterval{100};
constexpr int kMaxElo = 4000;

absl::StatusOr<Limits::Clock> ParseClock(const v1::Limits::Clock& wire) {
  Limits::Clock clock;
  const struct {
    const char* field;
    const google::protobuf::Duration& wire;
    milliseconds& to;
  } durations[] = {{"limits.clock.white_time", wire.white_time(), clock.time[0]},
                   {"limits.clock.black_time", wire.black_time(), clock.time[1]},
                   {"limits.clock.white_increment", wire.white_increment(), clock.increment[0]},
                   {"limits.clock.black_increment", wire.black_increment(), clock.increment[1]}};
  for (const auto& [field, duration, to] : durations) {
    const absl::StatusOr<milliseconds> parsed = ParseDuration(field, duration);
    if (!parsed.ok()) return parsed.status();
    to = *parsed;
  }
  constexpr int kMaxMovesToGo = 1000;
  absl::Status check = CheckRange("limits.clock.moves_to_go", wire.moves_to_go(), 0, kMaxMovesToGo);
  if (!check.ok()) return check;
  clock.moves_to_go = wire.moves_to_go();
  return clock;
}

absl::StatusOr<Limits> ParseLimits(const v1::Limits& wire, const RequestCaps& caps) {
  Limits limits;
  if (wire.has_depth()) {
    absl::Status check = CheckRange("limits.depth", wire.depth(), 1, caps.max_depth);
    if (!check.ok()) return check;
    limits.depth = wire.depth();
  }
  if (!wire.has_depth() && caps.max_depth < kMaxSearchDepth) limits.depth = caps.max_depth;
  if (wire.has_nodes()) {
    absl::Status check = CheckRange("limits.nodes", wire.nodes(), 1, std::numeric_limits<std::int64_t>::max());
    if (!check.ok()) return check;
    limits.nodes = wire.nodes();
  }
  if (wire.has_mate()) {
    absl::Status check = CheckRange("limits.mate", wire.mate(), 1, kMaxSearchDepth / 2);
    if (!check.ok()) return check;
    limits.mate = wire.mate();
  }
  if (wire.has_clock()) {
    absl::StatusOr<Limits::Clock> clock = ParseClock(wire.clock());
    if (!clock.ok()) return clock.status();
    limits.clock = *clock;
  }
  if (wire.has_movetime()) {
    const absl::StatusOr<milliseconds> movetime = ParseDuration("limits.movetime", wire.movetime(), milliseconds(1));
    if (!movetime.ok()) return movetime.status();
    limits.movetime = *movetime;
  }
  const bool limited = wire.has_depth() || wire.has_nodes() || wire.has_mate() || wire.has_clock() ||
                       wire.has_movetime() || wire.infinite();
  const milliseconds unlimited = limited ? caps.max_search_time : caps.default_search_time;
  limits.movetime = std::min(limits.movetime.value_or(unlimited), caps.max_search_time);
  if (wire.has_move_overhead()) {
    const absl::StatusOr<milliseconds> overhead = ParseDuration("limits.move_overhead", wire.move_overhead());
    if (!overhead.ok()) return overhead.status();
    limits.move_overhead = *overhead;
  }
  return limits;
}

absl::StatusOr<std::vector<Move>> ParseRootMoves(absl::string_view field, const Position& position,
                                                 const google::protobuf::RepeatedPtrField<std::string>& wire) {
  if (wire.size() > kMaxMoves) {
    return InvalidField(field, "TOO_MANY_MOVES",
                        absl::StrCat(wire.size(), " moves are too many: the bound is ", kMaxMoves));
  }
  std::vector<Move> moves;
  for (int i = 0; i < wire.size(); ++i) {
    const absl::StatusOr<Move> move = ParseUciMove(position, wire[i]);
    if (!move.ok()) {
      return InvalidField(absl::StrCat(field, "[", i, "]"), "ILLEGAL_MOVE", move.status().message());
    }
    if (std::find(moves.begin(), moves.end(), *move) == moves.end()) moves.push_back(*move);
  }
  return moves;
}

// The moves to search: those named, or all, less those excluded. Empty when nothing is restricted.
absl::StatusOr<std::vector<Move>> ParseSearchMoves(const v1::AnalyzeRequest& wire, const Position& position) {
  absl::StatusOr<std::vector<Move>> chosen = ParseRootMoves("search_moves", position, wire.search_moves());
  if (!chosen.ok()) return chosen;
  const absl::StatusOr<std::vector<Move>> excluded = ParseRootMoves("exclude_moves", position, wire.exclude_moves());
  if (!excluded.ok() || excluded->empty()) return excluded.ok() ? chosen : excluded;
  if (chosen->empty()) {
    const MoveList legal = LegalMoves(position);
    chosen->assign(legal.begin(), legal.end());
  }
  std::erase_if(*chosen, [&](Move move) { return std::count(excluded->begin(), excluded->end(), move) > 0; });
  if (chosen->empty()) return InvalidField("exclude_moves", "NO_MOVES_LEFT", "leaves no move to search");
  return chosen;
}

absl::Status CheckReproducible(const v1::AnalyzeRequest& wire) {
  const v1::Limits& limits = wire.limits();
  if (wire.threads() > 1) return InvalidField("threads", "NOT_REPRODUCIBLE", "`reproducible` goes with one worker");
  if (limits.has_movetime() || limits.has_mate() || limits.has_clock() || limits.infinite()) {
    return InvalidField("limits", "NOT_REPRODUCIBLE", "only depth and nodes go with `reproducible`");
  }
  if (!limits.has_depth() && !limits.has_nodes()) {
    return InvalidField("limits", "MISSING_FIELD", "`reproducible` needs a limit of depth or nodes");
  }
  return absl::OkStatus();
}

absl::Status CheckPriority(v1::Priority priority) {
  if (v1::Priority_IsValid(priority)) return absl::OkStatus();
  return UnknownEnumValue("priority", priority);
}

absl::Status CheckNumbers(const v1::AnalyzeRequest& wire, const RequestCaps& caps) {
  for (const absl::Status& check :
       {CheckRange("multi_pv", wire.multi_pv(), 0, caps.max_multi_pv),
        CheckRange("threads", wire.threads(), 0, caps.max_threads),
        CheckRange("strength_elo", wire.strength_elo(), 0, kMaxElo), CheckPriority(wire.priority()),
        wire.reproducible() ? CheckReproducible(wire) : absl::OkStatus()}) {
    if (!check.ok()) return check;
  }
  return absl::OkStatus();
}

void WriteLine(Position position, int rank, const AnalysisLine& line, v1::Line& wire) {
  wire.set_rank(rank);
  *wire.mutable_score() = ToWire(line.score);
  *wire.mutable_wdl() = ToWire(line.wdl);
  for (const Move move : line.pv) {
    wire.add_pv_uci(ToUci(move, position.variant()));
    wire.add_pv_san(ToSan(position, move));
    position.MakeMove(move);
  }
}

void WriteUpdate(const Position& position, const Analysis& analysis, v1::AnalysisUpdate& wire) {
  wire.set_depth(analysis.depth);
  wire.set_seldepth(analysis.seldepth);
  wire.set_nodes(analysis.nodes);
  const double seconds = std::chrono::duration<double>(analysis.elapsed).count();
  wire.set_nps(static_cast<std::int64_t>(seconds > 0 ? static_cast<double>(analysis.nodes) / seconds : 0));
  *wire.mutable_elapsed() = ToWire(analysis.elapsed);
  wire.set_hashfull(analysis.hashfull);
  wire.set_tb_hits(analysis.tb_hits);
  if (!analysis.current_move.IsNone()) {
    wire.set_current_move(ToUci(analysis.current_move, position.variant()));
    wire.set_current_move_number(analysis.current_move_number);
  }
  for (int i = 0; i < static_cast<int>(analysis.lines.size()); ++i) {
    WriteLine(position, i + 1, analysis.lines[i], *wire.add_lines());
  }
}

absl::StatusOr<CacheUse> ParseCache(const v1::AnalyzeRequest& wire) {
  const v1::Cache& cache = wire.cache();
  if (!v1::Cache::Policy_IsValid(cache.policy())) return UnknownEnumValue("cache.policy", cache.policy());
  if (cache.has_min_depth()) {
    absl::Status check = CheckRange("cache.min_depth", cache.min_depth(), 0, kMaxSearchDepth);
    if (!check.ok()) return check;
  }
  if (cache.has_min_nodes()) {
    absl::Status check = CheckRange("cache.min_nodes", cache.min_nodes(), 0, std::numeric_limits<std::int64_t>::max());
    if (!check.ok()) return check;
  }
  CacheUse use;
  use.only = cache.policy() == v1::Cache::POLICY_ONLY;
  use.keep = cache.policy() != v1::Cache::POLICY_NONE && !use.only;
  use.begin = use.keep && cache.policy() != v1::Cache::POLICY_REFRESH;
  use.answer = use.begin || use.only;
  const v1::Limits& limits = wire.limits();
  if (limits.has_depth()) use.min_depth = limits.depth();
  if (limits.has_nodes()) use.min_nodes = limits.nodes();
  if (cache.has_min_depth()) use.min_depth = cache.min_depth();
  if (cache.has_min_nodes()) use.min_nodes = cache.min_nodes();
  use.same_engine = cache.same_engine();
  // Nothing else says what would do: a mate is not stored by its length, nor a search by its time.
  if (!use.only && ((!use.min_depth && !use.min_nodes) || limits.has_mate())) use.answer = false;
  return use;
}

}  // namespace

absl::StatusOr<AnalysisSpec> ParseAnalyze(const v1::AnalyzeRequest& wire, const RequestCaps& caps) {
  if (absl::Status check = CheckNumbers(wire, caps); !check.ok()) return check;
  absl::StatusOr<Limits> limits = ParseLimits(wire.limits(), caps);
  if (!limits.ok()) return limits.status();
  absl::StatusOr<milliseconds> interval = kDefaultUpdateInterval;
  if (wire.has_min_update_interval()) interval = ParseDuration("min_update_interval", wire.min_update_interval());
  if (!interval.ok()) return interval.status();
  absl::StatusOr<CacheUse> cache = ParseCache(wire);
  if (!cache.ok()) return cache.status();
  absl::StatusOr<Position> position = ParsePosition(wire.position());
  if (!position.ok()) return position.status();
  absl::StatusOr<std::vector<Move>> search_moves = ParseSearchMoves(wire, *position);
  if (!search_moves.ok()) return search_moves.status();
  return AnalysisSpec{.request = {.position = *std::move(position),
                                  .limits = *limits,
                                  .multi_pv = std::max(1, wire.multi_pv()),
                                  .search_moves = *std::move(search_moves),
                                  .reproducible = wire.reproducible(),
                                  .strength_elo = wire.strength_elo()},
                      .threads = std::max(1, wire.threads()),
                      .batch = wire.priority() == v1::PRIORITY_BATCH,
                      .min_update_interval = *interval,
                      .cache = *cache};
}

v1::AnalyzeResponse QueuedToWire(int place) {
  v1::AnalyzeResponse response;
  response.mutable_queued()->set_place(place);
  return response;
}

v1::AnalyzeResponse UpdateToWire(const AnalysisSpec& spec, const Analysis& analysis) {
  v1::AnalyzeResponse response;
  WriteUpdate(spec.request.position, analysis, *response.mutable_update());
  return response;
}

v1::AnalyzeResponse FinalToWire(const AnalysisSpec& spec, const Analysis& analysis, v1::StopReason stop_reason) {
  const Position& position = spec.request.position;
  v1::AnalyzeResponse response;
  auto* final = response.mutable_final();
  WriteUpdate(position, analysis, *final->mutable_result());
  if (!analysis.lines.empty()) {
    const std::vector<Move>& pv = analysis.lines.front().pv;
    if (!pv.empty()) final->set_best_move(ToUci(pv[0], position.variant()));
    if (pv.size() > 1) final->set_ponder_move(ToUci(pv[1], position.variant()));
  }
  final->set_stop_reason(stop_reason);
  auto* provenance = final->mutable_provenance();
  provenance->set_engine(std::string(EngineVersion()));
  provenance->set_evaluation(std::string(EvaluationName()));
  provenance->set_fresh(true);
  provenance->set_source(v1::Provenance::SOURCE_FRESH);
  provenance->set_options(absl::StrCat("threads=", spec.threads));
  final->set_status(ToWire(position.Status()));
  return response;
}

v1::Score ToWire(const Score& score) {
  v1::Score wire;
  if (score.kind == Score::Kind::kMate) {
    wire.set_mate_in_moves(score.amount);
  } else {
    wire.set_centipawns(score.amount);
  }
  if (score.bound == Score::Bound::kLower) wire.set_bound(v1::Score::BOUND_LOWER);
  if (score.bound == Score::Bound::kUpper) wire.set_bound(v1::Score::BOUND_UPPER);
  return wire;
}

v1::Wdl ToWire(const Wdl& wdl) {
  v1::Wdl wire;
  wire.set_win(wdl.win);
  wire.set_draw(wdl.draw);
  wire.set_loss(wdl.loss);
  return wire;
}

v1::StopReason ToWire(StopReason reason) {
  switch (reason) {
    case StopReason::kDepth:
      return v1::STOP_REASON_DEPTH;
    case StopReason::kNodes:
      return v1::STOP_REASON_NODES;
    case StopReason::kTime:
      return v1::STOP_REASON_TIME;
    case StopReason::kMate:
      return v1::STOP_REASON_MATE;
    case StopReason::kNoLegalMoves:
      return v1::STOP_REASON_NO_LEGAL_MOVES;
    case StopReason::kStopped:
      return v1::STOP_REASON_CANCELLED;
    case StopReason::kNone:
      break;
  }
  return v1::STOP_REASON_UNSPECIFIED;
}

const char* NameOf(v1::StopReason reason) {
  constexpr absl::string_view kPrefix = "STOP_REASON_";
  // What the descriptor holds lives as long as the program.
  const google::protobuf::EnumValueDescriptor* const value = v1::StopReason_descriptor()->FindValueByNumber(reason);
  return value == nullptr ? "" : value->name().c_str() + kPrefix.size();
}

}  // namespace kibitz::server
