// Gives memory that nobody uses any more back to the system.

#ifndef KIBITZ_SERVER_MEMORY_HEAP_TRIMMER_H_
#define KIBITZ_SERVER_MEMORY_HEAP_TRIMMER_H_

#include <cstddef>

namespace kibitz::server {

// The allocator keeps small blocks that are freed, for whoever wants such blocks next. After a flood that is hundreds
// of megabytes, in an arena for each core and more, for good. For one thread; what others allocate waits while it
// trims, up to some milliseconds.
class HeapTrimmer {
 public:
  // What is left alone, in bytes.
  static constexpr std::size_t kSlack = 16 << 20;

  HeapTrimmer();

  // To be called now and then: trims if much has been freed, or used and freed, since the last trim. Whether it did.
  bool Check();

 private:
  // After the last trim, or at the start, which is as little as there will ever be.
  const std::size_t resident_at_first_;
  std::size_t resident_;
  // The least that was free in the allocator's arenas since the last trim, as far as was seen. What a trim gives back
  // counts as free as before.
  std::size_t least_free_ = 0;
};

// The resident memory of this process, in bytes; 0 if the system does not tell.
std::size_t ResidentBytes();

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEMORY_HEAP_TRIMMER_H_
