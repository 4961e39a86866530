#include "engine/tuning/self_play.h"

#include <cstdlib>
#include <optional>
#include <random>
#include <utility>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/engine.h"

namespace kibitz::tuning {
namespace {

constexpr std::size_t kHashMb = 2;
// Openings beyond this are not worth a game.
constexpr int kLopsided = 250;
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

Thought Think(Engine& engine, const Position& position, std::int64_t nodes) {
  AnalysisRequest request;
  request.position = position;
  request.limits.nodes = nodes;
  const AnalysisResult result = Analyze(engine, std::move(request));
  const AnalysisLine& line = result.analysis.lines.front();
  return {line.pv.front(), line.score};
}

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

bool IsQuiet(const Position& position, const Thought& thought) {
  return !position.InCheck() && !position.IsCapture(thought.move) && thought.move.kind() == Move::Kind::kNormal &&
         thought.score.kind == Score::Kind::kCentipawns;
}

// A playable position after random moves. The same for the same state of `random`.
Position RandomOpening(Engine& engine, std::mt19937_64& random, const SelfPlayOptions& options) {
  while (true) {
    Position position;
    const int plies = options.random_plies + static_cast<int>(random() % 2);
    for (int ply = 0; ply < plies; ++ply) {
      const MoveList moves = LegalMoves(position);
      if (moves.empty()) break;
      position.MakeMove(moves[static_cast<int>(random() % static_cast<std::uint64_t>(moves.size()))]);
    }
    if (position.Status() != GameStatus::kOngoing) continue;
    const Score score = Think(engine, position, options.nodes).score;
    if (score.kind == Score::Kind::kCentipawns && std::abs(score.amount) <= kLopsided) return position;
  }
}

double ResultOf(const Position& position) {
  if (position.Status() != GameStatus::kCheckmate) return 0.5;
  return position.side_to_move() == Color::kWhite ? 0 : 1;
}

}  // namespace

std::vector<Sample> PlayGame(std::uint64_t seed, const SelfPlayOptions& options) {
  std::mt19937_64 random(seed);
  Engine engine(kHashMb);
  Position position = RandomOpening(engine, random, options);
  std::vector<Sample> samples;
  std::optional<double> result;
  Adjudicator adjudicator;
  for (int ply = 0; ply < options.max_plies && position.Status() == GameStatus::kOngoing && !result; ++ply) {
    const Thought thought = Think(engine, position, options.nodes);
    const Color side = position.side_to_move();
    if (IsQuiet(position, thought)) {
      const int white = side == Color::kWhite ? thought.score.amount : -thought.score.amount;
      samples.push_back({ToFen(position), white, 0});
    }
    result = adjudicator.Judge(thought.score, side, ply);
    position.MakeMove(thought.move);
  }
  const double ending = result.value_or(ResultOf(position));
  for (Sample& sample : samples) sample.result = ending;
  return samples;
}

}  // namespace kibitz::tuning
