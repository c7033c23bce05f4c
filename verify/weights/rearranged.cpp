#include "verify/weights/rearranged.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/program/views.h"

namespace pet {
namespace {

using Order = std::vector<std::size_t>;

constexpr std::size_t kMostAxes = 5;         // of what is transposed: 120 orders
constexpr std::size_t kMostAxesInParts = 3;  // every order takes a copy
constexpr double kMostElements = 0x1p29;  // looked at for all constants of a file, about a second
constexpr double kMostTimes = 8;          // and all sources so often
constexpr double kPerTry = 64;            // what trying a source takes, in elements

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Whatever order they stand in.
std::uint64_t elements_of(std::span<const float> values) {
  std::uint64_t out = values.size();
  for (const float x : values) {
    std::uint64_t mixed = std::bit_cast<std::uint32_t>(x) * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 29U;
    out += mixed * 0xbf58476d1ce4e5b9ULL;
  }
  return out;
}

// Axes of one element are in nobody's way.
Shape without_ones(const Shape& shape) {
  Shape out;
  std::ranges::copy_if(shape, std::back_inserter(out), [](Dim n) { return n != 1; });
  return out;
}

Order inverse(const Order& order) {
  Order out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

// An array that is read in another order of its axes.
class View {
 public:
  View(std::span<const float> values, const Shape& shape, const Order& order) : values_(values) {
    const Shape strides = row_major_strides(shape);
    for (const std::size_t axis : order) {
      shape_.push_back(shape[axis]);
      strides_.push_back(strides[axis]);
    }
  }

  const Shape& shape() const { return shape_; }

  // How many elements are those of `other` before one is not. REQUIRES: it has as many
  std::size_t in_common(std::span<const float> other) const {
    std::size_t next = 0;
    visit([&](float x) {
      if (!same(x, other[next])) return false;
      ++next;
      return true;
    });
    return next;
  }

  std::vector<float> copy() const {
    std::vector<float> out;
    out.reserve(values_.size());
    visit([&](float x) {
      out.push_back(x);
      return true;
    });
    return out;
  }

 private:
  // Row-major, until `go_on` says no.
  template <class F>
  void visit(const F& go_on) const {
    Shape at(shape_.size(), 0);
    Dim place = 0;
    for (std::size_t left = values_.size(); left > 0; --left) {
      if (!go_on(values_[static_cast<std::size_t>(place)])) return;
      for (std::size_t axis = shape_.size(); axis-- > 0;) {
        place += strides_[axis];
        if (++at[axis] < shape_[axis]) break;
        place -= strides_[axis] * shape_[axis];
        at[axis] = 0;
      }
    }
  }

  std::span<const float> values_;
  Shape shape_;
  Shape strides_;
};

// Alike, but for their extents along one axis.
bool differ_along(const Shape& a, const Shape& b, std::size_t axis) {
  if (a.size() != b.size() || a[axis] == b[axis]) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i != axis && a[i] != b[i]) return false;
  }
  return true;
}

Dim inside(const Shape& shape, std::size_t axis) {
  return count(Shape(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()));
}

std::optional<NodeId> valid(const Result<NodeId>& made) {
  return made ? std::optional(*made) : std::nullopt;
}

}  // namespace

// For one constant.
class Rearrangements::Search {
 public:
  Search(Rearrangements& all, GraphBuilder& builder) : all_(all), b_(builder) {}

  std::optional<NodeId> whole(const Tensor& wanted) {
    const auto values = wanted.floats();
    const Shape mine = without_ones(wanted.shape());
    for (const std::size_t number : numbers(all_.by_elements_, elements_of(values))) {
      if (is_over()) break;
      const auto& source = all_.sources_[number];
      if (source->floats().size() != values.size()) continue;
      const Shape theirs = without_ones(source->shape());
      const auto as_theirs = [&](const Order& order, bool fits_as_it_is) -> std::optional<NodeId> {
        const View view(source->floats(), theirs, order);
        if ((view.shape() == mine) != fits_as_it_is || !equal(view, values)) return std::nullopt;
        return moved(source, theirs, order, wanted.shape());
      };
      // Of several ways one that is no reshape: rows of one number fit in every way.
      for (const bool fits_as_it_is : {true, false}) {
        const auto look = [&](const Order& order) { return as_theirs(order, fits_as_it_is); };
        if (auto made = first_order(theirs.size(), kMostAxes, look)) return made;
      }
      const auto as_mine = [&](const Order& order) -> std::optional<NodeId> {
        const View view(values, mine, order);
        if (!equal(view, source->floats())) return std::nullopt;
        return moved(source, view.shape(), inverse(order), wanted.shape());
      };
      if (auto made = first_order(mine.size(), kMostAxes, as_mine)) return made;
    }
    return std::nullopt;
  }

  std::optional<NodeId> in_parts(const Tensor& wanted) {
    // Of one number (0, most often) pieces are everywhere.
    const auto is_first = [&](float x) { return same(x, wanted.floats()[0]); };
    if (std::ranges::all_of(wanted.floats(), is_first)) return std::nullopt;
    const auto look = [&](const Order& order) -> std::optional<NodeId> {
      all_.left_ -= static_cast<double>(wanted.floats().size());
      const View view(wanted.floats(), wanted.shape(), order);
      const std::vector<float> values = view.copy();
      auto made = piece(values, view.shape());
      if (!made) made = joined(values, view.shape());
      return made ? valid(views::transpose(b_, *made, inverse(order))) : std::nullopt;
    };
    return first_order(wanted.shape().size(), kMostAxesInParts, look);
  }

