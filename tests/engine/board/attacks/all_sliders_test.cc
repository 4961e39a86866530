// Every slider method finds what walking finds.

#include "engine/board/attacks/all_sliders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {
namespace {

template <typename Method>
Bitboard AttacksBy(SliderKind kind, Square square, Bitboard occupied) {
  return kind == SliderKind::kRook ? Method::Rook(square, occupied) : Method::Bishop(square, occupied);
}

template <typename Method>
void ExpectAsWalked(SliderKind kind, Square square, Bitboard occupied) {
  ASSERT_EQ(AttacksBy<Method>(kind, square, occupied), WalkAttacks(kind, square, occupied))
      << (kind == SliderKind::kRook ? "rook" : "bishop") << " on square " << Index(square) << ", occupied " << std::hex
      << occupied;
}

struct MethodName {
  template <typename Method>
  static std::string GetName(int) {
    std::string name = Method::kName;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
  }
};

template <typename Method>
class AllSlidersTest : public testing::Test {};
TYPED_TEST_SUITE(AllSlidersTest, AllSliders<testing::Types>, MethodName);

TYPED_TEST(AllSlidersTest, EqualsWalkingOnAllRelevantOccupancies) {
  for (SliderKind kind : kSliderKinds) {
    for (int i = 0; i < kNumSquares; ++i) {
      const Bitboard mask = RelevantOccupancy(kind, SquareAt(i));
      for (int index = 0; index < 1 << Count(mask); ++index) {
        ASSERT_NO_FATAL_FAILURE(ExpectAsWalked<TypeParam>(kind, SquareAt(i), SetOccupancy(index, mask)));
      }
    }
  }
}

// The edges, the slider's own square and squares off its lines are occupied here too.
TYPED_TEST(AllSlidersTest, EqualsWalkingOnRandomOccupancies) {
  std::mt19937_64 random(64);
  for (int i = 0; i < 2000; ++i) {
    const Bitboard dense = random(), sparse = random() & random() & random();
    for (SliderKind kind : kSliderKinds) {
      for (int square = 0; square < kNumSquares; ++square) {
        ASSERT_NO_FATAL_FAILURE(ExpectAsWalked<TypeParam>(kind, SquareAt(square), dense));
        ASSERT_NO_FATAL_FAILURE(ExpectAsWalked<TypeParam>(kind, SquareAt(square), sparse));
      }
    }
  }
}

TYPED_TEST(AllSlidersTest, EqualsWalkingOnEmptyAndFullBoards) {
  for (SliderKind kind : kSliderKinds) {
    for (int square = 0; square < kNumSquares; ++square) {
      ASSERT_NO_FATAL_FAILURE(ExpectAsWalked<TypeParam>(kind, SquareAt(square), 0));
      ASSERT_NO_FATAL_FAILURE(ExpectAsWalked<TypeParam>(kind, SquareAt(square), ~0ULL));
    }
  }
}

TEST(ForEachSliderTest, VisitsEveryMethodOnce) {
  std::vector<std::string> names;
  ForEachSlider([&](auto method) { names.push_back(method.kName); });
  EXPECT_THAT(names,
              testing::ElementsAre("classical rays", "blockers and beyond", "hyperbola quintessence", "magic", "pext"));
}

}  // namespace
}  // namespace kibitz
