#include "engine/search/see.h"

#include "engine/board/attacks/attacks.h"
#include "engine/search/piece_value.h"

namespace kibitz {
namespace {

// The least valuable piece of a set that is not empty, as a set of one. Of equals the one nearest to the first rank as
// the side to move counts it, so that both colours are treated alike.
Bitboard LeastValuable(const Board& board, Bitboard pieces, PieceType& type) {
  for (int index = 0; index < kNumPieceTypes; ++index) {
    if (const Bitboard found = pieces & board.by_type[index]) {
      type = static_cast<PieceType>(index);
      if (board.side_to_move == Color::kWhite) return found & -found;
      const Bitboard flipped = __builtin_bswap64(found);
      return __builtin_bswap64(flipped & -flipped);
    }
  }
  return 0;
}

}  // namespace

bool SeeAtLeast(const Position& position, Move move, int threshold) {
  if (move.kind() != Move::Kind::kNormal) return threshold <= 0;
  const Board& board = position.board();
  const Square to = move.to();

  // `balance` is what the side that moved last has won, less the threshold, if the exchange ended here.
  int balance = PieceValue(position.PieceOn(to).type()) - threshold;
  if (balance < 0) return false;
  balance -= PieceValue(position.PieceOn(move.from()).type());
  if (balance >= 0) return true;

  const Bitboard diagonals = board.Of(PieceType::kBishop) | board.Of(PieceType::kQueen);
  const Bitboard straights = board.Of(PieceType::kRook) | board.Of(PieceType::kQueen);
  Bitboard occupied = board.Occupied() ^ Bit(move.from()) ^ Bit(to);
  Bitboard attackers = board.AttackersTo(to, occupied);
  Color side = ~position.side_to_move();
  while (true) {
    attackers &= occupied;
    const Bitboard ours = attackers & board.Of(side);
    if (ours == 0) break;
    PieceType type = PieceType::kNone;
    const Bitboard capturer = LeastValuable(board, ours, type);
    side = ~side;
    balance = -balance - 1 - PieceValue(type);
    if (balance >= 0) {
      // A king that would capture into an attack cannot capture.
      if (type == PieceType::kKing && (attackers & board.Of(side)) != 0) side = ~side;
      break;
    }
    occupied ^= capturer;
    // Pieces that stood behind the capturer join in.
    attackers |= (BishopAttacks(to, occupied) & diagonals) | (RookAttacks(to, occupied) & straights);
  }
  return side != position.side_to_move();
}

}  // namespace kibitz