 private:
  // Whether no more is looked at.
  bool is_over() const { return all_.left_ <= 0 || all_.stop_.stop_requested(); }

  // Calls `look` with one order of the axes after the other until it yields something; the given
  // order comes first, and is the only one of more axes than `most`.
  template <class F>
  std::optional<NodeId> first_order(std::size_t axes, std::size_t most, const F& look) {
    Order order(axes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      if (is_over()) break;
      all_.left_ -= kPerTry;
      if (auto found = look(order)) return found;
    } while (axes <= most && std::next_permutation(order.begin(), order.end()));
    return std::nullopt;
  }

  bool equal(const View& view, std::span<const float> other) {
    const std::size_t in_common = view.in_common(other);
    all_.left_ -= static_cast<double>(in_common);
    return in_common == other.size();
  }

  template <class Key>
  static const Numbers& numbers(const std::map<Key, Numbers>& by, Key key) {
    static const Numbers kNone;
    const auto it = by.find(key);
    return it == by.end() ? kNone : it->second;
  }

  NodeId leaf(const std::shared_ptr<const Tensor>& source) {
    return b_.add_input(source->digest().hex(), source->type());
  }

  // Reshaped, transposed, reshaped.
  std::optional<NodeId> moved(const std::shared_ptr<const Tensor>& source, const Shape& grouped,
                              const Order& order, const Shape& shape) {
    auto made = views::reshape(b_, leaf(source), grouped);
    if (made) made = views::transpose(b_, *made, order);
    if (made) made = views::reshape(b_, *made, shape);
    return valid(made);
  }

  // Whether the smaller stands in the larger from `offset` along the axis on.
  bool stands_at(std::span<const float> smaller, const Shape& its_shape,
                 std::span<const float> larger, Dim extent, std::size_t axis, Dim offset) {
    all_.left_ -= kPerTry;
    const Dim inner = inside(its_shape, axis);
    const auto length = static_cast<std::size_t>(its_shape[axis] * inner);
    const auto stride = static_cast<std::size_t>(extent * inner);
    const float* there = larger.data() + static_cast<std::size_t>(offset * inner);
    for (std::size_t at = 0; at < smaller.size(); at += length, there += stride) {
      const float* row = smaller.data() + at;
      const auto alike =
          static_cast<std::size_t>(std::mismatch(row, row + length, there, same).first - row);
      all_.left_ -= static_cast<double>(alike);
      if (alike < length || is_over()) return false;
    }
    return true;
  }

  // A piece of one source.
  std::optional<NodeId> piece(std::span<const float> values, const Shape& shape) {
    for (const std::size_t number : numbers(all_.by_rank_, static_cast<Dim>(shape.size()))) {
      const auto& source = all_.sources_[number];
      all_.left_ -= kPerTry;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (!differ_along(shape, source->shape(), axis)) continue;
        const Dim extent = source->shape()[axis];
        for (Dim offset = 0; offset + shape[axis] <= extent; ++offset) {
          if (is_over()) return std::nullopt;
          if (stands_at(values, shape, source->floats(), extent, axis, offset))
            return valid(views::slice(b_, leaf(source), axis, offset, shape[axis]));
        }
      }
    }
    return std::nullopt;
  }

  // Several sources side by side: of each place the first that fits.
  std::optional<NodeId> joined(std::span<const float> values, const Shape& shape) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      std::vector<NodeId> parts;
      Dim offset = 0;
      const auto fits = [&](std::size_t number) {
        const Tensor& source = *all_.sources_[number];
        all_.left_ -= kPerTry;
        return !is_over() && differ_along(source.shape(), shape, axis) &&
               source.shape()[axis] <= shape[axis] - offset &&
               stands_at(source.floats(), source.shape(), values, shape[axis], axis, offset);
      };
      while (offset < shape[axis]) {
        const float first = values[static_cast<std::size_t>(offset * inside(shape, axis))];
        const Numbers& there = numbers(all_.by_first_, std::bit_cast<std::uint32_t>(first));
        const auto part = std::ranges::find_if(there, fits);
        if (part == there.end()) break;
        parts.push_back(leaf(all_.sources_[*part]));
        offset += all_.sources_[*part]->shape()[axis];
      }
      if (offset == shape[axis]) return valid(views::concat(b_, parts, axis));
    }
    return std::nullopt;
  }

  Rearrangements& all_;
  GraphBuilder& b_;
};

Rearrangements::Rearrangements(std::vector<std::shared_ptr<const Tensor>> sources,
                               std::stop_token stop)
    : sources_(std::move(sources)), stop_(std::move(stop)), left_(kMostElements) {
  for (std::size_t i = 0; i < sources_.size() && !stop_.stop_requested(); ++i) {
    const auto values = sources_[i]->floats();
    left_ += kMostTimes * static_cast<double>(values.size());
    by_elements_[elements_of(values)].push_back(i);
    by_first_[std::bit_cast<std::uint32_t>(values.front())].push_back(i);
    by_rank_[static_cast<Dim>(sources_[i]->shape().size())].push_back(i);
  }
}

std::optional<NodeId> Rearrangements::whole(GraphBuilder& b, const Tensor& wanted) {
  return Search(*this, b).whole(wanted);
}

std::optional<NodeId> Rearrangements::in_parts(GraphBuilder& b, const Tensor& wanted) {
  return Search(*this, b).in_parts(wanted);
}

}  // namespace pet
