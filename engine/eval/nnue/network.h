// A net as the search uses it: whole numbers only, so that it gives the same value on every machine.

#ifndef KIBITZ_ENGINE_EVAL_NNUE_NETWORK_H_
#define KIBITZ_ENGINE_EVAL_NNUE_NETWORK_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/eval/nnue/architecture.h"
#include "engine/eval/nnue/kernels.h"

namespace kibitz::nnue {

// The sums of one point of view.
struct alignas(64) Sums {
  std::array<std::int16_t, kHidden> values;
};

struct Network {
  std::array<Sums, kFeatures> features;  // what each adds
  Sums bias;
  // For the side to move, then for the other.
  struct alignas(64) Output {
    std::array<std::int16_t, 2 * kHidden> weights;
  };
  std::array<Output, kBuckets> outputs;
  std::array<std::int32_t, kBuckets> output_biases;  // whole at kOne * kOutputOne
  std::int32_t units = 0;                            // of the search's, for an output of 1

  // A file's content, or what is wrong with it: foreign, of another shape, damaged, with numbers that overflow.
  static absl::StatusOr<std::unique_ptr<Network>> Parse(absl::string_view bytes);
  static absl::StatusOr<std::unique_ptr<Network>> Load(const std::string& path);
  std::string Serialize() const;
  // Of all its numbers: it tells nets apart.
  std::uint64_t Checksum() const;
  // By which the net is known: "net " and the checksum in hexadecimal.
  std::string Name() const;

  // The value for the side to move, in the search's units.
  int Evaluate(const Sums& own, const Sums& other, int bucket, const Kernels& kernels) const;
};

}  // namespace kibitz::nnue

#endif  // KIBITZ_ENGINE_EVAL_NNUE_NETWORK_H_
