// A pair of values, for the middlegame and for the endgame, between which a position's phase decides.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_TAPERED_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_TAPERED_H_

#include <cstdint>

namespace kibitz {

// Both halves in one word, so that they are added and multiplied together.
class Tapered {
 public:
  constexpr Tapered() = default;
  constexpr Tapered(int middlegame, int endgame)
      : both_(static_cast<std::int32_t>(static_cast<std::uint32_t>(endgame) << 16) + middlegame) {}

  constexpr int middlegame() const { return static_cast<std::int16_t>(static_cast<std::uint16_t>(both_)); }
  // The lower half borrows from the upper one when it is negative: rounding gives that back.
  constexpr int endgame() const {
    return static_cast<std::int16_t>((static_cast<std::uint32_t>(both_) + 0x8000) >> 16);
  }

  constexpr Tapered& operator+=(Tapered other) {
    both_ += other.both_;
    return *this;
  }
  constexpr Tapered& operator-=(Tapered other) {
    both_ -= other.both_;
    return *this;
  }
  friend constexpr Tapered operator+(Tapered a, Tapered b) { return a += b; }
  friend constexpr Tapered operator-(Tapered a, Tapered b) { return a -= b; }
  friend constexpr Tapered operator-(Tapered a) { return Tapered() - a; }
  friend constexpr Tapered operator*(Tapered a, int times) {
    a.both_ *= times;
    return a;
  }
  friend constexpr bool operator==(Tapered, Tapered) = default;

 private:
  std::int32_t both_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_TAPERED_H_
