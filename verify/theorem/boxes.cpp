#include "verify/theorem/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pet::theorem {
namespace {

// One row a coordinate of the output. A digit that stands still in the box is a number.
std::vector<Dim> coordinates(const DigitBasis& basis, const std::vector<Range>& box) {
  const std::size_t width = 1 + box.size();
  std::vector<Dim> out;
  std::size_t first = 0;
  for (const Shape& digits : basis.digits) {
    const auto weights = row_major_strides(digits);
    const std::size_t row = out.size();
    out.resize(row + width, 0);
    for (std::size_t k = 0; k < digits.size(); ++k) {
      const Range& range = box[first + k];
      if (range.extent() == 1) {
        out[row] += weights[k] * range.low;
      } else {
        out[row + 1 + first + k] = weights[k];
      }
    }
    first += digits.size();
  }
  return out;
}

class Checked {
 public:
  Checked(const Program& original, NodeId original_output, const Program& mutant,
          NodeId mutant_output, Steps& steps)
      : original_(original),
        mutant_(mutant),
        outputs_{original_output, mutant_output},
        steps_(steps),
        grid_(*original.graph().node(original_output).type.shape) {}

  Result<Boxes> run() {
    for (;;) {
      const auto all = grid_.boxes();
      if (!all)
        return Error{fmt::format("more than {} boxes", Grid::kMost), ErrorKind::Unsupported};
      auto need = look_at(*all);
      if (!need) return std::move(need).error();
      if (*need) continue;
      Boxes out{grid_.basis(), {}, {}};
      for (const auto& box : *all) out.boxes.push_back({box, looked_at_.at(box)});
      out.size = size_;
      return out;
    }
  }

 private:
  // Whether something was cut anew.
  Result<bool> look_at(const std::vector<std::vector<Range>>& boxes) {
    for (const auto& box : boxes) {
      if (looked_at_.contains(box)) continue;
      auto found = look_at(box);
      if (!found) return std::move(found).error();
      if (!*found) continue;
      const Need& need = **found;
      if (need.how == Need::How::Split) {
        grid_.split(need.digit, need.value);
      } else {
        grid_.refine(need.digit, need.value);
        looked_at_.clear();
      }
      return true;
    }
    return false;
  }

  Result<std::optional<Need>> look_at(const std::vector<Range>& box) {
    const DigitBox digits(box, grid_.digits());
    const std::vector<std::vector<Dim>> rows{coordinates(grid_.basis(), box)};
    LeafReads reads(original_.leaves(), digits.width());
    Hypotheses hypotheses(original_.leaves(), reads);
    for (const Program* program : {&original_, &mutant_}) {
      const NodeId output = outputs_[program == &mutant_ ? 1 : 0];
      auto written = write_out(*program, output, rows, digits, reads, steps_);
      if (const Need* need = std::get_if<Need>(&written)) return std::optional(*need);
      if (Error* error = std::get_if<Error>(&written)) return std::move(*error);
      if (auto added = hypotheses.add(std::get<Circuit>(written)); !added)
        return std::move(added).error();
    }
    const auto broken = hypotheses.broken();
    looked_at_[box] = broken.value_or("");
    if (!broken) {
      const PolynomialSize size = hypotheses.size();
      size_.degree = std::max(size_.degree, size.degree);
      size_.length_bits = std::max(size_.length_bits, size.length_bits);
    }
    return std::optional<Need>();
  }

  const Program& original_;
  const Program& mutant_;
  const std::array<NodeId, 2> outputs_;
  Steps& steps_;
  Grid grid_;
  std::map<std::vector<Range>, std::string> looked_at_;
  PolynomialSize size_;
};

}  // namespace

Grid::Grid(const Shape& shape)
    : basis_(DigitBasis::plain(shape)), digits_(basis_.flat()), splits_(digits_.size()) {}

void Grid::refine(std::size_t digit, Dim inner) {
  std::size_t first = 0;
  for (Shape& digits : basis_.digits) {
    if (digit >= first && digit < first + digits.size()) {
      const auto at = digits.begin() + static_cast<std::ptrdiff_t>(digit - first);
      *at /= inner;
      digits.insert(at + 1, inner);
      break;
    }
    first += digits.size();
  }
  digits_ = basis_.flat();
  splits_[digit].clear();
  splits_.insert(splits_.begin() + static_cast<std::ptrdiff_t>(digit) + 1, std::set<Dim>{});
}

std::optional<std::vector<std::vector<Range>>> Grid::boxes() const {
  std::vector<std::vector<Range>> out{{}};
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    std::vector<Range> ranges;
    Dim low = 0;
    for (const Dim at : splits_[d]) ranges.push_back({std::exchange(low, at), at});
    ranges.push_back({low, digits_[d]});
    if (out.size() * ranges.size() > kMost) return std::nullopt;
    std::vector<std::vector<Range>> longer;
    for (const auto& box : out) {
      for (const Range& range : ranges) {
        longer.push_back(box);
        longer.back().push_back(range);
      }
    }
    out = std::move(longer);
  }
  return out;
}

Result<Boxes> checked_boxes(const Program& original, NodeId original_output, const Program& mutant,
                            NodeId mutant_output, Steps& steps) {
  return Checked(original, original_output, mutant, mutant_output, steps).run();
}

std::vector<Shape> tested_positions(const std::vector<Range>& box, const DigitBasis& basis) {
  Shape corner;
  std::vector<std::pair<std::size_t, Dim>> steps;  // which coordinate a digit moves, and how far
  std::size_t digit = 0;
  for (std::size_t axis = 0; axis < basis.digits.size(); ++axis) {
    const auto weights = row_major_strides(basis.digits[axis]);
    corner.push_back(0);
    for (const Dim weight : weights) {
      const Range& range = box[digit++];
      corner.back() += weight * range.low;
      if (range.extent() > 1) steps.emplace_back(axis, weight);
    }
  }
  std::vector<Shape> out{corner};
  for (const auto& [axis, step] : steps) {
    out.push_back(corner);
    out.back()[axis] += step;
  }
  return out;
}

}  // namespace pet::theorem
