#include "engine/tuning/manifest.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/eval/nnue/network.h"
#include "engine/tuning/loss_picture.h"
#include "engine/tuning/statistics.h"

namespace kibitz::tuning {
namespace {

TEST(ManifestTest, SaysWhatTheNetIsAndWhatItWasMadeOf) {
  const std::string data = testing::TempDir() + "/manifest_positions.bin";
  LabelStatistics statistics;
  statistics.teacher = "Teacher 1";
  statistics.source.engine = "Kibitz";
  statistics.contents.positions = 12;
  ASSERT_TRUE(statistics.Write(data + ".json").ok());
  auto network = std::make_unique<nnue::Network>();
  network->units = 150;
  Making making;
  making.options.rate = 0.002;
  making.data = {data, "/no/such/file"};
  making.learnt = 11;
  making.revision = "abc";
  const nlohmann::json manifest = nlohmann::json::parse(ManifestOf(*network, making));
  EXPECT_EQ(manifest["id"], network->Name());
  EXPECT_EQ(manifest["sha256"], Sha256(network->Serialize()));
  EXPECT_EQ(manifest["bytes"], network->Serialize().size());
  EXPECT_EQ(manifest["training"]["rate"], 0.002);
  EXPECT_EQ(manifest["revision"], "abc");
  EXPECT_EQ(manifest["data"][0]["file"], "manifest_positions.bin");
  EXPECT_EQ(manifest["data"][0]["made"]["teacher"], "Teacher 1");
  EXPECT_EQ(manifest["data"][0]["made"]["source"]["engine"], "Kibitz");
  EXPECT_TRUE(manifest["data"][1]["made"].is_null());
}

TEST(ManifestTest, KnowsSha256) {
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(LossPictureTest, ReadsItsTableBack) {
  std::string table = LossTableHead();
  for (int i = 1; i <= 5; ++i) table += LossTableLine({i * 1'000'000, 0.02 / i, 0.03 / i, 0.001});
  const std::vector<LossPoint> points = ReadLossTable(table + "torn\t1");
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[4].positions, 5'000'000);
  EXPECT_DOUBLE_EQ(points[4].loss, 0.004);
  EXPECT_DOUBLE_EQ(points[4].validation_loss, 0.006);
  EXPECT_TRUE(ReadLossTable("").empty());
}

TEST(LossPictureTest, DrawsBothLosses) {
  const std::string picture = LossPicture({{1'000'000, 0.02, 0.03, 0.001}, {2'000'000, 0.01, 0.015, 0.001}});
  EXPECT_EQ(picture.find("<svg "), 0u);
  // The largest is at the top, the smallest at the bottom, and the last at the right.
  EXPECT_NE(picture.find(",40.0 740.0,"), std::string::npos) << picture;
  EXPECT_NE(picture.find("740.0,300.0 \""), std::string::npos) << picture;
  // Nothing to draw is no reason to fail; nor is a loss of zero, which has no logarithm.
  for (const std::vector<LossPoint>& points : {std::vector<LossPoint>{}, std::vector<LossPoint>{{1, 0, 0, 0}}}) {
    EXPECT_EQ(LossPicture(points).find("nan"), std::string::npos);
  }
}

}  // namespace
}  // namespace kibitz::tuning
