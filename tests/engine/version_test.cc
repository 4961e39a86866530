#include "engine/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/board/attacks/attacks.h"
#include "engine/engine.h"

namespace kibitz {
namespace {

using ::testing::EndsWith;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(VersionTest, IsANameAndThreeNumbers) {
  EXPECT_THAT(std::string(EngineVersion()), MatchesRegex("Kibitz [0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(VersionTest, TheBuildNamesItsVariantAndItsSliders) {
#ifdef KIBITZ_VARIANT
  EXPECT_THAT(EngineBuild(), StartsWith("x86-64-v"));
#else
  EXPECT_THAT(EngineBuild(), StartsWith("native, "));
#endif
  EXPECT_THAT(EngineBuild(), EndsWith(std::string(", sliders by ") + Sliders::kName));
}

TEST(VersionTest, BothStandOnOneLine) {
  EXPECT_EQ(VersionAndBuild(), std::string(EngineVersion()) + " (" + EngineBuild() + ")");
  EXPECT_EQ(VersionAndBuild().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace kibitz
