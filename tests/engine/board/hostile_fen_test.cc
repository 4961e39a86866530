// FENs that are wrong are refused with the reason. The table is tests/testdata/hostile_fens.txt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/board/fen.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

using testing::HasSubstr;

struct HostileFen {
  Variant variant;
  std::string reason;
  std::string fen;
};

void PrintTo(const HostileFen& hostile, std::ostream* out) { *out << absl::CHexEscape(hostile.fen); }

std::vector<HostileFen> HostileFens() {
  std::vector<HostileFen> table;
  for (const std::string& line : ReadDataLines("tests/testdata/hostile_fens.txt")) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(';', 2));
    if (fields.size() != 3) throw std::invalid_argument(line);
    HostileFen hostile;
    hostile.variant = fields[0] == "chess960" ? Variant::kChess960 : Variant::kStandard;
    hostile.reason = std::string(absl::StripPrefix(fields[1], " "));
    if (!absl::CUnescape(absl::StripPrefix(fields[2], " "), &hostile.fen)) throw std::invalid_argument(line);
    table.push_back(hostile);
  }
  return table;
}

void ExpectRefused(const std::string& fen, Variant variant, const std::string& reason) {
  const absl::StatusOr<Position> position = ParseFen(fen, variant);
  ASSERT_FALSE(position.ok()) << "accepted as " << ToFen(*position);
  EXPECT_EQ(position.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(position.status().message()), HasSubstr(reason));
  EXPECT_LT(position.status().message().size(), 250u) << "a message for people";
  for (char c : position.status().message()) ASSERT_TRUE(c >= ' ' && c <= '~') << "an unprintable message";
}

class HostileFenTest : public testing::TestWithParam<HostileFen> {};

TEST_P(HostileFenTest, IsRefusedWithTheReason) { ExpectRefused(GetParam().fen, GetParam().variant, GetParam().reason); }

INSTANTIATE_TEST_SUITE_P(Table, HostileFenTest, testing::ValuesIn(HostileFens()));

TEST(HostileFenDataTest, HoldsAHundred) { EXPECT_GE(HostileFens().size(), 100u); }

TEST(HostileFenTest, RefusesVeryLongText) {
  const std::string million(1'000'000, '8'), slashes(1'000'000, '/'), letters(1'000'000, 'p'), blanks(1'000'000, ' ');
  const std::string rest = "/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", start = kStartFen;
  ExpectRefused(million, Variant::kStandard, "4 or 6 fields, this one has 1");
  ExpectRefused(million + rest, Variant::kStandard, "has two digits in a row");
  ExpectRefused(letters + rest, Variant::kStandard, "has more than 8 squares");
  ExpectRefused(slashes + " w - - 0 1", Variant::kStandard, "the board has 1000001 ranks");
  ExpectRefused(blanks, Variant::kStandard, "4 or 6 fields, this one has 0");
  ExpectRefused("4k3/8/8/8/8/8/8/4K3 w " + letters + " - 0 1", Variant::kStandard, "castling field");
  ExpectRefused("4k3/8/8/8/8/8/8/4K3 w - " + letters + " 0 1", Variant::kStandard, "en-passant field");
  ExpectRefused("4k3/8/8/8/8/8/8/4K3 w - - " + million + " 1", Variant::kStandard, "halfmove clock");
  ExpectRefused("4k3/8/8/8/8/8/8/4K3 w - - 0 " + million, Variant::kStandard, "move number");
  std::string fields;
  for (int i = 0; i < 100'000; ++i) fields += "w ";
  ExpectRefused(fields, Variant::kStandard, "4 or 6 fields, this one has 100000");
}

// Every prefix and every change of one byte is either refused with a word or read as a position that can be written.
TEST(HostileFenTest, SurvivesEverySmallDamage) {
  const std::string fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 12 34";
  const auto check = [](const std::string& damaged) {
    const absl::StatusOr<Position> position = ParseFen(damaged);
    if (!position.ok()) {
      ASSERT_NE(position.status().message(), "") << absl::CHexEscape(damaged);
      return;
    }
    ASSERT_EQ(ToFen(*ParseFen(ToFen(*position))), ToFen(*position)) << absl::CHexEscape(damaged);
  };
  for (std::size_t i = 0; i < fen.size(); ++i) {
    check(fen.substr(0, i));
    check(fen.substr(0, i) + fen.substr(i + 1));
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = fen;
      damaged[i] = static_cast<char>(byte);
      check(damaged);
    }
  }
}

}  // namespace
}  // namespace kibitz
