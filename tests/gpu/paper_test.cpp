// What PET's paper shows, as launches: its Figure 3, two layers of its Figure 11, and the mutants
// of its operator benchmark (Table 3) in their sizes. Each as it is, and corrected in every way.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "core/program/subprogram.h"
#include "core/program/substitute.h"
#include "tests/gpu/golden.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::test {
namespace {

// Weights stand in a network as numbers, and what follows from them alone is made once. All differ:
// equal ones would be one.
Graph with_weights(const Graph& program) {
  GraphBuilder builder;
  std::vector<NodeId> inputs;
  float value = 0;
  for (const NodeId id : program.inputs()) {
    const Node& node = program.node(id);
    if (node.input()->name.find_first_of("UVW") == std::string::npos) {
      inputs.push_back(builder.add_input(node.input()->name, node.type));
      continue;
    }
    const Shape& shape = *node.type.shape;
    inputs.push_back(builder.add_constant(std::make_shared<const Tensor>(Tensor::of_floats(
        shape, std::vector<float>(static_cast<std::size_t>(count(shape)), value += 0.5F)))));
  }
  std::vector<std::string> names;
  for (const NodeId id : program.outputs()) names.push_back(program.node(id).name);
  const auto outputs = append(builder, program, inputs, names);
  REQUIRE(outputs.ok());
  for (const NodeId id : *outputs) builder.add_output(id);
  return std::move(builder).build();
}

using Ways = std::map<CorrectionWay, Graph>;

// Where it is wrong, and in how many ways it can be made right.
Ways corrected(const Graph& original, const Graph& mutant) {
  const Verdict verdict = BitmapChecker().check(original, mutant, {});
  Ways out;
  if (verdict.outcome == Outcome::Equivalent) return out;
  REQUIRE(verdict.outcome == Outcome::Partial);
  for (const Correction& one : corrections(original, mutant, verdict.outputs[0].wrong)) {
    if (one.program) out.emplace(one.way, *one.program);
  }
  CHECK_FALSE(out.empty());
  return out;
}

void compare(const std::string& name, const CaseFile& both, const Ways& ways) {
  const Graph original = with_weights(both.original.graph);
  const Graph mutant = with_weights(both.mutant.graph);
  std::string text = "original: " + totals_of(original) + launches_of(original) +
                     "mutant: " + totals_of(mutant) + launches_of(mutant);
  for (const auto& [way, program] : ways) {
    const Graph whole = with_weights(program);
    text +=
        fmt::format("corrected by {}: {}{}", to_string(way), totals_of(whole), launches_of(whole));
  }
  compare_with_golden(name, text);
}

CaseFile read(const std::string& file) {
  auto out = read_case(file);
  INFO(file << (out ? "" : ": " + out.error().message));
  REQUIRE(out.ok());
  return *std::move(out);
}

TEST_CASE("The launches of PET's Figure 3 are what they were") {
  const CaseFile both = read(PET_CASES "/mutants/c3_dilation_phases_along_both.txt");
  compare("figure_3", both, corrected(both.original.graph, both.mutant.graph));
}

TEST_CASE("The launches of the mutants of PET's Table 3 are what they were") {
  for (const std::string name :
       {"conv", "dilatedconv", "groupconv", "groupconv_padded", "batchmatmul"}) {
    INFO(name);
    const CaseFile both = read(fmt::format("{}/table_3_{}.txt", PET_PAPER, name));
    compare("table_3_" + name, both, corrected(both.original.graph, both.mutant.graph));
  }
}

// What stands between rectifiers.
std::vector<Subprogram> layers_of(const Graph& program) {
  std::vector<Subprogram> out;
  std::vector<NodeId> nodes;
  for (const NodeId id : program.ids()) {
    if (program.node(id).op() == nullptr) continue;
    if (program.node(id).op()->def->name != "Relu") {
      nodes.push_back(id);
      continue;
    }
    out.push_back(extract(program, nodes));
    nodes.clear();
  }
  return out;
}

TEST_CASE("The launches of PET's Figure 11 are what they were") {
  const CaseFile both = read(PET_PAPER "/figure_11.txt");
  const auto layers = layers_of(both.original.graph), mutants = layers_of(both.mutant.graph);
  REQUIRE(layers.size() == 2);
  REQUIRE(mutants.size() == 2);
  const Ways first = corrected(layers[0].program, mutants[0].program);
  const Ways second = corrected(layers[1].program, mutants[1].program);
  Ways whole;
  for (const auto& [way, program] : first) {
    REQUIRE(second.contains(way));
    const std::vector<Substitute> substitutes = {
        {&program, layers[0].inputs, layers[0].outputs},
        {&second.at(way), layers[1].inputs, layers[1].outputs}};
    auto replaced = with_replaced(both.original.graph, substitutes);
    REQUIRE(replaced.ok());
    whole.emplace(way, *std::move(replaced));
  }
  compare("figure_11", both, whole);
}

}  // namespace
}  // namespace pet::test
