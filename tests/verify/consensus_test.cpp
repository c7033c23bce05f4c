// What several engines say together. They say here what the tests want, never what is true.
#include "verify/consensus.h"

#include <array>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

enum class Sight { Reals, Rounding };

class Says final : public EquivalenceChecker {
 public:
  explicit Says(Verdict verdict, Sight sight = Sight::Reals)
      : verdict_(std::move(verdict)), sight_(sight) {}
  std::string_view name() const override { return "says"; }
  bool sees_rounding() const override { return sight_ == Sight::Rounding; }
  Verdict check(const Graph&, const Graph&, const ProofOptions&) override { return verdict_; }

 private:
  Verdict verdict_;
  Sight sight_;
};

Verdict of(Outcome outcome) {
  Verdict out;
  out.outcome = outcome;
  return out;
}

// One output of four elements: how many are what, and where those lie that are not equal.
Verdict of(Outcome outcome, Dim equal, Dim different, std::vector<Box> wrong) {
  Verdict out = of(outcome);
  OutputVerdict& output = out.outputs.emplace_back();
  output.outcome = outcome;
  output.elements = 4;
  output.equal = equal;
  output.different = different;
  output.undecided = 4 - equal - different;
  output.wrong = {DigitBasis::plain({4}), std::move(wrong)};
  return out;
}

Verdict together(Says first, Says second, const ProofOptions& options = {}) {
  GraphBuilder b;
  b.add_output(*b.add(ops::relu(), {}, {b.add_input("x", float_tensor({4}))}));
  const Graph program = std::move(b).build();
  const std::array<EquivalenceChecker*, 2> engines = {&first, &second};
  return consensus(program, program, engines, options);
}

Verdict together(Outcome first, Outcome second) {
  return together(Says(of(first)), Says(of(second)));
}

}  // namespace

TEST_CASE("Engines that contradict each other are reported, and one that does not know never is") {
  CHECK(together(Outcome::Equivalent, Outcome::Different).engines_disagree);
  CHECK(together(Outcome::Equivalent, Outcome::Different).outcome == Outcome::Unknown);
  CHECK(together(Outcome::Partial, Outcome::Equivalent).engines_disagree);
  CHECK(together(Outcome::ShapeMismatch, Outcome::Different).engines_disagree);
  CHECK_FALSE(together(Outcome::Unknown, Outcome::Different).engines_disagree);
  CHECK(together(Outcome::Equivalent, Outcome::Unknown).outcome == Outcome::Equivalent);
  CHECK(together(Outcome::Equivalent, Outcome::Unknown).engines.size() == 2);
}

TEST_CASE("An engine that contradicts itself is reported, whoever is asked first") {
  Verdict torn = of(Outcome::Unknown);
  torn.engines_disagree = true;
  CHECK(together(Says(of(Outcome::Equivalent)), Says(torn)).engines_disagree);
  CHECK(together(Says(torn), Says(of(Outcome::Equivalent))).engines_disagree);
  CHECK(together(Says(torn), Says(of(Outcome::Equivalent))).outcome == Outcome::Unknown);
}

TEST_CASE("Equally many positions at other places are a contradiction") {
  const Says first(of(Outcome::Partial, 2, 2, {{{0}, {2}}}));
  CHECK(together(first, Says(of(Outcome::Partial, 2, 2, {{{2}, {4}}}))).engines_disagree);
  CHECK_FALSE(together(first, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).engines_disagree);
  CHECK(together(first, Says(of(Outcome::Partial, 3, 1, {{{0}, {1}}}))).engines_disagree);
}

TEST_CASE("What one engine leaves open contradicts nobody") {
  // Equality withheld: known to differ at two positions, open at the others.
  const Says withheld(of(Outcome::Different, 0, 2, {{{0}, {4}}}));
  CHECK_FALSE(together(withheld, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).engines_disagree);
  CHECK(together(Says(of(Outcome::Different, 0, 4, {{{0}, {4}}})),
                 Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}})))
            .engines_disagree);
}

TEST_CASE("What is called equal over the reals alone is unknown where rounding may decide") {
  for (const Outcome equal : {Outcome::Equivalent, Outcome::Partial}) {
    const Says blind(of(equal));
    CHECK(together(blind, Says(of(Outcome::Unknown), Sight::Rounding)).outcome == Outcome::Unknown);
    CHECK(together(blind, Says(of(equal), Sight::Rounding)).outcome == equal);
    CHECK(together(blind, Says(of(Outcome::Unknown))).outcome == equal);
  }
  const Says seeing(of(Outcome::Unknown), Sight::Rounding);
  CHECK(together(seeing, Says(of(Outcome::Equivalent))).outcome == Outcome::Unknown);
}

