#include "verify/rounding/sizes.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/ir/needed.h"
#include "core/util/parallel.h"
#include "verify/rounding/alike_sums.h"

namespace pet {
namespace {

Sizes leaf(const Node& node, double input, const std::set<float>& left_out, std::size_t threads,
           const std::stop_token& stop) {
  const Tensor* tensor = node.constant();
  if (tensor != nullptr && !left_out.empty()) {
    const auto number = the_number(*tensor);
    if (number && left_out.contains(std::abs(*number))) return {*node.type.shape, 1.0};
  }
  if (tensor == nullptr || node.type.dtype != DType::Float || !tensor->all_finite())
    return {*node.type.shape, node.input() != nullptr ? input : 1.0};
  LaneTensor<double> out(*node.type.shape, 1);
  const auto from = tensor->floats();
  const auto to = out.lane(0);
  for_each_part(to.size(), threads, stop, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] = std::abs(static_cast<double>(from[i]));
  });
  return Sizes(std::move(out));
}

void note(const Access& access, std::size_t operands, std::set<std::size_t>& out) {
  const auto operand = static_cast<std::size_t>(access.operand);
  if (operand < operands) out.insert(operand);
}

LaneTensor<double> negated(LaneTensor<double> sizes) {
  for (double& x : sizes.values()) x = -x;
  return sizes;
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
    const auto size = operands[static_cast<std::size_t>(read.operand)]->everywhere();
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

// Of sums that are added up before they are multiplied, as a mean is, or a product before alpha:
// the smallest of what they are multiplied by, at most 1. What else a node adds (beta times a bias)
// counts as multiplied by that, too, which makes more of it than there is.
double smallest_share(const IndexedSum& sum) {
  double out = 1;
  for (const Term& term : sum.terms) {
    if (count(term.reduce) == 1) continue;
    double share = std::abs(to_double(term.coef.scale));
    for (const AxisTable& table : term.coef.tables) {
      double smallest = 1;
      for (const Rational& x : table.values) smallest = std::min(smallest, std::abs(to_double(x)));
      share *= smallest;
    }
    if (share > 0) out = std::min(out, share);
  }
  return out;
}

constexpr double kUndefined = -1;

// What is no number has no size: the function is not defined there.
double larger(double size, double result, double limit) {
  const double x = std::min(std::abs(result), limit);
  return x > size ? x : size;
}

void raise(LaneTensor<double>& sizes, const LaneTensor<double>& to, double limit) {
  std::ranges::transform(sizes.values(), to.values(), sizes.values().begin(),
                         [&](double x, double y) { return larger(x, y, limit); });
}

// Of a function of single elements, in place of the evaluator for speed.
void raise_by_values(LaneTensor<double>& sizes, const Application& application,
                     const std::vector<LaneTensor<double>>& arguments, std::size_t threads) {
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

Status raise_by_windows(LaneTensor<double>& sizes, const Application& application,
                        const std::vector<const LaneTensor<double>*>& operands,
                        const RealEvaluator<double>& evaluator) {
  std::vector<LaneTensor<double>> held;
  for (const auto* operand : operands) held.push_back(negated(*operand));
  std::vector<const LaneTensor<double>*> negative;
  for (const auto& operand : held) negative.push_back(&operand);
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

void Extremes::include(double size) {
  if (size == 0 || !std::isfinite(size)) return;
  largest = std::max(largest, size);
  smallest = std::min(smallest, size);
}

void Extremes::include(const Sizes& sizes) {
  if (const auto everywhere = sizes.everywhere()) return include(*everywhere);
  for (const double x : sizes.of_classes().lane(0)) include(x);
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
      threads_(threads),
      stop_(stop),
      extremes_(graph_.nodes().size()),
      beyond_(graph_.nodes().size(), 0) {}

Extremes SizeRun::extremes_on_the_way_to(NodeId node) const {
  const auto needed = needed_by(graph_, node);
  Extremes out;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i] != 0) out.include(extremes_[i]);
  return out;
}

// What is only moved was there before.
bool SizeRun::is_computed(NodeId id) const {
  return graph_.has_meaning(id) && !is_data_movement(graph_.meaning(id));
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
    for (const std::size_t k : read[i]) beyond_[i] |= beyond_[graph_.node(id).operands[k].index()];
    auto sizes = known ? Result<Sizes>(given_.sizes(id)) : evaluate(id, read[i], values, uses);
    if (!sizes) return std::move(sizes).error();
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (given_.in_floats && !known && is_computed(id)) extremes_[i].include(*sizes);
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
                                std::vector<Sizes>& values, const std::vector<std::size_t>& uses) {
  const Node& node = graph_.node(id);
  if (!graph_.has_meaning(id)) return leaf(node, given_.input, given_.left_out, threads_, stop_);
  const auto code = code_.at(id);
  if (const auto only = only_moved(id, *code, values)) {
    Sizes& from = values[*only];
    LaneTensor<double> same = uses[*only] == 1 ? std::move(from).take() : from.of_classes();
    same.shape = code->out();
    hold(id, 1, same.lane(0));
    return Sizes(std::move(same));
  }
  std::vector<Sizes> unread(node.operands.size());
  std::vector<const Sizes*> operands;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    unread[k] = Sizes::unread(*graph_.node(node.operands[k]).type.shape);
    operands.push_back(read.contains(k) ? &values[node.operands[k].index()] : &unread[k]);
  }
  auto results = given_.results(id, operands);
  if (!results) return std::move(results).error();
  for (const Sizes& sizes : *results) operands.push_back(&sizes);
  if (code->is_result_in_place()) return std::move(results->back());
  return sum_of(id, *code, operands);
}

// As large as floats tell it. `before`: what was held before it was multiplied by something small.
double SizeRun::held(double size, double before) const {
  if (!given_.in_floats) return std::isnan(size) ? INFINITY : size;
  // Masks of the lowest float may have something added to them. Below the normal floats rounding
  // errors get no smaller.
  constexpr double kMost = 0x1.1p128;
  constexpr double kLeast = 0x1p-126;
  if (!(std::max(size, before) <= kMost)) return INFINITY;  // 0 times infinity, too: no bound
  return size > 0 ? std::max(size, kLeast) : size;
}

// As held() has it, every one.
void SizeRun::hold(NodeId id, double before, std::span<double> sizes) {
  std::atomic<bool> beyond = false;
  for_each_part(sizes.size(), threads_, stop_, [&](std::size_t first, std::size_t last) {
    for (double& size : sizes.subspan(first, last - first)) {
      const double out = held(size, size * before);
      if (out != size) beyond = true;
      size = out;
    }
  });
  if (beyond) beyond_[id.index()] = 1;
}

// The operand that a node yields under another shape, where no two positions of it are alike.
std::optional<std::size_t> SizeRun::only_moved(NodeId id, const MeaningCode& code,
                                               const std::vector<Sizes>& values) const {
  if (!code.applications().empty() || !is_same_in_a_row(code)) return std::nullopt;
  const auto k = static_cast<std::size_t>(code.terms()[0].plan.reads[0].operand);
  const std::size_t operand = graph_.node(id).operands[k].index();
  const Sizes& sizes = values[operand];
  if (!sizes.alike().is_nowhere() || count(sizes.shape()) != count(code.out())) return std::nullopt;
  return operand;
}

Result<Sizes> SizeRun::sum_of(NodeId id, const MeaningCode& code,
                              const std::vector<const Sizes*>& operands) {
  const double before = 1 / smallest_share(code.meaning().sum);
  if (auto same = sum_everywhere(code, operands)) {
    hold(id, before, {&*same, 1});
    return Sizes(code.meaning().sum.out, *same);
  }
  auto sum = summed(code, operands, evaluator_);
  if (!sum) return std::move(sum).error();
  hold(id, before, sum->of_classes.lane(0));
  return Sizes(std::move(sum->alike), std::move(sum->of_classes));
}

std::optional<float> the_number(const Tensor& tensor) {
  if (tensor.type().dtype != DType::Float || tensor.floats().empty()) return std::nullopt;
  const float first = tensor.floats()[0];
  if (std::ranges::any_of(tensor.floats(), [&](float x) { return x != first; }))
    return std::nullopt;
  return first;
}

std::vector<Sizes> results_of_one(const Graph& graph, NodeId id) {
  std::vector<Sizes> out;
  for (const Application& application : graph.meaning(id).applications)
    out.emplace_back(application.out, 1);
  return out;
}

Result<std::vector<Sizes>> results_of_arguments(const GraphCode& graph_code, NodeId id,
                                                const std::vector<const Sizes*>& operands,
                                                std::size_t threads) {
  constexpr double kNothingLeft = 0x1p24;
  const RealEvaluator<double> evaluator(Signs::Absolute, Functions::Computed, threads);
  const auto code = graph_code.at(id);
  std::vector<Sizes> out;
  if (code->meaning().applications.empty()) return out;
  out.reserve(code->meaning().applications.size());
  auto read = operands;
  for (std::size_t k = 0; k < code->meaning().applications.size(); ++k) {
    const Application& application = code->meaning().applications[k];
    Alike alike = alike_results(application, read);
    LaneTensor<double> sizes(application.window ? application.out : alike.classes(), 1);
    std::ranges::fill(sizes.values(), kUndefined);
    std::vector<LaneTensor<double>> arguments;
    if (application.window) {
      const WrittenOut positive(read);
      for (std::size_t i = 0; i < application.elements.size(); ++i)
        arguments.push_back(
            evaluator.argument(application, code->applications()[k], i, positive.all()));
      auto done = raise_by_windows(sizes, application, positive.all(), evaluator);
      if (!done) return std::move(done).error();
    } else {
      arguments = arguments_at(application, alike, read);
      raise_by_values(sizes, application, arguments, threads);
    }
    for (const auto& argument : arguments) raise(sizes, argument, kNothingLeft);
    for (double& x : sizes.lane(0)) {
      if (x == kUndefined) x = 1;
    }
    if (application.window && !alike.is_nowhere()) sizes = at_classes(sizes, alike);
    read.push_back(&out.emplace_back(std::move(alike), std::move(sizes)));
  }
  return out;
}

}  // namespace pet
