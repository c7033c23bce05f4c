#include "verify/symmetry/digit_program.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "verify/region/narrowing.h"

namespace pet::symmetry {
namespace {

using region::Affine;
using region::Narrow;
using region::Range;
using region::Ranges;

// More often than that nothing is split, or axes are cut in a way that helps nobody.
constexpr std::size_t kMostSplits = 256;

// The digits of an axis, outermost first; none of an axis of one element.
using AxisDigits = Shape;

// One of the two programs' values before it is written in digits.
struct Source {
  std::optional<DigitLeaf> leaf;
  Shape shape;
  const Meaning* meaning = nullptr;
  std::vector<std::size_t> operands;
  std::vector<AxisDigits> axes;               // of its own
  std::vector<std::vector<AxisDigits>> sums;  // by term and axis that is summed over
};

AxisDigits whole(Dim extent) { return extent == 1 ? AxisDigits{} : AxisDigits{extent}; }

std::vector<AxisDigits> whole(const Shape& shape) {
  std::vector<AxisDigits> out;
  for (const Dim extent : shape) out.push_back(whole(extent));
  return out;
}

Shape in_a_row(const std::vector<AxisDigits>& axes) {
  Shape out;
  for (const AxisDigits& axis : axes) out.insert(out.end(), axis.begin(), axis.end());
  return out;
}

// The axes of one term as sums of digits.
class Digits {
 public:
  Digits(const std::vector<AxisDigits>& own, const std::vector<AxisDigits>& sums) {
    add(own);
    ranges_.digits = ranges_.of.size();
    add(sums);
  }

  const std::vector<Affine>& axes() const { return axes_; }
  const std::vector<IndexExpr>& expressions() const { return expressions_; }
  const Ranges& ranges() const { return ranges_; }
  // Which digit of which axis.
  std::pair<std::size_t, std::size_t> place(region::Var var) const {
    return places_[static_cast<std::size_t>(var)];
  }
  std::vector<region::Var> of_axis(int axis) const {
    std::vector<region::Var> out;
    for (std::size_t var = 0; var < places_.size(); ++var) {
      if (places_[var].first == static_cast<std::size_t>(axis))
        out.push_back(static_cast<region::Var>(var));
    }
    return out;
  }

 private:
  void add(const std::vector<AxisDigits>& axes) {
    for (const AxisDigits& digits : axes) {
      Affine sum;
      IndexExpr expression;
      const Shape strides = row_major_strides(digits);
      for (std::size_t k = 0; k < digits.size(); ++k) {
        const auto var = static_cast<region::Var>(ranges_.of.size());
        places_.emplace_back(axes_.size(), k);
        ranges_.of.push_back({0, digits[k]});
        sum += Affine::of(var, strides[k]);
        expression += v(var) * strides[k];
      }
      axes_.push_back(std::move(sum));
      expressions_.push_back(std::move(expression));
    }
  }

  std::vector<Affine> axes_;
  std::vector<IndexExpr> expressions_;
  Ranges ranges_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
};

IndexExpr expression_of(const Affine& e) {
  IndexExpr out(e.constant());
  for (const auto& [var, coefficient] : e.parts()) out += v(var) * coefficient;
  return out;
}

// Digits of which a read digit is made of, where it is several whole ones in a row.
std::optional<AxisDigits> made_of(const Affine& e, Dim extent, const Ranges& ranges) {
  if (e.parts().size() < 2 || e.constant() != 0) return std::nullopt;
  std::vector<Affine::Part> parts(e.parts().begin(), e.parts().end());
  std::ranges::sort(parts, {}, &Affine::Part::coefficient);
  AxisDigits out;
  Dim stride = 1;
  for (const auto& [var, coefficient] : parts) {
    if (coefficient != stride) return std::nullopt;
    out.insert(out.begin(), ranges[var].extent());
    stride *= ranges[var].extent();
  }
  return stride == extent ? std::optional(out) : std::nullopt;
}

class Builder {
 public:
  Result<DigitProgram> run(const Graph& original, const Graph& mutant) {
    auto first = add(original, original);
    if (!first) return std::move(first).error();
    auto second = add(mutant, original);
    if (!second) return std::move(second).error();
    original_ = *first;
    mutant_ = *second;
    for (std::size_t splits = 0; split_somewhere();) {
      if (++splits > kMostSplits) return Error{"too many digits", ErrorKind::Unsupported};
    }
    if (sources_[original_].axes != sources_[mutant_].axes)
      return Error{"axes that fall into digits in two ways", ErrorKind::Unsupported};
    DigitProgram out;
    out.original = original_;
    out.mutant = mutant_;
    for (const Source& source : sources_) {
      auto value = written(source);
      if (!value) return std::move(value).error();
      out.values.push_back(*std::move(value));
    }
    return out;
  }

