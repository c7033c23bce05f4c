// A cross-checker that says what it is told to.
#pragma once

#include <map>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/cross_check.h"

namespace pet::test {

// Of one output, y: relu(x), or what else a name stands for.
inline std::shared_ptr<const Graph> program_called(const std::string& name) {
  GraphBuilder b;
  NodeId x = b.add_input(name, float_tensor({10}));
  b.add_output(*b.add(ops::relu(), {}, {x}, "y"));
  return std::make_shared<const Graph>(std::move(b).build());
}

inline CrossAnswer wrong_in(Dim elements) {
  CrossAnswer out;
  OutputVerdict& output = out.outputs.emplace_back();
  output.name = "y";
  output.elements = 10;
  output.different = elements;
  output.equal = 10 - elements;
  output.wrong.basis = DigitBasis::plain({10});
  if (elements > 0) output.wrong.boxes = {Box{{0}, {elements}}};
  out.outcome = output.outcome = elements == 0 ? Outcome::Equivalent : Outcome::Partial;
  return out;
}

class ToldChecker final : public CrossChecker {
 public:
  // Of whom nothing is said does not know.
  CrossAnswers answers = {wrong_in(0), wrong_in(0), wrong_in(0)};
  std::map<std::string, CrossAnswers> of_input;  // of pairs whose mutant's input has that name
  bool waits = false;                            // until it is stopped

  Result<CrossAnswer> ask(CrossEngine engine, const Graph&, const Graph& mutant, double,
                          const std::stop_token& stop) override {
    while (waits && !stop.stop_requested()) {
    }
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const auto own = of_input.find(mutant.node(mutant.inputs()[0]).input()->name);
    CrossAnswer not_told;
    not_told.reason = "not told";
    const CrossAnswers& from = own == of_input.end() ? answers : own->second;
    return from[static_cast<std::size_t>(engine)].value_or(not_told);
  }
  Result<SmallTwin> small_twin(const Graph&, const Graph&, std::span<const Move>,
                               const std::stop_token&) override {
    return Error{"the pair is small as it is"};
  }
  Result<std::vector<PlantedPair>> plant(const Graph& original, const Graph&, std::span<const Move>,
                                         std::size_t, std::uint64_t,
                                         const std::stop_token&) override {
    const auto whole = std::make_shared<const Graph>(original);
    return std::vector<PlantedPair>{{"noticed", whole, program_called("noticed")},
                                    {"missed", whole, program_called("missed")}};
  }
  Result<Reproduction> reproduce(const Graph&, const Graph&, const std::stop_token&) override {
    return Reproduction{"a case\n", 7};
  }
};

}  // namespace pet::test
