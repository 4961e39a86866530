#include "server/measure/ledger.h"

namespace kibitz::server {

LedgerPage& Ledger::PageOf(const Tenant& tenant) {
  std::lock_guard lock(mutex_);
  return Open(tenant.name);
}

LedgerPage& Ledger::Open(const std::string& name) {
  if (const auto found = pages_.find(name); found != pages_.end()) return *found->second;
  const std::string& opened = pages_.size() < kMaxTenants ? name : kOthers;
  std::unique_ptr<LedgerPage>& page = pages_[opened];
  if (page == nullptr) page = std::make_unique<LedgerPage>();
  return *page;
}

void Ledger::CountRefusal(const Tenant& tenant, const std::string& reason) {
  std::lock_guard lock(mutex_);
  auto& refusals = Open(tenant.name).refusals_;
  const bool known = refusals.size() < kMaxReasons || refusals.count(reason) > 0;
  ++refusals[known ? reason : kOthers];
}

void Ledger::SampleRates(Rate::Time now) {
  std::lock_guard lock(mutex_);
  for (auto& [name, page] : pages_) page->search_rate_.Sample(page->search_nodes_, now);
}

double Ledger::search_nodes_per_second() const {
  std::lock_guard lock(mutex_);
  double sum = 0;
  for (const auto& [name, page] : pages_) sum += page->search_rate_.per_second();
  return sum;
}

std::map<std::string, Ledger::Entry> Ledger::entries() const {
  std::lock_guard lock(mutex_);
  std::map<std::string, Entry> entries;
  for (const auto& [name, page] : pages_) {
    entries[name] = {.searches = page->searches_,
                     .perfts = page->perfts_,
                     .search_nodes = page->search_nodes_,
                     .perft_nodes = page->perft_nodes_,
                     .search_nodes_per_second = page->search_rate_.per_second(),
                     .refusals = page->refusals_};
  }
  return entries;
}

}  // namespace kibitz::server
