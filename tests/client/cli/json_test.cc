#include "client/cli/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kibitz/v1/analysis.pb.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client {
namespace {

nlohmann::json Parse(const google::protobuf::Message& message) { return nlohmann::json::parse(ToJsonLine(message)); }

TEST(JsonTest, IsOneLine) {
  v1::LegalMovesResponse response;
  response.set_fen("a\nb");
  response.add_moves()->set_san("O-O");
  const std::string line = ToJsonLine(response);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(Parse(response)["fen"], "a\nb");
}

TEST(JsonTest, WritesFieldsThatAreZeroFalseOrEmpty) {
  const nlohmann::json response = Parse(v1::LegalMovesResponse());
  EXPECT_EQ(response["fen"], "");
  EXPECT_EQ(response["moves"], nlohmann::json::array());
  EXPECT_EQ(response["inCheck"], false);
  EXPECT_EQ(Parse(v1::PerftResponse::Total())["nodes"], "0");
}

TEST(JsonTest, WritesBigNumbersAsStringsSoThatNoDigitIsLost) {
  v1::PerftResponse::Total total;
  total.set_nodes(18'446'744'073'709'551'615u);
  total.mutable_elapsed()->set_seconds(1);
  total.mutable_elapsed()->set_nanos(500'000'000);
  EXPECT_EQ(Parse(total)["nodes"], "18446744073709551615");
  EXPECT_EQ(Parse(total)["elapsed"], "1.500s");
}

}  // namespace
}  // namespace kibitz::client
