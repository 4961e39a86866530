#include "engine/eval/king_safety.h"

#include <algorithm>

#include "engine/eval/pawn_structure.h"
#include "engine/eval/weights.h"

namespace kibitz {
namespace {

// The pawns before the king on its file and both neighbours: ours as a wall, the enemy's as a storm.
template <Color kUs>
int Shelter(const Board& board, Square king) {
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
    value += weights::kShelter[std::min(file, 7 - file)][wall];
    const bool blocked = wall != 0 && wall == storm - 1;
    value += blocked ? weights::kBlockedStorm[storm] : weights::kStorm[storm];
  }
  return value;
}

// The danger of checks that the enemy's pieces of one kind could give from `squares`.
template <Color kUs, PieceType kType>
int CheckDanger(const AttackMap& attacks, Bitboard squares, Bitboard safe) {
  const Bitboard checks = squares & attacks.by_type[Index(~kUs)][Index(kType)];
  if (checks & safe) return weights::kSafeCheckDanger[Index(kType)];
  return checks != 0 ? weights::kUnsafeCheckDanger : 0;
}

template <Color kUs>
int AttackDanger(const Board& board, const AttackMap& attacks, Square king, int shelter) {
  constexpr int kUsIndex = Index(kUs);
  constexpr int kThemIndex = Index(~kUs);
  const Bitboard weak = attacks.all[kThemIndex] & ~attacks.twice[kUsIndex] &
                        (~attacks.all[kUsIndex] | attacks.by_type[kUsIndex][Index(PieceType::kKing)] |
                         attacks.by_type[kUsIndex][Index(PieceType::kQueen)]);
  const Bitboard safe = ~board.Of(~kUs) & (~attacks.all[kUsIndex] | (weak & attacks.twice[kThemIndex]));
  const Bitboard straight = RookAttacks(king, board.Occupied() & ~board.Of(kUs, PieceType::kQueen));
  const Bitboard diagonal = BishopAttacks(king, board.Occupied() & ~board.Of(kUs, PieceType::kQueen));

  int danger = weights::kDangerBase + attacks.king_danger[kThemIndex] * attacks.king_attackers[kThemIndex] / 2 +
               weights::kZoneAttackDanger * attacks.zone_attacks[kThemIndex] +
               weights::kWeakZoneDanger * Count(attacks.king_zone[kUsIndex] & weak);
  danger += CheckDanger<kUs, PieceType::kKnight>(attacks, KnightAttacks(king), safe);
  danger += CheckDanger<kUs, PieceType::kBishop>(attacks, diagonal, safe);
  danger += CheckDanger<kUs, PieceType::kRook>(attacks, straight, safe);
  danger += CheckDanger<kUs, PieceType::kQueen>(attacks, straight | diagonal, safe & ~attacks.all[kUsIndex]);
  if (board.Of(~kUs, PieceType::kQueen) == 0) danger -= weights::kNoQueenRelief;
  return danger - weights::kShelterRelief * shelter / 2;
}

}  // namespace

template <Color kUs>
Tapered KingSafety(const Board& board, const AttackMap& attacks) {
  const Square king = board.KingOf(kUs);
  const int shelter = Shelter<kUs>(board, king);
  Tapered value(shelter, 0);
  if ((board.Of(PieceType::kPawn) & FileMask(FileOf(king))) == 0) value += weights::kKingOnOpenFile;
  const Bitboard flank = FileOf(king) < 3   ? 0x0707070707070707
                         : FileOf(king) > 4 ? 0xe0e0e0e0e0e0e0e0
                                            : 0x3c3c3c3c3c3c3c3c;
  if ((board.Of(PieceType::kPawn) & flank) == 0) value += weights::kKingPawnlessFlank;
  if (attacks.king_attackers[Index(~kUs)] + Count(board.Of(~kUs, PieceType::kQueen)) < 2) return value;
  const int danger = AttackDanger<kUs>(board, attacks, king, shelter);
  if (danger > 0) {
    value -= Tapered(std::min(danger * danger / weights::kDangerSquareDivisor, 1000),
                     danger / weights::kDangerEndgameDivisor);
  }
  return value;
}

template Tapered KingSafety<Color::kWhite>(const Board&, const AttackMap&);
template Tapered KingSafety<Color::kBlack>(const Board&, const AttackMap&);

}  // namespace kibitz
