#include "verify/region/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verify/region/expansion_run.h"

namespace pet::region {
namespace {

// Squared again and again a product has no end; what networks multiply is a handful.
constexpr std::size_t kMostFactors = 256;
constexpr std::size_t kMostBits = 1 << 12;   // of a coefficient
constexpr std::size_t kMostSteps = 300'000;  // of one expansion
constexpr Dim kMostPieces = 4096;            // that one variable is taken apart into

void substitute(std::vector<Affine>& index, Var var, const Affine& value) {
  for (Affine& e : index) e.put(var, value);
}

Narrow because(Narrow need, const Cause& cause) {
  need.cause = cause;
  return need;
}

bool read_alike(const Term& a, const Term& b) {
  if (a.reduce != b.reduce || !a.guards.empty() || !b.guards.empty() || !a.coef.tables.empty() ||
      !b.coef.tables.empty() || a.factors.size() != b.factors.size())
    return false;
  for (std::size_t i = 0; i < a.factors.size(); ++i) {
    if (a.factors[i].operand != b.factors[i].operand || a.factors[i].index != b.factors[i].index)
      return false;
  }
  return true;
}

// x + x as 2 x: chains of doublings would have as many terms as they multiply by.
std::vector<Term> merged(std::vector<Term> terms, const std::vector<NodeId>& operands) {
  std::vector<Term> out;
  for (Term& term : terms) {
    for (Access& access : term.factors) {
      const auto number = static_cast<std::size_t>(access.operand);
      if (number >= operands.size()) continue;
      const auto first = std::find(operands.begin(), operands.end(), operands[number]);
      access.operand = static_cast<int>(first - operands.begin());
    }
    const auto like = std::find_if(out.begin(), out.end(),
                                   [&](const Term& other) { return read_alike(other, term); });
    if (like == out.end()) {
      out.push_back(std::move(term));
    } else {
      like->coef.scale += term.coef.scale;
    }
  }
  return out;
}

}  // namespace

const Meaning& Expander::meaning(NodeId node) {
  const auto found = meanings_.find(node);
  if (found != meanings_.end()) return found->second;
  Meaning meaning = graph_.meaning(node);
  meaning.sum.terms = merged(std::move(meaning.sum.terms), graph_.node(node).operands);
  return meanings_.emplace(node, std::move(meaning)).first->second;
}

Expansion Expander::expand(Read read, const std::vector<Range>& digits) {
  steps_before_ += std::exchange(steps_, 0);
  // A function's arguments are expansions of their own: a list, however deep functions are nested.
  std::vector<Run> runs;
  runs.emplace_back(*this, digits, digits.size(), std::move(read));
  for (;;) {
    auto next = runs.back().advance();
    if (auto* asked = std::get_if<Run::Asked>(&next)) {
      runs.emplace_back(*this, std::move(asked->digits), digits.size(), std::move(asked->at));
      continue;
    }
    runs.pop_back();
    if (runs.empty()) return std::get<Expansion>(std::move(next));
    runs.back().take(std::get<Expansion>(std::move(next)));
  }
}

Expander::Run::Run(Expander& expander, std::vector<Range> digits, std::size_t of_output, Read read)
    : e_(expander), digits_(std::move(digits)), of_output_(of_output) {
  Item first;
  first.product.ranges = {digits_, digits_.size()};
  first.reads.push_back(std::move(read));
  open_.push_back(std::move(first));
}

std::variant<Expander::Run::Asked, Expansion> Expander::Run::advance() {
  while (!open_.empty() || function_) {
    Ended ended;
    if (!function_) {
      Item item = std::move(open_.back());
      open_.pop_back();
      if (++e_.steps_ > kMostSteps) return Expansion(GiveUp{"too many terms to write out"});
      if (e_.steps_ % 1024 == 0 && e_.stop_.stop_requested()) return Expansion(GiveUp{"stopped"});
      ended = step(std::move(item));
    } else if (function_->is_complete()) {
      ended = apply(*std::exchange(function_, std::nullopt));
    } else {
      ended = add_arguments();
      if (!ended && function_ && !function_->is_complete())
        return Asked{*function_->reads[function_->arguments.size()],
                     function_->item.product.ranges.of};
    }
    if (ended) return std::visit([](auto& why) -> Expansion { return std::move(why); }, *ended);
  }
  return Expansion(std::move(done_));
}

Expander::Run::Ended Expander::Run::step(Item item) {
  if (item.opening) return open_term(std::move(item));
  if (!item.reads.empty()) return follow(std::move(item));
  return finish(std::move(item));
}

Shape Expander::Run::shape_of(const Place& place) {
  if (place.application < 0) return *e_.graph_.node(place.node).type.shape;
  return e_.meaning(place.node).applications[static_cast<std::size_t>(place.application)].out;
}

Place Expander::Run::operand_of(NodeId node, int operand) const {
  const auto& operands = e_.graph_.node(node).operands;
  const auto number = static_cast<std::size_t>(operand);
  if (number < operands.size()) return {operands[number], -1};
  return {node, static_cast<int>(number - operands.size())};
}

Answer<Read> Expander::Run::located(NodeId node, const Access& access, std::span<const Affine> axes,
                                    const Ranges& ranges) const {
  Read out{operand_of(node, access.operand), {}, node};
  for (const IndexExpr& expr : access.index) {
    auto e = value_of(expr, axes, ranges);
    if (const auto* need = std::get_if<Narrow>(&e))
      return because(*need, {Cause::Kind::Digit, node, out.place.node});
    out.index.push_back(std::get<Affine>(std::move(e)));
  }
  return out;
}

Answer<bool> Expander::Run::counts(NodeId node, const Guard& guard, std::span<const Affine> axes,
                                   const Ranges& ranges) {
  const auto e = value_of(guard.expr, axes, ranges);
  if (const auto* need = std::get_if<Narrow>(&e))
    return because(*need, {Cause::Kind::Digit, node, node});
  auto held = holds(std::get<Affine>(e), guard, ranges);
  if (const auto* need = std::get_if<Narrow>(&held))
    return because(*need, {Cause::Kind::Guard, node, node});
  return held;
}

Answer<bool> Expander::Run::lies_inside(const Read& read, const Ranges& ranges) {
  const Shape shape = shape_of(read.place);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto inside = lies_between(read.index[d], 0, shape[d], ranges);
    if (const auto* need = std::get_if<Narrow>(&inside))
      return because(*need, {Cause::Kind::Border, read.by, read.place.node});
    if (!std::get<bool>(inside)) return false;
  }
  return true;
}

