#include "engine/board/perft_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace kibitz {
namespace {

constexpr int kDepthBits = 6;
constexpr std::uint64_t kDepthMask = (1 << kDepthBits) - 1;
constexpr std::size_t kHugePage = 2 << 20;

}  // namespace

PerftTable::PerftTable(std::size_t megabytes) : size_(std::max<std::size_t>(1, megabytes << 20) / sizeof(Bucket)) {
  void* memory = std::aligned_alloc(kHugePage, std::max(megabytes << 20, kHugePage));
  if (memory == nullptr) throw std::bad_alloc();
  // Random probes miss the small pages' address cache nearly every time. Only a hint: no matter if it is refused.
  madvise(memory, megabytes << 20, MADV_HUGEPAGE);
  buckets_.reset(static_cast<Bucket*>(memory));
  std::uninitialized_value_construct_n(buckets_.get(), size_);
}

void PerftTable::Free::operator()(Bucket* buckets) const { std::free(buckets); }

// The upper half of a 128-bit product spreads keys over any number of buckets.
PerftTable::Bucket& PerftTable::BucketOf(Key key) const {
  return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * size_) >> 64)];
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
