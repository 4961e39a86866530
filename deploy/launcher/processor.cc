#include "deploy/launcher/processor.h"

#include <cpuid.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

namespace kibitz::launcher {
namespace {

constexpr std::uint32_t Bits(std::initializer_list<int> numbers) {
  std::uint32_t bits = 0;
  for (const int number : numbers) bits |= std::uint32_t{1} << number;
  return bits;
}

constexpr bool Has(std::uint32_t bits, std::uint32_t wanted) { return (bits & wanted) == wanted; }

constexpr std::uint32_t kFeatures = 1;
constexpr std::uint32_t kMoreFeatures = 7;
constexpr std::uint32_t kHighestExtendedLeaf = 0x8000'0000;
constexpr std::uint32_t kExtendedFeatures = 0x8000'0001;

// The levels as the psABI lists them. In ECX of kFeatures: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
constexpr std::uint32_t kLevel2 = Bits({0, 9, 13, 19, 20, 23});
constexpr std::uint32_t kLevel2Extended = Bits({0});  // LAHF
// FMA, MOVBE, OSXSAVE, AVX, F16C; then BMI1, AVX2, BMI2; then LZCNT.
constexpr std::uint32_t kLevel3 = Bits({12, 22, 27, 28, 29});
constexpr std::uint32_t kLevel3More = Bits({3, 5, 8});
constexpr std::uint32_t kLevel3Extended = Bits({5});
// The halves of the 256-bit registers.
constexpr std::uint32_t kSavedHalves = Bits({1, 2});

// What a processor says of itself.
struct Identity {
  std::string vendor;
  int family = 0;
};

Identity Identify(const CpuidAnswer& first, const CpuidAnswer& features) {
  Identity identity{.vendor = std::string(12, ' ')};
  std::memcpy(identity.vendor.data(), &first.ebx, 4);
  std::memcpy(identity.vendor.data() + 4, &first.edx, 4);
  std::memcpy(identity.vendor.data() + 8, &first.ecx, 4);
  identity.family = features.eax >> 8 & 0xf;
  if (identity.family == 0xf) identity.family += features.eax >> 20 & 0xff;
  return identity;
}

bool HasFastPext(const Identity& identity) {
  constexpr int kZen3 = 0x19;
  if (identity.vendor == "HygonGenuine") return false;  // Zen 1 under another name
  return identity.vendor != "AuthenticAMD" || identity.family >= kZen3;
}

CpuidAnswer AskCpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  CpuidAnswer answer;
  __cpuid_count(leaf, subleaf, answer.eax, answer.ebx, answer.ecx, answer.edx);
  return answer;
}

std::uint64_t AskSavedRegisters() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

Processor Examine(const ProcessorQuestions& questions) {
  // A leaf beyond the highest answers with that of another.
  const CpuidAnswer first = questions.cpuid(0, 0);
  const CpuidAnswer features = questions.cpuid(kFeatures, 0);
  const CpuidAnswer more = first.eax >= kMoreFeatures ? questions.cpuid(kMoreFeatures, 0) : CpuidAnswer{};
  const CpuidAnswer extended = questions.cpuid(kHighestExtendedLeaf, 0).eax >= kExtendedFeatures
                                   ? questions.cpuid(kExtendedFeatures, 0)
                                   : CpuidAnswer{};
  Processor processor;
  if (!Has(features.ecx, kLevel2) || !Has(extended.ecx, kLevel2Extended)) return processor;
  processor.level = 2;
  if (!Has(features.ecx, kLevel3) || !Has(more.ebx, kLevel3More) || !Has(extended.ecx, kLevel3Extended)) {
    return processor;
  }
  if (!Has(static_cast<std::uint32_t>(questions.saved_registers()), kSavedHalves)) return processor;
  processor.level = 3;
  processor.fast_pext = HasFastPext(Identify(first, features));
  return processor;
}

Processor ThisProcessor() { return Examine({.cpuid = AskCpuid, .saved_registers = AskSavedRegisters}); }

}  // namespace kibitz::launcher
