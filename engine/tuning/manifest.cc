#include "engine/tuning/manifest.h"

#include <openssl/evp.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/engine.h"
#include "engine/eval/nnue/architecture.h"

namespace kibitz::tuning {
namespace {

using Json = nlohmann::ordered_json;

Json Shape(const nnue::Network& network) {
  return {
      {"architecture", absl::StrCat("(", nnue::kFeatures, " -> ", nnue::kHidden, ")x2 -> 1")},
      {"features", "own or other, piece, square; mirrored by the own king"},
      {"activation", "clipped to 0..1, squared"},
      {"output_buckets", nnue::kBuckets},
      {"quantisation",
       {{"hidden", "16 bits"}, {"hidden_one", nnue::kOne}, {"output", "16 bits"}, {"output_one", nnue::kOutputOne}}},
      {"units", network.units}};
}

Json Training(const Making& making) {
  const TrainerOptions& options = making.options;
  return {{"method", "AdamW, the rate falling along a cosine to a hundredth"},
          {"loss", "mean square error of the expected score"},
          {"positions", options.positions},
          {"batch", options.batch},
          {"rate", options.rate},
          {"decay", options.decay},
          {"result_share", options.result_share},
          {"scale", making.scale},
          {"own_scale", options.own_scale},
          {"seed", options.seed},
          {"threads", options.threads},
          {"loss_at_the_end", making.last.loss},
          {"validation_loss", making.last.validation_loss}};
}

Json Data(const std::vector<std::string>& files) {
  Json all = Json::array();
  for (const std::string& file : files) {
    std::ifstream beside(file + ".json");
    Json known = Json::parse(beside, nullptr, /*allow_exceptions=*/false);
    if (known.is_discarded()) known = nullptr;
    all.push_back({{"file", std::filesystem::path(file).filename()}, {"made", std::move(known)}});
  }
  return all;
}

}  // namespace

std::string Sha256(absl::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string ManifestOf(const nnue::Network& network, const Making& making) {
  const std::string bytes = network.Serialize();
  const Json manifest = {{"id", network.Name()},
                         {"bytes", bytes.size()},
                         {"sha256", Sha256(bytes)},
                         {"shape", Shape(network)},
                         {"trainer", absl::StrCat(EngineVersion(), ", ", EngineBuild())},
                         {"revision", making.revision},
                         {"training", Training(making)},
                         {"positions_learnt", making.learnt},
                         {"positions_validated", making.validated},
                         {"data", Data(making.data)}};
  return manifest.dump(1) + "\n";
}

}  // namespace kibitz::tuning
