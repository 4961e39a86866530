#include "engine/board/attacks/blockers_and_beyond.h"

namespace kibitz {

constexpr BlockersAndBeyond::Entries BlockersAndBeyond::MakeEntries(SliderKind kind) {
  Entries entries{};
  for (int i = 0; i < kNumSquares; ++i)
    entries[i] = {EmptyAttacks(kind, SquareAt(i)), RelevantOccupancy(kind, SquareAt(i))};
  return entries;
}

constexpr SquarePairTable BlockersAndBeyond::MakeBehind() {
  SquarePairTable behind{};
  for (const auto& rays : kRays) {
    for (int from = 0; from < kNumSquares; ++from) {
      for (Square blocker : Squares(rays[from])) behind[from][Index(blocker)] = rays[Index(blocker)];
    }
  }
  return behind;
}

constinit const BlockersAndBeyond::Entries BlockersAndBeyond::kRooks = MakeEntries(SliderKind::kRook);
constinit const BlockersAndBeyond::Entries BlockersAndBeyond::kBishops = MakeEntries(SliderKind::kBishop);
constinit const SquarePairTable BlockersAndBeyond::kBehind = MakeBehind();

}  // namespace kibitz
