#include "client/uci/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kibitz::client::uci {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(OptionsTest, DeclaresEachWithItsDefault) {
  const std::string lines = DeclareOptions(Options{.server = "example:1"});
  EXPECT_THAT(lines, HasSubstr("option name Hash type spin default 64 min 1 max "));
  EXPECT_THAT(lines, HasSubstr("option name Clear Hash type button\n"));
  EXPECT_THAT(lines, HasSubstr("option name Move Overhead type spin default 10 min 0 max 5000\n"));
  EXPECT_THAT(lines, HasSubstr("option name UCI_Chess960 type check default false\n"));
  EXPECT_THAT(lines, HasSubstr("option name SyzygyPath type string default <empty>\n"));
  EXPECT_THAT(lines, HasSubstr("option name Server type string default example:1\n"));
}

TEST(OptionsTest, ShowsNoKey) { EXPECT_THAT(DeclareOptions(Options{.key = "secret"}), Not(HasSubstr("secret"))); }

TEST(OptionsTest, FindsNamesInAnyCase) {
  Options options;
  EXPECT_EQ(SetOptionValue(options, "move OVERHEAD", "77").value(), "Move Overhead");
  EXPECT_EQ(options.move_overhead_ms, 77);
  EXPECT_EQ(SetOptionValue(options, "uci_chess960", "TRUE").value(), kChess960);
  EXPECT_TRUE(options.chess960);
}

TEST(OptionsTest, RefusesWhatIsOutOfRangeOrNoValue) {
  Options options;
  EXPECT_EQ(SetOptionValue(options, "MultiPV", "0").status().message(),
            "option MultiPV wants a number from 1 to 256, not '0'");
  EXPECT_FALSE(SetOptionValue(options, "MultiPV", "many").ok());
  EXPECT_FALSE(SetOptionValue(options, "MultiPV", "99999999999").ok());
  EXPECT_EQ(options.multi_pv, 1);
  EXPECT_EQ(SetOptionValue(options, "Ponder", "maybe").status().message(),
            "option Ponder wants true or false, not 'maybe'");
}

TEST(OptionsTest, RefusesUnknownNames) {
  Options options;
  EXPECT_EQ(SetOptionValue(options, "Contempt", "24").status().message(), "no such option: Contempt");
}

TEST(OptionsTest, TakesTheWordForEmpty) {
  Options options{.syzygy_path = "/tables"};
  ASSERT_TRUE(SetOptionValue(options, "SyzygyPath", "<empty>").ok());
  EXPECT_EQ(options.syzygy_path, "");
}

}  // namespace
}  // namespace kibitz::client::uci
