#include "core/analysis/product.h"

#include <algorithm>
#include <map>
#include <set>

namespace pet {
namespace {

struct Accesses {
  const Term* term = nullptr;
  const Access* data = nullptr;
  const Access* weight = nullptr;
  const Access* bias = nullptr;
};

bool plain(const Term& term) {
  return term.guards.empty() && term.coef.tables.empty() && term.coef.scale == Rational(1);
}

std::optional<Accesses> find_accesses(const Meaning& meaning, std::size_t data_operand,
                                      std::size_t operands) {
  if (!meaning.applications.empty()) return std::nullopt;
  Accesses out;
  for (const Term& term : meaning.sum.terms) {
    if (!plain(term)) return std::nullopt;
    if (term.factors.size() == 2 && out.term == nullptr) {
      const bool first = static_cast<std::size_t>(term.factors[0].operand) == data_operand;
      out.term = &term;
      out.data = &term.factors[first ? 0 : 1];
      out.weight = &term.factors[first ? 1 : 0];
    } else if (term.factors.size() == 1 && term.reduce.empty() && out.bias == nullptr) {
      out.bias = &term.factors[0];
    } else {
      return std::nullopt;
    }
  }
  if (out.term == nullptr || out.data->operand == out.weight->operand) return std::nullopt;
  if (static_cast<std::size_t>(out.data->operand) != data_operand) return std::nullopt;
  for (const Access* access : {out.data, out.weight, out.bias}) {
    if (access != nullptr && static_cast<std::size_t>(access->operand) >= operands)
      return std::nullopt;
  }
  const bool shared = out.bias != nullptr && (out.bias->operand == out.data->operand ||
                                              out.bias->operand == out.weight->operand);
  return shared ? std::nullopt : std::optional(out);
}

// Reads the roles of all axes off the two accesses.
class Reader {
 public:
  Reader(const Graph& graph, NodeId node, const Meaning& meaning, const Accesses& accesses)
      : graph_(graph), sum_(meaning.sum), accesses_(accesses) {
    const auto& operands = graph.node(node).operands;
    product_.node = node;
    product_.data = operand(operands, *accesses.data);
    product_.weight = operand(operands, *accesses.weight);
    if (accesses.bias != nullptr) product_.bias = operand(operands, *accesses.bias);
    extents_ = sum_.out;
    extents_.insert(extents_.end(), accesses.term->reduce.begin(), accesses.term->reduce.end());
    in_weight_.assign(extents_.size(), -1);
    parts_.resize(extents_.size());
  }

  std::optional<Product> read() {
    if (!read_weight()) return std::nullopt;
    const Shape& shape = *graph_.node(product_.data).type.shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      product_.data_dims.emplace_back();
      if (!read_data(accesses_.data->index[d], shape[d])) return std::nullopt;
    }
    finish_features();
    for (std::size_t a = 0; a < extents_.size(); ++a) {
      if (extents_[a] != 1 && parts_[a].empty()) return std::nullopt;  // summed or repeated freely
    }
    for (std::size_t o = 0; o < sum_.out.size(); ++o) product_.result_dims.push_back(parts_[o]);
    for (const int axis : weight_axes_) {
      product_.weight_dims.push_back(axis < 0 ? std::vector<std::size_t>{}
                                              : parts_[static_cast<std::size_t>(axis)]);
    }
    if (!read_bias()) return std::nullopt;
    return std::move(product_);
  }

 private:
  static NodeId operand(const std::vector<NodeId>& operands, const Access& access) {
    return operands[static_cast<std::size_t>(access.operand)];
  }
  static bool is_axis(const IndexExpr& e) {
    return e.constant() == 0 && e.parts().size() == 1 && e.parts()[0].is_plain_axis() &&
           e.parts()[0].coefficient == 1;
  }
  bool is_result(std::size_t axis) const { return axis < sum_.out.size(); }

  std::size_t add(const ProductAxis& axis) {
    product_.axes.push_back(axis);
    return product_.axes.size() - 1;
  }

