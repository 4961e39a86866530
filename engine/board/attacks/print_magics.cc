// Prints magic_numbers.h anew, as the seeded search finds its numbers:
//   bazel run //engine/board/attacks:print_magics > engine/board/attacks/magic_numbers.h

#include <array>
#include <cstdint>
#include <cstdio>

#include "engine/board/attacks/magic_search.h"
#include "engine/board/attacks/slider_table.h"
#include "engine/board/types.h"

namespace {

constexpr char kHead[] = R"(// The magic numbers that the search in magic_search.h finds. Printed by
//   bazel run //engine/board/attacks:print_magics > engine/board/attacks/magic_numbers.h

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_NUMBERS_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_NUMBERS_H_

#include <array>
#include <cstdint>

#include "engine/board/types.h"

namespace kibitz {

// clang-format off
)";

constexpr char kTail[] = R"(// clang-format on

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_NUMBERS_H_
)";

void PrintMagics(const char* name, kibitz::SliderKind kind) {
  std::printf("inline constexpr std::array<std::uint64_t, kNumSquares> %s = {", name);
  const std::array<std::uint64_t, kibitz::kNumSquares> magics = kibitz::FindMagics(kind);
  for (int i = 0; i < kibitz::kNumSquares; ++i) {
    std::printf("%s0x%016llx,", i % 4 == 0 ? "\n    " : " ", static_cast<unsigned long long>(magics[i]));
  }
  std::printf("\n};\n");
}

}  // namespace

int main() {
  std::fputs(kHead, stdout);
  PrintMagics("kRookMagics", kibitz::SliderKind::kRook);
  PrintMagics("kBishopMagics", kibitz::SliderKind::kBishop);
  std::fputs(kTail, stdout);
}
