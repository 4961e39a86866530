#include "engine/search/transposition_table.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace kibitz {
namespace {

// The data word: move 16, value 16, evaluation 16, depth 8, generation 5, bound 2, on_pv 1.
constexpr int kGenerations = 32;
constexpr int kGenerationShift = 59;
// Stores are counted once in this many, found by the key's low bits, so that workers do not fight for the counter.
constexpr std::uint64_t kStoreLot = 64;

std::uint64_t Pack(const TableEntry& entry, std::uint32_t generation) {
  return static_cast<std::uint64_t>(entry.move.bits()) |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.value)) << 16 |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.evaluation)) << 32 |
         static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth)) << 48 |
         static_cast<std::uint64_t>(entry.bound) << 56 | static_cast<std::uint64_t>(entry.on_pv) << 58 |
         static_cast<std::uint64_t>(generation) << kGenerationShift;
}

int DepthOf(std::uint64_t data) { return static_cast<std::int8_t>(data >> 48); }
Bound BoundOf(std::uint64_t data) { return static_cast<Bound>(data >> 56 & 3); }
int AgeOf(std::uint64_t data, std::uint32_t generation) {
  return static_cast<int>((generation - static_cast<std::uint32_t>(data >> kGenerationShift)) % kGenerations);
}

TableEntry Unpack(std::uint64_t data) {
  TableEntry entry;
  entry.move = Move::FromBits(static_cast<std::uint16_t>(data));
  entry.value = static_cast<std::int16_t>(data >> 16);
  entry.evaluation = static_cast<std::int16_t>(data >> 32);
  entry.depth = DepthOf(data);
  entry.bound = BoundOf(data);
  entry.on_pv = data >> 58 & 1;
  return entry;
}

// What keeping an entry is worth: deep ones took long, and old ones are asked for less.
int WorthOf(std::uint64_t data, std::uint32_t generation) {
  if (BoundOf(data) == Bound::kNone) return -1000;
  return DepthOf(data) - 4 * AgeOf(data, generation);
}

std::size_t BucketsIn(std::size_t megabytes, std::size_t bucket_bytes) {
  return std::max<std::size_t>(1, megabytes) * (1 << 20) / bucket_bytes;
}

}  // namespace

TranspositionTable::TranspositionTable(std::size_t megabytes) : buckets_(BucketsIn(megabytes, sizeof(Bucket))) {}

void TranspositionTable::Resize(std::size_t megabytes) {
  // The old memory goes first: both may not fit.
  buckets_ = HugePageArray<Bucket>(1);
  buckets_ = HugePageArray<Bucket>(BucketsIn(megabytes, sizeof(Bucket)));
  generation_.store(0, std::memory_order_relaxed);
  stores_.store(0, std::memory_order_relaxed);
}

void TranspositionTable::Clear(int threads) {
  const auto clear_part = [&](std::size_t part, std::size_t parts) {
    const std::size_t end = buckets_.size() * (part + 1) / parts;
    for (std::size_t i = buckets_.size() * part / parts; i < end; ++i) {
      for (Slot& slot : buckets_[i].slots) {
        slot.lock.store(0, std::memory_order_relaxed);
        slot.data.store(0, std::memory_order_relaxed);
      }
    }
  };
  const std::size_t parts = static_cast<std::size_t>(std::max(1, threads));
  std::vector<std::thread> helpers;
  for (std::size_t part = 1; part < parts; ++part) helpers.emplace_back(clear_part, part, parts);
  clear_part(0, parts);
  for (std::thread& helper : helpers) helper.join();
  generation_.store(0, std::memory_order_relaxed);
  stores_.store(0, std::memory_order_relaxed);
}

std::optional<TableEntry> TranspositionTable::Probe(Key key) const {
  for (const Slot& slot : BucketOf(key).slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if ((slot.lock.load(std::memory_order_relaxed) ^ data) == key && BoundOf(data) != Bound::kNone) {
      return Unpack(data);
    }
  }
  return std::nullopt;
}

void TranspositionTable::Store(Key key, const TableEntry& entry) {
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  Slot* victim = nullptr;
  int min_worth = 0;
  TableEntry stored = entry;
  for (Slot& slot : BucketOf(key).slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if ((slot.lock.load(std::memory_order_relaxed) ^ data) == key) {
      const TableEntry known = Unpack(data);
      if (stored.move.IsNone()) stored.move = known.move;
      // A shallow bound does not push out a deep one that is still in use.
      if (entry.bound != Bound::kExact && entry.depth + 4 + 2 * entry.on_pv <= known.depth &&
          AgeOf(data, generation) == 0) {
        return;
      }
      victim = &slot;
      break;
    }
    const int worth = WorthOf(data, generation);
    if (victim == nullptr || worth < min_worth) {
      victim = &slot;
      min_worth = worth;
    }
  }
  const std::uint64_t data = Pack(stored, generation);
  victim->data.store(data, std::memory_order_relaxed);
  victim->lock.store(key ^ data, std::memory_order_relaxed);
  if (key % kStoreLot == 0) CountStore();
}

void TranspositionTable::CountStore() {
  const std::uint64_t stores = stores_.fetch_add(kStoreLot, std::memory_order_relaxed);
  if (stores < buckets_.size() * 4) return;
  stores_.store(0, std::memory_order_relaxed);
  generation_.store((generation_.load(std::memory_order_relaxed) + 1) % kGenerations, std::memory_order_relaxed);
}

void TranspositionTable::NewSearch() {
  // Searches that have hardly written anything do not make the others' entries old.
  if (stores_.load(std::memory_order_relaxed) < buckets_.size() / 16) return;
  stores_.store(0, std::memory_order_relaxed);
  generation_.store((generation_.load(std::memory_order_relaxed) + 1) % kGenerations, std::memory_order_relaxed);
}

int TranspositionTable::Hashfull() const {
  const std::size_t sampled = std::min<std::size_t>(250, buckets_.size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < sampled; ++i) {
    for (const Slot& slot : buckets_[i].slots) {
      used += BoundOf(slot.data.load(std::memory_order_relaxed)) != Bound::kNone;
    }
  }
  return static_cast<int>(used * 1000 / (sampled * 4));
}

}  // namespace kibitz
