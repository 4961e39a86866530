// Which positions there have been, so that none is learnt from twice.

#ifndef KIBITZ_ENGINE_TUNING_SEEN_POSITIONS_H_
#define KIBITZ_ENGINE_TUNING_SEEN_POSITIONS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/tuning/record.h"

namespace kibitz::tuning {

// Remembers in 128 MB, so not for ever: a new position takes the place of an old one.
class SeenPositions {
 public:
  // Whether the position is new. Its label and its clocks do not matter.
  bool Add(const Record& record) {
    const std::uint64_t hash = Hash(record);
    auto& slot = slots_[hash % kSlots];
    const auto mark = static_cast<std::uint32_t>(hash >> 32) | 1;
    if (slot == mark) return false;
    slot = mark;
    return true;
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 25;

  static std::uint64_t Mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
  }
  static std::uint64_t Hash(const Record& record) {
    std::uint64_t pieces[2];
    std::memcpy(pieces, record.pieces.data(), sizeof(pieces));
    return Mix(Mix(Mix(Mix(record.side_to_move, record.occupied), pieces[0]), pieces[1]), record.variant);
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kSlots);
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_SEEN_POSITIONS_H_
