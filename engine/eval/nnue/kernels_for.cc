// Compiled several times, each for another kind of processor, with KIBITZ_KERNELS as the name of what comes of it. The
// compiler makes vectors of the loops, as wide as that processor has. Nothing here may call an inline function that
// others may call too: the linker keeps one of them only, and it might be one that not every processor can run.

#include <cstddef>
#include <cstdint>

#include "engine/eval/nnue/architecture.h"
#include "engine/eval/nnue/kernels.h"

#define KIBITZ_QUOTE_WORD(word) #word
#define KIBITZ_QUOTE(macro) KIBITZ_QUOTE_WORD(macro)

namespace kibitz::nnue {
namespace {

using In = const std::int16_t* __restrict;
using Out = std::int16_t* __restrict;

In Even(const std::int16_t* numbers) { return static_cast<const std::int16_t*>(__builtin_assume_aligned(numbers, 64)); }
Out Even(std::int16_t* numbers) { return static_cast<std::int16_t*>(__builtin_assume_aligned(numbers, 64)); }

void Add(const std::int16_t* added, std::int16_t* sums) {
  In in = Even(added);
  Out out = Even(sums);
  for (std::size_t i = 0; i < kHidden; ++i) out[i] = static_cast<std::int16_t>(out[i] + in[i]);
}

void Move(const std::int16_t* before, const std::int16_t* added, const std::int16_t* removed, std::int16_t* after) {
  In b = Even(before);
  In plus = Even(added);
  In minus = Even(removed);
  Out out = Even(after);
  for (std::size_t i = 0; i < kHidden; ++i) out[i] = static_cast<std::int16_t>(b[i] + plus[i] - minus[i]);
}

void Capture(const std::int16_t* before, const std::int16_t* added, const std::int16_t* removed,
             const std::int16_t* captured, std::int16_t* after) {
  In b = Even(before);
  In plus = Even(added);
  In minus = Even(removed);
  In taken = Even(captured);
  Out out = Even(after);
  for (std::size_t i = 0; i < kHidden; ++i) out[i] = static_cast<std::int16_t>(b[i] + plus[i] - minus[i] - taken[i]);
}

void Castle(const std::int16_t* before, const std::int16_t* king, const std::int16_t* rook,
            const std::int16_t* king_from, const std::int16_t* rook_from, std::int16_t* after) {
  In b = Even(before);
  In king_plus = Even(king);
  In rook_plus = Even(rook);
  In king_minus = Even(king_from);
  In rook_minus = Even(rook_from);
  Out out = Even(after);
  for (std::size_t i = 0; i < kHidden; ++i) {
    out[i] = static_cast<std::int16_t>(b[i] + king_plus[i] + rook_plus[i] - king_minus[i] - rook_minus[i]);
  }
}

std::int32_t Dot(const std::int16_t* sums, const std::int16_t* weights) {
  In x = Even(sums);
  In w = Even(weights);
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < kHidden; ++i) {
    const std::int16_t positive = x[i] < 0 ? std::int16_t{0} : x[i];
    const std::int16_t clipped = positive > kOne ? std::int16_t{kOne} : positive;
    const auto product = static_cast<std::int16_t>(clipped * w[i]);
    total += static_cast<std::uint32_t>(clipped * product);
  }
  return static_cast<std::int32_t>(total);
}

}  // namespace

extern const Kernels KIBITZ_KERNELS;
const Kernels KIBITZ_KERNELS = {KIBITZ_QUOTE(KIBITZ_KERNELS), Add, Move, Capture, Castle, Dot};

}  // namespace kibitz::nnue
