#include "verify/all_sizes/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace pet::all_sizes {
namespace {

Error mixed(const std::string& what) { return {what, ErrorKind::Unsupported}; }

// By how much the expression grows from one copy to the next, where `axis` grows by `block`.
// nullopt: it does not grow evenly.
std::optional<Dim> growth(const IndexExpr& e, int axis, Dim block) {
  Dim out = 0;
  for (const IndexExpr::Part& part : e.parts()) {
    std::optional<Dim> base = Dim{0};
    if (part.axis == axis) base = block;
    if (part.axis < 0) base = growth(*part.inner, axis, block);
    if (!base) return std::nullopt;
    if (*base % part.divisor != 0) return std::nullopt;
    const Dim quotient = *base / part.divisor;
    if (part.modulus == 0) {
      out += part.coefficient * quotient;
    } else if (quotient % part.modulus != 0) {
      return std::nullopt;
    }
  }
  return out;
}

// The axes that an expression is over: those of the result, then those of a sum or a window.
struct Loops {
  Carried carried;
  Shape extents;  // of the first copy alone
};

class Finding {
 public:
  Finding(std::span<const Graph* const> graphs, std::span<const Dim> numbers)
      : graphs_(graphs), numbers_(numbers) {}

  Result<Copies> run(std::span<const std::vector<NodeId>> more) {
    for (const Graph* graph : graphs_) {
      if (graph->outputs().size() != graphs_[0]->outputs().size())
        return mixed("it has other outputs at other sizes");
      out_.values.emplace_back(graph->nodes().size());
    }
    for (std::size_t k = 0; k < graphs_[0]->outputs().size(); ++k) {
      Value output;
      for (const Graph* graph : graphs_) output.push_back(graph->outputs()[k]);
      if (auto done = find_all(output); !done) return std::move(done).error();
      out_.outputs.push_back(found_.at(output));
    }
    for (const Value& value : more) {
      if (auto done = find_all(value); !done) return std::move(done).error();
    }
    return std::move(out_);
  }

 private:
  using Value = std::vector<NodeId>;  // by graph: what is the same value in all of them

  const Node& node(std::size_t i, const Value& value) const { return graphs_[i]->node(value[i]); }

  Value operand(const Value& value, std::size_t place) const {
    Value out;
    for (std::size_t i = 0; i < graphs_.size(); ++i) out.push_back(node(i, value).operands[place]);
    return out;
  }

  // Operands first; on a list, for programs may be long.
  Status find_all(const Value& output) {
    std::vector<Value> pending = {output};
    while (!pending.empty()) {
      const Value value = pending.back();
      if (found_.contains(value)) {
        pending.pop_back();
        continue;
      }
      if (auto same = check_alike(value); !same) return same;
      const std::size_t before = pending.size();
      for (std::size_t k = 0; k < node(0, value).operands.size(); ++k) {
        Value next = operand(value, k);
        if (!found_.contains(next)) pending.push_back(std::move(next));
      }
      if (pending.size() > before) continue;
      pending.pop_back();
      if (auto done = find(value); !done) {
        const Node& first = node(0, value);
        return std::move(done).error().within(first.op() ? first.op()->def->name : first.name);
      }
    }
    return Done{};
  }

  Status check_alike(const Value& value) const {
    const Node& first = node(0, value);
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const Node& here = node(i, value);
      if (here.operands.size() != first.operands.size() ||
          here.what.index() != first.what.index() ||
          (first.op() != nullptr && here.op()->def != first.op()->def) ||
          (first.input() != nullptr && here.input()->name != first.input()->name) ||
          graphs_[i]->has_meaning(value[i]) != graphs_[0]->has_meaning(value[0]))
        return mixed("there are other operators at other sizes");
      if (!here.type.shape || here.type.dtype != first.type.dtype)
        return mixed("the shape of a value is not known");
    }
    return Done{};
  }

