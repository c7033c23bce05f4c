#include "verify/sizes.h"

#include <algorithm>
#include <cmath>

#include "core/util/parallel.h"

namespace pet {
namespace {

Sizes leaf(const Node& node, double input) {
  Sizes out(*node.type.shape, 1);
  const Tensor* tensor = node.constant();
  if (tensor != nullptr && node.type.dtype == DType::Float && tensor->all_finite()) {
    std::transform(tensor->floats().begin(), tensor->floats().end(), out.lane(0).begin(),
                   [](float x) { return std::abs(static_cast<double>(x)); });
  } else {
    std::ranges::fill(out.values(), node.input() != nullptr ? input : 1.0);
  }
  return out;
}

void note(const Access& access, std::size_t operands, std::set<std::size_t>& out) {
  const auto operand = static_cast<std::size_t>(access.operand);
  if (operand < operands) out.insert(operand);
}

Sizes negated(Sizes sizes) {
  for (double& x : sizes.values()) x = -x;
  return sizes;
}

// The size of every element, where all have the same.
std::optional<double> everywhere(const Sizes& sizes) {
  const auto values = sizes.values();
  if (values.empty()) return std::nullopt;
  const bool same = std::ranges::all_of(values, [&](double x) { return x == values[0]; });
  return same ? std::optional(values[0]) : std::nullopt;
}

// Of a term of which every element of the result has as many products, each of as much.
std::optional<double> term_everywhere(const TermPlan& plan, const Shape& out,
                                      const std::vector<const Sizes*>& operands) {
  if (!plan.guards.empty() || !plan.tables.empty() || plan.is_dense()) return std::nullopt;
  const bool all_inside =
      std::ranges::all_of(plan.reads, [](const ReadPlan& read) { return read.checks.empty(); });
  const auto first_summed = plan.extents.begin() + static_cast<std::ptrdiff_t>(plan.out_loops);
  if (!all_inside || count({plan.extents.begin(), first_summed}) != count(out)) return std::nullopt;
  double product = std::abs(to_double(plan.scale)) *
                   static_cast<double>(count({first_summed, plan.extents.end()}));
  for (const ReadPlan& read : plan.reads) {
    if (read.operand == kOne) continue;
    const auto size = everywhere(*operands[static_cast<std::size_t>(read.operand)]);
    if (!size) return std::nullopt;
    product *= *size;
  }
  return product;
}

// Inputs all count the same, so do most sums of them: these need not be added up one by one.
std::optional<double> sum_everywhere(const MeaningCode& code,
                                     const std::vector<const Sizes*>& operands) {
  double out = 0;
  for (const TermCode& term : code.terms()) {
    const auto size = term_everywhere(term.plan, code.meaning().sum.out, operands);
    if (!size) return std::nullopt;
    out += *size;
  }
  return out;
}

constexpr double kUndefined = -1;

std::vector<Sizes> results_of(const Graph& graph, NodeId id, double size) {
  std::vector<Sizes> out;
  for (const Application& application : graph.meaning(id).applications) {
    std::ranges::fill(out.emplace_back(application.out, 1).values(), size);
  }
  return out;
}

// What is no number has no size: the function is not defined there.
double larger(double size, double result, double limit) {
  const double x = std::min(std::abs(result), limit);
  return x > size ? x : size;
}

void raise(Sizes& sizes, const Sizes& to, double limit) {
  std::ranges::transform(sizes.values(), to.values(), sizes.values().begin(),
                         [&](double x, double y) { return larger(x, y, limit); });
}

// Of a function of single elements, in place of the evaluator for speed.
void raise_by_values(Sizes& sizes, const Application& application,
                     const std::vector<Sizes>& arguments, std::size_t threads) {
  const std::size_t pieces = sizes.size() > 4096 ? threads : 1;
  parallel_for(pieces, pieces, [&](std::size_t piece) {
    std::vector<Real> elements(arguments.size());
    const auto value = [&] {
      return static_cast<double>(application.function->value(application.parameters, {}, elements));
    };
    const std::size_t end = (piece + 1) * sizes.size() / pieces;
    for (std::size_t i = piece * sizes.size() / pieces; i < end; ++i) {
      for (std::size_t k = 0; k < elements.size(); ++k)
        elements[k] = static_cast<Real>(arguments[k].lane(0)[i]);
      double& size = sizes.lane(0)[i];
      size = larger(size, value(), INFINITY);
      for (Real& x : elements) x = -x;
      size = larger(size, value(), INFINITY);
    }
  });
}

Status raise_by_windows(Sizes& sizes, const Application& application,
                        const std::vector<const Sizes*>& operands,
                        const RealEvaluator<double>& evaluator) {
  std::vector<Sizes> held;
  for (const Sizes* operand : operands) held.push_back(negated(*operand));
  std::vector<const Sizes*> negative;
  for (const Sizes& operand : held) negative.push_back(&operand);
  const Meaning alone{{application},
                      read_in_place(static_cast<int>(operands.size()), application.out)};
  for (const auto& arguments : {operands, negative}) {
    const auto result = evaluator.evaluate(alone, arguments);
    if (!result) return result.error();
    raise(sizes, *result, INFINITY);
  }
  return Done{};
}

}  // namespace

void Extremes::include(const Sizes& sizes) {
  for (const double x : sizes.lane(0)) {
    if (x == 0 || !std::isfinite(x)) continue;
    largest = std::max(largest, x);
    smallest = std::min(smallest, x);
  }
}

void Extremes::include(const Extremes& other) {
  largest = std::max(largest, other.largest);
  smallest = std::min(smallest, other.smallest);
}

bool Extremes::leaves_floats(const Extremes& original) const {
  constexpr double kFar = 0x1p100;
  return largest > std::max(kFar, 4 * original.largest) ||
         smallest < std::min(1 / kFar, original.smallest / 4);
}

bool Extremes::strays_from(const Extremes& original) const {
  constexpr double kFarUp = 0x1p16;
  constexpr double kFarDown = 0x1p64;  // weights may be as small as they like
  return largest > kFarUp * std::max(1.0, original.largest) ||
         smallest * kFarDown < std::min(1.0, original.smallest);
}

std::set<std::size_t> summed_operands(const Graph& graph, NodeId id) {
  std::set<std::size_t> out;
  if (!graph.has_meaning(id)) return out;
  const std::size_t operands = graph.node(id).operands.size();
  for (const Term& term : graph.meaning(id).sum.terms) {
    for (const Access& access : term.factors) note(access, operands, out);
  }
  return out;
}

std::set<std::size_t> argument_operands(const Graph& graph, NodeId id) {
  std::set<std::size_t> out;
  const std::size_t operands = graph.node(id).operands.size();
  if (!graph.has_meaning(id)) {
    for (std::size_t k = 0; k < operands; ++k) out.insert(k);
    return out;
  }
  for (const Application& application : graph.meaning(id).applications) {
    for (const Access& access : application.elements) note(access, operands, out);
    if (application.window) note(application.window->read, operands, out);
  }
  return out;
}

SizeRun::SizeRun(const GraphCode& code, Given given, std::size_t threads,
                 const std::stop_token& stop)
    : code_(code),
      graph_(code.graph()),
      given_(std::move(given)),
      evaluator_(Signs::Absolute, Functions::One, threads, stop),
      stop_(stop),
      extremes_(graph_.nodes().size()) {}

Extremes SizeRun::extremes_on_the_way_to(NodeId node) const {
  std::vector<char> needed(node.index() + 1, 0);
  needed.back() = 1;
  Extremes out;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i] == 0) continue;
    out.include(extremes_[i]);
    for (const NodeId operand : graph_.node(NodeId(i)).operands) needed[operand.index()] = 1;
  }
  return out;
}

