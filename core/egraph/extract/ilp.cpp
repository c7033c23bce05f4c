#include "core/egraph/extract/ilp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

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

  // What takes a node that was left out takes one that needs no more instead.
  std::vector<double> values(const Choice& choice) const {
    std::vector<double> out(model_.columns.size());
    std::vector<std::size_t> steps(reduced_.component_size.size());
    for (const Number number : needed(problem_, choice)) {
      if (reduced_.classes[number].empty()) continue;  // free, or paid for by another
      out[column_[kept_instead_of(number, choice[number])]] = 1;
      // needed() has children first: their order within a component.
      if (place_[number] != kNone)
        out[place_[number]] = static_cast<double>(steps[reduced_.component[number]]++);
    }
    return out;
  }

 private:
  Number kept_instead_of(Number number, Number node) const {
    const auto& kept = reduced_.classes[number];
    const auto it = std::ranges::find_if(kept, [&](Number one) {
      return one == node || (problem_.nodes[one].cost <= problem_.nodes[node].cost &&
                             std::ranges::includes(reduced_.children[node], reduced_.children[one]));
    });
    PET_CHECK(it != kept.end(), "a node is left out only where another takes its place");
    return *it;
  }

  void add_columns(Number number) {
    for (const Number node : reduced_.classes[number]) {
      column_[node] = static_cast<Number>(model_.columns.size());
      model_.columns.push_back({problem_.nodes[node].cost, 0, 1, true});
    }
    const std::size_t members = reduced_.component_size[reduced_.component[number]];
    if (members < 2 || reduced_.classes[number].empty()) return;
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
    std::map<Number, std::vector<Number>> by_child;
    for (const Number node : nodes)
      for (const Number child : reduced_.children[node]) by_child[child].push_back(node);
    for (const auto& [child, readers] : by_child) {
      if (reduced_.is_mandatory[child] == 0) need(child, readers);
      if (reduced_.component[child] == reduced_.component[number]) order(number, child, readers);
    }
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
    const auto members =
        static_cast<double>(reduced_.component_size[reduced_.component[number]]);
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
  const auto answer =
      solver.solve(formulation.model(), formulation.values(start), limits, std::move(stop));
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
  const auto number = [&](double value) {
    digester.add(std::bit_cast<std::uint64_t>(value));
  };
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
