#include "deploy/launcher/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace kibitz::launcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string_view> Chosen(const Processor& processor, std::string_view wanted = "") {
  std::string problem;
  std::vector<std::string_view> chosen = Choose(processor, wanted, problem);
  EXPECT_EQ(problem, "");
  return chosen;
}

std::string Problem(const Processor& processor, std::string_view wanted = "") {
  std::string problem;
  EXPECT_THAT(Choose(processor, wanted, problem), IsEmpty());
  return problem;
}

TEST(VariantsTest, AProcessorGetsTheFastestThatItCanRun) {
  EXPECT_THAT(Chosen({.level = 3, .fast_pext = true}), ElementsAre("x86-64-v3", "x86-64-v3-magic", "x86-64-v2"));
  EXPECT_THAT(Chosen({.level = 2}), ElementsAre("x86-64-v2"));
}

TEST(VariantsTest, SlowPextIsLeftAlone) {
  EXPECT_THAT(Chosen({.level = 3, .fast_pext = false}), ElementsAre("x86-64-v3-magic", "x86-64-v2"));
}

TEST(VariantsTest, AWantedOneIsTheOnlyOne) {
  EXPECT_THAT(Chosen({.level = 3, .fast_pext = true}, "x86-64-v2"), ElementsAre("x86-64-v2"));
  EXPECT_THAT(Chosen({.level = 3, .fast_pext = false}, "x86-64-v3"), ElementsAre("x86-64-v3"));
}

TEST(VariantsTest, ThereIsNoneForProcessorsBeforeTheOldest) { EXPECT_THAT(Problem({.level = 1}), HasSubstr("POPCNT")); }

TEST(VariantsTest, AWantedOneThatCannotRunIsRefused) {
  EXPECT_THAT(Problem({.level = 2}, "x86-64-v3"), HasSubstr("cannot run the variant 'x86-64-v3'"));
  EXPECT_THAT(Problem({.level = 3}, "avx512"), HasSubstr("one of x86-64-v3, x86-64-v3-magic, x86-64-v2"));
}

TEST(VariantsTest, ProgramsAreFoundBesideTheirLauncher) {
  EXPECT_EQ(ProgramOf("/usr/bin/kibitzd", "x86-64-v2"), "/usr/lib/kibitz/x86-64-v2/kibitzd");
  EXPECT_EQ(ProgramOf("/opt/kibitz/bin/kibitz", "x86-64-v3"), "/opt/kibitz/lib/kibitz/x86-64-v3/kibitz");
}

}  // namespace
}  // namespace kibitz::launcher
