// The evaluation's weights as a list of numbers that can be changed.

#ifndef KIBITZ_ENGINE_TUNING_WEIGHT_LIST_H_
#define KIBITZ_ENGINE_TUNING_WEIGHT_LIST_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/eval/classical/tapered.h"
#include "engine/eval/classical/weights.h"

namespace kibitz::tuning {

// All weights that can be learnt from positions, in the order of weights.h. At first they are the engine's own.
class WeightList {
 public:
  WeightList();

  std::size_t size() const { return slots_.size(); }
  int Get(std::size_t i) const;
  void Set(std::size_t i, int value);

  const Weights& weights() const { return *weights_; }

  // The text of weights.h with the present numbers in the place of its own.
  absl::StatusOr<std::string> Rewrite(absl::string_view header) const;

 private:
  // Where a number lives: a half of a pair, or an integer.
  struct Slot {
    Tapered* pair = nullptr;
    bool endgame = false;
    int* number = nullptr;
  };
  struct Named {
    std::string name;
    std::function<std::string()> text;
  };

  template <typename T>
  void Add(const char* name, T& weight);
  void AddSlots(Tapered& pair);
  void AddSlots(int& number);
  template <typename Aggregate>
  void AddSlots(Aggregate& aggregate);

  // Slots point into it, wherever the list goes.
  std::unique_ptr<Weights> weights_ = std::make_unique<Weights>();
  std::vector<Slot> slots_;
  std::vector<Named> named_;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_WEIGHT_LIST_H_
