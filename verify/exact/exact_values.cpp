#include "verify/exact/exact_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/ir/read.h"
#include "verify/values/positions.h"
#include "verify/values/step_limit.h"

namespace pet {
namespace {

constexpr std::size_t kMostBits = 1 << 16;

constexpr std::uint64_t kHole = ~std::uint64_t{0};  // no polynomial has this number

}  // namespace

// One operator at a time: its element functions, then its sum.
class MeaningWalk {
 public:
  MeaningWalk(ExactValues& shared, TimesZero times_zero, ExactProgram& program)
      : shared_(shared), times_zero_(times_zero), program_(program) {}

  void add_operand(const Shape& shape, const ExactValue& value) {
    operands_.push_back({shape, value.elements, value.partial});
    depends_ = depends_ || !value.partial.empty();
  }

  Status apply(const Application& application) {
    Operand results{application.out, {}, {}};
    std::vector<Dim> axes;
    const bool is_partial = application.function->totality == Totality::Partial;
    depends_ = depends_ || is_partial;
    auto done = for_each_position(application.out, axes, 0, [&]() -> Status {
      VariableSets::Number partial = VariableSets::kNone;
      auto key = key_of(application, axes, partial);
      if (!key) return std::move(key).error();
      const Variable result = shared_.variable(*std::move(key));
      if (is_partial) {
        program_.partial.insert(result);
        if (auto status = unite(partial, shared_.sets_.of(result)); !status) return status;
      }
      results.elements.push_back(shared_.pool_.variable(result));
      if (depends_) results.partial.push_back(partial);
      return shared_.spend(1);
    });
    if (!done) return done;
    operands_.push_back(std::move(results));
    return Done{};
  }

  Result<ExactValue> sum(const IndexedSum& sum) {
    ExactValue results;
    std::vector<Dim> axes;
    const std::size_t rank = sum.out.size();
    auto done = for_each_position(sum.out, axes, 0, [&]() -> Status {
      Polynomial total;
      std::vector<PolynomialId> copied;  // contributions that are one element as it is
      VariableSets::Number partial = VariableSets::kNone;
      std::vector<Dim> at(axes);
      for (const Term& term : sum.terms) {
        auto status = for_each_position(term.reduce, at, rank, [&]() -> Status {
          if (auto added = add_partial(term, at, partial); !added) return added;
          return add_term(term, at, total, copied);
        });
        if (!status) return status;
      }
      auto result = finish(std::move(total), copied);
      if (!result) return std::move(result).error();
      results.elements.push_back(*result);
      if (depends_) results.partial.push_back(partial);
      return Done{};
    });
    if (!done) return std::move(done).error();
    return results;
  }

 private:
  struct Operand {
    Shape shape;
    std::vector<PolynomialId> elements;
    std::vector<VariableSets::Number> partial;  // as of an ExactValue
  };

  std::optional<Dim> place(const Access& access, std::span<const Dim> axes) const {
    const Operand& operand = operands_[static_cast<std::size_t>(access.operand)];
    return position_read(access.index, operand.shape, axes);
  }

  std::optional<PolynomialId> read(const Access& access, std::span<const Dim> axes) const {
    const auto at = place(access, axes);
    if (!at) return std::nullopt;
    return operands_[static_cast<std::size_t>(access.operand)]
        .elements[static_cast<std::size_t>(*at)];
  }

  Status unite(VariableSets::Number& with, VariableSets::Number other) {
    if (auto done = shared_.spend(shared_.sets_.cost(with, other)); !done) return done;
    with = shared_.sets_.united(with, other);
    return Done{};
  }

  // What an element that is read depends on.
  Status add_partial(const Access& access, std::span<const Dim> axes, VariableSets::Number& to) {
    const Operand& operand = operands_[static_cast<std::size_t>(access.operand)];
    const auto at = operand.partial.empty() ? std::nullopt : place(access, axes);
    return at ? unite(to, operand.partial[static_cast<std::size_t>(*at)]) : Status(Done{});
  }

  Status add_partial(const Term& term, std::span<const Dim> axes, VariableSets::Number& to) {
    if (!depends_ || !all_hold(term.guards, axes)) return Done{};
    const auto is_there = [&](const Access& access) { return place(access, axes).has_value(); };
    if (times_zero_ == TimesZero::Unused &&
        (!std::ranges::all_of(term.factors, is_there) || sgn(term.coef.at(axes)) == 0))
      return Done{};
    for (const Access& access : term.factors) {
      if (auto done = add_partial(access, axes, to); !done) return done;
    }
    return Done{};
  }

