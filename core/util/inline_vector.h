// A short list that lies where it is held; what is longer than kInline lies on the heap.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pet {

template <class T, std::size_t kInline>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineVector() = default;
  InlineVector(const InlineVector& other) { assign(other); }
  InlineVector(InlineVector&& other) noexcept
      : size_(other.size_), capacity_(other.capacity_), heap_(std::move(other.heap_)) {
    if (!heap_) std::copy_n(other.here_, size_, here_);
    other.forget();
  }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this == &other) return *this;
    size_ = other.size_;
    capacity_ = other.capacity_;
    heap_ = std::move(other.heap_);
    if (!heap_) std::copy_n(other.here_, size_, here_);
    other.forget();
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return heap_ ? heap_.get() : here_; }
  const T* data() const { return heap_ ? heap_.get() : here_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void clear() { size_ = 0; }
  void push_back(T x) {
    if (size_ == capacity_) grow();
    data()[size_++] = x;
  }
  void erase(T* at) {
    std::copy(at + 1, end(), at);
    --size_;
  }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend auto operator<=>(const InlineVector& a, const InlineVector& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void assign(const InlineVector& other) {
    if (other.size_ > capacity_) {
      heap_ = std::make_unique_for_overwrite<T[]>(other.size_);
      capacity_ = other.size_;
    }
    size_ = other.size_;
    std::copy_n(other.data(), size_, data());
  }
  void grow() {
    auto larger = std::make_unique_for_overwrite<T[]>(2 * capacity_);
    std::copy_n(data(), size_, larger.get());
    heap_ = std::move(larger);
    capacity_ *= 2;
  }
  void forget() {
    size_ = 0;
    capacity_ = kInline;
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  std::unique_ptr<T[]> heap_;
  T here_[kInline];
};

}  // namespace pet
