#include "core/cost/analytic.h"

#include <algorithm>

#include "core/ir/read.h"
#include "core/util/rng.h"

namespace pet {
namespace {

double volume(const Shape& shape) {
  double product = 1;
  for (const Dim extent : shape) product *= static_cast<double>(extent);
  return product;
}

bool depends_on(const Window& window, int axis) {
  const auto depends = [&](const IndexExpr& e) { return e.depends_on(axis); };
  return std::any_of(window.read.index.begin(), window.read.index.end(), depends) ||
         std::any_of(window.guards.begin(), window.guards.end(),
                     [&](const Guard& g) { return depends(g.expr); });
}

// Elements that the windows of an application look at; positions that share a window count once.
double looked_at(const Application& application) {
  if (!application.window) return 0;
  double windows = 1;
  for (std::size_t a = 0; a < application.out.size(); ++a) {
    if (depends_on(*application.window, static_cast<int>(a)))
      windows *= static_cast<double>(application.out[a]);
  }
  return windows * volume(application.window->extent);
}

double multiply_adds(const Meaning& meaning) {
  if (is_data_movement(meaning)) return 0;
  double total = 0;
  for (const Term& term : meaning.sum.terms) {
    const bool alone = meaning.sum.terms.size() == 1 && term.reduce.empty();
    const bool scaled = term.coef.scale != 1 || !term.coef.tables.empty();
    const std::size_t products = term.factors.size() + (scaled ? 1 : 0);
    const std::size_t least = alone ? 0 : 1;  // to be added up is work even for a bare read
    const std::size_t each = std::max(least, products > 0 ? products - 1 : 0);
    total += volume(meaning.sum.out) * volume(term.reduce) * static_cast<double>(each);
  }
  return total;
}

// How often each operand is read at most.
std::vector<double> reads_of(const Meaning& meaning, std::size_t operands) {
  std::vector<double> reads(operands, 0);
  const auto add = [&](const Access& access, double times) {
    if (static_cast<std::size_t>(access.operand) < operands)
      reads[static_cast<std::size_t>(access.operand)] += times;
  };
  for (const Application& application : meaning.applications) {
    for (const Access& access : application.elements) add(access, volume(application.out));
    if (application.window) add(application.window->read, looked_at(application));
  }
  for (const Term& term : meaning.sum.terms) {
    for (const Access& access : term.factors)
      add(access, volume(meaning.sum.out) * volume(term.reduce));
  }
  return reads;
}

double bytes_of(const TensorType& type) {
  return type.shape ? volume(*type.shape) * static_cast<double>(bytes_per_element(type.dtype)) : 0;
}

bool reads_in_order(const Access& access, const Shape& from, const Shape& to, Dim flat) {
  Shape at(to.size());
  Dim rest = flat;
  for (std::size_t a = to.size(); a-- > 0; rest /= to[a]) at[a] = rest % to[a];
  return position_read(access.index, from, at) == flat;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  multiply_adds += other.multiply_adds;
  element_functions += other.element_functions;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  operators += other.operators;
  return *this;
}

bool is_free_view(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (!graph.has_meaning(id) || node.operands.size() != 1) return false;
  const Meaning& meaning = graph.meaning(id);
  const Shape& from = *graph.node(node.operands[0]).type.shape;
  const Shape& to = meaning.sum.out;
  if (!is_data_movement(meaning) || meaning.sum.terms.size() != 1 || count(from) != count(to))
    return false;
  const Term& term = meaning.sum.terms[0];
  if (!term.guards.empty()) return false;
  if (count(to) == 0) return true;
  // Reads are made of few digits: an order that differs at all differs at most positions, and a
  // cost is an estimate.
  constexpr int kLooks = 64;
  Rng rng(1);
  bool in_order = reads_in_order(term.factors[0], from, to, count(to) - 1);
  for (int i = 0; i < kLooks && in_order; ++i) {
    in_order = reads_in_order(term.factors[0], from, to, rng.between(0, count(to) - 1));
  }
  return in_order;
}

Work work_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.op() == nullptr) return {};
  Work work;
  work.operators = 1;
  if (is_free_view(graph, id)) return work;
  work.bytes_written = bytes_of(node.type);
  std::vector<double> reads;
  if (graph.has_meaning(id)) {
    const Meaning& meaning = graph.meaning(id);
    work.multiply_adds = multiply_adds(meaning);
    for (const Application& application : meaning.applications) {
      work.element_functions += volume(application.out) + looked_at(application);
    }
    reads = reads_of(meaning, node.operands.size());
  }
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const TensorType& type = graph.node(node.operands[i]).type;
    const double most = bytes_of(type);
    const double element = static_cast<double>(bytes_per_element(type.dtype));
    work.bytes_read += reads.empty() ? most : std::min(most, reads[i] * element);
  }
  return work;
}

Work work_of(const Graph& graph) {
  Work work;
  const auto depends = graph.depends_on_inputs();
  for (const NodeId id : graph.ids())
    if (depends[id.index()] != 0) work += work_of(graph, id);
  return work;
}

double analytic_ms(const Work& work, const MachineModel& machine) {
  const double of_one_thread = work.multiply_adds / machine.multiply_adds_per_ms +
                               work.element_functions / machine.element_functions_per_ms +
                               (work.bytes_read + work.bytes_written) / machine.bytes_per_ms;
  return of_one_thread / machine.threads +
         static_cast<double>(work.operators) * machine.ms_per_operator;
}

}  // namespace pet
