#include "server/memory/heap_trimmer.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace kibitz::server {

HeapTrimmer::HeapTrimmer() : resident_at_first_(ResidentBytes()), resident_(resident_at_first_) {}

bool HeapTrimmer::Check() {
  // To ask the allocator costs more than to ask the system.
  const std::size_t resident = ResidentBytes();
  if (resident < resident_at_first_ + kSlack) return false;
  const std::size_t free = mallinfo2().fordblks;
  least_free_ = std::min(least_free_, free);
  const bool freed = free - least_free_ >= kSlack;
  const bool used_and_freed = resident >= resident_ + kSlack && free >= kSlack;
  if (!freed && !used_and_freed) return false;
  malloc_trim(0);
  resident_ = ResidentBytes();
  least_free_ = free;
  return true;
}

std::size_t ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  std::size_t total = 0;
  std::size_t resident = 0;
  if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
  std::fclose(file);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace kibitz::server
