#include "engine/board/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace kibitz {
namespace {

constexpr std::size_t kHugePage = 2 << 20;

std::size_t RoundUp(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

}  // namespace

// The system gives zeroed pages, but aligned to small ones only: map one huge page too many and cut off the ends.
void* AllocateHugePages(std::size_t bytes) {
  const std::size_t size = RoundUp(bytes);
  void* mapped = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(mapped);
  char* const aligned = begin + (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (aligned != begin) munmap(begin, static_cast<std::size_t>(aligned - begin));
  if (char* const end = begin + size + kHugePage; aligned + size != end) {
    munmap(aligned + size, static_cast<std::size_t>(end - (aligned + size)));
  }
  madvise(aligned, size, MADV_HUGEPAGE);  // only a wish: the memory serves without
  return aligned;
}

void FreeHugePages(void* memory, std::size_t bytes) { munmap(memory, RoundUp(bytes)); }

void TouchHugePages(void* memory, std::size_t bytes, const std::stop_token& stop) {
  // One huge page at a time: whoever else wants memory of the system, or gives some back, waits for no more than that.
  // A system that is older than the request (Linux 5.14) refuses it.
  char* const end = static_cast<char*>(memory) + RoundUp(bytes);
  for (char* page = static_cast<char*>(memory); page != end && !stop.stop_requested(); page += kHugePage) {
    if (madvise(page, kHugePage, MADV_POPULATE_WRITE) != 0) return;
  }
}

}  // namespace kibitz
