#include "engine/tuning/self_play.h"

#include <cstdlib>
#include <optional>
#include <random>
#include <utility>

#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/engine.h"

namespace kibitz::tuning {
namespace {

constexpr std::size_t kHashMb = 2;
// Starts beyond this are not worth a game, and positions beyond the other not worth a record.
constexpr int kLopsided = 500;
constexpr int kDecided = 2500;
// A lead that is kept for so many plies wins, and so long near nothing draws.
constexpr int kDecisive = 1200;
constexpr int kDecisivePlies = 6;
constexpr int kLevel = 8;
constexpr int kLevelPlies = 16;
constexpr int kLevelFromPly = 90;

struct Thought {
  Move move;
  Score score;  // for the side to move
};

// Thinks with one memory about all that a game brings.
class Thinker {
 public:
  Thought Think(const Position& position, std::int64_t nodes) {
    AnalysisRequest request;
    request.position = position;
    request.limits.nodes = nodes;
    Search search(engine_, std::move(request));
    const AnalysisResult result = search.Run(memory_, host_, [](const Analysis&) {});
    const AnalysisLine& line = result.analysis.lines.front();
    return {line.pv.front(), line.score};
  }

 private:
  Engine engine_{kHashMb};
  SearchMemory memory_;
  SearchHost host_;
};

// The end that a run of values stands for, from White's point of view.
class Adjudicator {
 public:
  std::optional<double> Judge(const Score& score, Color side, int ply) {
    const int value = score.kind == Score::Kind::kMate ? (score.amount > 0 ? kDecisive : -kDecisive) : score.amount;
    const int white = side == Color::kWhite ? value : -value;
    const int sign = white >= kDecisive ? 1 : white <= -kDecisive ? -1 : 0;
    decisive_ = sign != 0 && sign == sign_ ? decisive_ + 1 : 1;
    sign_ = sign;
    level_ = ply >= kLevelFromPly && std::abs(white) <= kLevel ? level_ + 1 : 0;
    if (sign != 0 && decisive_ >= kDecisivePlies) return sign > 0 ? 1.0 : 0.0;
    if (level_ >= kLevelPlies) return 0.5;
    return std::nullopt;
  }

 private:
  int sign_ = 0;
  int decisive_ = 0;
  int level_ = 0;
};

bool IsWorthARecord(const Position& position, const Thought& thought) {
  return !position.InCheck() && !position.IsCapture(thought.move) && thought.move.kind() != Move::Kind::kPromotion &&
         thought.score.kind == Score::Kind::kCentipawns && std::abs(thought.score.amount) <= kDecided;
}

Record ToRecord(const Position& position, const Thought& thought, Origin origin) {
  const int amount = thought.score.amount;
  return Pack(
      position,
      {.value = position.side_to_move() == Color::kWhite ? amount : -amount, .result = std::nullopt, .origin = origin});
}

Position BalancedStart(StartKind kind, Thinker& thinker, const SelfPlayOptions& options, std::mt19937_64& random) {
  while (true) {
    Position position = DrawStart(kind, options.book, random);
    const Score score = thinker.Think(position, options.nodes).score;
    if (score.kind == Score::Kind::kCentipawns && std::abs(score.amount) <= kLopsided) return position;
  }
}

double ResultOf(const Position& position) {
  if (position.Status() != GameStatus::kCheckmate) return 0.5;
  return position.side_to_move() == Color::kWhite ? 0 : 1;
}

// From half of the nodes to half as many again.
std::int64_t Vary(std::int64_t nodes, std::mt19937_64& random) {
  return nodes / 2 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes + 1));
}

void AddSiblings(const Position& position, Thinker& thinker, const SelfPlayOptions& options, std::mt19937_64& random,
                 std::vector<Record>& records) {
  MoveList moves = LegalMoves(position);
  Position sibling = position;
  for (int i = 0; i < options.siblings && i < moves.size(); ++i) {
    // Each move at most once.
    std::swap(moves.begin()[i],
              moves.begin()[i + static_cast<int>(random() % static_cast<std::uint64_t>(moves.size() - i))]);
    sibling.MakeMove(moves[i]);
    if (!sibling.InCheck() && sibling.Status() == GameStatus::kOngoing) {
      const Thought thought = thinker.Think(sibling, Vary(options.sibling_nodes, random));
      if (IsWorthARecord(sibling, thought)) records.push_back(ToRecord(sibling, thought, Origin::kSibling));
    }
    sibling.UnmakeMove(moves[i]);
  }
}

}  // namespace

PlayedGame PlayGame(std::uint64_t seed, const SelfPlayOptions& options) {
  std::mt19937_64 random(seed);
  Thinker thinker;
  PlayedGame game;
  game.start = DrawStartKind(random);
  Position position = BalancedStart(game.start, thinker, options, random);
  std::optional<double> result;
  Adjudicator adjudicator;
  for (; game.plies < options.max_plies && position.Status() == GameStatus::kOngoing && !result; ++game.plies) {
    const Thought thought = thinker.Think(position, Vary(options.nodes, random));
    if (IsWorthARecord(position, thought)) game.records.push_back(ToRecord(position, thought, Origin::kGame));
    AddSiblings(position, thinker, options, random, game.records);
    result = adjudicator.Judge(thought.score, position.side_to_move(), game.plies);
    position.MakeMove(thought.move);
  }
  game.half_points = static_cast<int>(result.value_or(ResultOf(position)) * 2);
  for (Record& record : game.records) {
    if (LabelOf(record).origin == Origin::kGame) record.SetHalfPoints(game.half_points);
  }
  return game;
}

}  // namespace kibitz::tuning