 private:
  Result<std::size_t> add(const Graph& graph, const Graph& original) {
    const auto varies = graph.depends_on_inputs();
    std::vector<std::optional<std::size_t>> numbers(graph.nodes().size());
    std::vector<Digest> structure(graph.nodes().size());
    const auto needed = graph.needed_by_outputs();
    for (const NodeId id : graph.ids()) {
      const Node& node = graph.node(id);
      Digester what("expression");
      what.add(graph.what_is(id)).add(to_string(node.type));
      for (const NodeId operand : node.operands) what.add(structure[operand.index()]);
      structure[id.index()] = what.finish();
      if (needed[id.index()] == 0) continue;
      if (!node.type.shape || count(*node.type.shape) == 0)
        return Error{"a value without a known element", ErrorKind::Unsupported};
      const bool is_leaf = node.op() == nullptr;
      const bool applies =
          !is_leaf && (!graph.has_meaning(id) || !graph.meaning(id).applications.empty());
      if (applies && varies[id.index()] != 0)
        return Error{"a function of what is no constant", ErrorKind::Unsupported};
      if (is_leaf || applies) {
        numbers[id.index()] = leaf(node, structure[id.index()], original);
        continue;
      }
      Source source{{}, *node.type.shape, &graph.meaning(id), {}, whole(*node.type.shape), {}};
      for (const NodeId operand : node.operands)
        source.operands.push_back(*numbers[operand.index()]);
      for (const Term& term : source.meaning->sum.terms) source.sums.push_back(whole(term.reduce));
      numbers[id.index()] = sources_.size();
      sources_.push_back(std::move(source));
    }
    return *numbers[graph.outputs()[0].index()];
  }

  std::size_t leaf(const Node& node, const Digest& structure, const Graph& original) {
    DigitLeaf leaf{structure, nullptr};
    if (const Tensor* tensor = node.constant()) {
      if (role_beside(original, *tensor) == ConstantRole::Exact)
        leaf.numbers = std::get<ConstantLeaf>(node.what);
    }
    const auto [it, is_new] = leaves_.emplace(structure, sources_.size());
    if (is_new)
      sources_.push_back(
          {std::move(leaf), *node.type.shape, nullptr, {}, whole(*node.type.shape), {}});
    return it->second;
  }

  // Whether an axis was found to be more digits than it was written in, and is written so now.
  bool split_somewhere() {
    if (split_outputs()) return true;
    for (Source& source : sources_) {
      if (source.meaning == nullptr) continue;
      for (std::size_t t = 0; t < source.sums.size(); ++t) {
        if (split_in(source, t)) return true;
      }
    }
    return false;
  }

  bool split_outputs() {
    auto& a = sources_[original_].axes;
    auto& b = sources_[mutant_].axes;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
      const Shape of_a = row_major_strides(a[axis]);
      const Shape of_b = row_major_strides(b[axis]);
      for (const Dim stride : of_a)
        if (split_at(b[axis], stride)) return true;
      for (const Dim stride : of_b)
        if (split_at(a[axis], stride)) return true;
    }
    return false;
  }

  // Whether a digit of the axis was split so that one ends at that stride.
  static bool split_at(AxisDigits& digits, Dim stride) {
    const Shape strides = row_major_strides(digits);
    for (std::size_t k = 0; k < digits.size(); ++k) {
      if (stride <= strides[k] || stride >= strides[k] * digits[k]) continue;
      return stride % strides[k] == 0 && split(digits, k, stride / strides[k]);
    }
    return false;
  }

  // A digit into an outer one and an inner one of that extent.
  static bool split(AxisDigits& digits, std::size_t k, Dim inner) {
    if (inner <= 1 || inner >= digits[k] || digits[k] % inner != 0) return false;
    digits[k] /= inner;
    digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(k) + 1, inner);
    return true;
  }

  bool split_in(Source& source, std::size_t t) {
    const Term& term = source.meaning->sum.terms[t];
    const Digits digits(source.axes, source.sums[t]);
    for (const Access& access : term.factors) {
      Source& read = sources_[source.operands[static_cast<std::size_t>(access.operand)]];
      for (std::size_t axis = 0; axis < access.index.size(); ++axis) {
        const Found found =
            coordinates(access.index[axis], read.shape[axis], read.axes[axis], digits);
        if (found.narrow && apply(*found.narrow, digits, source, t)) return true;
        if (!found.of) continue;
        for (std::size_t k = 0; k < found.of->size(); ++k) {
          const auto made = made_of((*found.of)[k], read.axes[axis][k], digits.ranges());
          if (!made) continue;
          read.axes[axis].erase(read.axes[axis].begin() + static_cast<std::ptrdiff_t>(k));
          read.axes[axis].insert(read.axes[axis].begin() + static_cast<std::ptrdiff_t>(k),
                                 made->begin(), made->end());
          return true;
        }
      }
    }
    return false;
  }

  static bool apply(const Narrow& narrow, const Digits& digits, Source& source, std::size_t t) {
    if (narrow.how != Narrow::How::Digits) return false;
    const auto [axis, k] = digits.place(narrow.var);
    const std::size_t own = source.axes.size();
    return split(axis < own ? source.axes[axis] : source.sums[t][axis - own], k, narrow.value);
  }

