#include "verify/all_sizes/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace pet::all_sizes {
namespace {

constexpr std::size_t kMostProducts = 1000;  // of one element
constexpr int kDeepest = 500;                // operators that read each other

Product product_of(const Product& a, const Product& b) {
  Product out = a;
  out.weight *= b.weight;
  out.sums.insert(out.sums.end(), b.sums.begin(), b.sums.end());
  out.factors.insert(out.factors.end(), b.factors.begin(), b.factors.end());
  return out;
}

}  // namespace

class Expansion::Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

struct Expansion::Place {
  const SizedProgram& program;
  const SizedNode& node;
  std::vector<Affine> axes;  // what they stand at
};

struct Expansion::Sums {
  std::vector<Var> vars;
  std::vector<Affine> extents;
  std::vector<Affine> bounds;  // at least zero: of the half that is looked at
  Facts outside;               // what holds without them

  bool read(const Affine& e) const {
    return std::any_of(vars.begin(), vars.end(), [&](Var var) { return e.coefficient(var) != 0; });
  }
};

bool Expansion::give_up(std::string reason) {
  open_ = {std::nullopt, std::move(reason)};
  return false;
}

bool Expansion::spend() {
  if (steps_left_ == 0) return give_up("too many steps of writing it out");
  if (stop_.stop_requested()) return give_up("stopped");
  --steps_left_;
  return true;
}

std::optional<bool> Expansion::all_hold(std::span<const Affine> at_least_zero, const Facts& facts) {
  // What certainly does not hold comes before what is open.
  std::optional<Open> first_open;
  for (const Affine& e : at_least_zero) {
    const auto known = decide(e, facts, open_);
    if (known && !*known) return false;
    if (!known && !first_open) first_open = open_;
  }
  if (!first_open) return true;
  open_ = *first_open;
  return std::nullopt;
}

std::optional<Products> Expansion::element(const SizedProgram& program, NodeId node,
                                           const std::vector<Affine>& index, const Facts& facts) {
  Products all;
  if (!expand(program, node, index, facts, all)) return std::nullopt;
  return canonical(all, facts, open_);
}

bool Expansion::expand(const SizedProgram& program, NodeId id, const std::vector<Affine>& index,
                       const Facts& facts, Products& to) {
  const SizedNode& node = program.node(id);
  const Deeper deeper(operators_);
  if (operators_ > kDeepest) return give_up("operators that read each other too deeply");
  if (!node.leaf.empty()) {
    to.push_back({1, {}, {{leaves_.of(node.leaf), index}}});
    return true;
  }
  if (node.fill) {
    if (*node.fill != 0) to.push_back({*node.fill, {}, {}});
    return true;
  }
  const Place at{program, node, index};
  return std::all_of(node.terms.begin(), node.terms.end(),
                     [&](const SizedTerm& term) { return add_term(at, term, facts, to); });
}

bool Expansion::add_term(const Place& at, const SizedTerm& term, const Facts& facts, Products& to) {
  Place inside = at;
  Sums sums{{}, {}, {}, facts};
  Facts within = facts;
  for (const Affine& extent : term.reduce) {
    const Var var = next_++;
    if (next_ == kSummed) return give_up("too many sums");
    sums.vars.push_back(var);
    sums.extents.push_back(put_in(extent, at.axes, symbols_));
    within = within.with(Affine::of(var)).with(sums.extents.back() - Affine::of(var) - 1);
    inside.axes.push_back(Affine::of(var));
  }
  return add_over(inside, term, within, sums, to);
}

// What is summed is the same product all over the range, or the range is taken in halves.
bool Expansion::add_over(const Place& at, const SizedTerm& term, const Facts& facts, Sums& sums,
                         Products& to) {
  if (!spend()) return false;
  if (!sums.vars.empty() && facts.contradict()) return true;  // a sum over nothing
  Products products;
  if (!multiplied(at, term, facts, products)) {
    const bool own = open_.question && sums.read(*open_.question);
    return own && add_halves(at, term, facts, sums, to);
  }
  if (products.empty()) return true;
  const auto own = ranges(sums);
  if (!own) return false;
  for (const Sum& sum : *own) {
    const auto any = decide(sum.high - sum.low - 1, sums.outside, open_);
    if (!any) return false;
    if (!*any) return true;
  }
  for (Product& product : products) {
    product.sums.insert(product.sums.end(), own->begin(), own->end());
    to.push_back(std::move(product));
  }
  return to.size() <= kMostProducts || give_up("too many products");
}

bool Expansion::add_halves(const Place& at, const SizedTerm& term, const Facts& facts, Sums& sums,
                           Products& to) {
  const Affine question = *open_.question;
  for (const Affine& asked : sums.bounds) {
    if (asked == question || asked == negated(question))
      return give_up("a question that stays open where it is answered");
  }
  for (const Affine& half : {question, negated(question)}) {
    sums.bounds.push_back(half);
    const bool done = add_over(at, term, facts.with(half), sums, to);
    sums.bounds.pop_back();
    if (!done) return false;
  }
  return true;
}

