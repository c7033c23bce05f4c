// Costs of single operators as they are measured in a runtime, and remembered: a line an operator
// in a file that is only ever appended to.
//
// An operator alone lies: what a runtime does with it depends on what stands around it. It is
// measured as the difference of two windows, with it and without it, between stand-ins where the
// program has operators that runtimes keep in a layout of their own (OpDef::stand_in), else between
// activations. So what a runtime fuses with its neighbour (an activation, a bias) costs what it
// adds to it. What cannot be measured is estimated.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>

#include "core/backend/backend.h"
#include "core/cost/operator_costs.h"

namespace pet {

class MeasuredCosts final : public OperatorCosts {
 public:
  enum class From { Measured, Remembered, Estimated, View };
  struct Answer {
    double ms = 0;
    From from = From::Estimated;
  };
  struct Options {
    int threads = 1;
    int opset = 17;
    int rounds = 24;
    std::uint64_t seed = 1;
    std::optional<std::filesystem::path> database = {};
    std::string context = {};  // what else decides on times, as text
    std::stop_token stop = {};
  };

  // `backend`: null: only what is remembered. REQUIRES: both outlive this
  MeasuredCosts(Backend* backend, OperatorCosts& estimates, Options options);

  double ms(const PricedOperator& priced) override { return answer(priced).ms; }
  Answer answer(const PricedOperator& priced);

 private:
  std::string key_of(const PricedOperator& priced) const;
  void load();
  void remember(const std::string& key, double ms) const;
  Result<double> measured(const PricedOperator& priced);

  Backend* backend_;
  OperatorCosts& estimates_;
  Options options_;
  std::map<std::string, Answer> known_;
};

constexpr std::string_view to_string(MeasuredCosts::From from) {
  switch (from) {
    case MeasuredCosts::From::Measured:
      return "measured";
    case MeasuredCosts::From::Remembered:
      return "remembered";
    case MeasuredCosts::From::Estimated:
      return "estimated";
    case MeasuredCosts::From::View:
      return "view";
  }
  return "?";
}

}  // namespace pet
