#include "client/uci/option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "client/uci/all_options.h"

namespace kibitz::client::uci {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The engine's options, with nobody behind them.
class OptionsTest : public ::testing::Test {
 protected:
  Options values_;
  Link link_{[] { return SessionEvents(); }};
  OpeningBook book_;
  Game game_;
  const OptionTable table_ = AllOptions(values_, {.link = link_, .book = book_, .game = game_});
};

TEST_F(OptionsTest, DeclaresEachWithItsDefault) {
  values_.server = "example:1";
  const std::string lines = table_.Declarations();
  EXPECT_THAT(lines, HasSubstr("option name Hash type spin default 64 min 1 max "));
  EXPECT_THAT(lines, HasSubstr("option name Clear Hash type button\n"));
  EXPECT_THAT(lines, HasSubstr("option name Move Overhead type spin default 10 min 0 max 5000\n"));
  EXPECT_THAT(lines, HasSubstr("option name UCI_Chess960 type check default false\n"));
  EXPECT_THAT(lines, HasSubstr("option name SyzygyPath type string default <empty>\n"));
  EXPECT_THAT(lines, HasSubstr("option name Server type string default example:1\n"));
}

TEST_F(OptionsTest, ShowsNoKey) {
  values_.key = "secret";
  EXPECT_THAT(table_.Declarations(), HasSubstr("option name Key type string default <empty>\n"));
  EXPECT_THAT(table_.Declarations(), Not(HasSubstr("secret")));
}

TEST_F(OptionsTest, FindsNamesInAnyCase) {
  EXPECT_EQ(table_.Set("move OVERHEAD", "77"), "");
  EXPECT_EQ(values_.move_overhead_ms, 77);
  EXPECT_EQ(table_.Set("uci_chess960", "TRUE"), "");
  EXPECT_TRUE(values_.chess960);
}

TEST_F(OptionsTest, RefusesWhatIsOutOfRangeOrNoValue) {
  EXPECT_EQ(table_.Set("MultiPV", "0"), "option MultiPV wants a number from 1 to 256, not '0'");
  EXPECT_NE(table_.Set("MultiPV", "many"), "");
  EXPECT_NE(table_.Set("MultiPV", "99999999999"), "");
  EXPECT_EQ(values_.multi_pv, 1);
  EXPECT_EQ(table_.Set("Ponder", "maybe"), "option Ponder wants true or false, not 'maybe'");
}

TEST_F(OptionsTest, RefusesUnknownNames) { EXPECT_EQ(table_.Set("Contempt", "24"), "no such option: Contempt"); }

TEST_F(OptionsTest, KeepsASecretThatIsSentBackAsDeclared) {
  values_.key = "secret";
  EXPECT_EQ(table_.Set("Key", "<empty>"), "");
  EXPECT_EQ(values_.key, "secret");
}

TEST_F(OptionsTest, DoesNotRepeatASecretThatWasTakenForAName) {
  EXPECT_THAT(table_.Set("key sesame", ""), HasSubstr("option Key wants the word 'value'"));
  EXPECT_THAT(table_.Set("key sesame", ""), Not(HasSubstr("sesame")));
}

TEST_F(OptionsTest, TakesTheKeyFromAFile) {
  const std::string path = ::testing::TempDir() + "/key";
  std::ofstream(path) << "from_the_file\n";
  EXPECT_EQ(table_.Set("Key File", path), "");
  EXPECT_EQ(values_.key, "from_the_file");
  EXPECT_EQ(table_.Set("Key File", "<empty>"), "");
  EXPECT_EQ(values_.key, "from_the_file");
  EXPECT_THAT(table_.Set("Key File", "/no/such"), HasSubstr("there is no key"));
  EXPECT_EQ(values_.key, "");
}

TEST_F(OptionsTest, TakesTheWordForEmpty) {
  values_.book_file = "/book";
  EXPECT_EQ(table_.Set("Book File", "<empty>"), "");
  EXPECT_EQ(values_.book_file, "");
}

TEST_F(OptionsTest, ChangesTheGameWithTheVariant) {
  EXPECT_EQ(table_.Set("UCI_Chess960", "true"), "");
  EXPECT_EQ(game_.position().variant(), Variant::kChess960);
}

TEST(OptionTest, HasItsEffectAfterItsValue) {
  int value = 1;
  int seen = 0;
  const Option option = Option::Spin("Number", value, 0, 9, [&] {
    seen = value;
    return "told";
  });
  EXPECT_EQ(option.Set("5"), "told");
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(option.Set("10"), "option Number wants a number from 0 to 9, not '10'");
  EXPECT_EQ(seen, 5) << "what is refused has no effect";
}

TEST(OptionTest, TakesOneOfItsWords) {
  std::string value = "net";
  const Option option = Option::Combo("Evaluation", value, {"net", "classical"});
  EXPECT_EQ(option.Declaration(), "option name Evaluation type combo default net var net var classical\n");
  EXPECT_EQ(option.Set("Classical"), "");
  EXPECT_EQ(value, "classical");
  EXPECT_EQ(option.Set("guess"), "option Evaluation wants net or classical, not 'guess'");
  EXPECT_EQ(value, "classical");
}

TEST(OptionTest, PressesAButton) {
  int pressed = 0;
  const Option button = Option::Button("Go Off", [&] {
    ++pressed;
    return "";
  });
  EXPECT_EQ(button.Set(""), "");
  EXPECT_EQ(pressed, 1);
}

}  // namespace
}  // namespace kibitz::client::uci
