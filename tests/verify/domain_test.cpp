#include "verify/bitmap/domain.h"

#include <catch2/catch.hpp>
#include <stop_token>

#include "tests/support/sketch.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/bitmap/residue_comparison.h"

using namespace pet;

TEST_CASE("What was not looked at because of a stop is no reason to say that nothing is there") {
  const auto roots = [](bool read) {
    test::Sketch s;
    const NodeId root = s.op("Sqrt", {s.input("x", {2})});
    const NodeId second = s.slice(root, 0, 1, 2);
    const NodeId first = s.slice(root, 0, 0, 1);
    const NodeId y = read ? s.op("Add", {first, s.op("Sub", {second, second})}) : first;
    return std::move(s).finish({y});
  };
  const Graph original = roots(false);
  const Graph mutant = roots(true);
  const ProofOptions options;
  const PairCode code(original, mutant);
  const ValueTable values(original, mutant, ValueTable::Weights::Symbols);
  ResidueComparison residues(code, values, Digester("stopped").finish(), 5, options);
  REQUIRE(residues.run());
  const std::vector<EqualTensors> equal = {{original.outputs()[0], mutant.outputs()[0], {}}};
  const auto objection = [&](const std::stop_token& stop) {
    return domain_violation(original, mutant, residues.table(), residues.store(), equal, stop);
  };
  REQUIRE(objection({}));
  CHECK(objection({})->starts_with("domain"));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = objection(stop.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Stopped);
}

TEST_CASE("What is left out of a sum is not read behind an operator without a meaning") {
  // The first of sums that leave their own element out is 0 whatever the operator yields, and so is
  // its result less itself, where there is one: it is given a logarithm.
  const auto sums = [](bool reads) {
    test::Sketch s;
    const NodeId given = s.op("Log", {s.input("x", {1})});
    const NodeId result = s.opaque("F", {given}, float_tensor({1}));
    const NodeId nothing =
        reads
            ? s.op("Sub", {result, result})
            : s.op("CumSum", {{"axis", std::int64_t{0}}, {"exclusive", std::int64_t{1}}}, {result});
    return std::move(s).finish({nothing, result});
  };
  ProofOptions options;
  options.floats = Floats::None;
  const Verdict verdict = BitmapEngine().check(sums(false), sums(true), options);
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.starts_with("domain"));
  CHECK(BitmapEngine().check(sums(true), sums(false), options).outcome == Outcome::Equivalent);
}
