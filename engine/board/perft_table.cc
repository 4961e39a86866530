#include "engine/board/perft_table.h"

#include <algorithm>

namespace kibitz {
namespace {

constexpr int kDepthBits = 6;
constexpr std::uint64_t kDepthMask = (1 << kDepthBits) - 1;

// Mixes two words: both halves of their product, each word made odd company by a constant of its own.
std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

PerftTable::PerftTable(std::size_t megabytes)
    : buckets_(std::max<std::size_t>(1, megabytes) * (1 << 20) / sizeof(Bucket)) {}

Key PerftTable::KeyOf(const Board& board) {
  // The fractional digits of pi: no pattern of a board is near them.
  constexpr std::uint64_t kPi[] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
                                   0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917,
                                   0x9216d5d98979fb1b, 0xd1310ba698dfb5ac};
  const auto state = static_cast<std::uint64_t>(Index(board.en_passant) * kNumColors + Index(board.side_to_move));
  const auto& type = board.by_type;
  const std::uint64_t men = Mix(type[0] ^ kPi[0], type[1] ^ kPi[1]) ^ Mix(type[2] ^ kPi[2], type[3] ^ kPi[3]) ^
                            Mix(type[4] ^ kPi[4], type[5] ^ kPi[5]);
  const std::uint64_t rest = Mix(board.by_color[0] ^ kPi[6], board.castling_rooks ^ kPi[7]);
  return Mix(men ^ kPi[8], rest ^ state ^ kPi[9]);
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
