// A move in 16 bits: origin, destination, kind, and what a pawn becomes.

#ifndef KIBITZ_ENGINE_BOARD_MOVE_H_
#define KIBITZ_ENGINE_BOARD_MOVE_H_

#include <cstdint>

#include "engine/board/types.h"

namespace kibitz {

// Castling is written as the king taking its own rook, which says everything in Chess960 as well; see uci_move.h for
// how it is written outside. Moves carry no knowledge of their own: whether one is legal, only a position can tell.
class Move {
 public:
  enum class Kind : std::uint8_t { kNormal, kPromotion, kEnPassant, kCastling };
  // Zero in every move but a promotion.
  static constexpr std::uint16_t kPromotionBits = 3 << 12;

  // No move. It equals no legal move.
  constexpr Move() = default;
  constexpr Move(Square from, Square to, Kind kind = Kind::kNormal)
      : bits_(static_cast<std::uint16_t>(Index(from) | Index(to) << 6 | static_cast<int>(kind) << 14)) {}

  static constexpr Move Promotion(Square from, Square to, PieceType type) {
    Move move(from, to, Kind::kPromotion);
    move.bits_ |= static_cast<std::uint16_t>((Index(type) - Index(PieceType::kKnight)) << 12);
    return move;
  }
  static constexpr Move FromBits(std::uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  constexpr Square from() const { return SquareAt(bits_ & 63); }
  constexpr Square to() const { return SquareAt((bits_ >> 6) & 63); }
  constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 14); }
  // kNone unless the move is a promotion.
  constexpr PieceType promotion() const {
    return kind() == Kind::kPromotion ? static_cast<PieceType>(((bits_ >> 12) & 3) + Index(PieceType::kKnight))
                                      : PieceType::kNone;
  }
  constexpr std::uint16_t bits() const { return bits_; }
  constexpr bool IsNone() const { return bits_ == 0; }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  std::uint16_t bits_ = 0;
};

// No position that can be built has more legal moves: the record is 218.
inline constexpr int kMaxMoves = 256;

// A list of moves that never allocates, nor clears what it has room for.
class MoveList {
 public:
  MoveList() {}

  void Add(Move move) { moves_[size_++] = move; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[i]; }
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }
  bool Contains(Move move) const {
    for (Move each : *this) {
      if (each == move) return true;
    }
    return false;
  }

 private:
  // A union's member begins its life when it is written to: the first `size_` have.
  union {
    Move moves_[kMaxMoves];
  };
  int size_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_MOVE_H_
