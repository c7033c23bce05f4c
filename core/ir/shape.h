// Shapes: the extents of a tensor, outermost first. Row-major everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pet {

using Dim = std::int64_t;
using Shape = std::vector<Dim>;

// No tensor of ours is larger: element counts stay far from overflow, and a hostile file cannot ask
// for the moon.
inline constexpr Dim kMaxElements = Dim{1} << 40;
inline constexpr std::size_t kMaxRank = 16;

// Number of elements; nullopt if an extent is negative or the product exceeds kMaxElements.
std::optional<Dim> checked_count(const Shape& shape);
Dim count(const Shape& shape);  // REQUIRES: checked_volume(shape, kMaxElements)

// The same for loops, which may have more axes than a tensor (those of a result and of its
// windows), up to a limit.
std::optional<Dim> checked_volume(const Shape& extents, Dim limit);

std::vector<Dim> row_major_strides(const Shape& shape);

// ONNX multidirectional broadcasting; nullopt if the shapes do not broadcast.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

Dim floor_div(Dim a, Dim b);  // REQUIRES: b > 0
Dim floor_mod(Dim a, Dim b);  // in [0, b), REQUIRES: b > 0

std::string to_string(const Shape& shape);  // "[2,16,28,28]"

}  // namespace pet
