// Mutants by their name: what the generator makes of a program, and where that is right.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "core/program/mutate/generator.h"
#include "tests/core/program/programs.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::test {

struct Found {
  Graph program;
  Verdict verdict;

  // The share of wrong positions of the first output is exactly part / whole.
  bool wrong_share(Dim part, Dim whole) const {
    const OutputVerdict& out = verdict.outputs[0];
    return verdict.outcome == Outcome::Partial && out.undecided == 0 &&
           out.different * whole == out.elements * part;
  }
  std::size_t count(const std::string& name) const {
    std::size_t n = 0;
    for (const Node& node : program.nodes()) {
      if (node.op() != nullptr && node.op()->def->name == name) ++n;
    }
    return n;
  }
  const Node& node(const std::string& name) const {
    for (const Node& node : program.nodes()) {
      if (node.op() != nullptr && node.op()->def->name == name) return node;
    }
    FAIL("the mutant has no " << name);
    return program.nodes().front();
  }
  Shape operand_shape(const std::string& name, std::size_t operand) const {
    return *program.node(node(name).operands[operand]).type.shape;
  }
  Shape data_shape(const std::string& name) const { return operand_shape(name, 0); }
};

inline Found find(const Graph& program, const std::string& how) {
  MutantGenerator generator(program);
  std::string all;
  while (auto mutant = generator.next()) {
    if (in_words(mutant->moves) != how) {
      all += in_words(mutant->moves) + "\n";
      continue;
    }
    Verdict verdict = BitmapChecker().check(program, mutant->program, {});
    return {std::move(mutant->program), std::move(verdict)};
  }
  FAIL("no mutant is called " << how << " among\n" << all);
  return {};
}

inline bool right(const Found& found) { return found.verdict.outcome == Outcome::Equivalent; }

}  // namespace pet::test