  Status find(const Value& value) {
    std::vector<const Shape*> shapes;
    for (std::size_t i = 0; i < graphs_.size(); ++i) shapes.push_back(&*node(i, value).type.shape);
    const auto carried = carried_by(shapes);
    if (!carried) return carried.error();
    found_.emplace(value, *carried);
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      Carried& known = out_.values[i][value[i].index()];
      if (!known.is_still() && known != *carried) return mixed("one value is carried in two ways");
      if (known.is_still()) known = *carried;
    }
    if (node(0, value).input() != nullptr) return Done{};
    if (node(0, value).constant() != nullptr) return check_constant(value, *carried);
    return check_op(value, *carried);
  }

  Result<Carried> carried_by(const std::vector<const Shape*>& shapes) const {
    const Shape& first = *shapes[0];
    Carried out;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i]->size() != first.size()) return mixed("a value has another rank elsewhere");
    }
    for (std::size_t axis = 0; axis < first.size(); ++axis) {
      const auto same = [&](const Shape* shape) { return (*shape)[axis] == first[axis]; };
      if (std::ranges::all_of(shapes, same)) continue;
      const Dim block = first[axis] / numbers_[0];
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if ((*shapes[i])[axis] != block * numbers_[i])
          return mixed("an extent is no multiple of the open one");
      }
      if (!out.is_still()) return mixed("two extents of a value depend on the open one");
      out = {static_cast<int>(axis), block};
    }
    return out;
  }

  // The same tensor at all sizes; or one value, however many elements there are.
  Status check_constant(const Value& value, const Carried& carried) const {
    const auto tensor = [&](std::size_t i) -> const Tensor& { return *node(i, value).constant(); };
    if (carried.is_still()) {
      for (std::size_t i = 1; i < graphs_.size(); ++i) {
        if (tensor(i).digest() != tensor(0).digest())
          return mixed("a constant is another one at other sizes");
      }
      return Done{};
    }
    if (!are_numbers(tensor(0).type().dtype)) return mixed("a constant that grows with the sizes");
    const double fill = numbers_of(tensor(0)).front();
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const auto is_other = [&](double x) {
        return std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(fill);
      };
      if (std::ranges::any_of(numbers_of(tensor(i)), is_other))
        return mixed("a constant that grows with the sizes");
    }
    return Done{};
  }

  Status check_op(const Value& value, const Carried& carried) {
    sources_.clear();
    for (std::size_t k = 0; k < node(0, value).operands.size(); ++k)
      sources_.push_back(found_.at(operand(value, k)));
    if (!graphs_[0]->has_meaning(value[0])) return check_opaque(value, carried);
    std::vector<const Meaning*> meanings;
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      meanings.push_back(&graphs_[i]->meaning(value[i]));
    const Meaning& first = *meanings[0];
    for (const Meaning* meaning : meanings) {
      if (meaning->applications.size() != first.applications.size() ||
          meaning->sum.terms.size() != first.sum.terms.size())
        return mixed("it has other terms at other sizes");
    }
    for (std::size_t k = 0; k < first.applications.size(); ++k) {
      if (auto done = check_application(meanings, k); !done) return done;
    }
    for (std::size_t k = 0; k < first.sum.terms.size(); ++k) {
      if (auto done = check_term(meanings, k, carried); !done) return done;
    }
    return Done{};
  }

  // Nobody knows what it makes of copies: it reads none.
  Status check_opaque(const Value& value, const Carried& carried) const {
    const auto is_still = [](const Carried& one) { return one.is_still(); };
    bool same = true;
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      same = same && *node(i, value).op() == *node(0, value).op();
    if (same && carried.is_still() && std::ranges::all_of(sources_, is_still)) return Done{};
    return mixed("an operator without a meaning, which may mix what stands beside each other");
  }

  static Loops loops_of(const Carried& carried, Shape extents, const Shape& inner) {
    if (!carried.is_still()) extents[static_cast<std::size_t>(carried.axis)] = carried.block;
    extents.insert(extents.end(), inner.begin(), inner.end());
    return {carried, std::move(extents)};
  }

  Status check_application(const std::vector<const Meaning*>& meanings, std::size_t k) {
    std::vector<const Shape*> shapes;
    const Application& first = meanings[0]->applications[k];
    for (const Meaning* meaning : meanings) {
      const Application& here = meaning->applications[k];
      shapes.push_back(&here.out);
      if (here.function != first.function || here.parameters != first.parameters ||
          here.elements.size() != first.elements.size() ||
          here.window.has_value() != first.window.has_value())
        return mixed("it applies another function at other sizes");
    }
    const auto carried = carried_by(shapes);
    if (!carried) return carried.error();
    const Loops loops = loops_of(*carried, first.out, {});
    for (std::size_t e = 0; e < first.elements.size(); ++e) {
      const auto here = [&](std::size_t i) -> const Access& {
        return meanings[i]->applications[k].elements[e];
      };
      if (auto done = check_access(here, loops); !done) return done;
    }
    if (first.window) {
      if (auto done = check_window(meanings, k, *carried); !done) return done;
    }
    sources_.push_back(*carried);
    return Done{};
  }

  Status check_window(const std::vector<const Meaning*>& meanings, std::size_t k,
                      const Carried& carried) const {
    const auto window = [&](std::size_t i) -> const Window& {
      return *meanings[i]->applications[k].window;
    };
    const Loops loops = loops_of(carried, meanings[0]->applications[k].out, window(0).extent);
    for (std::size_t i = 0; i < meanings.size(); ++i) {
      if (window(i).extent != window(0).extent || window(i).symmetry != window(0).symmetry)
        return mixed("a window has another extent at other sizes");
    }
    const auto guards = [&](std::size_t i) -> const std::vector<Guard>& {
      return window(i).guards;
    };
    if (auto done = check_guards(guards, loops); !done) return done;
    return check_access([&](std::size_t i) -> const Access& { return window(i).read; }, loops);
  }

  Status check_term(const std::vector<const Meaning*>& meanings, std::size_t k,
                    const Carried& carried) const {
    const auto term = [&](std::size_t i) -> const Term& { return meanings[i]->sum.terms[k]; };
    const Term& first = term(0);
    for (std::size_t i = 0; i < meanings.size(); ++i) {
      const Term& here = term(i);
      if (here.reduce != first.reduce || here.factors.size() != first.factors.size())
        return mixed("a sum has another number of addends at other sizes");
      if (here.coef.scale != first.coef.scale ||
          here.coef.tables.size() != first.coef.tables.size())
        return mixed("a coefficient is another one at other sizes");
      for (std::size_t t = 0; t < first.coef.tables.size(); ++t) {
        const AxisTable& table = here.coef.tables[t];
        if (table.axis == carried.axis || table.axis != first.coef.tables[t].axis ||
            table.values != first.coef.tables[t].values)
          return mixed("a coefficient depends on the open extent");
      }
    }
    const Loops loops = loops_of(carried, meanings[0]->sum.out, first.reduce);
    const auto guards = [&](std::size_t i) -> const std::vector<Guard>& { return term(i).guards; };
    if (auto done = check_guards(guards, loops); !done) return done;
    for (std::size_t f = 0; f < first.factors.size(); ++f) {
      const auto here = [&](std::size_t i) -> const Access& { return term(i).factors[f]; };
      if (auto done = check_access(here, loops); !done) return done;
    }
    return Done{};
  }

  // The same in every copy.
  template <class GuardsAt>
  Status check_guards(const GuardsAt& guards_at, const Loops& loops) const {
    const std::vector<Guard>& first = guards_at(0);
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const std::vector<Guard>& here = guards_at(i);
      if (here.size() != first.size()) return mixed("it counts elsewhere at other sizes");
      for (std::size_t g = 0; g < first.size(); ++g) {
        if (here[g].expr != first[g].expr || here[g].low != first[g].low ||
            here[g].high != first[g].high || here[g].multiple_of != first[g].multiple_of)
          return mixed("it counts elsewhere at other sizes");
      }
    }
    for (const Guard& guard : first) {
      if (growth(guard.expr, loops.carried.axis, loops.carried.block) != Dim{0})
        return mixed("some places of the open axis are treated in another way");
    }
    return Done{};
  }

  // From copy k to copy k + 1 it moves by one copy of what it reads, and never leaves it.
  template <class AccessAt>
  Status check_access(const AccessAt& access_at, const Loops& loops) const {
    const Access& first = access_at(0);
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      if (access_at(i).operand != first.operand || access_at(i).index != first.index)
        return mixed("it reads at other places at other sizes");
    }
    const Carried& source = sources_[static_cast<std::size_t>(first.operand)];
    if (!source.is_still() && loops.carried.is_still())
      return mixed("it sums up or takes single places of the open axis");
    for (std::size_t d = 0; d < first.index.size(); ++d) {
      const bool moves = static_cast<int>(d) == source.axis;
      const auto step = growth(first.index[d], loops.carried.axis, loops.carried.block);
      if (!step || *step != (moves ? source.block : 0))
        return mixed("it reads at places that move unevenly along the open axis");
      if (!moves) continue;
      const auto [low, high] = first.index[d].bounds(loops.extents);
      if (low < 0 || high >= source.block)
        return mixed("it mixes what stands beside each other along the open axis");
    }
    return Done{};
  }

  std::span<const Graph* const> graphs_;
  std::span<const Dim> numbers_;
  Copies out_;
  std::map<Value, Carried> found_;
  std::vector<Carried> sources_;  // of the operator in work: its operands, then its applications
};

}  // namespace

Result<Copies> copies_of(std::span<const Graph* const> graphs, std::span<const Dim> numbers,
                         std::span<const std::vector<NodeId>> more) {
  return Finding(graphs, numbers).run(more);
}

}  // namespace pet::all_sizes
