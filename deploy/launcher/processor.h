// What the processor can do, as far as the variants of the programs differ by it.

#ifndef KIBITZ_DEPLOY_LAUNCHER_PROCESSOR_H_
#define KIBITZ_DEPLOY_LAUNCHER_PROCESSOR_H_

#include <cstdint>
#include <functional>

namespace kibitz::launcher {

// What the instruction CPUID answers.
struct CpuidAnswer {
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

// Where answers come from: the processor, or a test.
struct ProcessorQuestions {
  std::function<CpuidAnswer(std::uint32_t leaf, std::uint32_t subleaf)> cpuid;
  // Which registers the operating system saves (XCR0). Asked only where CPUID says that one may.
  std::function<std::uint64_t()> saved_registers;
};

struct Processor {
  // The highest level of the x86-64 psABI that the variants tell apart, 1 to 3, as far as the system lets programs use
  // it.
  int level = 1;
  // Whether it has PEXT in hardware. AMD's processors before Zen 3, and Hygon's, take hundreds of cycles for it.
  bool fast_pext = false;
};

Processor Examine(const ProcessorQuestions& questions);

// The processor that this program runs on.
Processor ThisProcessor();

}  // namespace kibitz::launcher

#endif  // KIBITZ_DEPLOY_LAUNCHER_PROCESSOR_H_