  // Where an index reads its axis, by digit; nothing where that is not the same everywhere.
  struct Found {
    std::optional<std::vector<Affine>> of;
    std::optional<Narrow> narrow;
    std::optional<Affine> is_inside_at_0;  // elsewhere it reads beyond the ends
  };
  static Found coordinates(const IndexExpr& index, Dim extent, const AxisDigits& read,
                           const Digits& digits) {
    auto at = region::value_of(index, digits.axes(), digits.ranges());
    if (const auto* narrow = std::get_if<Narrow>(&at)) return {{}, *narrow, {}};
    Affine rest = std::get<Affine>(std::move(at));
    const auto [low, high] = rest.bounds(digits.ranges().of);
    std::optional<Affine> beyond;
    if (low < 0 || high >= extent) {
      // What lies in rows of that length is inside of one of them.
      auto rows = region::divide(rest, extent, digits.ranges());
      if (const auto* narrow = std::get_if<Narrow>(&rows)) return {{}, *narrow, {}};
      beyond = std::get<region::Division>(rows).quotient;
      rest = std::get<region::Division>(std::move(rows)).remainder;
    }
    std::vector<Affine> out;
    for (const Dim stride : row_major_strides(read)) {
      auto division = region::divide(rest, stride, digits.ranges());
      if (const auto* narrow = std::get_if<Narrow>(&division)) return {{}, *narrow, {}};
      out.push_back(std::get<region::Division>(division).quotient);
      rest = std::get<region::Division>(std::move(division)).remainder;
    }
    return {std::move(out), {}, std::move(beyond)};
  }

  Result<DigitValue> written(const Source& source) const {
    DigitValue out{source.leaf, in_a_row(source.axes), {}};
    if (source.meaning == nullptr) return out;
    for (std::size_t t = 0; t < source.sums.size(); ++t) {
      auto term = written(source, t);
      if (!term) return std::move(term).error();
      if (*term) out.terms.push_back(**std::move(term));
    }
    return out;
  }

  // Nothing: it counts nowhere.
  Result<std::optional<DigitTerm>> written(const Source& source, std::size_t t) const {
    const Term& term = source.meaning->sum.terms[t];
    const Digits digits(source.axes, source.sums[t]);
    DigitTerm out{{term.coef.scale, {}}, in_a_row(source.sums[t]), {}, {}};
    for (const AxisTable& table : term.coef.tables) {
      const bool is_constant =
          std::ranges::adjacent_find(table.values, std::not_equal_to()) == table.values.end();
      const auto vars = digits.of_axis(table.axis);
      if (is_constant) {
        if (!table.values.empty()) out.coef.scale *= table.values.front();
      } else if (vars.size() == 1) {
        out.coef.tables.push_back({vars.front(), table.values});
      } else {
        return Error{"a coefficient that goes by several digits", ErrorKind::Unsupported};
      }
    }
    for (const Guard& guard : term.guards) {
      const auto e = region::value_of(guard.expr, digits.axes(), digits.ranges());
      if (const auto* affine = std::get_if<Affine>(&e)) {
        const auto holds = region::holds(*affine, guard, digits.ranges());
        if (const bool* everywhere = std::get_if<bool>(&holds)) {
          if (!*everywhere) return std::optional<DigitTerm>();
          continue;
        }
      }
      Guard& written = out.guards.emplace_back(guard);
      written.expr = guard.expr.substitute(digits.expressions());
    }
    for (const Access& access : term.factors) {
      const std::size_t operand = source.operands[static_cast<std::size_t>(access.operand)];
      const Source& read = sources_[operand];
      Read& factor = out.factors.emplace_back(Read{operand, {}});
      for (std::size_t axis = 0; axis < access.index.size(); ++axis) {
        const Found found =
            coordinates(access.index[axis], read.shape[axis], read.axes[axis], digits);
        if (found.is_inside_at_0)
          out.guards.push_back({expression_of(*found.is_inside_at_0), 0, 1});
        if (found.of) {
          for (const Affine& of_digit : *found.of) factor.index.push_back(expression_of(of_digit));
          continue;
        }
        // Beyond the ends there are zeros; the last digits alone would not tell.
        const IndexExpr at = access.index[axis].substitute(digits.expressions());
        out.guards.push_back({at, 0, read.shape[axis]});
        const Shape strides = row_major_strides(read.axes[axis]);
        for (std::size_t k = 0; k < strides.size(); ++k)
          factor.index.push_back(mod(div(at, strides[k]), read.axes[axis][k]));
      }
    }
    return std::optional(std::move(out));
  }

  std::vector<Source> sources_;
  std::map<Digest, std::size_t> leaves_;
  std::size_t original_ = 0;
  std::size_t mutant_ = 0;
};

}  // namespace

ConstantRole role_beside(const Graph& original, const Tensor& tensor) {
  const bool is_known = std::ranges::any_of(original.ids(), [&](NodeId id) {
    const Tensor* other = original.node(id).constant();
    return other != nullptr && other->digest() == tensor.digest();
  });
  return ValueTable::role_of(tensor, ValueTable::Weights::Symbols, is_known);
}

Result<DigitProgram> in_digits(const Graph& original, const Graph& mutant) {
  return Builder().run(original, mutant);
}

}  // namespace pet::symmetry
