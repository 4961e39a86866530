#include "server/conversion/game.h"

#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "server/conversion/analysis.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// Where the request says nothing of it.
constexpr std::int64_t kDefaultNodesPerMove = 100'000;

absl::Status CheckSide(v1::Color side) {
  if (v1::Color_IsValid(side)) return absl::OkStatus();
  return UnknownEnumValue("side", side);
}

absl::StatusOr<ReviewRules> ParseRules(const v1::AnalyzeGameRequest& wire) {
  for (const absl::Status& check : {CheckSide(wire.side()), CheckRange("first_ply", wire.first_ply(), 0, kMaxGameMoves),
                                    CheckRange("last_ply", wire.last_ply(), 0, kMaxGameMoves)}) {
    if (!check.ok()) return check;
  }
  ReviewRules rules;
  rules.white = wire.side() != v1::COLOR_BLACK;
  rules.black = wire.side() != v1::COLOR_WHITE;
  if (wire.first_ply() > 0) rules.first_ply = wire.first_ply();
  if (wire.last_ply() > 0) rules.last_ply = wire.last_ply();
  const auto set = [](double given, double& threshold) {
    if (given != 0) threshold = given;
  };
  set(wire.thresholds().inaccuracy(), rules.inaccuracy);
  set(wire.thresholds().mistake(), rules.mistake);
  set(wire.thresholds().blunder(), rules.blunder);
  // So written that what is no number is refused.
  const bool in_order =
      rules.inaccuracy > 0 && rules.mistake > rules.inaccuracy && rules.blunder > rules.mistake && rules.blunder <= 2;
  if (!in_order) {
    return InvalidField("thresholds", "OUT_OF_RANGE",
                        "each threshold is larger than the one before it, and none is more than 2");
  }
  return rules;
}

// The limits of each search.
v1::Limits LimitsOf(const v1::AnalyzeGameRequest::Budget& wire) {
  v1::Limits limits;
  if (wire.has_nodes_per_move()) limits.set_nodes(wire.nodes_per_move());
  if (wire.has_time_per_move()) *limits.mutable_movetime() = wire.time_per_move();
  if (wire.has_depth()) limits.set_depth(wire.depth());
  const bool given = wire.has_nodes_per_move() || wire.has_time_per_move() || wire.has_depth() ||
                     wire.has_total_nodes() || wire.has_total_time();
  if (!given) limits.set_nodes(kDefaultNodesPerMove);
  return limits;
}

absl::StatusOr<ReviewBudget> ParseBudget(const v1::AnalyzeGameRequest::Budget& wire) {
  ReviewBudget budget;
  if (wire.has_total_nodes()) {
    absl::Status check =
        CheckRange("budget.total_nodes", wire.total_nodes(), 1, std::numeric_limits<std::int64_t>::max());
    if (!check.ok()) return check;
    budget.total_nodes = wire.total_nodes();
  }
  if (wire.has_total_time()) {
    absl::StatusOr<std::chrono::milliseconds> time =
        ParseDuration("budget.total_time", wire.total_time(), std::chrono::milliseconds(1));
    if (!time.ok()) return time.status();
    budget.total_time = *time;
  }
  return budget;
}

// A search's fields go by other names in the budget.
absl::Status InBudget(const absl::Status& status) {
  const auto [field, description] = FaultOf(status);
  const std::pair<const char*, const char*> kNames[] = {{"limits.nodes", "budget.nodes_per_move"},
                                                        {"limits.movetime", "budget.time_per_move"},
                                                        {"limits.depth", "budget.depth"}};
  for (const auto& [limit, name] : kNames) {
    if (field == limit) return InvalidField(name, ReasonOf(status), description);
  }
  return status;
}

