// A meaning compiled for operands of known shapes: what evaluating it again need not find out
// again.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/eval/contraction.h"
#include "core/eval/term_plan.h"
#include "core/eval/windows.h"
#include "core/ir/graph.h"

namespace pet {

struct TermCode {
  TermPlan plan;
  std::optional<ContractionPlan> product;  // where it is a matrix product
};

struct ApplicationCode {
  std::vector<TermPlan> elements;  // where each argument is read
  std::optional<WindowCode> window;
};

class MeaningCode {
 public:
  // `at`: positions at which the sum is computed, as compile_term() has them.
  // REQUIRES: the meaning outlives this
  MeaningCode(const Meaning& meaning, std::vector<Shape> operands, const Positions& at = {});

  const Meaning& meaning() const { return meaning_; }
  const std::vector<ApplicationCode>& applications() const { return applications_; }
  const Shape& out() const { return out_; }  // of what is computed of the sum
  // Of the sum, without terms that sum over nothing; none where the result has no elements.
  const std::vector<TermCode>& terms() const { return terms_; }
  // Whether it yields the results of its last application as they are.
  bool is_result_in_place() const { return is_result_in_place_; }
  // How many entries its tables have.
  std::size_t size() const;

 private:
  const Meaning& meaning_;
  Shape out_;
  std::vector<ApplicationCode> applications_;
  std::vector<TermCode> terms_;
  bool is_result_in_place_ = false;
};

// The operators of a program, each compiled when it is first asked for, and kept where it is small.
// Not for several threads at once.
class GraphCode {
 public:
  // REQUIRES: `graph` outlives this
  explicit GraphCode(const Graph& graph) : graph_(graph), kept_(graph.nodes().size()) {}

  const Graph& graph() const { return graph_; }
  // REQUIRES: graph().has_meaning(id)
  std::shared_ptr<const MeaningCode> at(NodeId id) const;

 private:
  const Graph& graph_;
  mutable std::vector<std::shared_ptr<const MeaningCode>> kept_;
};

}  // namespace pet
