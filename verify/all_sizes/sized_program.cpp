#include "verify/all_sizes/sized_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pet::all_sizes {
namespace {

Error no_family(const std::string& what) { return {what, ErrorKind::Unsupported}; }

// An index or a bound at one instance: coefficients of axes longer than 1, and what is left.
struct Flat {
  std::map<int, Dim> axes;
  Dim constant = 0;
  bool operator==(const Flat&) const = default;
};

std::optional<Flat> flat(const IndexExpr& e, std::span<const Dim> extents) {
  Flat out{{}, e.constant()};
  for (const IndexExpr::Part& part : e.parts()) {
    if (part.axis < 0) return std::nullopt;
    const Dim extent = extents[static_cast<std::size_t>(part.axis)];
    if (extent <= part.divisor) continue;  // 0 all along the axis
    if (part.divisor != 1 || (part.modulus != 0 && part.modulus < extent)) return std::nullopt;
    out.axes[part.axis] += part.coefficient;
  }
  std::erase_if(out.axes, [](const auto& entry) { return entry.second == 0; });
  return out;
}

class Reading {
 public:
  Reading(const Instances& instances, Constants constants)
      : instances_(instances), symbols_(instances.sizes.front().size()), constants_(constants) {}

  Result<SizedProgram> run() {
    const Graph& first = *instances_.graphs.front();
    for (const Graph* graph : instances_.graphs) {
      if (graph->nodes().size() != first.nodes().size() || graph->outputs() != first.outputs())
        return no_family("it has other operators at other sizes");
    }
    SizedProgram out;
    out.outputs = first.outputs();
    for (const NodeId id : first.ids()) {
      auto node = read(id);
      if (!node) return std::move(node).error();
      out.nodes.push_back(*std::move(node));
    }
    return out;
  }

 private:
  // Those from which everything follows; the others only have to agree.
  std::size_t known() const { return symbols_ + 1; }
  std::size_t all() const { return instances_.graphs.size(); }

  Affine through(const std::vector<Dim>& values) const {
    Affine out(values[0]);
    for (std::size_t s = 0; s < symbols_; ++s) {
      const Dim slope = values[s + 1] - values[0];
      out += Affine::of(static_cast<Var>(s), slope) - slope * instances_.sizes[0][s];
    }
    return out;
  }

  Dim at(const Affine& e, std::size_t instance) const {
    Dim out = e.constant();
    for (const auto& [var, coefficient] : e.parts())
      out += coefficient * instances_.sizes[instance][static_cast<std::size_t>(var)];
    return out;
  }

  template <class Number>
  Result<Affine> number(const Number& value_at) const {
    std::vector<Dim> values;
    for (std::size_t i = 0; i < all(); ++i) values.push_back(value_at(i));
    Affine out = through(values);
    for (std::size_t i = known(); i < all(); ++i) {
      if (at(out, i) != values[i]) return no_family("a size is no affine function of the others");
    }
    return out;
  }

  // `shape_at`: the same shape, by instance.
  template <class ShapeAt>
  Result<std::vector<Affine>> shape(const ShapeAt& shape_at) const {
    const std::size_t rank = shape_at(0).size();
    for (std::size_t i = 0; i < all(); ++i) {
      if (shape_at(i).size() != rank) return no_family("a value has another rank at other sizes");
    }
    std::vector<Affine> out;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      auto extent = number([&](std::size_t i) { return shape_at(i)[axis]; });
      if (!extent) return std::move(extent).error();
      out.push_back(*std::move(extent));
    }
    return out;
  }

  // An index expression in symbols and axes. An axis of extent 1 stands at 0, so that its
  // coefficient says nothing there.
  template <class ExprAt, class ExtentsAt>
  Result<Affine> index(const ExprAt& expr_at, const ExtentsAt& extents_at) const {
    std::vector<Flat> forms;
    for (std::size_t i = 0; i < all(); ++i) {
      auto form = flat(expr_at(i), extents_at(i));
      if (!form) return no_family("an index divides or takes a remainder");
      forms.push_back(*std::move(form));
    }
    const auto constant = number([&](std::size_t i) { return forms[i].constant; });
    if (!constant) return constant.error();
    std::map<int, Dim> axes;  // as they are where their extents are not 1
    for (const Flat& form : forms) axes.insert(form.axes.begin(), form.axes.end());
    Affine out = *constant;
    for (const auto& [axis, coefficient] : axes)
      out += Affine::of(static_cast<Var>(symbols_) + axis, coefficient);
    for (std::size_t i = 0; i < all(); ++i) {
      auto expected = axes;
      const auto extents = extents_at(i);
      std::erase_if(expected, [&](const auto& entry) {
        return extents[static_cast<std::size_t>(entry.first)] == 1;
      });
      if (forms[i].axes != expected) return no_family("an index moves differently at other sizes");
    }
    return out;
  }

