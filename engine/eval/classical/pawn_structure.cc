#include "engine/eval/classical/pawn_structure.h"

#include "engine/board/attacks/attacks.h"

namespace kibitz {
namespace {

constexpr Bitboard FileFill(Bitboard set) {
  return set | FrontFill<Color::kWhite>(set) | FrontFill<Color::kBlack>(set);
}

template <Color kUs, typename WeightsPointer>
void AnalyzeSide(const Board& board, WeightsPointer weights, PawnStructure& structure) {
  constexpr Color kThem = ~kUs;
  const Bitboard ours = board.Of(kUs, PieceType::kPawn);
  const Bitboard theirs = board.Of(kThem, PieceType::kPawn);
  const Bitboard our_attacks = PawnSetAttacks<kUs>(ours);
  const Bitboard their_attacks = PawnSetAttacks<kThem>(theirs);
  const Bitboard their_front = FrontFill<kThem>(theirs);
  structure.spans[Index(kUs)] = our_attacks | FrontFill<kUs>(our_attacks);

  // Passed: no enemy pawn ahead on the same file or a neighbour's, and no pawn of our own before it.
  const Bitboard stopped = their_front | AdjacentFiles(their_front) | FrontFill<kThem>(ours);
  structure.passed[Index(kUs)] = ours & ~stopped;

  for (Square square : Squares(ours))
    structure.squares[Index(kUs)] += weights->PieceSquare(kUs, PieceType::kPawn, square);

  Tapered& value = structure.value[Index(kUs)];
  const Bitboard half_open = ~FileFill(theirs);
  const Bitboard isolated = ours & ~AdjacentFiles(FileFill(ours));
  // Backward: no neighbour can ever support it, and the square in front is the enemy's.
  const Bitboard supported_ever = AdjacentFiles(ours | FrontFill<kUs>(ours));
  const Bitboard backward = ours & ~isolated & ~supported_ever & Shift<-Up(kUs)>(their_attacks);
  const Bitboard doubled = ours & FrontFill<kThem>(ours);
  const Bitboard connected = ours & (our_attacks | AdjacentFiles(ours));

  value += weights->doubled * Count(doubled & ~our_attacks);
  value += weights->isolated * Count(isolated);
  value += weights->isolated_on_open_file * Count(isolated & half_open);
  value += weights->backward * Count(backward);
  value += weights->backward_on_open_file * Count(backward & half_open);
  for (Square square : Squares(connected)) value += weights->connected[RelativeRank(kUs, RankOf(square))];

  // Candidates: not passed, but helpers are as many as the enemies that guard the way.
  const Bitboard contested = ours & half_open & ~structure.passed[Index(kUs)] & ~doubled;
  for (Square square : Squares(contested)) {
    const Bitboard ahead = FrontFill<kUs>(Bit(square));
    const int guards = Count(theirs & AdjacentFiles(ahead));
    const int helpers = Count(ours & AdjacentFiles(Bit(square) | FrontFill<kThem>(Bit(square))));
    if (guards <= helpers) value += weights->candidate[RelativeRank(kUs, RankOf(square))];
  }
}

}  // namespace

template <typename WeightsPointer>
PawnStructure AnalyzePawns(const Board& board, WeightsPointer weights) {
  PawnStructure structure;
  AnalyzeSide<Color::kWhite>(board, weights, structure);
  AnalyzeSide<Color::kBlack>(board, weights, structure);
  return structure;
}

template PawnStructure AnalyzePawns(const Board&, OwnWeights);
template PawnStructure AnalyzePawns(const Board&, GivenWeights);

}  // namespace kibitz
