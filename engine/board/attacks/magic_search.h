// The search for magic numbers, by seeded trial and error. Nothing at run time needs it: the numbers it finds are kept
// in magic_numbers.h, and a test shows that it still finds exactly these.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_SEARCH_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_SEARCH_H_

#include <array>
#include <cstdint>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/types.h"

namespace kibitz {

// A magic number for each square: multiplied by any relevant occupancy of n squares, its top n bits tell the attacks.
// The same on every machine.
std::array<std::uint64_t, kNumSquares> FindMagics(SliderKind kind);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_SEARCH_H_
