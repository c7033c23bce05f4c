#include "gpu/emulate/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pet::gpu {

Arena::Arena(const Plan& plan)
    : plan_(plan),
      values_(plan.arena / sizeof(float), std::numeric_limits<float>::quiet_NaN()),
      written_(values_.size(), 0) {}

std::size_t Arena::first(BufferId id) const { return plan_.buffer(id).offset / sizeof(float); }

void Arena::poison(BufferId id) {
  const auto size = static_cast<std::size_t>(plan_.buffer(id).elements);
  std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(first(id)), size,
              std::numeric_limits<float>::quiet_NaN());
  std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(first(id)), size, char{0});
}

void Arena::fill(BufferId id, std::span<const float> values) {
  std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>(first(id)));
  std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(first(id)), values.size(), char{1});
}

bool Arena::check(BufferId id, Dim offset, const char* what) {
  const Buffer& buffer = plan_.buffer(id);
  if (offset >= 0 && offset < buffer.elements) return true;
  if (fault_.empty())
    fault_ = fmt::format("{} element {} of buffer {} ({}), which has {}", what, offset, id.index(),
                         buffer.name, buffer.elements);
  return false;
}

float Arena::read(BufferId id, Dim offset) {
  if (!check(id, offset, "reads")) return 0;
  const Buffer& buffer = plan_.buffer(id);
  const auto place = static_cast<std::size_t>(offset);
  if (buffer.role == Role::Constant) return buffer.constant->floats()[place];
  if (written_[first(id) + place] == 0 && fault_.empty())
    fault_ = fmt::format("reads element {} of buffer {} ({}), which nobody has written", offset,
                         id.index(), buffer.name);
  return values_[first(id) + place];
}

void Arena::write(BufferId id, Dim offset, float value) {
  if (!check(id, offset, "writes")) return;
  values_[first(id) + static_cast<std::size_t>(offset)] = value;
  written_[first(id) + static_cast<std::size_t>(offset)] = 1;
}

Dim Arena::unwritten(BufferId id) const {
  const auto from = written_.begin() + static_cast<std::ptrdiff_t>(first(id));
  return std::count(from, from + plan_.buffer(id).elements, char{0});
}

std::vector<float> Arena::values(BufferId id) const {
  const Buffer& buffer = plan_.buffer(id);
  if (buffer.role == Role::Constant) {
    const auto floats = buffer.constant->floats();
    return {floats.begin(), floats.end()};
  }
  const auto from = values_.begin() + static_cast<std::ptrdiff_t>(first(id));
  return {from, from + buffer.elements};
}

}  // namespace pet::gpu
