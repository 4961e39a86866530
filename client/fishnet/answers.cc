#include "client/fishnet/answers.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"

namespace kibitz::client::fishnet {
namespace {

using nlohmann::json;

json ScoreOf(const v1::Score& score) {
  return score.has_mate_in_moves() ? json{{"mate", score.mate_in_moves()}} : json{{"cp", score.centipawns()}};
}

// A table of lines by depth. Only the last depth was kept: the others are null.
void AddTable(const v1::AnalysisUpdate& result, json& part) {
  json pvs = json::array();
  json scores = json::array();
  for (const v1::Line& line : result.lines()) {
    json by_depth(static_cast<std::size_t>(result.depth()), json());
    json pv = by_depth;
    json score = by_depth;
    pv.push_back(std::vector<std::string>(line.pv_uci().begin(), line.pv_uci().end()));
    score.push_back(ScoreOf(line.score()));
    pvs.push_back(std::move(pv));
    scores.push_back(std::move(score));
  }
  part["pv"] = std::move(pvs);
  part["score"] = std::move(scores);
}

json NameOf(const EngineName& engine) {
  return {{"name", "Kibitz"}, {"version", engine.version}, {"evaluation", engine.evaluation}};
}

}  // namespace

json PartOf(const v1::AnalyzeResponse::Final& final, const Work& work) {
  const v1::AnalysisUpdate& result = final.result();
  const std::int64_t milliseconds = result.elapsed().seconds() * 1000 + result.elapsed().nanos() / 1'000'000;
  json part{{"depth", result.depth()}, {"nodes", result.nodes()}, {"time", milliseconds}};
  if (result.nps() > 0) part["nps"] = result.nps();
  if (work.multi_pv) {
    AddTable(result, part);
  } else if (result.lines_size() == 0) {
    const bool mated = final.status() == v1::GAME_STATUS_CHECKMATE;
    part["depth"] = 0;
    part["score"] = mated ? json{{"mate", 0}} : json{{"cp", 0}};
  } else {
    part["pv"] = absl::StrJoin(result.lines(0).pv_uci(), " ");
    part["score"] = ScoreOf(result.lines(0).score());
  }
  return part;
}

json SkippedPart() { return {{"skipped", true}}; }

std::string AnalysisText(const EngineName& engine, const std::vector<json>& parts) {
  const char* const flavour = engine.evaluation == "classical" ? "classical" : "nnue";
  json body{{"stockfish", {{"flavor", flavour}}}, {"engine", NameOf(engine)}, {"analysis", parts}};
  const bool partial = std::any_of(parts.begin(), parts.end(), [](const json& part) { return part.is_null(); });
  if (partial) body["analysis"][0] = json();
  return http::ToText(body);
}

std::string MoveText(const EngineName& engine, const std::string& best_move) {
  return http::ToText(
      {{"engine", NameOf(engine)}, {"move", {{"bestmove", best_move.empty() ? json() : json(best_move)}}}});
}

}  // namespace kibitz::client::fishnet
