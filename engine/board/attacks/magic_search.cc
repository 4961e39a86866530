#include "engine/board/attacks/magic_search.h"

#include <random>
#include <vector>

#include "engine/board/bitboard.h"

namespace kibitz {
namespace {

constexpr std::uint64_t kSeed = 1;

// Numbers with few bits set succeed more often: their partial products rarely meet, so that few carries disturb them.
std::uint64_t DrawCandidate(std::mt19937_64& random) { return random() & random() & random(); }

// All relevant occupancies of a slider on a square, and a trial of numbers on them.
class Trial {
 public:
  Trial(SliderKind kind, Square square)
      : mask_(RelevantOccupancy(kind, square)),
        shift_(64 - Count(mask_)),
        cases_(1 << Count(mask_)),
        places_(cases_.size()) {
    for (int i = 0; i < static_cast<int>(cases_.size()); ++i) {
      const Bitboard occupied = SetOccupancy(i, mask_);
      cases_[i] = {occupied, WalkAttacks(kind, square, occupied)};
    }
  }

  // Whether the number gives no place to two occupancies with different attacks.
  bool Passes(std::uint64_t candidate) {
    // A number that leaves the top byte of the fullest product nearly empty cannot spread the others.
    if (Count((mask_ * candidate) >> 56) < 6) return false;
    ++round_;
    for (const Case& each : cases_) {
      Place& place = places_[(each.occupied * candidate) >> shift_];
      if (place.round == round_ && place.attacks != each.attacks) return false;
      place = {each.attacks, round_};
    }
    return true;
  }

 private:
  struct Case {
    Bitboard occupied;
    Bitboard attacks;
  };
  // Filled in an earlier round means empty, which spares clearing all places before each candidate.
  struct Place {
    Bitboard attacks = 0;
    std::uint64_t round = 0;
  };

  Bitboard mask_;
  int shift_;
  std::vector<Case> cases_;
  std::vector<Place> places_;
  std::uint64_t round_ = 0;
};

}  // namespace

std::array<std::uint64_t, kNumSquares> FindMagics(SliderKind kind) {
  std::mt19937_64 random(kSeed);
  std::array<std::uint64_t, kNumSquares> magics{};
  for (int i = 0; i < kNumSquares; ++i) {
    Trial trial(kind, SquareAt(i));
    do magics[i] = DrawCandidate(random);
    while (!trial.Passes(magics[i]));
  }
  return magics;
}

}  // namespace kibitz
