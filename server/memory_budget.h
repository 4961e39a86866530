// An amount of memory that requests share.

#ifndef KIBITZ_SERVER_MEMORY_BUDGET_H_
#define KIBITZ_SERVER_MEMORY_BUDGET_H_

#include <memory>
#include <mutex>

namespace kibitz::server {

// All methods may be called from any thread.
class MemoryBudget {
 public:
  // Gives its part back when the last copy goes. It must not outlive the budget.
  using Lease = std::shared_ptr<void>;

  explicit MemoryBudget(int total_mb) : total_mb_(total_mb), free_mb_(total_mb) {}

  int total_mb() const { return total_mb_; }

  // nullptr when there is not as much left.
  Lease Take(int mb) {
    std::lock_guard lock(mutex_);
    if (mb > free_mb_) return nullptr;
    free_mb_ -= mb;
    return Lease(this, [this, mb](void*) { GiveBack(mb); });
  }

 private:
  void GiveBack(int mb) {
    std::lock_guard lock(mutex_);
    free_mb_ += mb;
  }

  const int total_mb_;
  std::mutex mutex_;
  int free_mb_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEMORY_BUDGET_H_