  bool read_weight() {
    const Shape& shape = *graph_.node(product_.weight).type.shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const IndexExpr& e = accesses_.weight->index[d];
      if (e == IndexExpr(0) && shape[d] == 1) {
        weight_axes_.push_back(-1);
        continue;
      }
      if (!is_axis(e)) return false;
      const auto axis = static_cast<std::size_t>(e.parts()[0].axis);
      if (in_weight_[axis] >= 0 || extents_[axis] != shape[d]) return false;
      in_weight_[axis] = static_cast<int>(d);
      weight_axes_.push_back(static_cast<int>(axis));
    }
    return true;
  }

  bool read_data(const IndexExpr& e, Dim extent) {
    const IndexExpr::Part* moved = nullptr;   // by an axis of the result alone
    const IndexExpr::Part* shared = nullptr;  // by one that the weight has too
    const IndexExpr::Part* summed = nullptr;
    for (const IndexExpr::Part& part : e.parts()) {
      if (part.axis < 0 || part.modulus != 0 || part.coefficient < 1) return false;
      const auto axis = static_cast<std::size_t>(part.axis);
      if (!parts_[axis].empty()) return false;
      const auto*& slot = !is_result(axis) ? summed : in_weight_[axis] >= 0 ? shared : moved;
      if (slot != nullptr || (&slot != &shared && part.divisor != 1)) return false;
      slot = &part;
    }
    if (summed != nullptr && in_weight_[static_cast<std::size_t>(summed->axis)] < 0) return false;
    if (moved != nullptr)
      return shared == nullptr && read_moved(*moved, summed, e.constant(), extent);
    if (e.constant() != 0) return false;
    return read_summed(shared, summed, extent);
  }

  bool read_moved(const IndexExpr::Part& moved, const IndexExpr::Part* tap, Dim constant,
                  Dim extent) {
    const auto axis = static_cast<std::size_t>(moved.axis);
    ProductAxis out{.role = AxisRole::Slide, .data = extent, .weight = 1, .result = extents_[axis]};
    out.slide.stride = moved.coefficient;
    out.slide.before = -constant;
    if (tap != nullptr) {
      out.weight = extents_[static_cast<std::size_t>(tap->axis)];
      out.slide.taps = out.weight;
      out.slide.dilation = out.weight == 1 ? 1 : tap->coefficient;
    }
    if (out.slide.before < 0) return false;
    const Dim needed =
        (out.result - 1) * out.slide.stride + out.slide.reach() - extent - out.slide.before;
    out.slide.after = std::max<Dim>(needed, 0);
    if (out.slide.length(extent) != out.result) return false;
    if (out.slide.moves_nothing() && extent == out.result) {
      if (extent == 1) return true;
      out.role = AxisRole::Batch;
    }
    const std::size_t id = add(out);
    product_.data_dims.back().push_back(id);
    parts_[axis].push_back(id);
    if (tap != nullptr && out.weight > 1) parts_[static_cast<std::size_t>(tap->axis)].push_back(id);
    return true;
  }

  bool read_summed(const IndexExpr::Part* shared, const IndexExpr::Part* summed, Dim extent) {
    const Dim channels = summed == nullptr ? 1 : extents_[static_cast<std::size_t>(summed->axis)];
    if (summed != nullptr && summed->coefficient != 1) return false;
    Dim groups = 1;
    if (shared != nullptr) {
      const auto axis = static_cast<std::size_t>(shared->axis);
      if (extents_[axis] % shared->divisor != 0) return false;
      groups = extents_[axis] / shared->divisor;
      if (groups > 1) {
        if (shared->coefficient != channels) return false;
        const std::size_t id =
            add({.role = AxisRole::Group, .data = groups, .weight = groups, .result = groups});
        product_.data_dims.back().push_back(id);
        parts_[axis].push_back(id);
      }
    }
    if (extent != groups * channels) return false;
    if (channels > 1) {
      const std::size_t id = add({.role = AxisRole::Channel, .data = channels, .weight = channels});
      product_.data_dims.back().push_back(id);
      parts_[static_cast<std::size_t>(summed->axis)].push_back(id);
    }
    return true;
  }

