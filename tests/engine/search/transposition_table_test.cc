#include "engine/search/transposition_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <stop_token>
#include <thread>
#include <vector>

namespace kibitz {
namespace {

// An entry all of whose parts follow from its key: a mixture of two entries cannot look right.
TableEntry EntryFor(Key key) {
  return {.move = Move::FromBits(static_cast<std::uint16_t>(key >> 3 | 1)),
          .value = static_cast<std::int16_t>(key >> 7) / 2,
          .evaluation = static_cast<std::int16_t>(key >> 11) / 2,
          .depth = static_cast<int>(key >> 17 & 63),
          .bound = static_cast<Bound>(1 + (key >> 23) % 3),
          .on_pv = (key >> 29 & 1) != 0};
}

bool Matches(const TableEntry& entry, Key key) {
  const TableEntry expected = EntryFor(key);
  return entry.move == expected.move && entry.value == expected.value && entry.evaluation == expected.evaluation &&
         entry.depth == expected.depth && entry.bound == expected.bound && entry.on_pv == expected.on_pv;
}

TEST(TranspositionTableTest, GivesBackWhatItWasGiven) {
  TranspositionTable table(1);
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Key key = random();
    table.Store(key, EntryFor(key));
    const std::optional<TableEntry> entry = table.Probe(key);
    ASSERT_TRUE(entry.has_value());
    EXPECT_TRUE(Matches(*entry, key));
  }
}

TEST(TranspositionTableTest, KnowsNothingOfOtherKeys) {
  TranspositionTable table(1);
  table.Store(42, EntryFor(42));
  EXPECT_FALSE(table.Probe(43).has_value());
  EXPECT_FALSE(table.Probe(0).has_value());
}

TEST(TranspositionTableTest, KeepsTheMoveWhenANewEntryHasNone) {
  TranspositionTable table(1);
  const Move move(Square::kE2, Square::kE4);
  table.Store(7, {.move = move, .value = 1, .evaluation = 1, .depth = 3, .bound = Bound::kLower, .on_pv = false});
  table.Store(7, {.move = Move(), .value = 2, .evaluation = 1, .depth = 4, .bound = Bound::kUpper, .on_pv = false});
  EXPECT_EQ(table.Probe(7)->move, move);
  EXPECT_EQ(table.Probe(7)->value, 2);
}

TEST(TranspositionTableTest, KeepsDeepEntriesBeforeShallowOnes) {
  TranspositionTable table(1);
  // Neighbouring keys share a bucket: the index comes from the upper bits.
  table.Store(1, {.move = Move(), .value = 0, .evaluation = 0, .depth = 30, .bound = Bound::kLower, .on_pv = false});
  for (Key key = 2; key < 50; ++key) {
    table.Store(key, {.move = Move(), .value = 0, .evaluation = 0, .depth = 1, .bound = Bound::kLower, .on_pv = false});
  }
  EXPECT_TRUE(table.Probe(1).has_value());
}

TEST(TranspositionTableTest, ForgetsAllWhenClearedOrResized) {
  TranspositionTable table(2);
  table.Store(5, EntryFor(5));
  table.Clear(2);
  EXPECT_FALSE(table.Probe(5).has_value());
  table.Store(5, EntryFor(5));
  table.Resize(3);
  EXPECT_FALSE(table.Probe(5).has_value());
  EXPECT_EQ(table.megabytes(), 3u);
}

TEST(TranspositionTableTest, TellsHowFullItIs) {
  TranspositionTable table(1);
  EXPECT_EQ(table.Hashfull(), 0);
  std::mt19937_64 random(2);
  for (int i = 0; i < 400'000; ++i) {
    const Key key = random();
    table.Store(key, EntryFor(key));
  }
  EXPECT_GT(table.Hashfull(), 700);
}

// Threads write and read the same few buckets as fast as they can. Whatever a probe accepts must be one whole entry.
TEST(TranspositionTableTest, NeverAcceptsAMixedEntry) {
  constexpr int kThreads = 4;
  constexpr int kProbesPerThread = 25'000'000;
  TranspositionTable table(1);
  std::atomic<std::int64_t> mixed{0};
  std::atomic<std::int64_t> found{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::uint64_t state = static_cast<std::uint64_t>(t) + 1;
      std::int64_t my_found = 0;
      for (int i = 0; i < kProbesPerThread; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        // A few hundred keys over a few dozen buckets.
        const Key key = (state >> 60) << 59 | ((state >> 33) % 31 + 1) * 0x10305u;
        if (const std::optional<TableEntry> entry = table.Probe(key)) {
          ++my_found;
          if (!Matches(*entry, key)) mixed.fetch_add(1);
        }
        if (i % 3 == 0) table.Store(key, EntryFor(key));
      }
      found.fetch_add(my_found);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mixed.load(), 0);
  EXPECT_GT(found.load(), 1'000'000);
}

TEST(TranspositionTableTest, IsTouchedWithoutHarm) {
  TranspositionTable table(8);
  constexpr Key kStep = 0x9e3779b97f4a7c15;
  constexpr Key kCount = 1000;
  const std::jthread toucher([&table](const std::stop_token& stop) { table.Touch(stop); });
  for (Key i = 1; i <= kCount; ++i) table.Store(i * kStep, EntryFor(i * kStep));
  table.Touch({});
  for (Key i = 1; i <= kCount; ++i) {
    const std::optional<TableEntry> entry = table.Probe(i * kStep);
    ASSERT_TRUE(entry.has_value());
    EXPECT_TRUE(Matches(*entry, i * kStep));
  }
}

}  // namespace
}  // namespace kibitz
