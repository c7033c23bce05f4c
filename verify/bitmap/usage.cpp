#include "verify/bitmap/usage.h"

#include <algorithm>

#include "core/eval/loops.h"
#include "verify/values/step_limit.h"

namespace pet {
namespace {

using Used = std::vector<char>;

// By node: not 0 where its value is made of results of the sources, and the output of its value.
std::vector<char> between(const Graph& graph, NodeId output, const std::vector<char>& sources) {
  std::vector<char> follows = sources;
  for (const NodeId id : graph.ids()) {
    for (const NodeId operand : graph.node(id).operands) {
      if (follows[operand.index()] != 0) follows[id.index()] = 1;
    }
  }
  std::vector<char> out(follows.size(), 0);
  out[output.index()] = follows[output.index()];
  for (std::size_t i = out.size(); i-- > 0;) {
    if (out[i] == 0) continue;
    for (const NodeId operand : graph.node(NodeId(i)).operands)
      out[operand.index()] = follows[operand.index()];
  }
  return out;
}

// What one operator reads for some elements of its result: by operand, then by application. Null:
// nobody asks.
class Reads {
 public:
  Reads(const MeaningCode& code, std::vector<Used*> operands, TimesZero times_zero)
      : code_(code), read_(std::move(operands)), times_zero_(times_zero) {
    for (const Application& application : code.meaning().applications)
      results_.emplace_back(static_cast<std::size_t>(count(application.out)), 0);
    for (Used& result : results_) read_.push_back(&result);
  }

  void mark(const Used& wanted) {
    if (code_.is_result_in_place()) {
      results_.back() = wanted;
    } else {
      for (const TermCode& term : code_.terms()) mark_term(term.plan, wanted);
    }
    for (std::size_t k = results_.size(); k-- > 0;) mark_arguments(k);
  }

  std::vector<Used> take_results() { return std::move(results_); }

 private:
  Used* at(int operand) const {
    return operand == kOne ? nullptr : read_[static_cast<std::size_t>(operand)];
  }

  void mark_term(const TermPlan& plan, const Used& wanted) {
    for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
      for (std::size_t i = 0; i < line.length; ++i) {
        const Dim out = line.out_base + (line.out_steps == nullptr ? 0 : (*line.out_steps)[i]);
        const auto is_there = [&](const auto& read) { return read[i] >= 0; };
        const bool counts =
            wanted[static_cast<std::size_t>(out)] != 0 &&
            (times_zero_ == TimesZero::Used ||
             (std::ranges::all_of(line.reads, is_there) && !is_zero(plan, line, i)));
        for (std::size_t r = 0; counts && r < plan.reads.size(); ++r) {
          Used* used = at(plan.reads[r].operand);
          if (used != nullptr && is_there(line.reads[r]))
            (*used)[static_cast<std::size_t>(line.reads[r][i])] = 1;
        }
      }
    });
  }

  // The coefficient at a point of the line.
  static bool is_zero(const TermPlan& plan, const Line& line, std::size_t point) {
    return sgn(plan.scale) == 0 || std::ranges::any_of(plan.tables, [&](const AxisTable& table) {
             const auto axis = static_cast<std::size_t>(table.axis);
             const auto at = axis == line.inner ? point : static_cast<std::size_t>(line.at[axis]);
             return sgn(table.values[at]) == 0;
           });
  }

  void mark_arguments(std::size_t number) {
    const Application& application = code_.meaning().applications[number];
    const ApplicationCode& code = code_.applications()[number];
    const Used& wanted = results_[number];
    for (std::size_t k = 0; k < code.elements.size(); ++k) {
      Used* used = at(application.elements[k].operand);
      if (used == nullptr) continue;
      const auto offsets = read_offsets(code.elements[k]);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] != 0 && offsets[i] >= 0) (*used)[static_cast<std::size_t>(offsets[i])] = 1;
      }
    }
    if (!application.window) return;
    Used* used = at(application.window->read.operand);
    if (used == nullptr) return;
    const WindowPlan plan = plan_windows(*code.window, application.out);
    Used windows(plan.windows, 0);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] != 0) windows[plan.of_output[i]] = 1;
    }
    for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
      if (windows[i / plan.width] != 0 && plan.offsets[i] >= 0)
        (*used)[static_cast<std::size_t>(plan.offsets[i])] = 1;
    }
  }

  const MeaningCode& code_;
  std::vector<Used*> read_;  // operands, then results
  std::vector<Used> results_;
  TimesZero times_zero_;
};

}  // namespace

Usage::Usage(const GraphCode& program, NodeId output, std::vector<char> wanted,
             const std::vector<char>& sources, TimesZero times_zero, const std::stop_token& stop)
    : values_(program.graph().nodes().size()), times_zero_(times_zero) {
  const Graph& graph = program.graph();
  const auto needed = between(graph, output, sources);
  if (needed[output.index()] == 0) return;
  values_[output.index()] = std::move(wanted);
  for (std::size_t i = output.index() + 1; i-- > 0 && !stop.stop_requested();) {
    // What reads nothing of it, as the first of sums that leave their own element out, needs
    // nothing of what an operator without a meaning was given either.
    if (needed[i] == 0 || std::ranges::find(values_[i], char{1}) == values_[i].end()) continue;
    mark_operands(program, NodeId(i), needed);
    if (sources[i] == 0) results_.erase(NodeId(i));
    values_[i] = {};
  }
}

void Usage::mark_operands(const GraphCode& program, NodeId id, const std::vector<char>& needed) {
  const Graph& graph = program.graph();
  const bool is_read_whole = !graph.has_meaning(id);
  std::vector<Used*> operands;
  for (const NodeId operand : graph.node(id).operands) {
    const auto& shape = graph.node(operand).type.shape;
    Used& used = values_[operand.index()];
    operands.push_back(needed[operand.index()] != 0 && shape ? &used : nullptr);
    if (operands.back() == nullptr) continue;
    used.resize(static_cast<std::size_t>(count(*shape)), 0);
    if (is_read_whole) std::ranges::fill(used, 1);
  }
  if (is_read_whole) return;
  const auto code = program.at(id);
  Reads reads(*code, std::move(operands), times_zero_);
  reads.mark(values_[id.index()]);
  results_[id] = reads.take_results();
}

double Usage::steps(const Graph& graph, NodeId output, const std::vector<char>& sources) {
  const auto needed = between(graph, output, sources);
  double out = 0;
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] != 0) out += evaluation_steps(graph, id);
  }
  return out;
}

}  // namespace pet
