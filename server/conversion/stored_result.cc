#include "server/conversion/stored_result.h"

#include <algorithm>
#include <string>

#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "google/protobuf/util/time_util.h"
#include "server/conversion/position.h"

namespace kibitz::server {
namespace {

// From so many moves without a capture or a pawn move on the fifty-move rule is in the values.
constexpr int kMaxHalfmoveClock = 20;

google::protobuf::Timestamp ToTimestamp(std::chrono::system_clock::time_point time) {
  return google::protobuf::util::TimeUtil::SecondsToTimestamp(
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

}  // namespace

bool IsStorable(const AnalysisRequest& request) {
  return request.strength_elo == 0 && request.search_moves.empty() && !request.reproducible && !request.limits.ponder &&
         request.position.halfmove_clock() < kMaxHalfmoveClock && !request.position.HasRepeated();
}

WantedResult Wanted(const AnalysisSpec& spec) {
  WantedResult wanted;
  wanted.lines = spec.request.multi_pv;
  wanted.min_depth = spec.cache.min_depth.value_or(0);
  wanted.min_nodes = spec.cache.min_nodes.value_or(0);
  if (spec.cache.same_engine) {
    wanted.engine = std::string(EngineVersion());
    wanted.evaluation = std::string(EvaluationName());
  }
  return wanted;
}

std::optional<StoredResult> ToStored(const AnalysisSpec& spec, const v1::AnalyzeResponse::Final& final) {
  const v1::AnalysisUpdate& result = final.result();
  if (result.depth() < 1 || result.lines().empty() || result.lines(0).pv_uci().empty()) return std::nullopt;
  return StoredResult{.lines = spec.request.multi_pv,
                      .depth = result.depth(),
                      .nodes = result.nodes(),
                      .engine = final.provenance().engine(),
                      .evaluation = final.provenance().evaluation(),
                      .found = std::chrono::system_clock::now(),
                      .analysis = result.SerializeAsString()};
}

std::optional<AnalysisLine> LineFromStore(const AnalysisSpec& spec, const StoredResult& stored) {
  v1::AnalysisUpdate result;
  if (!result.ParseFromString(stored.analysis) || result.lines().empty()) return std::nullopt;
  const v1::Line& wire = result.lines(0);
  AnalysisLine line;
  line.score.kind = wire.score().has_mate_in_moves() ? Score::Kind::kMate : Score::Kind::kCentipawns;
  line.score.amount = wire.score().has_mate_in_moves() ? wire.score().mate_in_moves() : wire.score().centipawns();
  if (wire.score().bound() == v1::Score::BOUND_LOWER) line.score.bound = Score::Bound::kLower;
  if (wire.score().bound() == v1::Score::BOUND_UPPER) line.score.bound = Score::Bound::kUpper;
  Position position = spec.request.position;
  for (const std::string& uci : wire.pv_uci()) {
    const absl::StatusOr<Move> move = ParseUciMove(position, uci);
    if (!move.ok()) break;
    line.pv.push_back(*move);
    position.MakeMove(*move);
  }
  if (line.pv.empty()) return std::nullopt;
  return line;
}

void WriteProvenance(const StoredResult& stored, v1::Provenance::Source source, v1::Provenance& provenance) {
  provenance.set_source(source);
  *provenance.mutable_stored_at() = ToTimestamp(stored.found);
  provenance.set_stored_depth(stored.depth);
  provenance.set_stored_nodes(stored.nodes);
}

std::optional<v1::AnalyzeResponse> FinalFromStore(const AnalysisSpec& spec, const StoredResult& stored) {
  v1::AnalyzeResponse response;
  v1::AnalyzeResponse::Final& final = *response.mutable_final();
  v1::AnalysisUpdate& result = *final.mutable_result();
  if (!result.ParseFromString(stored.analysis) || result.lines().empty() || result.lines(0).pv_uci().empty()) {
    return std::nullopt;
  }
  while (result.lines_size() > spec.request.multi_pv) result.mutable_lines()->RemoveLast();
  const v1::Line& best = result.lines(0);
  final.set_best_move(best.pv_uci(0));
  if (best.pv_uci_size() > 1) final.set_ponder_move(best.pv_uci(1));
  final.set_stop_reason(v1::STOP_REASON_STORED);
  final.set_status(ToWire(spec.request.position.Status()));
  v1::Provenance& provenance = *final.mutable_provenance();
  provenance.set_engine(stored.engine);
  provenance.set_evaluation(stored.evaluation);
  provenance.set_fresh(false);
  WriteProvenance(stored, v1::Provenance::SOURCE_STORED, provenance);
  return response;
}

}  // namespace kibitz::server
