#include "server/analysis/search_memories.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "engine/engine.h"
#include "server/memory/memory_budget.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMany = 100;

std::size_t Bytes(std::size_t memories) { return memories * SearchMemory::Bytes(); }

TEST(SearchMemoriesTest, AGameFindsItsMemoryAgain) {
  MemoryBudget budget(Bytes(kMany));
  SearchMemories memories(budget, Bytes(kMany));
  const SearchMemories::Game one = memories.NewGame();
  const SearchMemories::Game two = memories.NewGame();
  SearchMemories::Lease lease = memories.Take(one, 0);
  const SearchMemory* const first = lease.get();
  lease.reset();
  const SearchMemories::Lease other = memories.Take(two, 0);
  EXPECT_NE(other.get(), first);
  EXPECT_EQ(memories.Take(one, 0).get(), first);
}

TEST(SearchMemoriesTest, EachWorkerHasItsOwn) {
  MemoryBudget budget(Bytes(kMany));
  SearchMemories memories(budget, Bytes(kMany));
  const SearchMemories::Game game = memories.NewGame();
  const SearchMemories::Lease main = memories.Take(game, 0);
  const SearchMemories::Lease helper = memories.Take(game, 1);
  EXPECT_NE(main.get(), helper.get());
}

TEST(SearchMemoriesTest, RefusesBeyondTheBudget) {
  MemoryBudget budget(Bytes(2));
  SearchMemories memories(budget, Bytes(2));
  const SearchMemories::Lease first = memories.Take(0, 0);
  const SearchMemories::Lease second = memories.Take(0, 0);
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(memories.Take(0, 0), nullptr);
}

TEST(SearchMemoriesTest, WhoeverNeedsItTakesTheMemoryOfAnIdleGame) {
  MemoryBudget budget(Bytes(1));
  SearchMemories memories(budget, Bytes(1));
  memories.Take(memories.NewGame(), 0).reset();
  EXPECT_EQ(memories.idle(), 1u);
  EXPECT_NE(memories.Take(0, 0), nullptr);
}

TEST(SearchMemoriesTest, IdleGamesCostNoMoreThanTheBound) {
  MemoryBudget budget(Bytes(kMany));
  SearchMemories memories(budget, Bytes(3));
  std::vector<SearchMemories::Lease> leases;
  for (int i = 0; i < 20; ++i) leases.push_back(memories.Take(memories.NewGame(), 0));
  leases.clear();
  EXPECT_EQ(memories.idle(), 3u);
  EXPECT_EQ(budget.used_bytes(), Bytes(3));
}

TEST(SearchMemoriesTest, AForgottenGameLeavesItsMemoryToOthers) {
  MemoryBudget budget(Bytes(1));
  SearchMemories memories(budget, Bytes(1));
  const SearchMemories::Game game = memories.NewGame();
  memories.Take(game, 0).reset();
  memories.Forget(game);
  EXPECT_EQ(memories.idle(), 1u);
  EXPECT_NE(memories.Take(0, 0), nullptr);
}

TEST(SearchMemoriesTest, GivesBackWhatNobodyWantsForLong) {
  MemoryBudget budget(Bytes(kMany));
  SearchMemories memories(budget, Bytes(kMany));
  memories.Take(0, 0).reset();
  const SearchMemories::Game game = memories.NewGame();
  memories.Take(game, 0).reset();
  const auto now = SearchMemories::Clock::now();
  memories.Trim(now);
  EXPECT_GE(memories.idle(), 1u);
  memories.Trim(now + std::chrono::hours(1));
  EXPECT_EQ(memories.idle(), 0u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

}  // namespace
}  // namespace kibitz::server
