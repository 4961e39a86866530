#include "engine/board/attacks/geometry.h"

namespace kibitz {
namespace {

constexpr SquarePairTable MakeBetween() {
  SquarePairTable between{};
  for (int direction = 0; direction < kNumDirections; ++direction) {
    for (int from = 0; from < kNumSquares; ++from) {
      for (Square to : Squares(kRays[direction][from])) {
        between[from][Index(to)] = kRays[direction][from] & ~kRays[direction][Index(to)] & ~Bit(to);
      }
    }
  }
  return between;
}

constexpr SquarePairTable MakeLine() {
  SquarePairTable line{};
  for (int direction = 0; direction < kNumDirections; ++direction) {
    for (int from = 0; from < kNumSquares; ++from) {
      const Bitboard whole = kRays[direction][from] | kRays[direction ^ 4][from] | 1ULL << from;
      for (Square to : Squares(kRays[direction][from])) line[from][Index(to)] = whole;
    }
  }
  return line;
}

}  // namespace

constinit const SquarePairTable kBetween = MakeBetween();
constinit const SquarePairTable kLine = MakeLine();

}  // namespace kibitz
