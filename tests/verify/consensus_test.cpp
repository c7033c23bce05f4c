// What several engines say together. They say here what the tests want, never what is true.
#include "verify/pairs/consensus.h"

#include <array>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "verify/bitmap/compared.h"
#include "verify/pairs/pair_proof.h"
#include "verify/verdict/verdict_report.h"

using namespace pet;

namespace {

enum class Hands { Nothing, Values };

class Says final : public Engine {
 public:
  explicit Says(Verdict verdict, Hands hands = Hands::Nothing)
      : verdict_(std::move(verdict)), hands_(hands) {}
  std::string_view name() const override { return "says"; }
  Verdict check(const Graph&, const Graph&, const ProofOptions&) override { return verdict_; }
  EngineWord ask(const Graph& a, const Graph& b, const ProofOptions& options) override {
    const bool has_values = hands_ == Hands::Values && claims_anything(verdict_);
    return {verdict_, has_values ? std::make_shared<Compared>(a, b, options) : nullptr};
  }

 private:
  Verdict verdict_;
  Hands hands_;
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

ProofOptions asking_of(Floats floats) {
  ProofOptions out;
  out.floats = floats;
  return out;
}

Verdict together(Says first, Says second, const ProofOptions& options = asking_of(Floats::None)) {
  GraphBuilder b;
  b.add_output(*b.add(ops::relu(), {}, {b.add_input("x", float_tensor({4}))}));
  const Graph program = std::move(b).build();
  const std::array<Engine*, 2> engines = {&first, &second};
  return prove_pair(program, program, engines, options);
}

Verdict in_floats(Says first, Says second) {
  return together(std::move(first), std::move(second), asking_of(Floats::Drawn));
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

TEST_CASE("Equal in floats is what an engine has the values of, whoever gives the verdict") {
  for (const Outcome equal : {Outcome::Equivalent, Outcome::Partial}) {
    const Dim number = equal == Outcome::Equivalent ? 4 : 3;
    const Verdict verdict = of(equal, number, 4 - number, {{{0}, {4 - number}}});
    const Says blind(verdict);
    CHECK(together(blind, Says(of(Outcome::Unknown))).outcome == equal);
    CHECK(in_floats(blind, Says(of(Outcome::Unknown))).outputs[0].equal == 0);
    CHECK(in_floats(blind, Says(verdict, Hands::Values)).outcome == equal);
    CHECK(in_floats(Says(verdict, Hands::Values), blind).outcome == equal);
  }
  const Says blind(of(Outcome::Equivalent, 4, 0, {}));
  CHECK(in_floats(blind, Says(of(Outcome::Unknown))).outcome == Outcome::Unknown);
  CHECK(in_floats(blind, blind).reason.starts_with("rounding: no engine"));
  // One that does not know is not overruled by another's "equal".
  CHECK(together(Says(of(Outcome::Unknown)), blind).outcome == Outcome::Unknown);
}

TEST_CASE("Nobody's equality goes beyond the values that show it") {
  const Says more(of(Outcome::Unknown, 3, 0, {{{0}, {1}}}));
  const Says fewer(of(Outcome::Unknown, 2, 0, {{{0}, {2}}}), Hands::Values);
  CHECK(together(more, fewer).outputs[0].equal == 2);
  CHECK(together(more, Says(of(Outcome::Unknown, 2, 0, {{{0}, {2}}}))).outputs[0].equal == 3);
}

TEST_CASE("Where one engine sees the mutant undefined nothing is equal, whoever says so") {
  Verdict undefined = of(Outcome::Unknown);
  undefined.leaves_domain = true;
  for (const Outcome equal : {Outcome::Equivalent, Outcome::Partial}) {
    const Says seeing(of(equal, 4, 0, {}), Hands::Values);
    CHECK(together(seeing, Says(undefined)).outcome == Outcome::Unknown);
    CHECK(together(seeing, Says(of(Outcome::Unknown))).outcome == equal);
  }
  CHECK(together(Says(of(Outcome::Different)), Says(undefined)).outcome == Outcome::Different);
}

TEST_CASE("A difference that one engine suspects and another one knows is known") {
  const Says suspects(of(Outcome::Unknown, 2, 0, {{{0}, {2}}}));
  CHECK(together(suspects, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).outcome ==
        Outcome::Partial);
  // Not with more equality than the first one grants.
  const Says withheld(of(Outcome::Unknown, 0, 0, {{{0}, {4}}}));
  CHECK(together(withheld, Says(of(Outcome::Partial, 2, 2, {{{0}, {2}}}))).outcome ==
        Outcome::Unknown);
  CHECK(together(withheld, Says(of(Outcome::Different, 0, 4, {{{0}, {4}}}))).outcome ==
        Outcome::Different);
}

TEST_CASE("What is called equal in part is held against floats, too, where the pair is unknown") {
  const Says suspicious(of(Outcome::Unknown, 2, 0, {}));
  CHECK(in_floats(suspicious, Says(of(Outcome::Unknown, 0, 0, {}))).outputs[0].equal == 0);
  CHECK(together(suspicious, Says(of(Outcome::Unknown, 0, 0, {}))).outputs[0].equal == 2);
}

TEST_CASE("Who shows more positions to be equal gives the verdict, if it has their values") {
  const Verdict nowhere = of(Outcome::Different, 0, 1, {});
  const Verdict in_part = of(Outcome::Partial, 3, 1, {{{0}, {1}}});
  CHECK(together(Says(nowhere), Says(in_part, Hands::Values)).outcome == Outcome::Partial);
  CHECK(together(Says(nowhere), Says(in_part)).outcome == Outcome::Different);
}

namespace {

// Whether it is asked as somebody who has only to contradict what others answered.
class Answered final : public Engine {
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
  const std::array<Engine*, 2> engines = {&first, &second};
  CHECK_FALSE(consensus(program, program, engines, options).verdict.engines_disagree);
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
  ProofOptions options = asking_of(Floats::None);
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
