// What each tenant has had of the server since the start.

#ifndef KIBITZ_SERVER_MEASURE_LEDGER_H_
#define KIBITZ_SERVER_MEASURE_LEDGER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "server/measure/durations.h"
#include "server/measure/rate.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// One tenant's. All methods may be called from any thread.
class LedgerPage {
 public:
  void CountSearch() { searches_.fetch_add(1, std::memory_order_relaxed); }
  void CountPerft() { perfts_.fetch_add(1, std::memory_order_relaxed); }
  // Positions searched, and leaves counted, as they are done.
  void CountSearchNodes(std::int64_t nodes) { search_nodes_.fetch_add(nodes, std::memory_order_relaxed); }
  void CountPerftNodes(std::int64_t nodes) { perft_nodes_.fetch_add(nodes, std::memory_order_relaxed); }

 private:
  friend class Ledger;

  std::atomic<std::int64_t> searches_{0};
  std::atomic<std::int64_t> perfts_{0};
  std::atomic<std::int64_t> search_nodes_{0};
  std::atomic<std::int64_t> perft_nodes_{0};
  // The ledger's, under its lock.
  std::map<std::string, std::int64_t> refusals_;
  Rate search_rate_;
};

// All methods may be called from any thread.
class Ledger {
 public:
  // Tenants and reasons are few: operators write the ones, this program has the others. Should there be more all the
  // same, they share one page or reason of this name.
  static constexpr std::size_t kMaxTenants = 1000;
  static constexpr std::size_t kMaxReasons = 100;
  static constexpr char kOthers[] = "(others)";

  struct Entry {
    std::int64_t searches = 0;
    std::int64_t perfts = 0;
    std::int64_t search_nodes = 0;
    std::int64_t perft_nodes = 0;
    double search_nodes_per_second = 0;
    std::map<std::string, std::int64_t> refusals;  // by reason
  };

  // A tenant's page, by its name. It lives as long as the ledger.
  LedgerPage& PageOf(const Tenant& tenant);

  // Something that the tenant asked for was not done, for a reason as errors have it ("QUEUE_FULL").
  void CountRefusal(const Tenant& tenant, const std::string& reason);

  // To be called about once a second: rates come of it.
  void SampleRates(Rate::Time now);

  // By tenant.
  std::map<std::string, Entry> entries() const;
  // Of all tenants.
  double search_nodes_per_second() const;

  // From a request to the first that its search had to tell.
  Durations& first_updates() { return first_updates_; }
  const Durations& first_updates() const { return first_updates_; }

 private:
  // Under the lock.
  LedgerPage& Open(const std::string& name);

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, std::unique_ptr<LedgerPage>> pages_;

  Durations first_updates_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEASURE_LEDGER_H_
