// Large arrays that are probed at random: aligned for, and backed by, huge pages where the system grants them.

#ifndef KIBITZ_ENGINE_BOARD_HUGE_PAGES_H_
#define KIBITZ_ENGINE_BOARD_HUGE_PAGES_H_

#include <cstddef>
#include <memory>
#include <stop_token>
#include <type_traits>

namespace kibitz {

// Memory of at least `bytes`, zero, or std::bad_alloc. Huge pages are asked for: random probes would miss the small
// pages' address cache nearly every time.
void* AllocateHugePages(std::size_t bytes);
void FreeHugePages(void* memory, std::size_t bytes);

// Has the system hand out memory that AllocateHugePages gave, rather than bit by bit when it is first written to. What
// stands in it stays, and others may use it meanwhile. Ends early when a stop is requested, or the system will not.
void TouchHugePages(void* memory, std::size_t bytes, const std::stop_token& stop);

// A fixed number of zero-initialised elements. Pages are first touched by Touch, or by whoever writes to them.
template <typename T>
class HugePageArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit HugePageArray(std::size_t size)
      : elements_(static_cast<T*>(AllocateHugePages(size * sizeof(T))), Free{size * sizeof(T)}), size_(size) {}

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return elements_.get()[i]; }
  void Touch(const std::stop_token& stop) const { TouchHugePages(elements_.get(), size_ * sizeof(T), stop); }

 private:
  struct Free {
    std::size_t bytes;
    void operator()(T* memory) const { FreeHugePages(memory, bytes); }
  };

  std::unique_ptr<T, Free> elements_;
  std::size_t size_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_HUGE_PAGES_H_
