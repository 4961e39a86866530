#include "server/memory/heap_trimmer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

constexpr std::size_t kBlock = 1000;
constexpr std::size_t kFlood = 4 * HeapTrimmer::kSlack;

using Blocks = std::vector<std::unique_ptr<char[]>>;

Blocks Allocate() {
  Blocks blocks;
  for (std::size_t i = 0; i < kFlood / kBlock; ++i) blocks.push_back(std::make_unique<char[]>(kBlock));
  return blocks;
}

// Frees what was allocated, but for a block here and there, which keeps the allocator from giving all of it back.
void FreeMost(Blocks& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i % 1000 != 999) blocks[i].reset();
  }
}

TEST(HeapTrimmerTest, LeavesAloneWhatIsInUse) {
  HeapTrimmer trimmer;
  const Blocks blocks = Allocate();
  EXPECT_FALSE(trimmer.Check());
}

// In another thread, and thus another arena, as most of what the server allocates.
TEST(HeapTrimmerTest, GivesBackWhatAFloodLeaves) {
  HeapTrimmer trimmer;
  std::thread([&] {
    for (int flood = 0; flood < 3; ++flood) {
      Blocks blocks = Allocate();
      trimmer.Check();
      const std::size_t flooded = ResidentBytes();
      FreeMost(blocks);
      EXPECT_TRUE(trimmer.Check()) << flood;
      EXPECT_LT(ResidentBytes() + kFlood / 2, flooded) << flood;
      // Nothing has changed since.
      EXPECT_FALSE(trimmer.Check()) << flood;
    }
  }).join();
}

}  // namespace
}  // namespace kibitz::server
