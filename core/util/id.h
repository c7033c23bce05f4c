// Strong ids: an index that cannot be mixed up with an index into something else.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace pet {

template <class Tag>
struct Id {
  std::uint32_t value = 0;

  Id() = default;
  explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  std::size_t index() const { return value; }
  auto operator<=>(const Id&) const = default;
};

}  // namespace pet

template <class Tag>
struct std::hash<pet::Id<Tag>> {
  std::size_t operator()(pet::Id<Tag> id) const noexcept { return id.value; }
};
