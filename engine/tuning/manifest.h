// What a net was made of, for whoever wants to know or to make it again.

#ifndef KIBITZ_ENGINE_TUNING_MANIFEST_H_
#define KIBITZ_ENGINE_TUNING_MANIFEST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/eval/nnue/network.h"
#include "engine/tuning/loss_picture.h"
#include "engine/tuning/trainer.h"

namespace kibitz::tuning {

struct Making {
  TrainerOptions options{};
  double scale = 0;  // as it was given, or fitted
  // The files of positions. What is known of each stands in FILE.json.
  std::vector<std::string> data{};
  std::size_t learnt = 0;  // positions
  std::size_t validated = 0;
  LossPoint last{};
  std::string revision{};  // of this program, as its caller names it
};

// As JSON: the net's shape, its SHA-256, the data with all that their makers wrote of them, and how it was trained.
std::string ManifestOf(const nnue::Network& network, const Making& making);

// In hexadecimal.
std::string Sha256(absl::string_view bytes);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_MANIFEST_H_
