// Looks at inputs one after the other in a child process, so that what ends it, stalls it or eats
// its memory is told with the number of the input, and ends nothing else.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "core/util/check.h"

namespace pet::fuzz {

// Something that a process and its children share, from before they are made.
template <class T>
class Shared {
 public:
  Shared() {
    void* memory =
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const bool is_mapped = memory != MAP_FAILED;
    PET_CHECK(is_mapped, "a page to share with a child");
    value_ = new (memory) T();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::munmap(value_, sizeof(T)); }

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* value_ = nullptr;
};

struct Finding {
  std::uint64_t index = 0;
  std::string what;
};

// What is wrong with what becomes of an input; empty where nothing is.
using Look = std::function<std::string(std::uint64_t index)>;

// In this process: an exception is something wrong, too.
std::string looked_at(const Look& look, std::uint64_t index);

struct Patience {
  double seconds = 5;         // that one input may keep a processor busy
  std::size_t findings = 10;  // after so many it is enough
};

// Every input of [first, first + count), told as they are found.
void supervise(std::uint64_t first, std::uint64_t count, const Look& look, const Patience& patience,
               const std::function<void(const Finding&)>& tell);

}  // namespace pet::fuzz
