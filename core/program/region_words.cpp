#include "core/program/region_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>

namespace pet {
namespace {

constexpr std::size_t kMostBoxes = 400;
constexpr Dim kLongestAxis = 4096;
constexpr std::size_t kMostParts = 4;    // that are said
constexpr std::size_t kMostIndices = 4;  // that are listed
constexpr Dim kLargestDivisor = 1000;    // of a fraction

using Indices = std::vector<Dim>;  // ascending

struct AxisName {
  std::string one;
  std::string many;
  std::string which = {};  // of them, where there is no name for it
};

AxisName name_of(std::size_t axis, std::size_t rank) {
  static const std::array<AxisName, 5> kOfVideos = {{{"clip", "clips"},
                                                     {"channel", "channels"},
                                                     {"frame", "frames"},
                                                     {"row", "rows"},
                                                     {"column", "columns"}}};
  static const std::array<AxisName, 4> kOfImages = {
      {{"image", "images"}, {"channel", "channels"}, {"row", "rows"}, {"column", "columns"}}};
  static const std::array<AxisName, 3> kOfPlanes = {
      {{"plane", "planes"}, {"row", "rows"}, {"column", "columns"}}};
  static const std::array<AxisName, 2> kOfMatrices = {{{"row", "rows"}, {"column", "columns"}}};
  if (rank == kOfVideos.size()) return kOfVideos[axis];
  if (rank == kOfImages.size()) return kOfImages[axis];
  if (rank == kOfPlanes.size()) return kOfPlanes[axis];
  if (rank == kOfMatrices.size()) return kOfMatrices[axis];
  if (rank == 1) return {"element", "elements"};
  return {"position", "positions", fmt::format(" along axis {}", axis)};
}

// The positions along an axis whose digits lie in these ranges.
Indices indices(const Shape& digits, const Dim* low, const Dim* high) {
  Indices out = {0};
  for (std::size_t d = 0; d < digits.size(); ++d) {
    Indices longer;
    for (const Dim index : out) {
      for (Dim digit = low[d]; digit < high[d]; ++digit)
        longer.push_back(index * digits[d] + digit);
    }
    out = std::move(longer);
  }
  return out;
}

// Positions whose indices lie in these sets, whatever the others are.
using Part = std::vector<Indices>;

// The one axis in which they differ; nothing: there are several, or none.
std::optional<std::size_t> differing_axis(const Part& a, const Part& b) {
  std::optional<std::size_t> out;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    if (a[axis] == b[axis]) continue;
    if (out) return std::nullopt;
    out = axis;
  }
  return out;
}

// Boxes are disjoint: what lies side by side along one axis is one part.
void join(std::vector<Part>& parts) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t k = i + 1; k < parts.size();) {
        const auto axis = differing_axis(parts[i], parts[k]);
        if (!axis) {
          ++k;
          continue;
        }
        Indices both;
        std::set_union(parts[i][*axis].begin(), parts[i][*axis].end(), parts[k][*axis].begin(),
                       parts[k][*axis].end(), std::back_inserter(both));
        parts[i][*axis] = std::move(both);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
        changed = true;
      }
    }
  }
}

// The step between neighbours, if it is the same everywhere.
Dim step_of(const Indices& at) {
  for (std::size_t i = 2; i < at.size(); ++i) {
    if (at[i] - at[i - 1] != at[1] - at[0]) return 0;
  }
  return at.size() < 2 ? 0 : at[1] - at[0];
}

std::string listed(const Indices& at) {
  std::string out;
  for (std::size_t i = 0; i < at.size(); ++i)
    out += (i == 0 ? "" : i + 1 == at.size() ? " and " : ", ") + std::to_string(at[i]);
  return out;
}

std::string along(const Indices& at, Dim extent, const AxisName& name) {
  if (at.size() == 1) return fmt::format("{} {}", name.one, at[0]);
  const Dim step = step_of(at);
  if (step == 1 && at.front() == 0) return fmt::format("the first {} {}", at.size(), name.many);
  if (step == 1 && at.back() == extent - 1)
    return fmt::format("the last {} {}", at.size(), name.many);
  if (step == 1) return fmt::format("{} {} to {}", name.many, at.front(), at.back());
  const bool whole = step > 0 && at.front() < step && at.back() + step >= extent;
  if (whole && step == 2) return fmt::format("{} {}", at.front() == 0 ? "even" : "odd", name.many);
  if (at.size() <= kMostIndices) return fmt::format("{} {}", name.many, listed(at));
  if (whole) return fmt::format("{} {}, {}, {} ...", name.many, at[0], at[1], at[2]);
  return fmt::format("{} of the {} {}", at.size(), extent, name.many);
}

std::string words_of(const Part& part, const Shape& shape) {
  std::string out;
  for (std::size_t axis = part.size(); axis-- > 0;) {
    if (static_cast<Dim>(part[axis].size()) == shape[axis]) continue;
    const AxisName name = name_of(axis, shape.size());
    out += (out.empty() ? "" : " of ") + along(part[axis], shape[axis], name) + name.which;
  }
  return out.empty() ? "everything" : out;
}

std::string share(Dim wrong, Dim all) {
  const Dim common = std::gcd(wrong, all);
  if (wrong == all) return "the whole output";
  if (all / common <= kLargestDivisor)
    return fmt::format("{}/{} of the output", wrong / common, all / common);
  return fmt::format("{:.3g} % of the output",
                     100 * static_cast<double>(wrong) / static_cast<double>(all));
}

}  // namespace

std::string where_in_words(const Region& wrong) {
  const Shape shape = wrong.basis.shape();
  if (wrong.empty() || wrong.boxes.size() > kMostBoxes || shape.empty() ||
      std::any_of(shape.begin(), shape.end(), [](Dim extent) { return extent > kLongestAxis; }))
    return {};
  std::vector<Part> parts;
  for (const Box& box : wrong.boxes) {
    Part& part = parts.emplace_back();
    std::size_t first = 0;
    for (const Shape& digits : wrong.basis.digits) {
      part.push_back(indices(digits, box.low.data() + first, box.high.data() + first));
      first += digits.size();
    }
  }
  join(parts);
  std::string out;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostParts); ++i)
    out += (i == 0 ? "" : ", ") + words_of(parts[i], shape);
  if (parts.size() > kMostParts)
    out += fmt::format(" and {} more places", parts.size() - kMostParts);
  return out;
}

std::string in_words(const Region& wrong) {
  const std::string where = where_in_words(wrong);
  return where.empty() ? where : where + ": " + share(wrong.volume(), count(wrong.basis.shape()));
}

}  // namespace pet