TEST_CASE("Where one engine sees the mutant undefined nothing is equal, whoever says so") {
  Verdict undefined = of(Outcome::Unknown);
  undefined.leaves_domain = true;
  for (const Outcome equal : {Outcome::Equivalent, Outcome::Partial}) {
    const Says seeing(of(equal, 4, 0, {}), Sight::Rounding);
    CHECK(together(seeing, Says(undefined)).outcome == Outcome::Unknown);
    CHECK(together(seeing, Says(of(Outcome::Unknown))).outcome == equal);
  }
  CHECK(together(Says(of(Outcome::Different)), Says(undefined)).outcome == Outcome::Different);
}

TEST_CASE("A difference that one engine suspects and another one knows is known") {
  const Says suspects(of(Outcome::Unknown, 2, 0, {{{0}, {2}}}), Sight::Rounding);
  CHECK(together(suspects, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).outcome ==
        Outcome::Partial);
  // Not with more equality than the first one grants.
  const Says withheld(of(Outcome::Unknown, 0, 0, {{{0}, {4}}}), Sight::Rounding);
  CHECK(together(withheld, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).outcome ==
        Outcome::Unknown);
  CHECK(together(withheld, Says(of(Outcome::Different, 0, 4, {{{0}, {4}}}))).outcome ==
        Outcome::Different);
}

TEST_CASE("What is called equal in part is held against rounding, too, where the pair is unknown") {
  const Verdict suspicious = of(Outcome::Unknown, 2, 0, {});
  CHECK(together(Says(suspicious), Says(of(Outcome::Unknown, 0, 0, {}), Sight::Rounding))
            .outputs[0]
            .equal == 0);
  CHECK(together(Says(suspicious), Says(of(Outcome::Unknown, 0, 0, {}))).outputs[0].equal == 2);
}

TEST_CASE("Who shows more positions to be equal gives the verdict, if it sees rounding") {
  const Verdict nowhere = of(Outcome::Different, 0, 1, {});
  const Verdict in_part = of(Outcome::Partial, 3, 1, {{{0}, {1}}});
  CHECK(together(Says(nowhere), Says(in_part, Sight::Rounding)).outcome == Outcome::Partial);
  CHECK(together(Says(nowhere), Says(in_part)).outcome == Outcome::Different);
}

namespace {

// Whether it is asked as somebody who has only to contradict what others answered.
class Answered final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "answered"; }
  Verdict check(const Graph&, const Graph&, const ProofOptions& options) override {
    is_answered = options.is_answered;
    return of(Outcome::Unknown);
  }
  bool is_answered = false;
};

bool is_answered_after(const Verdict& verdict, const ProofOptions& options = {}) {
  const Graph program = GraphBuilder().build();
  Says first(verdict);
  Answered second;
  const std::array<EquivalenceChecker*, 2> engines = {&first, &second};
  CHECK_FALSE(consensus(program, program, engines, options).engines_disagree);
  return second.is_answered;
}

}  // namespace

TEST_CASE("A sufficient answer leaves a moment for those who might contradict it") {
  CHECK(is_answered_after(of(Outcome::Equivalent)));
  CHECK(is_answered_after(of(Outcome::EquivalentUpToConstants)));
  CHECK_FALSE(is_answered_after(of(Outcome::Unknown)));
  Verdict partial = of(Outcome::Partial, 3, 1, {{{0}, {1}}});
  CHECK_FALSE(is_answered_after(partial));  // nothing shows it
  partial.outputs[0].witness = Witness{};
  CHECK(is_answered_after(partial));
  Verdict open = of(Outcome::Partial, 2, 1, {{{0}, {2}}});  // one of four is not decided
  open.outputs[0].witness = Witness{};
  CHECK_FALSE(is_answered_after(open));
  ProofOptions exhaustive;
  exhaustive.exhaustive = true;
  CHECK_FALSE(is_answered_after(of(Outcome::Equivalent), exhaustive));
}

TEST_CASE("Where only the first difference is asked for a witness ends it") {
  ProofOptions options;
  options.first_difference = true;
  Verdict differs = of(Outcome::Different, 0, 1, {});
  const Says second(of(Outcome::Different, 0, 4, {}));
  CHECK(together(Says(differs), second, options).engines.size() == 2);  // nothing shows it
  differs.outputs[0].witness = Witness{};
  CHECK(together(Says(differs), second, options).engines.size() == 1);
  CHECK(together(Says(differs), second).engines.size() == 2);
  // Equal is what all say.
  CHECK(together(Says(of(Outcome::Equivalent)), Says(of(Outcome::Different)), options)
            .engines_disagree);
}
