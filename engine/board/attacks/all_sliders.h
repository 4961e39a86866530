// Every slider method, for those who compare them: tests, benchmarks, the bitboard pictures. The engine itself uses the
// one that attacks.h chose. A program that uses this header pays for the tables of all methods.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_ALL_SLIDERS_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_ALL_SLIDERS_H_

#include <tuple>

#include "engine/board/attacks/blockers_and_beyond.h"
#include "engine/board/attacks/classical_rays.h"
#include "engine/board/attacks/hyperbola_quintessence.h"
#include "engine/board/attacks/magic.h"
#include "engine/board/attacks/pext.h"

namespace kibitz {

// The methods as the arguments of a template, such as std::tuple. Each is an empty type with
//   static Bitboard Rook(Square, Bitboard occupied), and Bishop: the attacked squares, first blockers included;
//   static constexpr char kName[];
//   static constexpr std::size_t kTableBytes: the memory that its lookups range over.
template <template <typename...> typename List>
using AllSliders = List<ClassicalRays, BlockersAndBeyond, HyperbolaQuintessence, MagicSliders, PextSliders>;

// Calls `visit` with a value of each method's type:
//   ForEachSlider([&](auto method) { Show(method.kName, method.Rook(square, occupied)); });
template <typename Visit>
void ForEachSlider(Visit visit) {
  std::apply([&](auto... methods) { (visit(methods), ...); }, AllSliders<std::tuple>{});
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_ALL_SLIDERS_H_
