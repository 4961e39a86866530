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

}  // namespace kibitz
