// Slider attacks by hyperbola quintessence. With o the blockers of a line and s the slider, subtracting 2s from o
// borrows from every bit up to the first blocker above the slider, so that o ^ (o - 2s) is the line's upper half.
// The same on the reversed board gives the lower half.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_HYPERBOLA_QUINTESSENCE_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_HYPERBOLA_QUINTESSENCE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/board/attacks/classical_rays.h"
#include "engine/board/attacks/geometry.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

struct HyperbolaQuintessence {
 private:
  // The lines through a square, without the square.
  struct Lines {
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
  };
  // The attacks along the first rank, by the six inner squares of the rank and the slider's file.
  using RankAttacks = std::array<std::array<std::uint8_t, 8>, 64>;

 public:
  static constexpr char kName[] = "hyperbola quintessence";
  static constexpr std::size_t kTableBytes = kNumSquares * sizeof(Lines) + sizeof(RankAttacks);

  static constexpr Bitboard Rook(Square square, Bitboard occupied) {
    return AlongLine(kLines[Index(square)].file, square, occupied) | AlongRank(square, occupied);
  }
  static constexpr Bitboard Bishop(Square square, Bitboard occupied) {
    const Lines& lines = kLines[Index(square)];
    return AlongLine(lines.diagonal, square, occupied) | AlongLine(lines.antidiagonal, square, occupied);
  }

 private:
  // Swapping bytes reverses any line that has no two squares on one rank. The mask has taken the slider out of o, so
  // that one s less is left to subtract; and where the halves meet, o ^ o falls away.
  static constexpr Bitboard AlongLine(Bitboard line, Square square, Bitboard occupied) {
    const Bitboard blockers = occupied & line;
    const Bitboard above = blockers - Bit(square);
    const Bitboard below = __builtin_bswap64(__builtin_bswap64(blockers) - Bit(FlipRank(square)));
    return (above ^ below) & line;
  }
  static constexpr Bitboard AlongRank(Square square, Bitboard occupied) {
    const int first = Index(square) & 56;
    return static_cast<Bitboard>(kRankAttacks[(occupied >> (first + 1)) & 63][FileOf(square)]) << first;
  }

  static constexpr std::array<Lines, kNumSquares> MakeLines() {
    std::array<Lines, kNumSquares> lines{};
    for (int i = 0; i < kNumSquares; ++i) {
      const auto both = [i](Direction up) { return Ray(up, SquareAt(i)) | Ray(Opposite(up), SquareAt(i)); };
      lines[i] = {both(Direction::kNorth), both(Direction::kNorthEast), both(Direction::kNorthWest)};
    }
    return lines;
  }
  // Swapping bytes does not reverse a rank, whose few occupancies fit a table instead.
  static constexpr RankAttacks MakeRankAttacks() {
    RankAttacks attacks{};
    for (Bitboard inner = 0; inner < attacks.size(); ++inner) {
      for (int file = 0; file < 8; ++file) {
        attacks[inner][file] = static_cast<std::uint8_t>(ClassicalRays::Rook(MakeSquare(file, 0), inner << 1) & kRank1);
      }
    }
    return attacks;
  }

  static const std::array<Lines, kNumSquares> kLines;
  static const RankAttacks kRankAttacks;
};

inline constexpr std::array<HyperbolaQuintessence::Lines, kNumSquares> HyperbolaQuintessence::kLines = MakeLines();
inline constexpr HyperbolaQuintessence::RankAttacks HyperbolaQuintessence::kRankAttacks = MakeRankAttacks();

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_HYPERBOLA_QUINTESSENCE_H_
