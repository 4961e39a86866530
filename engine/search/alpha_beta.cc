#include "engine/search/alpha_beta.h"

#include <algorithm>

#include "engine/board/movegen.h"
#include "engine/eval/evaluate.h"

namespace kibitz {
namespace {

// Quiescence ends by itself, as captures run out; this bounds the recursion for certain.
constexpr int kMaxPly = kMaxSearchDepth + 64;

// The most valuable victim first, taken by the least valuable man; quiet moves last.
void OrderMoves(const Position& position, MoveList& moves) {
  const auto rank = [&](Move move) {
    if (!position.IsCapture(move))
      return PieceValue(move.promotion() == PieceType::kNone ? PieceType::kKing : move.promotion());
    const Piece victim = position.PieceOn(move.to());
    const PieceType taken = victim.IsNone() ? PieceType::kPawn : victim.type();
    return 10 * PieceValue(taken) + 1000 - PieceValue(position.PieceOn(move.from()).type());
  };
  const auto before = [&](Move a, Move b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a.bits() < b.bits(); };
  std::sort(moves.begin(), moves.end(), before);
}

void SetPv(std::vector<Move>& pv, Move move, const std::vector<Move>& rest) {
  pv.assign(1, move);
  pv.insert(pv.end(), rest.begin(), rest.end());
}

}  // namespace

SearchedLine AlphaBeta::SearchRoot(const std::vector<Move>& root_moves, int depth) {
  seldepth_ = 0;
  SearchedLine best;
  std::vector<Move> below;
  for (Move move : root_moves) {
    position_.MakeMove(move);
    const Value value = -Search(depth - 1, 1, -kInfinite, -best.value, below);
    position_.UnmakeMove(move);
    if (stopper_.stopped()) break;
    if (value > best.value) {
      best.value = value;
      SetPv(best.pv, move, below);
    }
  }
  return best;
}

bool AlphaBeta::IsDraw(int ply) const {
  return position_.halfmove_clock() >= 100 || position_.IsRepetition(ply) || position_.HasInsufficientMaterial();
}

Value AlphaBeta::Search(int depth, int ply, Value alpha, Value beta, std::vector<Move>& pv) {
  pv.clear();
  if (depth <= 0) return Quiesce(ply, alpha, beta);
  if (stopper_.CountNode()) return kDraw;
  seldepth_ = std::max(seldepth_, ply);

  MoveList moves = LegalMoves(position_);
  if (moves.empty()) return position_.InCheck() ? MatedIn(ply) : kDraw;
  if (IsDraw(ply)) return kDraw;

  OrderMoves(position_, moves);
  Value best = -kInfinite;
  std::vector<Move> below;
  for (Move move : moves) {
    position_.MakeMove(move);
    const Value value = -Search(depth - 1, ply + 1, -beta, -std::max(alpha, best), below);
    position_.UnmakeMove(move);
    if (stopper_.stopped()) return best;
    if (value <= best) continue;
    best = value;
    if (value > alpha) SetPv(pv, move, below);
    if (value >= beta) break;
  }
  return best;
}

Value AlphaBeta::Quiesce(int ply, Value alpha, Value beta) {
  if (stopper_.CountNode()) return kDraw;
  seldepth_ = std::max(seldepth_, ply);
  if (ply >= kMaxPly) return Evaluate(position_);

  MoveList moves;
  Value best = -kInfinite;
  if (position_.InCheck()) {
    GenerateEvasions(position_.board(), moves);
    if (moves.empty()) return MatedIn(ply);
  } else {
    best = Evaluate(position_);
    if (best >= beta) return best;
    GenerateCaptures(position_.board(), moves);
  }
  OrderMoves(position_, moves);
  for (Move move : moves) {
    position_.MakeMove(move);
    const Value value = -Quiesce(ply + 1, -beta, -std::max(alpha, best));
    position_.UnmakeMove(move);
    if (stopper_.stopped()) return best;
    best = std::max(best, value);
    if (best >= beta) break;
  }
  return best;
}

}  // namespace kibitz