// One read less: nothing is there, or a leaf, or the terms of an operator.
Expander::Run::Ended Expander::Run::follow(Item item) {
  const Read& read = item.reads.back();
  const Node& node = e_.graph_.node(read.place.node);
  if (!node.type.shape || !are_numbers(node.type.dtype))
    return GiveUp{fmt::format("{} is no tensor of numbers of a known shape", node.name)};
  const auto inside = lies_inside(read, item.product.ranges);
  if (const auto* need = std::get_if<Narrow>(&inside)) return narrow(std::move(item), *need);
  if (!std::get<bool>(inside)) return std::nullopt;
  if (read.place.application >= 0) return read_application(std::move(item));
  if (node.op() == nullptr || !e_.graph_.has_meaning(read.place.node))
    return read_leaf(std::move(item));
  const auto& terms = e_.meaning(read.place.node).sum.terms;
  const Read into = std::move(item.reads.back());
  item.reads.pop_back();
  for (std::size_t t = 0; t < terms.size(); ++t) {
    // NOLINTNEXTLINE(bugprone-use-after-move): the last turn alone moves it
    Item next = t + 1 == terms.size() ? std::move(item) : item;
    next.opening = Opening{into.place, t, into.index};
    bool is_empty = false;
    for (const Dim extent : terms[t].reduce) {
      is_empty = is_empty || extent == 0;
      next.opening->axes.push_back(
          extent == 1 ? Affine(0) : Affine::of(static_cast<Var>(next.product.ranges.of.size())));
      if (extent != 1) next.product.ranges.of.push_back({0, extent});
    }
    if (!is_empty) open_.push_back(std::move(next));
  }
  return std::nullopt;
}

Expander::Run::Ended Expander::Run::read_leaf(Item item) {
  Read& read = item.reads.back();
  const Node& node = e_.graph_.node(read.place.node);
  const ValueId value = e_.id_of(read.place.node);
  LeafKind kind = LeafKind::Input;
  if (const Tensor* constant = node.constant()) {
    if (e_.table_.value(value).role == ConstantRole::Exact)
      return read_number(std::move(item), *constant);
    kind = LeafKind::Symbol;
  } else if (node.op() != nullptr) {
    if (e_.side_ == Side::Mutant && e_.table_.is_new(value))
      return GiveUp{
          fmt::format("{} follows from an operator without a meaning of ours", node.name)};
    kind = LeafKind::Opaque;
  }
  if (item.product.factors.size() >= kMostFactors)
    return GiveUp{"a product of too many factors to write out"};
  item.product.factors.push_back({e_.leaves_.of_value(value, kind), std::move(read.index)});
  item.reads.pop_back();
  open_.push_back(std::move(item));
  return std::nullopt;
}

// The number itself, where the index stands still.
Expander::Run::Ended Expander::Run::read_number(Item item, const Tensor& constant) {
  const Read& read = item.reads.back();
  Dim flat = 0;
  for (std::size_t d = 0; d < read.index.size(); ++d) {
    const Dim extent = constant.shape()[d];
    const Affine& e = read.index[d];
    const auto [low, high] = e.bounds(item.product.ranges.of);
    if (low != high) {
      const auto moving = std::find_if(e.parts().begin(), e.parts().end(), [&](const auto& part) {
        return item.product.ranges[part.var].extent() > 1;
      });
      const Cause cause{Cause::Kind::Number, read.by, read.place.node};
      const Var var = moving->var;
      return narrow(std::move(item), {var, Narrow::How::Apart, 0, cause});
    }
    flat = flat * extent + low;
  }
  item.product.coef *= exact(constant.floats()[static_cast<std::size_t>(flat)]);
  const Rational coef = item.product.coef.value();
  if (numerator_bits(coef) + denominator_bits(coef) > kMostBits)
    return GiveUp{"a product of numbers too long to compute with"};
  item.reads.pop_back();
  if (coef != 0) open_.push_back(std::move(item));
  return std::nullopt;
}

