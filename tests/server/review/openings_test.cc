#include "server/review/openings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "engine/board/fen.h"

namespace kibitz::server {
namespace {

using testing::HasSubstr;

constexpr const char* kList = R"(
{ A list of openings. }

[ECO "B20"]
[Opening "Sicilian defence"]

1. e4 c5 *

[ECO "C60"]
[Opening "Ruy Lopez"]
[Variation "Cozio defence"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 Nge7 *
)";

TEST(OpeningsTest, NamesPositionsHoweverTheyCameAbout) {
  const absl::StatusOr<Openings> openings = Openings::Parse(kList);
  ASSERT_TRUE(openings.ok()) << openings.status().message();
  EXPECT_EQ(openings->size(), 2u);
  const Position cozio = *ParseFen("r1bqkb1r/ppppnppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 40 60");
  ASSERT_NE(openings->Find(cozio), nullptr);
  EXPECT_EQ(openings->Find(cozio)->eco, "C60");
  EXPECT_EQ(openings->Find(cozio)->name, "Ruy Lopez, Cozio defence");
  EXPECT_EQ(openings->Find(Position()), nullptr);
  EXPECT_EQ(Openings().Find(cozio), nullptr);
}

TEST(OpeningsTest, SaysWhatIsWrongWithAList) {
  EXPECT_THAT(std::string(Openings::Parse("1. e4 e5 *").status().message()), HasSubstr("Opening"));
  EXPECT_THAT(std::string(Openings::Parse("[Opening \"x\"]\n\n1. e4 e4 *").status().message()), HasSubstr("line 3"));
  EXPECT_THAT(std::string(Openings::Load("/no/such/file").status().message()), HasSubstr("/no/such/file"));
}

TEST(OpeningsTest, ReadsAFileOnceItIsAskedFor) {
  const std::string path = testing::TempDir() + "/openings.pgn";
  OpeningsFile file(path);
  std::ofstream(path) << kList;
  EXPECT_EQ(file.Get().size(), 2u);
  OpeningsFile broken(testing::TempDir() + "/no_such_file");
  EXPECT_EQ(broken.Get().size(), 0u);
}

TEST(OpeningsTest, KnowsDebiansList) {
  if (access(kDebianOpenings, R_OK) != 0) GTEST_SKIP() << "pgn-extract is not installed";
  OpeningsFile file("");
  EXPECT_GT(file.Get().size(), 1500u);
  const Position italian = *ParseFen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
  ASSERT_NE(file.Get().Find(italian), nullptr);
  EXPECT_EQ(file.Get().Find(italian)->eco, "C50");
}

}  // namespace
}  // namespace kibitz::server
