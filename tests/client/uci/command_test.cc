#include "client/uci/command.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace kibitz::client::uci {
namespace {

using Words = std::vector<std::string>;

template <typename Expected>
Expected Parse(std::string_view line) {
  const Command command = ParseCommand(line);
  EXPECT_TRUE(std::holds_alternative<Expected>(command)) << line << " is alternative " << command.index();
  return std::holds_alternative<Expected>(command) ? std::get<Expected>(command) : Expected{};
}

TEST(CommandTest, KnowsTheSingleWords) {
  Parse<Uci>("uci");
  Parse<IsReady>("isready");
  Parse<NewGame>("ucinewgame");
  Parse<Stop>("stop");
  Parse<PonderHit>("ponderhit");
  Parse<Quit>("quit");
  Parse<ShowBoard>("d");
}

TEST(CommandTest, IgnoresBlanksAndLineEnds) {
  Parse<IsReady>(" \t isready \r");
  Parse<Nothing>("");
  Parse<Nothing>(" \t\r");
}

TEST(CommandTest, IgnoresWhatItNeedNotObey) {
  Parse<Nothing>("debug on");
  Parse<Nothing>("register later");
}

TEST(CommandTest, SkipsUnknownWordsBeforeACommand) { EXPECT_EQ(Parse<Go>("joho go depth 3").depth, 3); }

TEST(CommandTest, ReportsAnUnknownLineInPrintableWords) {
  EXPECT_EQ(Parse<Malformed>("hello \x01world").complaint, "unknown command 'hello \\x01world'");
  EXPECT_LT(Parse<Malformed>(std::string(100'000, 'x')).complaint.size(), 100);
}

TEST(CommandTest, ReadsEveryParameterOfGoInAnyOrder) {
  const Go go = Parse<Go>(
      "go movetime 9 mate 8 nodes 7 depth 6 movestogo 5 binc 4 winc 3 btime 2 wtime 1 infinite ponder "
      "searchmoves e2e4 d2d4");
  EXPECT_EQ(go.white_time, 1);
  EXPECT_EQ(go.black_time, 2);
  EXPECT_EQ(go.white_increment, 3);
  EXPECT_EQ(go.black_increment, 4);
  EXPECT_EQ(go.moves_to_go, 5);
  EXPECT_EQ(go.depth, 6);
  EXPECT_EQ(go.nodes, 7);
  EXPECT_EQ(go.mate, 8);
  EXPECT_EQ(go.movetime, 9);
  EXPECT_TRUE(go.infinite);
  EXPECT_TRUE(go.ponder);
  EXPECT_EQ(go.search_moves, (Words{"e2e4", "d2d4"}));
  EXPECT_TRUE(go.complaints.empty());
}

TEST(CommandTest, EndsSearchMovesAtTheNextParameter) {
  const Go go = Parse<Go>("go searchmoves e2e4 d2d4 depth 5");
  EXPECT_EQ(go.search_moves, (Words{"e2e4", "d2d4"}));
  EXPECT_EQ(go.depth, 5);
}

TEST(CommandTest, TakesNegativeAndHugeNumbers) {
  EXPECT_EQ(Parse<Go>("go wtime -50").white_time, -50);
  EXPECT_EQ(Parse<Go>("go nodes 99999999999999999999").nodes, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Parse<Go>("go wtime -99999999999999999999").white_time, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Parse<Go>("go movetime +250.5").movetime, 250);
}

TEST(CommandTest, ComplainsOfNumbersThatAreNoneAndGoesOn) {
  const Go go = Parse<Go>("go depth deep nodes movetime 7 sideways");
  EXPECT_FALSE(go.depth);
  EXPECT_FALSE(go.nodes);
  EXPECT_EQ(go.movetime, 7);
  EXPECT_EQ(go.complaints, (Words{"go: depth wants a number, not 'deep'", "go: a number is missing after nodes",
                                  "go: 'sideways' is unknown"}));
}

TEST(CommandTest, ReadsOptionsWithSpacesInNameAndValue) {
  const SetOption option = Parse<SetOption>("setoption name Move  Overhead value 30");
  EXPECT_EQ(option.name, "Move Overhead");
  EXPECT_EQ(option.value, "30");
  EXPECT_EQ(Parse<SetOption>("setoption name SyzygyPath value /a  b/c:/d \r").value, "/a  b/c:/d");
}

TEST(CommandTest, ReadsOptionsWithoutAValue) {
  EXPECT_EQ(Parse<SetOption>("setoption name Clear Hash").name, "Clear Hash");
  EXPECT_EQ(Parse<SetOption>("setoption name Server value").value, "");
}

TEST(CommandTest, WantsAnOptionsName) {
  Parse<Malformed>("setoption");
  Parse<Malformed>("setoption name value 3");
}

TEST(CommandTest, ReadsPositions) {
  EXPECT_EQ(Parse<SetPosition>("position startpos").fen, "");
  EXPECT_EQ(Parse<SetPosition>("position startpos moves e2e4 e7e5").moves, (Words{"e2e4", "e7e5"}));
  const SetPosition position = Parse<SetPosition>("position fen  8/8/8/8/8/8/8/8  w - - 0 1 moves a1a2");
  EXPECT_EQ(position.fen, "8/8/8/8/8/8/8/8 w - - 0 1");
  EXPECT_EQ(position.moves, Words{"a1a2"});
}

TEST(CommandTest, RefusesAPositionThatIsNone) {
  Parse<Malformed>("position");
  Parse<Malformed>("position fen");
  Parse<Malformed>("position fen moves e2e4");
  Parse<Malformed>("position e2e4");
}

}  // namespace
}  // namespace kibitz::client::uci
