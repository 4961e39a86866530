#include "engine/board/perft_table.h"

#include <algorithm>

namespace kibitz {
namespace {

constexpr int kDepthBits = 6;
constexpr std::uint64_t kDepthMask = (1 << kDepthBits) - 1;

}  // namespace

PerftTable::PerftTable(std::size_t megabytes)
    : buckets_(std::max<std::size_t>(1, megabytes) * (1 << 20) / sizeof(Bucket)) {}

// The upper half of a 128-bit product spreads keys over any number of buckets.
PerftTable::Bucket& PerftTable::BucketOf(Key key) const {
  return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * buckets_.size()) >> 64)];
}

std::optional<std::uint64_t> PerftTable::Find(Key key, int depth) const {
  for (const Entry& entry : BucketOf(key).entries) {
    const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
    if ((entry.lock.load(std::memory_order_relaxed) ^ data) == key &&
        (data & kDepthMask) == static_cast<unsigned>(depth)) {
      return data >> kDepthBits;
    }
  }
  return std::nullopt;
}

void PerftTable::Store(Key key, int depth, std::uint64_t nodes) {
  if (nodes >> (64 - kDepthBits) != 0) return;
  const auto depth_of = [](const Entry& entry) { return entry.data.load(std::memory_order_relaxed) & kDepthMask; };
  auto& entries = BucketOf(key).entries;
  Entry* victim = &entries[0];
  for (Entry& entry : entries) {
    if (depth_of(entry) < depth_of(*victim)) victim = &entry;
  }
  const std::uint64_t data = nodes << kDepthBits | static_cast<std::uint64_t>(depth);
  victim->data.store(data, std::memory_order_relaxed);
  victim->lock.store(key ^ data, std::memory_order_relaxed);
}

}  // namespace kibitz
