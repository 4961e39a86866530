// Two ways to find the lowest set bit of a word, behind one interface: a struct with a static `Lowest`.
// The core uses the hardware's; De Bruijn's multiplication stands beside it to be compared and raced.

#ifndef KIBITZ_ENGINE_BOARD_BITSCAN_H_
#define KIBITZ_ENGINE_BOARD_BITSCAN_H_

#include <array>
#include <bit>
#include <cstdint>

namespace kibitz {

struct HardwareBitscan {
  static constexpr char kName[] = "hardware";
  // The index of the lowest set bit. `word` must not be zero.
  static constexpr int Lowest(std::uint64_t word) { return std::countr_zero(word); }
};

// Every window of six bits of a De Bruijn sequence is different, so that shifting the sequence left by n, which is what
// multiplying by the lowest bit 2^n does, brings a window to the top that tells n.
class DeBruijnBitscan {
 public:
  static constexpr char kName[] = "De Bruijn";
  // The index of the lowest set bit. `word` must not be zero.
  static constexpr int Lowest(std::uint64_t word) { return kIndexOfWindow[Window(word & -word)]; }

 private:
  static constexpr std::uint64_t kSequence = 0x03f79d71b4cb0a89;
  static constexpr int Window(std::uint64_t single_bit) { return static_cast<int>((single_bit * kSequence) >> 58); }
  static constexpr std::array<std::uint8_t, 64> MakeIndex() {
    std::array<std::uint8_t, 64> index{};
    for (int bit = 0; bit < 64; ++bit) index[Window(1ULL << bit)] = static_cast<std::uint8_t>(bit);
    return index;
  }
  static const std::array<std::uint8_t, 64> kIndexOfWindow;
};

inline constexpr std::array<std::uint8_t, 64> DeBruijnBitscan::kIndexOfWindow = DeBruijnBitscan::MakeIndex();

using Bitscan = HardwareBitscan;

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_BITSCAN_H_