std::set<std::size_t> SizeRun::reads(NodeId id) const {
  if (!graph_.has_meaning(id) || given_.known[id.index()] != 0) return {};
  auto out = summed_operands(graph_, id);
  if (given_.results_need_arguments) out.merge(argument_operands(graph_, id));
  return out;
}

std::vector<char> SizeRun::touched(const std::vector<char>& wanted) const {
  std::vector<char> out = wanted;
  for (std::size_t i = out.size(); i-- > 0;) {
    if (out[i] == 0) continue;
    for (const std::size_t k : reads(NodeId(i)))
      out[graph_.node(NodeId(i)).operands[k].index()] = 1;
  }
  return out;
}

Status SizeRun::run(const std::vector<char>& wanted,
                    const std::function<Status(NodeId, const Sizes&)>& visit) {
  const auto evaluated = touched(wanted);
  std::vector<std::set<std::size_t>> read(wanted.size());
  std::vector<std::size_t> uses(wanted.size(), 0);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (evaluated[i] == 0) continue;
    read[i] = reads(NodeId(i));
    for (const std::size_t k : read[i]) ++uses[graph_.node(NodeId(i)).operands[k].index()];
  }
  std::vector<Sizes> values(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const NodeId id(i);
    if (evaluated[i] == 0) continue;
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const bool known = given_.known[i] != 0;
    auto sizes = known ? Result<Sizes>(given_.sizes(id)) : evaluate(id, read[i], values);
    if (!sizes) return std::move(sizes).error();
    if (given_.in_floats && graph_.has_meaning(id) && !known) extremes_[i].include(*sizes);
    if (wanted[i] != 0) {
      if (auto done = visit(id, *sizes); !done) return done;
    }
    if (uses[i] > 0) values[i] = *std::move(sizes);
    for (const std::size_t k : read[i]) {
      const std::size_t operand = graph_.node(id).operands[k].index();
      if (--uses[operand] == 0) values[operand] = {};
    }
  }
  return Done{};
}