  template <class AccessAt, class ExtentsAt>
  Result<SizedRead> access(const AccessAt& access_at, const ExtentsAt& extents_at) const {
    const Access& first = access_at(0);
    SizedRead out{first.operand, {}};
    for (std::size_t i = 0; i < all(); ++i) {
      if (access_at(i).operand != first.operand || access_at(i).index.size() != first.index.size())
        return no_family("another value is read at other sizes");
    }
    for (std::size_t d = 0; d < first.index.size(); ++d) {
      auto one = index([&](std::size_t i) -> const IndexExpr& { return access_at(i).index[d]; },
                       extents_at);
      if (!one) return std::move(one).error();
      out.index.push_back(*std::move(one));
    }
    return out;
  }

  Result<SizedNode> read(NodeId id) const {
    const auto node_at = [&](std::size_t i) -> const Node& {
      return instances_.graphs[i]->node(id);
    };
    SizedNode out;
    out.operands = node_at(0).operands;
    for (std::size_t i = 0; i < all(); ++i) {
      const Node& node = node_at(i);
      if (node.operands != out.operands || node.what.index() != node_at(0).what.index())
        return no_family("it has other operators at other sizes");
      if (!node.type.shape) return no_family("the shape of a value is not known");
    }
    auto known_shape = shape([&](std::size_t i) -> const Shape& { return *node_at(i).type.shape; });
    if (!known_shape) return std::move(known_shape).error();
    out.shape = *std::move(known_shape);
    if (const InputLeaf* input = node_at(0).input()) {
      for (std::size_t i = 0; i < all(); ++i) {
        if (node_at(i).type.dtype != DType::Float)
          return no_family("an input that holds no floats");
      }
      out.leaf = "input " + input->name;
      return out;
    }
    auto done = node_at(0).constant() != nullptr ? read_constant(id, out) : read_op(id, out);
    if (!done) return std::move(done).error();
    return out;
  }

  // The same tensor at all sizes, of which nothing more is known than that; or one value, however
  // many elements.
  Status read_constant(NodeId id, SizedNode& out) const {
    const auto tensor = [&](std::size_t i) -> const Tensor& {
      return *instances_.graphs[i]->node(id).constant();
    };
    bool same = true;
    bool one_value = true;
    std::optional<Rational> value;
    for (std::size_t i = 0; i < all(); ++i) {
      same = same && tensor(i).digest() == tensor(0).digest();
      if (constants_ == Constants::Symbols && count(tensor(i).shape()) != 1) one_value = false;
      one_value = one_value && tensor(i).type().dtype == DType::Float && tensor(i).all_finite();
      if (!one_value) continue;
      for (const float x : tensor(i).floats()) {
        const Rational here = exact(static_cast<double>(x));
        if (!value) value = here;
        one_value = one_value && *value == here;
      }
    }
    if (one_value && value) {
      out.fill = value;
    } else if (same) {
      out.leaf = "constant " + tensor(0).digest().hex();
    } else {
      return no_family("a constant is another one at other sizes");
    }
    return Done{};
  }

  Status read_op(NodeId id, SizedNode& out) const {
    std::vector<const Meaning*> meanings;
    for (std::size_t i = 0; i < all(); ++i) {
      const Graph& graph = *instances_.graphs[i];
      const Op& op = *graph.node(id).op();
      if (op.def != instances_.graphs[0]->node(id).op()->def)
        return no_family("it has other operators at other sizes");
      if (!graph.has_meaning(id) || op.def->affine_in_sizes == nullptr ||
          !op.def->affine_in_sizes(op))
        return no_family(fmt::format("the meaning of {} is not affine in sizes", to_string(op)));
      meanings.push_back(&graph.meaning(id));
    }
    const Meaning& first = *meanings[0];
    for (const Meaning* meaning : meanings) {
      if (meaning->applications.size() != first.applications.size() ||
          meaning->sum.terms.size() != first.sum.terms.size())
        return no_family("a meaning has other terms at other sizes");
    }
    for (std::size_t k = 0; k < first.applications.size(); ++k) {
      auto one = read_application(meanings, k);
      if (!one) return std::move(one).error();
      out.applications.push_back(*std::move(one));
    }
    for (std::size_t k = 0; k < first.sum.terms.size(); ++k) {
      auto one = read_term(meanings, k);
      if (!one) return std::move(one).error();
      out.terms.push_back(*std::move(one));
    }
    return Done{};
  }

