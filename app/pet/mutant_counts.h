// What the mutants of a model are, subprogram by subprogram: generated as the search does, every
// one checked as the search checks before it corrects, as far as the time goes: at every position,
// but of channels that a weight merely carries at one drawn for each of the others.
#pragma once

#include <functional>
#include <stop_token>

#include "core/onnx/model.h"
#include "core/program/mutate/generator.h"

namespace pet::app {

struct MutantCounts {
  std::size_t number = 0;
  std::vector<std::string> operators;
  std::string place;
  std::size_t places = 1;     // where the same is computed
  std::size_t generated = 0;  // programs that the generator came by
  std::size_t distinct = 0;   // of them; the original is none
  bool all_generated = true;  // else half of the time was up
  std::size_t equal = 0, partial = 0;
  std::size_t corrected = 0;  // of the partial ones: they can be, in one way at least
  std::size_t different = 0;  // everywhere; the generator drops most for their fingerprints
  std::size_t undecided = 0;
  std::size_t not_checked = 0;
  // Of those not checked: equal at every sampled position, or at some.
  std::size_t likely_equal = 0, likely_partial = 0;
  double seconds = 0;
};

struct CountingOptions {
  double budget_s = 60;  // of each subprogram
  std::size_t threads = 1;
  GeneratorConfig generator;
  std::function<void(const MutantCounts&)> counted;        // of each subprogram, once it is done
  std::function<void(const std::string& words)> progress;  // several times a second
};

void count_mutants(const Model& model, const CountingOptions& options, const std::stop_token& stop);

}  // namespace pet::app
