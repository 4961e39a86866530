#include "engine/board/bitscan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace kibitz {
namespace {

static_assert(HardwareBitscan::Lowest(0x8000000000000000) == 63);
static_assert(DeBruijnBitscan::Lowest(0x8000000000000000) == 63);

int LowestByLooking(std::uint64_t word) {
  int index = 0;
  while ((word >> index & 1) == 0) ++index;
  return index;
}

template <typename Scan>
class BitscanTest : public testing::Test {};
using Scans = testing::Types<HardwareBitscan, DeBruijnBitscan>;
TYPED_TEST_SUITE(BitscanTest, Scans);

TYPED_TEST(BitscanTest, FindsEverySingleBit) {
  for (int bit = 0; bit < 64; ++bit) EXPECT_EQ(TypeParam::Lowest(1ULL << bit), bit);
}

TYPED_TEST(BitscanTest, IgnoresHigherBits) {
  for (int bit = 0; bit < 64; ++bit) EXPECT_EQ(TypeParam::Lowest(~0ULL << bit), bit);
}

TYPED_TEST(BitscanTest, FindsTheLowestBitOfRandomWords) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 100'000; ++i) {
    // Shifted, so that low bits are empty as often as high ones.
    const std::uint64_t word = (random() | 1ULL << 63) >> (i % 64) << (random() % 64);
    if (word == 0) continue;
    ASSERT_EQ(TypeParam::Lowest(word), LowestByLooking(word)) << std::hex << word;
  }
}

}  // namespace
}  // namespace kibitz