Result<Sizes> SizeRun::evaluate(NodeId id, const std::set<std::size_t>& read,
                                const std::vector<Sizes>& values) const {
  const Node& node = graph_.node(id);
  if (!graph_.has_meaning(id)) return leaf(node, given_.input);
  std::vector<Sizes> unread(node.operands.size());
  std::vector<const Sizes*> operands;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    unread[k].shape = *graph_.node(node.operands[k]).type.shape;
    operands.push_back(read.contains(k) ? &values[node.operands[k].index()] : &unread[k]);
  }
  auto results = given_.results(id, operands);
  if (!results) return std::move(results).error();
  for (const Sizes& sizes : *results) operands.push_back(&sizes);
  const auto code = code_.at(id);
  if (code->is_result_in_place()) return std::move(results->back());
  auto sum = sum_of(*code, operands);
  if (!sum) return sum;
  // Masks of the lowest float may have something added to them. Below the normal floats rounding
  // errors get no smaller.
  const double most = given_.in_floats ? 0x1.1p128 : INFINITY;
  const double least = given_.in_floats ? 0x1p-126 : 0;
  for (double& x : sum->lane(0)) {
    if (x > 0 && x < least) x = least;
    if (!(x <= most)) x = INFINITY;  // 0 times infinity, too: nothing bounds it
  }
  return sum;
}

Result<Sizes> SizeRun::sum_of(const MeaningCode& code,
                              const std::vector<const Sizes*>& operands) const {
  const auto same = sum_everywhere(code, operands);
  if (!same) return evaluator_.sum(code, operands);
  Sizes out(code.meaning().sum.out, 1);
  std::ranges::fill(out.values(), *same);
  return out;
}

std::vector<Sizes> results_of_one(const Graph& graph, NodeId id) {
  return results_of(graph, id, 1);
}

Result<std::vector<Sizes>> results_of_arguments(const GraphCode& graph_code, NodeId id,
                                                const std::vector<const Sizes*>& operands,
                                                std::size_t threads) {
  constexpr double kNothingLeft = 0x1p24;
  const RealEvaluator<double> evaluator(Signs::Absolute, Functions::Computed, threads);
  std::vector<Sizes> out = results_of(graph_code.graph(), id, kUndefined);
  if (out.empty()) return out;
  std::vector<const Sizes*> positive = operands;
  const auto code = graph_code.at(id);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Application& application = code->meaning().applications[k];
    std::vector<Sizes> arguments;
    for (std::size_t i = 0; i < application.elements.size(); ++i)
      arguments.push_back(evaluator.argument(application, code->applications()[k], i, positive));
    if (application.window) {
      auto done = raise_by_windows(out[k], application, positive, evaluator);
      if (!done) return std::move(done).error();
    } else {
      raise_by_values(out[k], application, arguments, threads);
    }
    for (const Sizes& argument : arguments) raise(out[k], argument, kNothingLeft);
    for (double& x : out[k].lane(0)) {
      if (x == kUndefined) x = 1;
    }
    positive.push_back(&out[k]);
  }
  return out;
}

}  // namespace pet
