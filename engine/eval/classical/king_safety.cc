#include "engine/eval/classical/king_safety.h"

#include <algorithm>

#include "engine/eval/classical/pawn_structure.h"

namespace kibitz {
namespace {

// The pawns before the king on its file and both neighbours: ours as a wall, the enemy's as a storm.
template <Color kUs, typename WeightsPointer>
int Shelter(const Board& board, Square king, WeightsPointer weights) {
  const Bitboard not_behind = ~FrontFill<~kUs>(RankMask(RankOf(king)));
  const Bitboard ours = board.Of(kUs, PieceType::kPawn) & not_behind;
  const Bitboard theirs = board.Of(~kUs, PieceType::kPawn) & not_behind;
  const auto nearest_rank = [](Bitboard pawns) {
    if (pawns == 0) return 0;
    const Square square = kUs == Color::kWhite ? First(pawns) : SquareAt(63 - std::countl_zero(pawns));
    return RelativeRank(kUs, RankOf(square));
  };
  const int center = std::clamp(FileOf(king), 1, 6);
  int value = 0;
  for (int file = center - 1; file <= center + 1; ++file) {
    const int wall = nearest_rank(ours & FileMask(file));
    const int storm = nearest_rank(theirs & FileMask(file));
    value += weights->shelter[std::min(file, 7 - file)][wall];
    const bool blocked = wall != 0 && wall == storm - 1;
    value += blocked ? weights->blocked_storm[storm] : weights->storm[storm];
  }
  return value;
}

// The danger of checks that the enemy's pieces of one kind could give from `squares`.
template <Color kUs, PieceType kType, typename WeightsPointer>
int CheckDanger(const AttackMap& attacks, Bitboard squares, Bitboard safe, WeightsPointer weights) {
  const Bitboard checks = squares & attacks.by_type[Index(~kUs)][Index(kType)];
  if (checks & safe) return weights->safe_check_danger[Index(kType)];
  return checks != 0 ? weights->unsafe_check_danger : 0;
}

template <Color kUs, typename WeightsPointer>
int AttackDanger(const Board& board, const AttackMap& attacks, Square king, int shelter, WeightsPointer weights) {
  constexpr int kUsIndex = Index(kUs);
  constexpr int kThemIndex = Index(~kUs);
  const Bitboard weak = attacks.all[kThemIndex] & ~attacks.twice[kUsIndex] &
                        (~attacks.all[kUsIndex] | attacks.by_type[kUsIndex][Index(PieceType::kKing)] |
                         attacks.by_type[kUsIndex][Index(PieceType::kQueen)]);
  const Bitboard safe = ~board.Of(~kUs) & (~attacks.all[kUsIndex] | (weak & attacks.twice[kThemIndex]));
  const Bitboard straight = RookAttacks(king, board.Occupied() & ~board.Of(kUs, PieceType::kQueen));
  const Bitboard diagonal = BishopAttacks(king, board.Occupied() & ~board.Of(kUs, PieceType::kQueen));

  int danger = weights->danger_base + attacks.king_danger[kThemIndex] * attacks.king_attackers[kThemIndex] / 2 +
               weights->zone_attack_danger * attacks.zone_attacks[kThemIndex] +
               weights->weak_zone_danger * Count(attacks.king_zone[kUsIndex] & weak);
  danger += CheckDanger<kUs, PieceType::kKnight>(attacks, KnightAttacks(king), safe, weights);
  danger += CheckDanger<kUs, PieceType::kBishop>(attacks, diagonal, safe, weights);
  danger += CheckDanger<kUs, PieceType::kRook>(attacks, straight, safe, weights);
  danger += CheckDanger<kUs, PieceType::kQueen>(attacks, straight | diagonal, safe & ~attacks.all[kUsIndex], weights);
  if (board.Of(~kUs, PieceType::kQueen) == 0) danger -= weights->no_queen_relief;
  return danger - weights->shelter_relief * shelter / 2;
}

}  // namespace

template <Color kUs, typename WeightsPointer>
Tapered KingSafety(const Board& board, const AttackMap& attacks, WeightsPointer weights) {
  const Square king = board.KingOf(kUs);
  const int shelter = Shelter<kUs>(board, king, weights);
  Tapered value(shelter, 0);
  if ((board.Of(PieceType::kPawn) & FileMask(FileOf(king))) == 0) value += weights->king_on_open_file;
  const Bitboard flank = FileOf(king) < 3   ? 0x0707070707070707
                         : FileOf(king) > 4 ? 0xe0e0e0e0e0e0e0e0
                                            : 0x3c3c3c3c3c3c3c3c;
  if ((board.Of(PieceType::kPawn) & flank) == 0) value += weights->king_pawnless_flank;
  if (attacks.king_attackers[Index(~kUs)] + Count(board.Of(~kUs, PieceType::kQueen)) < 2) return value;
  const int danger = AttackDanger<kUs>(board, attacks, king, shelter, weights);
  if (danger > 0) {
    value -= Tapered(std::min(danger * danger / weights->danger_square_divisor, 1000),
                     danger / weights->danger_endgame_divisor);
  }
  return value;
}

template Tapered KingSafety<Color::kWhite>(const Board&, const AttackMap&, OwnWeights);
template Tapered KingSafety<Color::kBlack>(const Board&, const AttackMap&, OwnWeights);
template Tapered KingSafety<Color::kWhite>(const Board&, const AttackMap&, GivenWeights);
template Tapered KingSafety<Color::kBlack>(const Board&, const AttackMap&, GivenWeights);

}  // namespace kibitz