// From what bounds them: the largest bound from below and the least from above.
std::optional<std::vector<Sum>> Expansion::ranges(const Sums& sums) {
  std::vector<Sum> out;
  for (std::size_t i = 0; i < sums.vars.size(); ++i)
    out.push_back({sums.vars[i], Affine(0), sums.extents[i]});
  for (const Affine& bound : sums.bounds) {
    const auto read = [&](const Sum& sum) { return bound.coefficient(sum.var) != 0; };
    const auto sum = std::find_if(out.begin(), out.end(), read);
    if (std::count_if(out.begin(), out.end(), read) != 1 ||
        std::abs(bound.coefficient(sum->var)) != 1) {
      give_up("a sum over no box");
      return std::nullopt;
    }
    const Affine rest = bound.substitute(sum->var, 0);
    if (bound.coefficient(sum->var) > 0) {  // var >= -rest
      const auto more = decide(rest * -1 - sum->low, sums.outside, open_);
      if (!more) return std::nullopt;
      if (*more) sum->low = rest * -1;
    } else {  // var <= rest
      const auto less = decide(sum->high - 1 - rest, sums.outside, open_);
      if (!less) return std::nullopt;
      if (*less) sum->high = rest + 1;
    }
  }
  return out;
}

bool Expansion::multiplied(const Place& at, const SizedTerm& term, const Facts& facts,
                           Products& to) {
  std::vector<Affine> guards;
  for (const Affine& guard : term.at_least_zero) guards.push_back(put_in(guard, at.axes, symbols_));
  const auto counts = all_hold(guards, facts);
  if (!counts) return false;
  if (!*counts) return true;
  Products all = {{term.weight, {}, {}}};
  for (const SizedRead& factor : term.factors) {
    Products values;
    if (!read(at, factor, facts, values)) return false;
    Products longer;
    for (const Product& a : all) {
      for (const Product& b : values) longer.push_back(product_of(a, b));
    }
    if (longer.size() > kMostProducts) return give_up("too many products");
    all = std::move(longer);
    if (all.empty()) return true;
  }
  to.insert(to.end(), all.begin(), all.end());
  return true;
}

bool Expansion::read(const Place& at, const SizedRead& read, const Facts& facts, Products& to) {
  const auto operand = static_cast<std::size_t>(read.operand);
  const std::size_t operands = at.node.operands.size();
  const SizedApplication* application =
      operand < operands ? nullptr : &at.node.applications[operand - operands];
  const auto& shape =
      application != nullptr ? application->out : at.program.node(at.node.operands[operand]).shape;
  std::vector<Affine> index;
  std::vector<Affine> inside;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    index.push_back(put_in(read.index[d], at.axes, symbols_));
    inside.push_back(index.back());
    inside.push_back(shape[d] - index.back() - 1);
  }
  const auto is_inside = all_hold(inside, facts);
  if (!is_inside) return false;
  if (!*is_inside) return true;
  if (application != nullptr)
    return apply({at.program, at.node, std::move(index)}, *application, facts, to);
  return expand(at.program, at.node.operands[operand], index, facts, to);
}

// A leaf of its own: known by the function and by the form of its arguments, read where they are.
bool Expansion::apply(const Place& at, const SizedApplication& application, const Facts& facts,
                      Products& to) {
  if (!spend()) return false;
  std::string key = fmt::format("function {}", application.function->name);
  for (const double p : application.parameters)
    key += fmt::format(" {:x}", std::bit_cast<std::uint64_t>(p));
  Factor factor;
  Var bound = kBound + kBoundsAFunction * depth_;
  const Var last_bound = bound + kBoundsAFunction;
  const Deeper deeper(depth_);
  if (depth_ > kDeepestFunction) return give_up("functions nested too deeply");
  for (const SizedRead& element : application.elements) {
    Products values;
    if (!read(at, element, facts, values)) return false;
    auto argument = canonical(values, facts, open_);
    if (!argument) return false;
    key += " (";
    for (Product& product : *argument) {
      key += fmt::format(" {} of {} sums:", product.weight.get_str(), product.sums.size());
      for (const Sum& sum : product.sums) {
        factor.index.push_back(sum.low);
        factor.index.push_back(sum.high);
        for (Factor& inner : product.factors) {
          for (Affine& e : inner.index) e.put(sum.var, Affine::of(bound));
        }
        if (++bound == last_bound) return give_up("too many sums in the argument of a function");
      }
      for (const Factor& inner : product.factors) {
        key += fmt::format(" {}[{}]", inner.leaf, inner.index.size());
        factor.index.insert(factor.index.end(), inner.index.begin(), inner.index.end());
      }
    }
    key += " )";
  }
  factor.leaf = leaves_.of(key);
  to.push_back({1, {}, {std::move(factor)}});
  return true;
}

}  // namespace pet::all_sizes