  Status add_term(const Term& term, std::span<const Dim> axes, Polynomial& total,
                  std::vector<PolynomialId>& copied) {
    if (auto status = shared_.spend(1); !status) return status;
    if (!all_hold(term.guards, axes)) return Done{};
    std::vector<PolynomialId> factors;
    for (const Access& access : term.factors) {
      const auto element = read(access, axes);
      if (!element || *element == shared_.pool_.zero()) return Done{};
      factors.push_back(*element);
    }
    const Rational coefficient = term.coef.at(axes);
    if (coefficient == 1 && factors.size() == 1) {
      copied.push_back(factors[0]);
      return Done{};
    }
    const std::size_t before = total.size();
    const std::size_t room =
        shared_.limits_.monomials - std::min(shared_.limits_.monomials, shared_.spent_);
    if (!shared_.pool_.add_product(coefficient, factors, room, total))
      return shared_.spend(room + 1);
    // Squaring a number again and again doubles its length each time: few monomials, and no end.
    std::size_t steps = 0;
    for (std::size_t i = before; i < total.size(); ++i) {
      const Rational& x = total[i].second;
      steps += steps_of(total[i].first.size());
      if (numerator_bits(x) + denominator_bits(x) > kMostBits) {
        return Error{fmt::format("a coefficient of more than {} bits", kMostBits), ErrorKind::Tool};
      }
    }
    return shared_.spend(steps);
  }

  Result<PolynomialId> finish(Polynomial total, const std::vector<PolynomialId>& copied) {
    if (total.empty() && copied.size() == 1) return copied[0];
    for (const PolynomialId id : copied) {
      const Polynomial& terms = shared_.pool_.terms(id);
      if (auto status = shared_.spend(terms.size()); !status) return std::move(status).error();
      total.insert(total.end(), terms.begin(), terms.end());
    }
    return shared_.pool_.intern(canonical(std::move(total)));
  }

  // `partial`: what the arguments depend on.
  Result<ExactValues::Key> key_of(const Application& application, std::span<const Dim> position,
                                  VariableSets::Number& partial) {
    ExactValues::Key key{ExactValues::Kind::Function, std::string(application.function->name), {}};
    key.numbers.push_back(application.parameters.size());
    for (const double p : application.parameters)
      key.numbers.push_back(std::bit_cast<std::uint64_t>(p));
    key.numbers.push_back(application.elements.size());
    for (const Access& access : application.elements) {
      key.numbers.push_back(read(access, position).value_or(shared_.pool_.zero()).value);
      if (auto done = add_partial(access, position, partial); !done) return std::move(done).error();
    }
    key.numbers.push_back(
        application.window ? 1 + static_cast<std::uint64_t>(application.window->symmetry) : 0);
    if (!application.window) return key;
    const Window& window = *application.window;
    std::vector<std::uint64_t> elements;
    std::vector<Dim> axes(position.begin(), position.end());
    auto done = for_each_position(window.extent, axes, position.size(), [&]() -> Status {
      const auto element = all_hold(window.guards, axes) ? read(window.read, axes) : std::nullopt;
      elements.push_back(element ? element->value : kHole);
      if (element) {
        if (auto status = add_partial(window.read, axes, partial); !status) return status;
      }
      return shared_.spend(1);
    });
    if (!done) return std::move(done).error();
    if (window.symmetry == Symmetry::Multiset) std::sort(elements.begin(), elements.end());
    key.numbers.insert(key.numbers.end(), elements.begin(), elements.end());
    return key;
  }

  ExactValues& shared_;
  TimesZero times_zero_;
  ExactProgram& program_;
  std::vector<Operand> operands_;
  bool depends_ = false;  // on some result of a partial function
};

ExactValues::ExactValues(const Graph& original, bool bind_weights, ExactLimits limits,
                         std::stop_token stop)
    : limits_(limits), stop_(std::move(stop)), bind_weights_(bind_weights) {
  if (limits.time) deadline_ = std::chrono::steady_clock::now() + *limits.time;
  for (const Node& node : original.nodes()) {
    if (node.constant() != nullptr) symbols_.insert(node.constant()->digest());
  }
}

Status ExactValues::spend(std::size_t monomials) {
  constexpr std::size_t kBetweenLooks = 4096;
  spent_ += monomials;
  if (spent_ > limits_.monomials) return more_than_steps(limits_.monomials);
  if (spent_ < next_look_) return Done{};
  next_look_ = spent_ + kBetweenLooks;
  if (stop_.stop_requested())
    return Error{"stopped before the comparison was finished", ErrorKind::Stopped};
  if (deadline_ && std::chrono::steady_clock::now() > *deadline_)
    return Error{"no time left", ErrorKind::Tool};
  return Done{};
}

Variable ExactValues::variable(Key key, std::optional<Rational> stored) {
  const Kind kind = key.kind;
  const auto [it, is_new] = known_.try_emplace(std::move(key), Variable(variables_.size()));
  if (is_new) variables_.push_back({kind, std::move(stored)});
  return it->second;
}

std::uint64_t ExactValues::whole(Key key) {
  return wholes_.try_emplace(std::move(key), wholes_.size()).first->second;
}

Result<ExactProgram> ExactValues::evaluate(const Graph& graph, TimesZero times_zero) {
  const auto needed = graph.needed_by_outputs();
  ExactProgram program;
  std::vector<ExactValue> values(needed.size());
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    if (node.type.shape && count(*node.type.shape) > limits_.elements) {
      return Error{fmt::format("a value of {} elements, more than {}", count(*node.type.shape),
                               limits_.elements),
                   ErrorKind::Tool};
    }
    auto value = node.op() == nullptr    ? leaf(node)
                 : graph.has_meaning(id) ? interpreted(graph, id, values, times_zero, program)
                                         : opaque(graph, node, values, program);
    if (!value) return std::move(value).error();
    values[id.index()] = *std::move(value);
  }
  for (const NodeId id : graph.outputs()) program.outputs.push_back(values[id.index()]);
  return program;
}

