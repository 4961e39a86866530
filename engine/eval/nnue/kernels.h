// The loops over hidden sums, compiled once for each kind of processor. All give the same whole numbers.

#ifndef KIBITZ_ENGINE_EVAL_NNUE_KERNELS_H_
#define KIBITZ_ENGINE_EVAL_NNUE_KERNELS_H_

#include <cstdint>
#include <vector>

namespace kibitz::nnue {

// Every pointer is to kHidden numbers and even with 64 bytes, and what is written is none of what is read.
struct Kernels {
  const char* name;
  // sums += added
  void (*add)(const std::int16_t* added, std::int16_t* sums);
  // after = before + added - removed; the same less what is captured; the same for both pieces of castling.
  void (*move)(const std::int16_t* before, const std::int16_t* added, const std::int16_t* removed, std::int16_t* after);
  void (*capture)(const std::int16_t* before, const std::int16_t* added, const std::int16_t* removed,
                  const std::int16_t* captured, std::int16_t* after);
  void (*castle)(const std::int16_t* before, const std::int16_t* king, const std::int16_t* rook,
                 const std::int16_t* king_from, const std::int16_t* rook_from, std::int16_t* after);
  // The sum of clip(x)^2 * weight over the hidden sums. A weight times kOne fits into 16 bits; the total wraps, alike
  // in any order.
  std::int32_t (*dot)(const std::int16_t* sums, const std::int16_t* weights);
};

// Those that this processor can run, the slowest first: it needs nothing that others may lack.
const std::vector<Kernels>& AllKernels();
inline const Kernels& FastestKernels() { return AllKernels().back(); }

}  // namespace kibitz::nnue

#endif  // KIBITZ_ENGINE_EVAL_NNUE_KERNELS_H_
