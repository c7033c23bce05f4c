// An array of numbers of a size that never changes, all zero at first. A large one costs nothing
// until it is written: the system gives its memory in huge pages, zeroed one by one where somebody
// writes, and takes it back at once.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace pet {

// Gives back what zeroed_memory() gave.
struct FreeZeroed {
  std::size_t bytes = 0;
  void operator()(void* memory) const;
};

// Aligned for any number; throws std::bad_alloc.
std::unique_ptr<void, FreeZeroed> zeroed_memory(std::size_t bytes);

template <class T>
class ZeroedArray {
  static_assert(std::is_arithmetic_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : memory_(size == 0 ? Memory() : zeroed_memory(size * sizeof(T))), size_(size) {}
  ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) {
    if (size_ > 0) std::memcpy(memory_.get(), other.memory_.get(), size_ * sizeof(T));
  }
  ZeroedArray(ZeroedArray&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  ZeroedArray& operator=(ZeroedArray other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroedArray() = default;

  std::span<T> values() { return {static_cast<T*>(memory_.get()), size_}; }
  std::span<const T> values() const { return {static_cast<const T*>(memory_.get()), size_}; }

 private:
  using Memory = std::unique_ptr<void, FreeZeroed>;

  Memory memory_;
  std::size_t size_ = 0;
};

}  // namespace pet