Result<ExactValue> ExactValues::leaf(const Node& node) {
  if (node.constant() != nullptr) return constant(*node.constant());
  const std::string& name = node.input()->name;
  ExactValue value;
  if (!node.type.shape) {
    value.whole = whole({Kind::Input, name, {}});
    return value;
  }
  for (Dim i = 0; i < count(*node.type.shape); ++i) {
    value.elements.push_back(
        pool_.variable(variable({Kind::Input, name, {static_cast<std::uint64_t>(i)}})));
  }
  return value;
}

Result<ExactValue> ExactValues::constant(const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(count(tensor.shape()));
  const bool is_float = tensor.type().dtype == DType::Float;
  // What is infinite or no number has no exact value; nothing computes with it (objections).
  const bool is_number = is_float && tensor.all_finite();
  const bool is_symbol =
      !is_number || (!bind_weights_ && size > 1 && symbols_.contains(tensor.digest()));
  ExactValue value;
  for (std::size_t i = 0; i < size; ++i) {
    auto number =
        is_number ? std::optional(exact(static_cast<double>(tensor.floats()[i]))) : std::nullopt;
    value.elements.push_back(
        is_symbol ? pool_.variable(
                        variable({Kind::Symbol, tensor.digest().hex(), {i}}, std::move(number)))
                  : pool_.constant(*number));
  }
  return value;
}

Result<ExactValue> ExactValues::opaque(const Graph& graph, const Node& node,
                                       const std::vector<ExactValue>& values,
                                       ExactProgram& program) {
  Digester digester("opaque operator");
  digest_into(digester, *node.op());
  Key key{Kind::Opaque, digester.finish().hex(), {}};
  for (const NodeId id : node.operands) {
    const Node& operand = graph.node(id);
    const ExactValue& value = values[id.index()];
    key.text += '\n' + to_string(operand.type);
    key.numbers.push_back(operand.type.shape ? value.elements.size() : kHole);
    if (!operand.type.shape) key.numbers.push_back(value.whole);
    for (const PolynomialId element : value.elements) key.numbers.push_back(element.value);
  }
  ExactValue value;
  value.whole = whole(std::move(key));
  program.opaque.insert(value.whole);
  VariableSets::Number partial = VariableSets::kNone;  // it may read all of its operands
  for (const NodeId id : node.operands) {
    for (const VariableSets::Number set : values[id.index()].partial) {
      if (auto done = spend(sets_.cost(partial, set)); !done) return std::move(done).error();
      partial = sets_.united(partial, set);
    }
  }
  const auto elements = node.type.shape ? static_cast<std::size_t>(count(*node.type.shape)) : 1;
  if (partial != VariableSets::kNone) value.partial.assign(elements, partial);
  if (!node.type.shape) return value;
  for (Dim i = 0; i < count(*node.type.shape); ++i) {
    value.elements.push_back(
        pool_.variable(variable({Kind::Opaque, {}, {value.whole, static_cast<std::uint64_t>(i)}})));
  }
  if (auto status = spend(value.elements.size()); !status) return std::move(status).error();
  return value;
}

Result<ExactValue> ExactValues::interpreted(const Graph& graph, NodeId id,
                                            const std::vector<ExactValue>& values,
                                            TimesZero times_zero, ExactProgram& program) {
  const Meaning& meaning = graph.meaning(id);
  MeaningWalk walk(*this, times_zero, program);
  for (const NodeId operand : graph.node(id).operands) {
    walk.add_operand(*graph.node(operand).type.shape, values[operand.index()]);
  }
  for (const Application& application : meaning.applications) {
    if (count(application.out) > limits_.elements)
      return Error{"an application with too many elements", ErrorKind::Tool};
    if (auto status = walk.apply(application); !status) return std::move(status).error();
  }
  return walk.sum(meaning.sum);
}

}  // namespace pet
