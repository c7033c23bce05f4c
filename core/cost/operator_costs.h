// What single operators cost, asked without a program around them: by what they are and what they
// read. A program costs the sum. Whoever searches asks through the port and does not know whether
// the answer was measured.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cost/analytic.h"
#include "core/util/result.h"

namespace pet {

// An operator on values of these types. Equal ones cost the same.
struct PricedOperator {
  Op op;
  std::vector<TensorType> operands;
  std::vector<char> weights;  // by operand: not 0 where it follows from constants alone
  // Its program has operators that runtimes keep values in a layout of their own for.
  bool among_own_layout = false;
};

// But for the layout. REQUIRES: id is an operator; `depends`: depends_on_inputs() of the graph
PricedOperator priced(const Graph& graph, NodeId id, const std::vector<char>& depends);
bool has_own_layout(const Graph& graph);

// It by itself: inputs for what it reads, ones for weights. An Error where it cannot be made of
// types alone.
Result<Graph> program_of(const PricedOperator& priced);

Digest digest_of(const PricedOperator& priced);
std::string to_string(const PricedOperator& priced);  // "Conv(float[1,64,56,56], float[64,64,1,1])"

class OperatorCosts {
 public:
  virtual ~OperatorCosts() = default;
  // Milliseconds; 0 or more.
  virtual double ms(const PricedOperator& priced) = 0;
};

// From the analytic model. What cannot be made of types alone costs a call.
class EstimatedCosts final : public OperatorCosts {
 public:
  explicit EstimatedCosts(const MachineModel& machine = {}) : machine_(machine) {}
  double ms(const PricedOperator& priced) override;

 private:
  MachineModel machine_;
  std::map<Digest, double> known_;
};

// On so many threads.
std::unique_ptr<OperatorCosts> estimated_costs(std::size_t threads);

// All that is computed at run time, views apart, of what outputs need.
double sum_ms(const Graph& graph, OperatorCosts& costs);

}  // namespace pet