absl::StatusOr<PgnGame> GameOf(const v1::Position& wire) {
  v1::Position start_wire = wire;
  start_wire.clear_moves();
  absl::StatusOr<Position> start = ParsePosition(start_wire);
  if (!start.ok()) return start.status();
  // With all its moves, for the errors' sake.
  if (const absl::StatusOr<Position> end = ParsePosition(wire); !end.ok()) return end.status();
  PgnGame game;
  game.start = *start;
  Position position = *std::move(start);
  for (const std::string& uci : wire.moves()) {
    const absl::StatusOr<Move> move = ParseUciMove(position, uci);
    if (!move.ok()) return move.status();
    game.moves.push_back({.move = *move, .comment = ""});
    position.MakeMove(*move);
    position.ForgetUndo();
  }
  return game;
}

}  // namespace

absl::StatusOr<ReviewSpec> ParseReview(const v1::AnalyzeGameRequest& wire, const RequestCaps& caps) {
  if (wire.game_case() == v1::AnalyzeGameRequest::GAME_NOT_SET) {
    return InvalidField("game", "MISSING_FIELD", "is not set: give a pgn or a position with moves");
  }
  if (absl::Status check = CheckRange("threads", wire.threads(), 0, caps.max_threads); !check.ok()) return check;
  absl::StatusOr<ReviewRules> rules = ParseRules(wire);
  if (!rules.ok()) return rules.status();
  absl::StatusOr<ReviewBudget> budget = ParseBudget(wire.budget());
  if (!budget.ok()) return budget.status();
  v1::AnalyzeRequest search;
  *search.mutable_limits() = LimitsOf(wire.budget());
  search.set_multi_pv(wire.multi_pv());
  search.set_priority(wire.priority());
  search.set_threads(1);
  search.set_reproducible(wire.reproducible());
  if (wire.has_cache()) *search.mutable_cache() = wire.cache();
  // What is wrong with it is wrong for every position.
  if (const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(search, caps); !spec.ok()) return InBudget(spec.status());
  return ReviewSpec{.rules = *rules, .budget = *budget, .search = std::move(search)};
}

absl::StatusOr<std::vector<PgnGame>> ParseGames(const v1::AnalyzeGameRequest& wire) {
  std::vector<PgnGame> games;
  if (wire.has_position()) {
    absl::StatusOr<PgnGame> game = GameOf(wire.position());
    if (!game.ok()) return game.status();
    games.push_back(*std::move(game));
  }
  PgnReader reader(wire.pgn());
  std::size_t plies = games.empty() ? 0 : games.front().moves.size();
  while (std::optional<PgnGame> game = reader.NextReadable()) {
    plies += game->moves.size();
    games.push_back(*std::move(game));
    if (plies > kMaxReviewPlies) break;
  }
  if (plies > kMaxReviewPlies) {
    return InvalidField(wire.has_position() ? "position.moves" : "pgn", "TOO_MANY_MOVES",
                        absl::StrCat("the games have more than ", kMaxReviewPlies,
                                     " moves, which is the most for one review: send them by parts"));
  }
  if (games.empty()) return InvalidField("pgn", "NO_GAME", "holds no game");
  return games;
}

void LowerMovetime(std::chrono::milliseconds most, v1::Limits& limits) {
  const google::protobuf::Duration wire = ToWire(most);
  const google::protobuf::Duration& there = limits.movetime();
  const bool longer =
      there.seconds() > wire.seconds() || (there.seconds() == wire.seconds() && there.nanos() > wire.nanos());
  if (!limits.has_movetime() || longer) *limits.mutable_movetime() = wire;
}

v1::AnalyzeGameResponse::Accepted::Game ToWire(const PgnGame& game) {
  v1::AnalyzeGameResponse::Accepted::Game wire;
  for (const auto& [name, value] : game.tags) {
    v1::AnalyzeGameResponse::Tag& tag = *wire.add_tags();
    tag.set_name(name);
    tag.set_value(value);
  }
  wire.set_plies(static_cast<int>(game.moves.size()));
  wire.set_start_fen(ToFen(game.start));
  if (game.defect.has_value()) {
    v1::AnalyzeGameResponse::Defect& defect = *wire.mutable_defect();
    defect.set_line(game.defect->line);
    defect.set_column(game.defect->column);
    defect.set_ply(game.defect->ply);
    defect.set_description(game.defect->what);
  }
  return wire;
}

}  // namespace kibitz::server
