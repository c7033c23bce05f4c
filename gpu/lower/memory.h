// Where buffers lie in one arena, so that no two that live at the same time overlap.
#pragma once

#include <cstddef>
#include <vector>

namespace pet::gpu {

inline constexpr std::size_t kAlignment = 256;  // bytes; what libraries and wide loads ask for

struct Life {
  std::size_t bytes = 0;
  std::size_t first = 0;  // both included
  std::size_t last = 0;
  std::size_t offset = 0;  // the answer

  bool meets(const Life& other) const { return first <= other.last && other.first <= last; }
};

// Sets the offsets; the bytes that they span.
std::size_t place(std::vector<Life>& lives);

// No plan spans less: the largest sum of the bytes that live at once.
std::size_t least_span(const std::vector<Life>& lives);

}  // namespace pet::gpu
