// A hash table of subtree counts that perft's threads share without locks.

#ifndef KIBITZ_ENGINE_BOARD_PERFT_TABLE_H_
#define KIBITZ_ENGINE_BOARD_PERFT_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/board/board.h"
#include "engine/board/huge_pages.h"
#include "engine/board/zobrist.h"

namespace kibitz {

// Readers and writers race for entries, and a reader never sees a mixed one: each entry keeps its key combined with its
// data, so that halves of two writes do not fit together.
class PerftTable {
 public:
  explicit PerftTable(std::size_t megabytes);

  // A key from the whole board: a handful of multiplications, where Zobrist's would look up a word for each piece.
  static Key KeyOf(const Board& board);

  // Fetches what is kept under a key into the cache. A probe would wait for it longer than a count of a ply takes.
  void Prefetch(Key key) const { __builtin_prefetch(&BucketOf(key)); }
  std::optional<std::uint64_t> Find(Key key, int depth) const;
  // Deeper counts, which took longer, stay before shallower ones.
  void Store(Key key, int depth, std::uint64_t nodes);

 private:
  struct Entry {
    std::atomic<std::uint64_t> lock;  // the key ^ data
    std::atomic<std::uint64_t> data;  // nodes and depth
  };
  // One cache line.
  struct alignas(64) Bucket {
    std::array<Entry, 4> entries;
  };
  // The upper half of a 128-bit product spreads keys over any number of buckets.
  Bucket& BucketOf(Key key) const {
    return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * buckets_.size()) >> 64)];
  }

  HugePageArray<Bucket> buckets_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PERFT_TABLE_H_
