#include "tests/bench/middlegames.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/engine.h"
#include "tests/support/random_game.h"

namespace kibitz::bench {
namespace {

constexpr int kRandomPlies = 8;
constexpr int kPlayedPlies = 14;
constexpr int kNodesForAMove = 2000;
constexpr int kBalanced = 150;  // hundredths of a pawn

AnalysisLine BestLine(Engine& engine, const Position& position) {
  AnalysisRequest request;
  request.position = position;
  request.limits.nodes = kNodesForAMove;
  const AnalysisResult result = Analyze(engine, std::move(request));
  return result.analysis.lines.empty() ? AnalysisLine() : result.analysis.lines.front();
}

}  // namespace

std::vector<std::string> Middlegames(int count) {
  Engine engine(1);
  std::vector<std::string> fens;
  for (std::uint64_t seed = 1; static_cast<int>(fens.size()) < count; ++seed) {
    RandomGame random(seed);
    Position position;
    for (int ply = 0; ply < kRandomPlies; ++ply) {
      const MoveList moves = LegalMoves(position);
      if (moves.empty()) break;
      position.MakeMove(moves[random.Below(moves.size())]);
    }
    for (int ply = 0; ply < kPlayedPlies && position.Status() == GameStatus::kOngoing; ++ply) {
      position.MakeMove(BestLine(engine, position).pv.front());
    }
    if (position.Status() != GameStatus::kOngoing) continue;
    const Score score = BestLine(engine, position).score;
    if (score.kind == Score::Kind::kCentipawns && std::abs(score.amount) < kBalanced) fens.push_back(ToFen(position));
  }
  return fens;
}

}  // namespace kibitz::bench