Expander::Run::Ended Expander::Run::open_term(Item item) {
  const Opening& opening = *item.opening;
  const NodeId node = opening.place.node;
  const Term& term = e_.meaning(node).sum.terms[opening.term];
  const Ranges& ranges = item.product.ranges;
  for (const Guard& guard : term.guards) {
    const auto held = counts(node, guard, opening.axes, ranges);
    if (const auto* need = std::get_if<Narrow>(&held)) return narrow(std::move(item), *need);
    if (!std::get<bool>(held)) return std::nullopt;
  }
  const Rational* coef = &term.coef.scale;
  Rational of_tables;
  for (const AxisTable& table : term.coef.tables) {
    const auto value =
        entry(table.values, opening.axes[static_cast<std::size_t>(table.axis)], ranges);
    if (const auto* need = std::get_if<Narrow>(&value))
      return narrow(std::move(item), because(*need, {Cause::Kind::Table, node, node}));
    of_tables = *coef * std::get<Rational>(value);
    coef = &of_tables;
  }
  if (*coef == 0) return std::nullopt;
  std::vector<Read> reads;
  for (const Access& access : term.factors) {
    auto read = located(node, access, opening.axes, ranges);
    if (const auto* need = std::get_if<Narrow>(&read)) return narrow(std::move(item), *need);
    reads.push_back(std::get<Read>(std::move(read)));
  }
  item.opening.reset();
  item.product.coef *= *coef;
  for (Read& read : reads) item.reads.push_back(std::move(read));
  open_.push_back(std::move(item));
  return std::nullopt;
}

// A sum that moves together with something else is written out, so that equal products look alike
// however they were summed; one that moves alone stays a sum. A digit counts as something else in a
// box where it stands still, too: the same sums are written out in all boxes.
Expander::Run::Ended Expander::Run::finish(Item item) {
  const Ranges& ranges = item.product.ranges;
  std::optional<Var> best;
  for (const Factor& factor : item.product.factors) {
    for (const Affine& e : factor.index) {
      if (e.parts().size() < 2) continue;
      for (const auto& [var, coefficient] : e.parts()) {
        if (ranges.is_digit(var) || ranges[var].extent() > kMostApart) continue;
        if (!best || ranges[var].extent() < ranges[*best].extent()) best = var;
      }
    }
  }
  if (best) return narrow(std::move(item), {*best, Narrow::How::Apart, 0});
  done_.push_back(std::move(item.product));
  return std::nullopt;
}

// What is summed over is narrowed here, in as many products; a digit of the output by whoever
// asked.
Expander::Run::Ended Expander::Run::narrow(Item item, const Narrow& need) {
  if (item.product.ranges.is_digit(need.var)) return need;
  const auto var = static_cast<std::size_t>(need.var);
  const Range range = item.product.ranges.of[var];
  const auto with_range = [&](Item piece, Dim low, Dim high) {
    piece.product.ranges.of[var] = {low, high};
    if (high - low == 1) put(piece, need.var, low);
    open_.push_back(std::move(piece));
  };
  switch (need.how) {
    case Narrow::How::Cut:
      with_range(item, range.low, need.value);
      with_range(std::move(item), need.value, range.high);
      return std::nullopt;
    case Narrow::How::Apart:
      if (range.extent() > kMostPieces) return GiveUp{"a sum of too many parts to look at"};
      for (Dim at = range.low; at + 1 < range.high; ++at) with_range(item, at, at + 1);
      if (range.extent() > 0) with_range(std::move(item), range.high - 1, range.high);
      return std::nullopt;
    case Narrow::How::Digits:
      break;
  }
  const Dim factor = need.value;
  const Dim low = (range.low + factor - 1) / factor;  // in whole multiples
  const Dim high = range.high / factor;
  if (high <= low) return GiveUp{"a sum whose parts cannot be told apart"};
  if (low * factor > range.low) with_range(item, range.low, low * factor);
  if (high * factor < range.high) with_range(item, high * factor, range.high);
  auto& ranges = item.product.ranges.of;
  Affine value = Affine::of(static_cast<Var>(ranges.size()));
  ranges.push_back({0, factor});
  if (high - low > 1) {
    value += Affine::of(static_cast<Var>(ranges.size())) * factor;
    ranges.push_back({low, high});
  } else {
    value += low * factor;
  }
  put(item, need.var, value);
  open_.push_back(std::move(item));
  return std::nullopt;
}

// From here on the variable is that.
void Expander::Run::put(Item& item, Var var, const Affine& value) {
  for (Read& read : item.reads) substitute(read.index, var, value);
  for (Factor& factor : item.product.factors) substitute(factor.index, var, value);
  if (item.opening) substitute(item.opening->axes, var, value);
  item.product.ranges.of[static_cast<std::size_t>(var)] = {0, 1};
}

}  // namespace pet::region