  Result<SizedApplication> read_application(const std::vector<const Meaning*>& meanings,
                                            std::size_t k) const {
    const auto here = [&](std::size_t i) -> const Application& {
      return meanings[i]->applications[k];
    };
    const Application& first = here(0);
    for (std::size_t i = 0; i < all(); ++i) {
      if (here(i).window) return no_family(fmt::format("{} reads a window", first.function->name));
      if (here(i).function != first.function || here(i).parameters != first.parameters ||
          here(i).elements.size() != first.elements.size())
        return no_family("another function is applied at other sizes");
    }
    SizedApplication out{first.function, first.parameters, {}, {}};
    const auto extents = [&](std::size_t i) { return here(i).out; };
    auto known = shape(extents);
    if (!known) return std::move(known).error();
    out.out = *std::move(known);
    for (std::size_t e = 0; e < first.elements.size(); ++e) {
      auto one =
          access([&](std::size_t i) -> const Access& { return here(i).elements[e]; }, extents);
      if (!one) return std::move(one).error();
      out.elements.push_back(*std::move(one));
    }
    return out;
  }

  Result<SizedTerm> read_term(const std::vector<const Meaning*>& meanings, std::size_t k) const {
    const auto here = [&](std::size_t i) -> const Term& { return meanings[i]->sum.terms[k]; };
    const Term& first = here(0);
    const auto extents = [&](std::size_t i) {
      Shape loops = meanings[i]->sum.out;
      loops.insert(loops.end(), here(i).reduce.begin(), here(i).reduce.end());
      return loops;
    };
    for (std::size_t i = 0; i < all(); ++i) {
      if (!here(i).coef.tables.empty() || here(i).coef.scale != first.coef.scale)
        return no_family("a coefficient depends on sizes or positions");
      if (here(i).guards.size() != first.guards.size() ||
          here(i).factors.size() != first.factors.size())
        return no_family("a term has other parts at other sizes");
    }
    SizedTerm out{first.coef.scale, {}, {}, {}};
    auto reduce = shape([&](std::size_t i) -> const Shape& { return here(i).reduce; });
    if (!reduce) return std::move(reduce).error();
    out.reduce = *std::move(reduce);
    for (std::size_t g = 0; g < first.guards.size(); ++g) {
      if (auto done = read_guard([&](std::size_t i) -> const Guard& { return here(i).guards[g]; },
                                 extents, out);
          !done)
        return std::move(done).error();
    }
    for (std::size_t f = 0; f < first.factors.size(); ++f) {
      auto one =
          access([&](std::size_t i) -> const Access& { return here(i).factors[f]; }, extents);
      if (!one) return std::move(one).error();
      out.factors.push_back(*std::move(one));
    }
    return out;
  }

  template <class GuardAt, class ExtentsAt>
  Status read_guard(const GuardAt& guard_at, const ExtentsAt& extents_at, SizedTerm& to) const {
    for (std::size_t i = 0; i < all(); ++i) {
      if (guard_at(i).multiple_of != 0) return no_family("a term counts at every so many places");
    }
    const auto e =
        index([&](std::size_t i) -> const IndexExpr& { return guard_at(i).expr; }, extents_at);
    if (!e) return e.error();
    const auto low = number([&](std::size_t i) { return guard_at(i).low; });
    if (!low) return low.error();
    const auto high = number([&](std::size_t i) { return guard_at(i).high; });
    if (!high) return high.error();
    to.at_least_zero.push_back(*e - *low);
    to.at_least_zero.push_back(*high - *e - 1);
    return Done{};
  }

  const Instances& instances_;
  std::size_t symbols_;
  Constants constants_;
};

}  // namespace

Affine put_in(const Affine& e, std::span<const Affine> axes, std::size_t symbols) {
  Affine out(e.constant());
  for (const auto& [var, coefficient] : e.parts()) {
    const auto number = static_cast<std::size_t>(var);
    out += number < symbols ? Affine::of(var, coefficient) : axes[number - symbols] * coefficient;
  }
  return out;
}

Result<SizedProgram> sized_program(const Instances& instances, Constants constants) {
  return Reading(instances, constants).run();
}

}  // namespace pet::all_sizes
