// What all searches of a process remember of the positions they have seen. Shared by all workers without locks.

#ifndef KIBITZ_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_
#define KIBITZ_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "engine/board/huge_pages.h"
#include "engine/board/move.h"
#include "engine/board/zobrist.h"
#include "engine/search/score.h"

namespace kibitz {

enum class Bound : std::uint8_t { kNone, kUpper, kLower, kExact };

// What is known of one position.
struct TableEntry {
  Move move;
  Value value = kNoValue;  // counted from the position, not from a root: see ToTable in score.h
  Value evaluation = kNoValue;
  int depth = 0;
  Bound bound = Bound::kNone;
  bool on_pv = false;
};

// Any number of threads may probe and store at the same time. An entry is two atomic words, and the first is the key
// combined with the second: halves of two different writes never look like an entry.
//
// Entries age by turnover rather than by search, because hundreds of searches come and go over one table: a generation
// ends when as many entries were stored as the table holds, or with a new search that finds a fair part of them stored.
class TranspositionTable {
 public:
  explicit TranspositionTable(std::size_t megabytes);

  // Not while a search runs.
  void Resize(std::size_t megabytes);
  void Clear(int threads = 1);
  // See HugePageArray. A new table is as good as a clear one, touched or not.
  void Touch(const std::stop_token& stop) const { buckets_.Touch(stop); }

  std::optional<TableEntry> Probe(Key key) const;
  void Store(Key key, const TableEntry& entry);
  void Prefetch(Key key) const { __builtin_prefetch(&BucketOf(key)); }

  // Called at the start of a search.
  void NewSearch();

  // How full it is, in per mille, by a sample.
  int Hashfull() const;
  std::size_t megabytes() const { return buckets_.size() * sizeof(Bucket) >> 20; }

 private:
  struct Slot {
    std::atomic<std::uint64_t> lock;  // key ^ data
    std::atomic<std::uint64_t> data;
  };
  // One cache line.
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  Bucket& BucketOf(Key key) const {
    return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * buckets_.size()) >> 64)];
  }
  void CountStore();

  HugePageArray<Bucket> buckets_;
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<std::uint64_t> stores_{0};  // of this generation, counted in lots
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_TRANSPOSITION_TABLE_H_
