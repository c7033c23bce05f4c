#include "core/program/mutate/compose.h"

#include <map>

#include "core/ops/ops.h"

namespace pet::mutation {
namespace {

constexpr int kMiddle =
    -2;  // the digit that is summed over: features of one, channels of the other

// The axes of two products along the value between them, paired.
class Pairing {
 public:
  Pairing(const Product& first, const Product& second) : first_(first), second_(second) {}

  std::optional<Product> composed() {
    if (first_.bias || first_.result_dims.size() != second_.data_dims.size()) return std::nullopt;
    for (std::size_t d = 0; d < first_.result_dims.size(); ++d) {
      const auto& a = first_.result_dims[d];
      const auto& b = second_.data_dims[d];
      if (a.size() != b.size() || a.size() > 1) return std::nullopt;
      if (a.size() == 1 && !pair(a[0], b[0])) return std::nullopt;
    }
    if (middles_ != 1) return std::nullopt;
    for (std::size_t i = 0; i < first_.axes.size(); ++i) {
      if (first_.axes[i].role == AxisRole::Channel) of_first_[i] = add(first_.axes[i]);
    }
    for (std::size_t i = 0; i < second_.axes.size(); ++i) {
      if (second_.axes[i].role == AxisRole::Feature) of_second_[i] = add(second_.axes[i]);
    }
    out_.node = second_.node;
    out_.data = first_.data;
    out_.weight = second_.weight;
    out_.bias = second_.bias;
    out_.data_dims = mapped(first_.data_dims, of_first_);
    out_.result_dims = mapped(second_.result_dims, of_second_);
    out_.bias_dims = mapped(second_.bias_dims, of_second_);
    for (const AxisRole role :
         {AxisRole::Group, AxisRole::Feature, AxisRole::Channel, AxisRole::Slide}) {
      for (std::size_t i = 0; i < out_.axes.size(); ++i) {
        if (out_.axes[i].role == role && out_.axes[i].weight > 1) out_.weight_dims.push_back({i});
      }
    }
    return out_;
  }

  // Which axis of the composed product an axis of one of the two has become.
  const std::map<std::size_t, std::size_t>& of_first() const { return of_first_; }
  const std::map<std::size_t, std::size_t>& of_second() const { return of_second_; }

 private:
  std::size_t add(const ProductAxis& axis) {
    out_.axes.push_back(axis);
    return out_.axes.size() - 1;
  }

  bool pair(std::size_t i, std::size_t j) {
    const ProductAxis& a = first_.axes[i];
    const ProductAxis& b = second_.axes[j];
    if (a.role == AxisRole::Feature && b.role == AxisRole::Channel) {
      ++middles_;
      return true;
    }
    const bool same = a.role == b.role && (a.role == AxisRole::Batch || a.role == AxisRole::Group);
    const bool first_slides = a.role == AxisRole::Slide && b.role == AxisRole::Batch;
    const bool second_slides = a.role == AxisRole::Batch && b.role == AxisRole::Slide;
    if (!same && !first_slides && !second_slides) return false;
    ProductAxis both = first_slides ? a : b;
    both.data = a.data;
    both.result = b.result;
    of_first_[i] = of_second_[j] = add(both);
    return true;
  }

  static AxisDims mapped(const AxisDims& dims, const std::map<std::size_t, std::size_t>& to) {
    AxisDims out;
    for (const auto& dim : dims) {
      out.emplace_back();
      for (const std::size_t axis : dim) out.back().push_back(to.at(axis));
    }
    return out;
  }

  const Product& first_;
  const Product& second_;
  Product out_;
  std::map<std::size_t, std::size_t> of_first_;
  std::map<std::size_t, std::size_t> of_second_;
  int middles_ = 0;
};

// A product's weight in the digits of the composed one.
DigitTensor weight_of(NodeId node, const Product& product,
                      const std::map<std::size_t, std::size_t>& becomes,
                      const std::map<std::size_t, int>& digit_of) {
  std::vector<std::vector<Digit>> dims;
  for (const auto& axes : product.weight_dims) {
    dims.emplace_back();
    for (const std::size_t axis : axes) {
      const auto found = becomes.find(axis);
      const int id = found == becomes.end() ? kMiddle : digit_of.at(found->second);
      dims.back().push_back({id, product.axes[axis].weight});
    }
  }
  return DigitTensor(node, std::move(dims));
}

}  // namespace

std::optional<State> composed_state(const Product& first, const Product& second) {
  auto product = Pairing(first, second).composed();
  if (!product) return std::nullopt;
  State state = state_of(*product);
  state.composition = std::make_shared<const Composition>(Composition{first, second});
  state.moves.emplace_back(move::ComposeWeights{});
  return state;
}

Result<DigitTensor> compose_weights(GraphBuilder& b, const Composition& both, NodeId one,
                                    NodeId other, const DigitDims& dims,
                                    const std::vector<Dim>& extents) {
  Pairing pairing(both.first, both.second);
  const auto product = pairing.composed();
  PET_CHECK(product.has_value(), "only products that compose are composed");
  std::map<std::size_t, int> digit_of;
  for (std::size_t d = 0; d < dims.size(); ++d) digit_of[product->weight_dims[d][0]] = dims[d][0];
  DigitTensor left = weight_of(other, both.second, pairing.of_second(), digit_of);
  DigitTensor right = weight_of(one, both.first, pairing.of_first(), digit_of);
  std::vector<int> groups;
  std::vector<int> rows;
  std::vector<int> columns;
  for (const auto& dim : dims) {
    const int digit = dim[0];
    if (left.has(digit) && right.has(digit))
      groups.push_back(digit);
    else
      (left.has(digit) ? rows : columns).push_back(digit);
  }
  DigitDims made = {rows, columns};
  DigitDims left_dims = {rows, {kMiddle}};
  DigitDims right_dims = {{kMiddle}, columns};
  if (!groups.empty()) {
    for (DigitDims* all : {&made, &left_dims, &right_dims}) all->insert(all->begin(), groups);
  }
  if (auto status = left.arrange(b, left_dims); !status) return std::move(status).error();
  if (auto status = right.arrange(b, right_dims); !status) return std::move(status).error();
  auto node = b.add(ops::mat_mul(), {}, {left.node(), right.node()});
  if (!node) return std::move(node).error();
  std::vector<std::vector<Digit>> sized;
  for (const auto& dim : made) {
    sized.emplace_back();
    for (const int digit : dim)
      sized.back().push_back({digit, extents[static_cast<std::size_t>(digit)]});
  }
  return DigitTensor(*node, std::move(sized));
}

}  // namespace pet::mutation
