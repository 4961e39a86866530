#include "server/memory/memory_budget.h"

#include <gtest/gtest.h>

namespace kibitz::server {
namespace {

TEST(MemoryBudgetTest, GivesUntilItIsUsedUp) {
  MemoryBudget budget(100);
  const MemoryBudget::Lease most = budget.Take(70);
  EXPECT_NE(most, nullptr);
  EXPECT_EQ(budget.Take(31), nullptr);
  EXPECT_NE(budget.Take(30), nullptr);
}

TEST(MemoryBudgetTest, TakesBackWhatIsNoLongerUsed) {
  MemoryBudget budget(100);
  MemoryBudget::Lease all = budget.Take(100);
  EXPECT_EQ(budget.Take(1), nullptr);
  all.reset();
  EXPECT_NE(budget.Take(100), nullptr);
}

TEST(MemoryBudgetTest, NothingIsAlwaysThere) {
  MemoryBudget budget(0);
  EXPECT_NE(budget.Take(0), nullptr);
  EXPECT_EQ(budget.Take(1), nullptr);
}

TEST(MemoryBudgetTest, APartTakesFromTheWholeToo) {
  MemoryBudget whole(100);
  MemoryBudget part(80, &whole);
  const MemoryBudget::Lease other = whole.Take(50);
  EXPECT_EQ(part.Take(51), nullptr);
  // What the whole refused is not lost to the part.
  MemoryBudget::Lease lease = part.Take(50);
  EXPECT_NE(lease, nullptr);
  EXPECT_EQ(whole.used_bytes(), 100u);
  lease.reset();
  EXPECT_EQ(whole.used_bytes(), 50u);
  EXPECT_EQ(part.used_bytes(), 0u);
}

}  // namespace
}  // namespace kibitz::server
