#include "core/analysis/box_cover.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/util/check.h"

namespace pet {
namespace {

constexpr std::size_t kMostBoxes = 4096;

class Grower {
 public:
  Grower(const std::vector<char>& marked, const Shape& shape)
      : left_(marked), shape_(shape), strides_(row_major_strides(shape)) {}

  std::vector<Box> run(std::size_t limit) {
    std::vector<Box> boxes;
    std::vector<std::size_t> order(shape_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (left_[i] == 0) continue;
      if (boxes.size() == limit) return {};
      // Innermost axis first and outermost first find bars that lie along different axes; the
      // larger box wins.
      Box best = grow(i, {order.rbegin(), order.rend()});
      for (std::size_t first = 0; first < order.size(); ++first) {
        std::vector<std::size_t> turned = order;
        std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(first),
                    turned.end());
        Box other = grow(i, turned);
        if (other.volume() > best.volume()) best = std::move(other);
      }
      clear(best);
      boxes.push_back(std::move(best));
    }
    return boxes;
  }

 private:
  Box grow(std::size_t start, const std::vector<std::size_t>& order) const {
    Box box;
    Dim rest = static_cast<Dim>(start);
    for (const Dim stride : strides_) {
      box.low.push_back(rest / stride);
      box.high.push_back(rest / stride + 1);
      rest %= stride;
    }
    for (const std::size_t axis : order) {
      while (box.high[axis] < shape_[axis] && slab_marked(box, axis)) ++box.high[axis];
    }
    return box;
  }

  // Whether the next layer of the box along `axis` is marked throughout.
  bool slab_marked(const Box& box, std::size_t axis) const {
    Box slab = box;
    slab.low[axis] = box.high[axis];
    slab.high[axis] = box.high[axis] + 1;
    bool all = true;
    for_each(slab, [&](std::size_t at) { return all = left_[at] != 0; });
    return all;
  }

  void clear(const Box& box) {
    for_each(box, [&](std::size_t at) {
      left_[at] = 0;
      return true;
    });
  }

  // Until `visit` says stop.
  template <class Visit>
  void for_each(const Box& box, Visit&& visit) const {
    Shape at = box.low;
    for (;;) {
      Dim flat = 0;
      for (std::size_t a = 0; a < at.size(); ++a) flat += at[a] * strides_[a];
      if (!visit(static_cast<std::size_t>(flat))) return;
      std::size_t a = at.size();
      while (a > 0 && ++at[a - 1] == box.high[a - 1]) {
        at[a - 1] = box.low[a - 1];
        --a;
      }
      if (a == 0) return;
    }
  }

  std::vector<char> left_;
  Shape shape_;
  std::vector<Dim> strides_;
};

// The read of an operator that only rearranges elements: one term, nothing outside, no guard.
std::optional<std::vector<IndexExpr>> view_index(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id)) return std::nullopt;
  const Meaning& meaning = graph.meaning(id);
  const auto& terms = meaning.sum.terms;
  if (!is_data_movement(meaning) || terms.size() != 1 || !terms[0].guards.empty())
    return std::nullopt;
  const Node& node = graph.node(id);
  if (count(meaning.sum.out) != count(*graph.node(node.operands[0]).type.shape))
    return std::nullopt;
  return terms[0].factors[0].index;
}

}  // namespace

std::vector<Box> cover(const std::vector<char>& marked, const Shape& factored, std::size_t limit) {
  PET_CHECK(static_cast<Dim>(marked.size()) == count(factored), "one mark a position");
  return Grower(marked, factored).run(limit);
}

DigitBasis basis_of_views(const Graph& graph, NodeId output) {
  const Shape shape = *graph.node(output).type.shape;
  std::vector<std::set<Dim>> borders(shape.size());
  std::vector<IndexExpr> index = identity_index(shape);
  constexpr int kMostViews = 200;  // an index expression may nest as deeply
  NodeId id = output;
  for (int i = 0; i < kMostViews; ++i) {
    const auto view = view_index(graph, id);
    if (!view) break;
    std::vector<IndexExpr> next;
    for (const IndexExpr& e : *view) next.push_back(e.substitute(index));
    index = std::move(next);
    for (const IndexExpr& e : index) {
      for (const auto& part : e.parts()) {
        if (part.axis < 0) continue;
        auto& axis = borders[static_cast<std::size_t>(part.axis)];
        axis.insert(part.divisor);
        if (part.modulus != 0) axis.insert(part.divisor * part.modulus);
      }
    }
    id = graph.node(id).operands[0];
  }
  DigitBasis basis;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    borders[a].insert({1, shape[a]});
    const std::vector<Dim> list(borders[a].begin(), borders[a].end());
    const bool chain = list.back() == shape[a] &&
                       std::adjacent_find(list.begin(), list.end(),
                                          [](Dim x, Dim y) { return y % x != 0; }) == list.end();
    Shape digits;
    for (std::size_t i = list.size() - 1; chain && i-- > 0;)
      digits.push_back(list[i + 1] / list[i]);
    if (digits.empty()) digits.push_back(shape[a]);
    basis.digits.push_back(std::move(digits));
  }
  return basis;
}

Region region_of(const std::vector<char>& marked, const Shape& shape, const DigitBasis& basis) {
  const DigitBasis plain = DigitBasis::plain(shape);
  if (std::all_of(marked.begin(), marked.end(), [](char m) { return m == 0; })) return {plain, {}};
  auto in_plain = cover(marked, plain.flat(), kMostBoxes);
  if (basis == plain) return {plain, std::move(in_plain)};
  auto in_digits = cover(marked, basis.flat(), kMostBoxes);
  const bool digits_win =
      !in_digits.empty() && (in_plain.empty() || in_digits.size() < in_plain.size());
  return digits_win ? Region{basis, std::move(in_digits)} : Region{plain, std::move(in_plain)};
}

}  // namespace pet
