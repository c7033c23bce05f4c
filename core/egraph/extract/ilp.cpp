#include "core/egraph/extract/ilp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "core/egraph/extract/greedy.h"
#include "core/egraph/extract/reduce.h"

namespace pet::egraph {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

// The program, and how choices are read from it and written into it.
class Formulation {
 public:
  explicit Formulation(const Problem& problem) : problem_(problem), reduced_(reduce(problem)) {
    column_.assign(problem.nodes.size(), kNone);
    place_.assign(problem.classes.size(), kNone);
    for (Number number = 0; number < reduced_.classes.size(); ++number) add_columns(number);
    for (Number number = 0; number < reduced_.classes.size(); ++number) add_rows(number);
  }

  const IlpModel& model() const { return model_; }

  // A good choice of what is left.
  Choice begin() const {
    Problem left = problem_;
    for (Number number = 0; number < left.classes.size(); ++number) {
      left.classes[number] = reduced_.classes[number];
      if (reduced_.free[number] != kNone) left.classes[number] = {reduced_.free[number]};
    }
    return extract_dag(left);
  }

  Choice choice(const std::vector<double>& values) const {
    Choice out = reduced_.free;
    for (Number number = 0; number < reduced_.classes.size(); ++number) {
      double most = 0.5;
      for (const Number node : reduced_.classes[number]) {
        if (values[column_[node]] <= most) continue;
        most = values[column_[node]];
        out[number] = node;
      }
    }
    return out;
  }

  std::vector<double> values(const Choice& choice) const {
    std::vector<double> out(model_.columns.size());
    std::vector<std::size_t> steps(reduced_.component_size.size());
    for (const Number number : needed(problem_, choice)) {
      if (reduced_.classes[number].empty()) continue;  // free
      out[column_[choice[number]]] = 1;
      // needed() has children first: their order within a component.
      if (place_[number] != kNone)
        out[place_[number]] = static_cast<double>(steps[reduced_.component[number]]++);
    }
    return out;
  }

 private:
  void add_columns(Number number) {
    for (const Number node : reduced_.classes[number]) {
      column_[node] = static_cast<Number>(model_.columns.size());
      model_.columns.push_back({problem_.nodes[node].cost, 0, 1, true});
    }
    if (reduced_.classes[number].empty()) return;
    const std::size_t members = reduced_.component_size[reduced_.component[number]];
    if (members < 2) return;
    place_[number] = static_cast<Number>(model_.columns.size());
    model_.columns.push_back({0, 0, static_cast<double>(members - 1), false});
  }

  void add_rows(Number number) {
    const auto& nodes = reduced_.classes[number];
    if (nodes.empty()) return;
    IlpModel::Row one;
    for (const Number node : nodes) one.entries.emplace_back(column_[node], 1);
    one.lower = reduced_.is_mandatory[number] != 0 ? 1 : 0;
    one.upper = 1;
    model_.rows.push_back(std::move(one));
    for (const auto& [child, readers] : by_child(nodes, reduced_.needs)) need(child, readers);
    for (const auto& [child, readers] : by_child(nodes, reduced_.before))
      order(number, child, readers);
  }
  static std::map<Number, std::vector<Number>> by_child(
      const std::vector<Number>& nodes, const std::vector<std::vector<Number>>& children) {
    std::map<Number, std::vector<Number>> out;
    for (const Number node : nodes)
      for (const Number child : children[node]) out[child].push_back(node);
    return out;
  }

  // Where one of the readers is taken, one of the child's nodes is.
  void need(Number child, const std::vector<Number>& readers) {
    IlpModel::Row row{{}, 0, kNoEnd};
    for (const Number node : reduced_.classes[child]) row.entries.emplace_back(column_[node], 1);
    for (const Number reader : readers) row.entries.emplace_back(column_[reader], -1);
    model_.rows.push_back(std::move(row));
  }

  // ... and it stands before the class.
  void order(Number number, Number child, const std::vector<Number>& readers) {
    const auto members = static_cast<double>(reduced_.component_size[reduced_.component[number]]);
    IlpModel::Row row{{{place_[number], 1}, {place_[child], -1}}, 1 - members, kNoEnd};
    for (const Number reader : readers) row.entries.emplace_back(column_[reader], -members);
    model_.rows.push_back(std::move(row));
  }

  const Problem& problem_;
  const Reduced reduced_;
  IlpModel model_;
  std::vector<Number> column_;  // by node
  std::vector<Number> place_;   // by class: the column of its place in the order
};

}  // namespace

IlpExtraction extract_ilp(const Problem& problem, const Choice& start, IlpSolver& solver,
                          const IlpLimits& limits, std::stop_token stop) {
  IlpExtraction out;
  out.choice = start;
  out.cost = *cost_of_choice(problem, start);
  const Formulation formulation(problem);
  out.columns = formulation.model().columns.size();
  out.rows = formulation.model().rows.size();
  if (out.columns == 0) {  // everything that is needed is free
    out.choice = formulation.choice({});
    const auto cost = cost_of_choice(problem, out.choice);
    PET_CHECK(cost.ok(), "a free choice");
    out.cost = out.bound = *cost;
    out.is_optimal = true;
    return out;
  }
  const auto answer = solver.solve(formulation.model(), formulation.values(formulation.begin()),
                                   limits, std::move(stop));
  if (!answer) {
    out.why = answer.error().message;
    return out;
  }
  out.seconds = answer->seconds;
  const bool is_whole = answer->values.size() == out.columns &&
                        std::ranges::all_of(answer->values, [](double v) { return v == v; });
  if (!is_whole) {
    out.why = answer->values.empty() ? "out of time before anything was found"
                                     : "the solver answered with what is no choice";
    out.bound = std::min(answer->bound, out.cost);
    return out;
  }
  const Choice found = formulation.choice(answer->values);
  const auto cost = cost_of_choice(problem, found);
  if (!cost) {
    out.why = fmt::format("the solver answered with what is no choice: {}", cost.error().message);
    return out;
  }
  // What is claimed to be the optimum and is dearer than what is known is none.
  const bool is_dearer = *cost > out.cost * (1 + 1e-9) + 1e-12;
  if (is_dearer && answer->end == IlpEnd::Optimal) {
    out.why = "the solver's optimum is dearer than a choice that is known";
    return out;
  }
  if (!is_dearer) {
    out.choice = found;
    out.cost = *cost;
  }
  out.bound = std::min(answer->bound, out.cost);
  out.is_optimal = answer->end == IlpEnd::Optimal;
  if (!out.is_optimal) out.why = "out of time";
  return out;
}

Digest digest_of(const IlpModel& model) {
  Digester digester("ilp");
  const auto number = [&](double value) { digester.add(std::bit_cast<std::uint64_t>(value)); };
  digester.add(model.columns.size()).add(model.rows.size());
  for (const IlpModel::Column& column : model.columns) {
    number(column.cost);
    number(column.lower);
    number(column.upper);
    digester.add(std::uint64_t{column.is_integer});
  }
  for (const IlpModel::Row& row : model.rows) {
    digester.add(row.entries.size());
    for (const auto& [column, factor] : row.entries) {
      digester.add(column);
      number(factor);
    }
    number(row.lower);
    number(row.upper);
  }
  return digester.finish();
}

std::string_view to_string(IlpEnd end) {
  return end == IlpEnd::Optimal ? "optimal" : "out of time";
}

}  // namespace pet::egraph
