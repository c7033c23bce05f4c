#include "verify/theorem/theorem_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/eval/kernels/prime.h"
#include "verify/theorem/published.h"
#include "verify/theorem/tested.h"
#include "verify/values/infinite_arithmetic.h"
#include "verify/values/interface.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

using theorem::Boxes;
using theorem::Field;
using theorem::Program;

constexpr std::string_view kUndecided =
    "tested positions differ, but no inputs were found at which the results do";
constexpr std::string_view kElsewhere =
    "domain: a partial function or an opaque operator is applied where the original does not";
constexpr std::size_t kMostTests = 24;

std::string_view name_of(TheoremForm form) {
  return form == TheoremForm::Checked ? "theorem" : "theorem-as-published";
}

class Test {
 public:
  Test(const Graph& original, const Graph& mutant, const ProofOptions& options, TheoremForm form,
       std::size_t most_steps)
      : original_(original),
        mutant_(mutant),
        options_(options),
        form_(form),
        values_(original, mutant,
                options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols),
        steps_(most_steps, options.stop) {
    while (values_.next_of_mutant()) continue;
  }

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty())
      return ended(Outcome::ShapeMismatch, std::move(mismatch));
    verdict_.reproduced = options_.proof_seed.has_value() && !options_.seed_is_fresh;
    verdict_.proof_seed =
        options_.proof_seed ? *options_.proof_seed : std::to_string(fresh_entropy().word());
    if (auto done = test(); !done) {
      if (done.error().kind == ErrorKind::Stopped) verdict_.outputs.clear();
      return ended(Outcome::Unknown, std::move(done).error().message);
    }
    finish();
    return std::move(verdict_);
  }

 private:
  Verdict ended(Outcome outcome, std::string reason) {
    verdict_.outcome = outcome;
    verdict_.reason = std::move(reason);
    verdict_.outputs.clear();
    return std::move(verdict_);
  }

  Status test() {
    const auto infinite = infinite_arithmetic(original_, mutant_, options_.stop);
    if (!infinite) return infinite.error();
    if (!infinite->empty()) return Error{*infinite};
    const auto by_both = theorem::computed_by_both(original_, mutant_, values_);
    auto first = Program::read(original_, Program::Side::Original, values_, by_both, leaves_);
    if (!first) return std::move(first).error();
    auto second = Program::read(mutant_, Program::Side::Mutant, values_, by_both, leaves_);
    if (!second) return std::move(second).error();
    if (form_ == TheoremForm::Checked && !second->is_defined_where(*first))
      return Error{std::string(kElsewhere)};
    std::vector<Boxes> boxes;
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      auto of_output = boxes_of(*first, *second, i);
      if (!of_output) return std::move(of_output).error();
      boxes.push_back(*std::move(of_output));
    }
    if (auto planned = plan(boxes); !planned) return planned;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (auto done = compare(*first, *second, i, boxes[i]); !done) return done;
    }
    return Done{};
  }

  // None where there is nothing to test.
  Result<Boxes> boxes_of(const Program& first, const Program& second, std::size_t number) {
    const NodeId theirs = original_.outputs()[number];
    const NodeId mine = mutant_.outputs()[number];
    if (count(*original_.node(theirs).type.shape) == 0 || is_shared(number)) return Boxes{};
    return form_ == TheoremForm::Checked
               ? theorem::checked_boxes(first, theirs, second, mine, steps_)
               : theorem::published_boxes(first, theirs, second, mine);
  }

  // By the very operators of the original: then nothing is left to chance.
  bool is_shared(std::size_t number) const {
    return form_ == TheoremForm::Checked && values_.of_original(original_.outputs()[number]) ==
                                                values_.of_mutant(mutant_.outputs()[number]);
  }

  // How many tests the error asked for takes: a box is lost only where all of them are unlucky.
  Status plan(const std::vector<Boxes>& boxes) {
    double number = 0;
    theorem::PolynomialSize size{1, 1};
    for (const Boxes& of_output : boxes) {
      number += static_cast<double>(of_output.boxes.size());
      size.degree = std::max(size.degree, of_output.size.degree);
      size.length_bits = std::max(size.length_bits, of_output.size.length_bits);
    }
    if (number == 0) {
      verdict_.log2_error = -std::numeric_limits<double>::infinity();
      return Done{};
    }
    const bool is_checked = form_ == TheoremForm::Checked;
    const double miss =
        is_checked ? theorem::log2_miss(size) : theorem::log2_miss_as_published(leaves_.size());
    // The paper counts the tests of one position.
    const double log2_boxes = is_checked ? std::log2(number) : 0;
    const double wanted = std::ceil((options_.log2_error - log2_boxes) / miss);
    if (!(miss < 0) || wanted > kMostTests)
      return Error{
          fmt::format("an error of 2^{:.0f} needs more than {} tests (degree {:.3g}, "
                      "coefficients of {:.3g} bits)",
                      options_.log2_error, kMostTests, size.degree, size.length_bits)};
    const auto tests = static_cast<std::size_t>(std::max(1.0, wanted));
    verdict_.primes = is_checked ? tests : 1;
    verdict_.log2_error = log2_boxes + static_cast<double>(tests) * miss;
    key_ = Digester("theorem")
               .add(verdict_.proof_seed)
               .add(original_.digest())
               .add(mutant_.digest())
               .finish();
    if (is_checked) {
      KeyStream primes(key_, 0);
      for (const PrimeField& field : draw_primes(primes, tests))
        fields_.emplace_back(field.prime());
    } else {
      fields_.assign(tests, Field(theorem::kPublishedPrime));
    }
    return Done{};
  }

  Status compare(const Program& first, const Program& second, std::size_t number,
                 const Boxes& boxes) {
    const Node& node = original_.node(original_.outputs()[number]);
    OutputVerdict& out = verdict_.outputs.emplace_back();
    out.name = node.name;
    out.elements = out.equal = count(*node.type.shape);
    out.wrong.basis = DigitBasis::plain(*node.type.shape);
    out.outcome = Outcome::Equivalent;
    marks_.emplace_back();
    if (boxes.boxes.empty()) return Done{};
    std::vector<Shape> positions;
    std::vector<std::size_t> begins;  // by box
    for (const theorem::TestedBox& box : boxes.boxes) {
      begins.push_back(positions.size());
      if (!box.broken.empty()) continue;
      for (Shape& position : theorem::tested_positions(box.ranges, boxes.basis))
        positions.push_back(std::move(position));
    }
    begins.push_back(positions.size());
    const Digest secret = Digester("inputs").add(key_).add(std::uint64_t{number}).finish();
    const auto agree =
        theorem::agree_at(first, original_.outputs()[number], second, mutant_.outputs()[number],
                          positions, fields_, secret, steps_);
    if (!agree) return agree.error();
    Region open{boxes.basis, {}};
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
      const theorem::TestedBox& box = boxes.boxes[i];
      if (!box.broken.empty()) {
        if (out.reason.empty()) out.reason = box.broken;
      } else if (std::all_of(agree->begin() + static_cast<std::ptrdiff_t>(begins[i]),
                             agree->begin() + static_cast<std::ptrdiff_t>(begins[i + 1]),
                             [](char same) { return same != 0; })) {
        continue;
      }
      Box& wrong = open.boxes.emplace_back();
      for (const theorem::Range& range : box.ranges) {
        wrong.low.push_back(range.low);
        wrong.high.push_back(range.high);
      }
    }
    if (open.empty()) return Done{};
    marks_.back() = open.points();
    for (char& mark : marks_.back())
      mark = static_cast<char>(mark != 0 ? Mark::Undecided : Mark::Equal);
    out.undecided = open.volume();
    out.equal = out.elements - out.undecided;
    out.outcome = Outcome::Unknown;
    return Done{};
  }

  // Tested positions say where the programs may differ; real runs say where they do.
  void finish() {
    decide(
        original_, mutant_, name_of(form_), options_,
        [](std::size_t, std::size_t) { return false; }, marks_, verdict_.outputs);
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      OutputVerdict& out = verdict_.outputs[i];
      const std::string broken = std::exchange(out.reason, {});
      describe(mutant_, i, marks_[i], broken.empty() ? kUndecided : broken, out);
      if (out.undecided > 0 && !broken.empty()) out.reason = broken;
      if (options_.in_detail) keep_positions(marks_[i], out);
      if (verdict_.reason.empty()) verdict_.reason = out.reason;
    }
    verdict_.outcome = combined(verdict_.outputs);
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  const TheoremForm form_;
  ValueTable values_;
  theorem::LeafTable leaves_;
  theorem::Steps steps_;
  Verdict verdict_;
  Marks marks_;  // by output; empty where all of it is equal
  Digest key_;
  std::vector<Field> fields_;
};

}  // namespace

std::string_view TheoremEngine::name() const { return name_of(form_); }

Verdict TheoremEngine::check(const Graph& original, const Graph& mutant,
                             const ProofOptions& options) {
  return Test(original, mutant, options, form_, most_steps_).run();
}

}  // namespace pet
