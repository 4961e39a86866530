#include "engine/eval/nnue/kernels.h"

namespace kibitz::nnue {

// Of kernels_for.cc, as compiled for each.
extern const Kernels kPlainKernels;
#ifdef __x86_64__
extern const Kernels kSse41Kernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

namespace {

std::vector<Kernels> Supported() {
  std::vector<Kernels> all = {kPlainKernels};
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1")) all.push_back(kSse41Kernels);
  if (__builtin_cpu_supports("x86-64-v3")) all.push_back(kAvx2Kernels);
  if (__builtin_cpu_supports("x86-64-v4")) all.push_back(kAvx512Kernels);
#endif
  return all;
}

}  // namespace

const std::vector<Kernels>& AllKernels() {
  static const std::vector<Kernels>* const all = new std::vector<Kernels>(Supported());
  return *all;
}

}  // namespace kibitz::nnue