  // What is left of the axes that weight and result share.
  void finish_features() {
    for (std::size_t a = 0; a < sum_.out.size(); ++a) {
      if (in_weight_[a] < 0) continue;
      Dim rest = extents_[a];
      for (const std::size_t id : parts_[a]) rest /= product_.axes[id].result;
      if (rest > 1)
        parts_[a].push_back(add({.role = AxisRole::Feature, .weight = rest, .result = rest}));
    }
  }

  bool read_bias() {
    if (accesses_.bias == nullptr) return true;
    const Shape& shape = *graph_.node(*product_.bias).type.shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const IndexExpr& e = accesses_.bias->index[d];
      product_.bias_dims.emplace_back();
      if (e == IndexExpr(0) && shape[d] == 1) continue;
      if (!is_axis(e)) return false;
      const auto axis = static_cast<std::size_t>(e.parts()[0].axis);
      if (extents_[axis] != shape[d]) return false;
      for (const std::size_t id : parts_[axis]) {
        if (product_.axes[id].role != AxisRole::Group &&
            product_.axes[id].role != AxisRole::Feature)
          return false;
        product_.bias_dims.back().push_back(id);
      }
    }
    return is_bias_whole();
  }

  // A bias that is spread over features has no place along them.
  bool is_bias_whole() const {
    std::set<std::size_t> read;
    for (const auto& dims : product_.bias_dims) read.insert(dims.begin(), dims.end());
    for (std::size_t id = 0; id < product_.axes.size(); ++id) {
      const auto& axis = product_.axes[id];
      const bool is_feature = axis.role == AxisRole::Group || axis.role == AxisRole::Feature;
      if (is_feature && axis.result > 1 && !read.contains(id)) return false;
    }
    return true;
  }

  const Graph& graph_;
  const IndexedSum& sum_;
  const Accesses& accesses_;
  Product product_;
  Shape extents_;
  std::vector<int> in_weight_;                   // by axis of the meaning: its dimension there
  std::vector<int> weight_axes_;                 // by dimension of the weight
  std::vector<std::vector<std::size_t>> parts_;  // by axis of the meaning
};

}  // namespace

Dim Slide::length(Dim data) const {
  const Dim room = data + before + after - reach();
  return room < 0 ? 0 : room / stride + 1;
}

std::optional<Dim> Slide::after_for(Dim data, Dim result) const {
  if (length(data) == result) return after;
  const Dim needed = (result - 1) * stride + reach() - data - before;
  if (needed < 0) return needed > -stride ? std::optional<Dim>(0) : std::nullopt;
  return needed < reach() ? std::optional(needed) : std::nullopt;
}

bool Product::has(AxisRole role) const {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const ProductAxis& a) { return a.role == role; });
}

bool Product::same_but_features(const Product& other) const {
  if (axes.size() != other.axes.size() || data_dims != other.data_dims ||
      weight_dims != other.weight_dims || result_dims != other.result_dims ||
      bias.has_value() != other.bias.has_value() || bias_dims != other.bias_dims)
    return false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const ProductAxis& a = axes[i];
    const ProductAxis& b = other.axes[i];
    if (a.role != b.role || !(a.slide == b.slide) || a.data != b.data) return false;
    if (a.role != AxisRole::Feature && (a.weight != b.weight || a.result != b.result)) return false;
  }
  return true;
}

std::optional<Product> read_product(const Graph& graph, NodeId node, std::size_t data_operand) {
  if (!graph.has_meaning(node)) return std::nullopt;
  const Meaning& meaning = graph.meaning(node);
  const auto accesses = find_accesses(meaning, data_operand, graph.node(node).operands.size());
  if (!accesses) return std::nullopt;
  return Reader(graph, node, meaning, *accesses).read();
}

std::optional<Product> read_product(const Graph& graph, NodeId node) {
  if (graph.node(node).op() == nullptr) return std::nullopt;
  const auto& operands = graph.node(node).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (graph.node(operands[i]).constant() != nullptr) continue;
    if (auto product = read_product(graph, node, i)) return product;
  }
  return std::nullopt;
}

}  // namespace pet
