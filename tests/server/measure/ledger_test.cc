#include "server/measure/ledger.h"

#include <gtest/gtest.h>

#include <string>

namespace kibitz::server {
namespace {

Tenant Named(const std::string& name) { return {.name = name}; }

TEST(LedgerTest, CountsByTenant) {
  Ledger ledger;
  ledger.PageOf(Named("club")).CountSearch();
  ledger.PageOf(Named("club")).CountSearchNodes(1024);
  ledger.PageOf(Named("club")).CountSearchNodes(6);
  ledger.PageOf(Named("school")).CountPerft();
  ledger.PageOf(Named("school")).CountPerftNodes(20);
  const auto entries = ledger.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries.at("club").searches, 1);
  EXPECT_EQ(entries.at("club").search_nodes, 1030);
  EXPECT_EQ(entries.at("club").perfts, 0);
  EXPECT_EQ(entries.at("school").perfts, 1);
  EXPECT_EQ(entries.at("school").perft_nodes, 20);
}

TEST(LedgerTest, ATenantWithOtherQuotasIsTheSame) {
  Ledger ledger;
  Tenant other = Named("club");
  other.quota.share = 2;
  EXPECT_EQ(&ledger.PageOf(Named("club")), &ledger.PageOf(other));
}

TEST(LedgerTest, CountsRefusalsByReason) {
  Ledger ledger;
  ledger.CountRefusal(Named("club"), "QUEUE_FULL");
  ledger.CountRefusal(Named("club"), "QUEUE_FULL");
  ledger.CountRefusal(Named("club"), "MEMORY_EXHAUSTED");
  const auto refusals = ledger.entries().at("club").refusals;
  EXPECT_EQ(refusals.at("QUEUE_FULL"), 2);
  EXPECT_EQ(refusals.at("MEMORY_EXHAUSTED"), 1);
}

TEST(LedgerTest, NamesWithoutEndShareOnePage) {
  Ledger ledger;
  for (std::size_t i = 0; i < Ledger::kMaxTenants + 10; ++i) ledger.PageOf(Named(std::to_string(i))).CountSearch();
  const auto entries = ledger.entries();
  EXPECT_EQ(entries.size(), Ledger::kMaxTenants + 1);
  EXPECT_EQ(entries.at(Ledger::kOthers).searches, 10);
  for (std::size_t i = 0; i < Ledger::kMaxReasons + 10; ++i) ledger.CountRefusal(Named("0"), std::to_string(i));
  EXPECT_EQ(ledger.entries().at("0").refusals.size(), Ledger::kMaxReasons + 1);
  EXPECT_EQ(ledger.entries().at("0").refusals.at(Ledger::kOthers), 10);
}

TEST(LedgerTest, RatesAreThoseOfTheSamples) {
  Ledger ledger;
  LedgerPage& page = ledger.PageOf(Named("club"));
  ledger.SampleRates(Rate::Time());
  page.CountSearchNodes(500);
  ledger.SampleRates(Rate::Time() + std::chrono::seconds(1));
  EXPECT_DOUBLE_EQ(ledger.entries().at("club").search_nodes_per_second, 500);
  EXPECT_DOUBLE_EQ(ledger.search_nodes_per_second(), 500);
}

}  // namespace
}  // namespace kibitz::server
