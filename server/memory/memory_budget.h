// An amount of memory that requests share.

#ifndef KIBITZ_SERVER_MEMORY_MEMORY_BUDGET_H_
#define KIBITZ_SERVER_MEMORY_MEMORY_BUDGET_H_

#include <cstddef>
#include <memory>
#include <mutex>

namespace kibitz::server {

// A part of a larger budget, if it is told of one: what it gives is taken from both. All methods may be called from any
// thread.
class MemoryBudget {
 public:
  // Gives its part back when the last copy goes. It must not outlive the budget.
  using Lease = std::shared_ptr<void>;

  explicit MemoryBudget(std::size_t total_bytes, MemoryBudget* parent = nullptr)
      : total_(total_bytes), parent_(parent), free_(total_bytes) {}

  static constexpr std::size_t Megabytes(int count) { return static_cast<std::size_t>(count) << 20; }

  std::size_t total_bytes() const { return total_; }
  std::size_t used_bytes() const {
    std::lock_guard lock(mutex_);
    return total_ - free_;
  }

  // nullptr when there is not as much left.
  Lease Take(std::size_t bytes) {
    if (!Reserve(bytes)) return nullptr;
    return Lease(this, [this, bytes](void*) { GiveBack(bytes); });
  }

  // The same for what comes and goes too often for a lease. False when there is not as much left.
  bool Reserve(std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      if (bytes > free_) return false;
      free_ -= bytes;
    }
    if (parent_ == nullptr || parent_->Reserve(bytes)) return true;
    Return(bytes);
    return false;
  }
  void GiveBack(std::size_t bytes) {
    Return(bytes);
    if (parent_ != nullptr) parent_->GiveBack(bytes);
  }

 private:
  void Return(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    free_ += bytes;
  }

  const std::size_t total_;
  MemoryBudget* const parent_;
  mutable std::mutex mutex_;
  std::size_t free_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEMORY_MEMORY_BUDGET_H_
