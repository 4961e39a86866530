#include "engine/board/attacks/magic_search.h"

#include <gtest/gtest.h>

#include "engine/board/attacks/magic_numbers.h"
#include "engine/board/attacks/slider_table.h"

namespace kibitz {
namespace {

TEST(MagicSearchTest, FindsTheRookMagicsInUse) { EXPECT_EQ(FindMagics(SliderKind::kRook), kRookMagics); }

TEST(MagicSearchTest, FindsTheBishopMagicsInUse) { EXPECT_EQ(FindMagics(SliderKind::kBishop), kBishopMagics); }

}  // namespace
}  // namespace kibitz
