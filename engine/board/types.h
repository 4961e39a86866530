// The small types of the rules: colours, pieces, squares. Squares count from a1 = 0 along the ranks to h8 = 63.

#ifndef KIBITZ_ENGINE_BOARD_TYPES_H_
#define KIBITZ_ENGINE_BOARD_TYPES_H_

#include <cstdint>

namespace kibitz {

enum class Color : std::uint8_t { kWhite, kBlack };
inline constexpr int kNumColors = 2;

enum class PieceType : std::uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kNone };
inline constexpr int kNumPieceTypes = 6;

// clang-format off
enum class Square : std::uint8_t {
  kA1, kB1, kC1, kD1, kE1, kF1, kG1, kH1,
  kA2, kB2, kC2, kD2, kE2, kF2, kG2, kH2,
  kA3, kB3, kC3, kD3, kE3, kF3, kG3, kH3,
  kA4, kB4, kC4, kD4, kE4, kF4, kG4, kH4,
  kA5, kB5, kC5, kD5, kE5, kF5, kG5, kH5,
  kA6, kB6, kC6, kD6, kE6, kF6, kG6, kH6,
  kA7, kB7, kC7, kD7, kE7, kF7, kG7, kH7,
  kA8, kB8, kC8, kD8, kE8, kF8, kG8, kH8,
  kNone
};
// clang-format on
inline constexpr int kNumSquares = 64;

// The place of a value in an array.
constexpr int Index(Color color) { return static_cast<int>(color); }
constexpr int Index(PieceType type) { return static_cast<int>(type); }
constexpr int Index(Square square) { return static_cast<int>(square); }

constexpr Color operator~(Color color) { return static_cast<Color>(Index(color) ^ 1); }

constexpr Square SquareAt(int index) { return static_cast<Square>(index); }
constexpr Square MakeSquare(int file, int rank) { return SquareAt(rank * 8 + file); }
constexpr int FileOf(Square square) { return Index(square) & 7; }
constexpr int RankOf(Square square) { return Index(square) >> 3; }
constexpr Square Offset(Square square, int delta) { return SquareAt(Index(square) + delta); }
// The same square seen from the other side of the board: a1 <-> a8.
constexpr Square FlipRank(Square square) { return SquareAt(Index(square) ^ 56); }
// The rank (0 to 7) as the given side counts it: its own back rank is 0.
constexpr int RelativeRank(Color color, int rank) { return color == Color::kWhite ? rank : 7 - rank; }

// The step of a pawn of this side.
constexpr int Up(Color color) { return color == Color::kWhite ? 8 : -8; }

// A piece: a kind and a colour, or none.
class Piece {
 public:
  constexpr Piece() = default;
  constexpr Piece(Color color, PieceType type) : code_(static_cast<std::uint8_t>(Index(color) * 8 + Index(type))) {}

  constexpr bool IsNone() const { return type() == PieceType::kNone; }
  constexpr PieceType type() const { return static_cast<PieceType>(code_ & 7); }
  // Meaningless for no piece.
  constexpr Color color() const { return static_cast<Color>(code_ >> 3); }

  friend constexpr bool operator==(Piece, Piece) = default;

 private:
  std::uint8_t code_ = static_cast<std::uint8_t>(PieceType::kNone);
};

// The rules of castling and its notation.
enum class Variant : std::uint8_t { kStandard, kChess960 };

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_TYPES_H_
