#include "core/util/zeroed_array.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace pet {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kLarge = 2 * kHugePage;  // bytes: worth pages of its own

std::size_t in_whole_pages(std::size_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }

// Aligned as huge pages are: what lies before and behind is given back.
void* mapped(std::size_t bytes) {
  const std::size_t asked = bytes + kHugePage;
  void* got = mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  char* first = static_cast<char*>(got);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(got) % kHugePage) % kHugePage;
  if (before > 0) munmap(first, before);
  if (before < kHugePage) munmap(first + before + bytes, kHugePage - before);
  // Where the system has none to give, small ones do.
  madvise(first + before, bytes, MADV_HUGEPAGE);
  return first + before;
}

}  // namespace

std::unique_ptr<void, FreeZeroed> zeroed_memory(std::size_t bytes) {
  // Beyond that no machine has memory, and sums of sizes would wrap around.
  if (bytes > SIZE_MAX / 4) throw std::bad_alloc();
  void* memory = bytes < kLarge ? std::calloc(bytes, 1) : mapped(in_whole_pages(bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, FreeZeroed{bytes}};
}

void FreeZeroed::operator()(void* memory) const {
  if (bytes < kLarge) {
    std::free(memory);
  } else {
    munmap(memory, in_whole_pages(bytes));
  }
}

}  // namespace pet
