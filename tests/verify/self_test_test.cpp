#include "verify/self_test/self_test.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"
#include "verify/pairs/engines.h"
#include "verify/self_test/faults.h"

namespace pet::self_test {
namespace {

Graph convolution(bool transposed_first) {
  Rng rng(3);
  GraphBuilder b;
  NodeId x = b.add_input("x", float_tensor({2, 3, 6}));
  const NodeId weight = test::normal_weight(b, {3, 3, 3}, rng);
  if (transposed_first) {
    x = *b.add(ops::transpose(), {{"perm", Ints{2, 1, 0}}}, {x});
    x = *b.add(ops::transpose(), {{"perm", Ints{2, 1, 0}}}, {x});
  }
  const NodeId y =
      *b.add(ops::conv(), {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}}, {x, weight});
  b.add_output(*b.add(ops::relu(), {}, {y}));
  return std::move(b).build();
}

TEST_CASE("Faults are other programs with the same outputs, each once") {
  const Graph program = convolution(false);
  Rng rng(1);
  const auto faults = faults_of(program, 1000, rng);
  std::set<Digest> seen = {program.digest()};
  bool shifted = false;
  bool left_out = false;
  bool in_weights = false;
  for (const Fault& fault : faults) {
    CHECK(seen.insert(fault.program.digest()).second);
    REQUIRE(fault.program.outputs().size() == 1);
    CHECK(fault.program.node(fault.program.outputs()[0]).type == float_tensor({2, 3, 6}));
    shifted = shifted || fault.what.find("pads[0] 1 -> 2, pads[1] 1 -> 0") != std::string::npos;
    left_out = left_out || fault.what.find("Relu: left out") != std::string::npos;
    in_weights = in_weights || fault.what.find("constant: entry 0 negated") != std::string::npos;
  }
  CHECK(shifted);
  CHECK(left_out);
  CHECK(in_weights);
  CHECK(faults_of(program, 5, rng).size() == 5);
}

TEST_CASE("Every fault of a convolution is noticed, but those that change nothing") {
  const Engines engines = quick_engines();
  Rng rng(2);
  const auto found =
      break_and_look(convolution(false), convolution(true), 60, pointers(engines), {}, rng);
  CHECK(found.size() == 60);
  std::size_t noticed = 0;
  for (const FaultFound& fault : found) {
    INFO(fault.what << ": " << fault.reason);
    CHECK(fault.noticed != Noticed::Contradicted);
    CHECK(fault.noticed != Noticed::CalledEqual);
    if (fault.noticed == Noticed::ByWitness) ++noticed;
    // Negating what follows it away is all that may stay.
    if (fault.what.find("entry") != std::string::npos) CHECK(fault.noticed == Noticed::ByWitness);
  }
  CHECK(noticed > 40);
}

// An engine that calls everything equal.
class Blind final : public Engine {
 public:
  std::string_view name() const override { return "blind"; }
  Verdict check(const Graph& original, const Graph&, const ProofOptions&) override {
    Verdict verdict;
    verdict.outcome = Outcome::Equivalent;
    for (const NodeId id : original.outputs()) {
      OutputVerdict& out = verdict.outputs.emplace_back();
      out.outcome = Outcome::Equivalent;
      out.elements = out.equal = count(*original.node(id).type.shape);
    }
    return verdict;
  }
};

TEST_CASE("A checker that calls everything equal is contradicted, or stands alone") {
  Blind blind;
  Engines others = quick_engines();
  Rng rng(4);
  std::vector<Engine*> alone = {&blind};
  for (const FaultFound& fault :
       break_and_look(convolution(false), convolution(false), 10, alone, {}, rng))
    CHECK(fault.noticed == Noticed::CalledEqual);
  std::vector<Engine*> together = {&blind};
  for (Engine* engine : pointers(others)) together.push_back(engine);
  std::size_t contradicted = 0;
  for (const FaultFound& fault :
       break_and_look(convolution(false), convolution(false), 10, together, {}, rng))
    contradicted += fault.noticed == Noticed::Contradicted ? 1 : 0;
  CHECK(contradicted > 5);
}

TEST_CASE("What is not equal to begin with is not broken") {
  const Engines engines = quick_engines();
  Rng rng(5);
  Graph other = [] {
    GraphBuilder b;
    b.add_output(*b.add(ops::relu(), {}, {b.add_input("x", float_tensor({2, 3, 6}))}));
    return std::move(b).build();
  }();
  CHECK(break_and_look(convolution(false), other, 10, pointers(engines), {}, rng).empty());
}

}  // namespace
}  // namespace pet::self_test
