#include "deploy/launcher/processor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace kibitz::launcher {
namespace {

// A processor that answers like a real one: a leaf beyond the highest gives rubbish, XGETBV without OSXSAVE is a crash.
struct FakeProcessor {
  std::string vendor;
  // The signature of leaf 1, which holds the family.
  std::uint32_t signature = 0;
  std::uint32_t features = 0;
  std::uint32_t more_features = 0;
  std::uint32_t extended_features = 0;
  std::uint64_t saved_registers = 7;
  std::uint32_t highest_leaf = 0xd;
  std::uint32_t highest_extended_leaf = 0x8000'0008;

  CpuidAnswer Answer(std::uint32_t leaf) const {
    constexpr std::uint32_t kRubbish = ~std::uint32_t{0};
    CpuidAnswer answer;
    if (leaf == 0) {
      answer.eax = highest_leaf;
      std::memcpy(&answer.ebx, vendor.data(), 4);
      std::memcpy(&answer.edx, vendor.data() + 4, 4);
      std::memcpy(&answer.ecx, vendor.data() + 8, 4);
    } else if (leaf == 0x8000'0000) {
      answer.eax = highest_extended_leaf;
    } else if (leaf > (leaf >= 0x8000'0000 ? highest_extended_leaf : highest_leaf)) {
      return {kRubbish, kRubbish, kRubbish, kRubbish};
    } else if (leaf == 1) {
      answer.eax = signature;
      answer.ecx = features;
    } else if (leaf == 7) {
      answer.ebx = more_features;
    } else if (leaf == 0x8000'0001) {
      answer.ecx = extended_features;
    }
    return answer;
  }

  Processor Examined() const {
    return Examine({.cpuid = [this](std::uint32_t leaf, std::uint32_t /*subleaf*/) { return Answer(leaf); },
                    .saved_registers =
                        [this] {
                          EXPECT_NE(features & 1 << 27, 0u) << "XGETBV without OSXSAVE";
                          return saved_registers;
                        }});
  }
};

constexpr std::uint32_t kOsxsave = 1 << 27;
constexpr std::uint32_t kPopcnt = 1 << 23;
constexpr std::uint32_t kAvx2 = 1 << 5;
constexpr std::uint32_t kBmi2 = 1 << 8;
constexpr std::uint32_t kLzcnt = 1 << 5;

// Signatures and features as the processors themselves give them.
const FakeProcessor kCore2{.vendor = "GenuineIntel",
                           .signature = 0x0001067a,
                           .features = 0x0408e3fd,
                           .extended_features = 0x00000001,
                           .highest_leaf = 0xd};
const FakeProcessor kNehalem{.vendor = "GenuineIntel",
                             .signature = 0x000106a5,
                             .features = 0x009ce3bd,
                             .extended_features = 0x00000001,
                             .highest_leaf = 0xb};
const FakeProcessor kSandyBridge{
    .vendor = "GenuineIntel", .signature = 0x000206a7, .features = 0x1fbae3ff, .extended_features = 0x00000001};
const FakeProcessor kHaswell{.vendor = "GenuineIntel",
                             .signature = 0x000306c3,
                             .features = 0x7ffafbff,
                             .more_features = 0x000027ab,
                             .extended_features = 0x00000021};
const FakeProcessor kZen2{.vendor = "AuthenticAMD",
                          .signature = 0x00870f10,
                          .features = 0x7ed8320b,
                          .more_features = 0x219c91a9,
                          .extended_features = 0x75c237ff};
const FakeProcessor kZen3{.vendor = "AuthenticAMD",
                          .signature = 0x00a20f10,
                          .features = 0x7ef8320b,
                          .more_features = 0x219c97a9,
                          .extended_features = 0x75c237ff};
const FakeProcessor kHygon{.vendor = "HygonGenuine",
                           .signature = 0x00900f02,
                           .features = 0x7ed8320b,
                           .more_features = 0x209c01a9,
                           .extended_features = 0x35c233ff};

void ExpectIs(const FakeProcessor& fake, int level, bool fast_pext) {
  const Processor processor = fake.Examined();
  EXPECT_EQ(processor.level, level);
  EXPECT_EQ(processor.fast_pext, fast_pext);
}

TEST(ProcessorTest, KnowsProcessorsByTheirLevel) {
  ExpectIs(kCore2, 1, false);
  ExpectIs(kNehalem, 2, false);
  ExpectIs(kSandyBridge, 2, false);
  ExpectIs(kHaswell, 3, true);
}

TEST(ProcessorTest, KnowsWhosePextIsSlow) {
  ExpectIs(kZen2, 3, false);
  ExpectIs(kHygon, 3, false);
  ExpectIs(kZen3, 3, true);
}

TEST(ProcessorTest, EachWantingFeatureCostsTheLevel) {
  FakeProcessor fake = kHaswell;
  fake.features &= ~kPopcnt;
  ExpectIs(fake, 1, false);
  fake = kHaswell;
  fake.more_features &= ~kAvx2;
  ExpectIs(fake, 2, false);
  fake = kHaswell;
  fake.more_features &= ~kBmi2;
  ExpectIs(fake, 2, false);
  fake = kHaswell;
  fake.extended_features &= ~kLzcnt;
  ExpectIs(fake, 2, false);
}

// A kernel or a virtual machine that does not save the registers would lose them at the next switch of threads.
TEST(ProcessorTest, DoesWithoutRegistersThatTheSystemDoesNotSave) {
  FakeProcessor fake = kHaswell;
  fake.saved_registers = 3;
  ExpectIs(fake, 2, false);
  fake.features &= ~kOsxsave;
  ExpectIs(fake, 2, false);
}

TEST(ProcessorTest, DoesNotBelieveLeavesBeyondTheHighest) {
  FakeProcessor fake = kHaswell;
  fake.highest_leaf = 4;
  ExpectIs(fake, 2, false);
  fake = kHaswell;
  fake.highest_extended_leaf = 0;
  ExpectIs(fake, 1, false);
}

TEST(ProcessorTest, ThisOneCanRunThisTest) { EXPECT_GE(ThisProcessor().level, 1); }

}  // namespace
}  // namespace kibitz::launcher
