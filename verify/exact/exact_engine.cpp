#include "verify/exact/exact_engine.h"

#include <algorithm>
#include <limits>

#include "verify/exact/one_hot.h"
#include "verify/values/infinite_arithmetic.h"
#include "verify/values/interface.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

constexpr std::string_view kUndecided =
    "the results differ as expressions, but no inputs were found at which their values do";

class Comparison {
 public:
  Comparison(const Graph& original, const Graph& mutant, const ProofOptions& options,
             ExactLimits limits)
      : original_(original),
        mutant_(mutant),
        options_(options),
        one_hot_steps_(limits.one_hot_steps),
        values_(original, options.bind_weights, limits, options.stop) {
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
  }

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      return ended(Outcome::ShapeMismatch, std::move(mismatch));
    }
    auto infinite = infinite_arithmetic(original_, mutant_, options_.stop);
    if (!infinite) return ended(Outcome::Unknown, infinite.error().message);
    if (!infinite->empty()) return ended(Outcome::Unknown, *std::move(infinite));
    const auto a = values_.evaluate(original_, TimesZero::Unused);
    if (!a) return ended(Outcome::Unknown, a.error().message);
    const auto b = values_.evaluate(mutant_, TimesZero::Used);
    if (!b) return ended(Outcome::Unknown, b.error().message);
    for (std::size_t i = 0; i < a->outputs.size(); ++i) compare(a->outputs[i], b->outputs[i], i);
    if (one_hot_contradicts()) {
      verdict_ = Verdict{};
      verdict_.engines_disagree = true;
      return ended(Outcome::Unknown,
                   "polynomials and one-hot inputs contradict each other: a defect of this tool");
    }
    decide(*a, *b);
    const auto first =
        std::find_if(verdict_.outputs.begin(), verdict_.outputs.end(),
                     [](const OutputVerdict& o) { return o.outcome != Outcome::Equivalent; });
    if (first != verdict_.outputs.end()) verdict_.reason = first->reason;
    auto reason = outside_domain(*a, *b);
    for (std::size_t i = 0; i < a->outputs.size() && reason.empty(); ++i)
      reason = outside_domain(a->outputs[i], b->outputs[i], i);
    verdict_.leaves_domain = !reason.empty();
    if (verdict_.leaves_domain) withhold(verdict_, reason);
    verdict_.outcome = combined(verdict_.outputs);
    return std::move(verdict_);
  }

 private:
  Verdict ended(Outcome outcome, std::string reason) {
    verdict_.outcome = outcome;
    verdict_.reason = std::move(reason);
    return std::move(verdict_);
  }

  void compare(const ExactValue& a, const ExactValue& b, std::size_t number) {
    const Node& node = original_.node(original_.outputs()[number]);
    const bool is_known = mutant_.node(mutant_.outputs()[number]).type.shape.has_value();
    OutputVerdict out;
    out.name = node.name;
    std::vector<char> marked;
    if (node.type.shape) {
      out.wrong.basis = DigitBasis::plain(*node.type.shape);
      out.elements = static_cast<Dim>(a.elements.size());
    }
    if (node.type.shape && is_known) {
      for (std::size_t i = 0; i < a.elements.size(); ++i) {
        marked.push_back(
            static_cast<char>(a.elements[i] == b.elements[i] ? Mark::Equal : Mark::Undecided));
      }
      out.undecided = std::count(marked.begin(), marked.end(), static_cast<char>(Mark::Undecided));
      out.equal = out.elements - out.undecided;
      out.outcome = out.undecided == 0 ? Outcome::Equivalent : Outcome::Unknown;
    } else if (!node.type.shape && !is_known && a.whole == b.whole) {
      out.outcome = Outcome::Equivalent;
    } else {
      out.undecided = out.elements;
      out.reason = "the results of uninterpreted operators differ";
    }
    marks_.push_back(std::move(marked));
    verdict_.outputs.push_back(std::move(out));
  }

  bool one_hot_contradicts() const {
    const auto agree =
        agree_at_one_hot(original_, mutant_, options_.bind_weights, one_hot_steps_, options_.stop);
    if (!agree) return false;
    for (std::size_t i = 0; i < agree->size(); ++i) {
      for (std::size_t k = 0; k < (*agree)[i].size(); ++k) {
        if (((*agree)[i][k] != 0) != (marks_[i][k] == static_cast<char>(Mark::Equal))) return true;
      }
    }
    return false;
  }

  void decide(const ExactProgram& a, const ExactProgram& b) {
    const auto differ = [&](std::size_t i, std::size_t k) {
      return surely_differ(a.outputs[i].elements[k], b.outputs[i].elements[k]);
    };
    pet::decide(original_, mutant_, "exact", options_, differ, marks_, verdict_.outputs);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      describe(mutant_, i, marks_[i], kUndecided, verdict_.outputs[i]);
      if (options_.in_detail) keep_positions(marks_[i], verdict_.outputs[i]);
    }
  }

  // Polynomials in nothing but the inputs, once symbols have their stored values, that are not the
  // same.
  bool surely_differ(PolynomialId a, PolynomialId b) const {
    Polynomial difference;
    for (const auto& [id, sign] : {std::pair{a, 1}, std::pair{b, -1}}) {
      for (const auto& [monomial, coefficient] : values_.polynomials().terms(id)) {
        std::pair<Monomial, Rational> term{{}, coefficient * sign};
        for (const Variable x : monomial) {
          const auto kind = values_.kind(x);
          if (kind == ExactValues::Kind::Input) {
            term.first.push_back(x);
          } else if (kind == ExactValues::Kind::Symbol && values_.stored(x)) {
            term.second *= *values_.stored(x);
          } else {
            return false;
          }
        }
        difference.push_back(std::move(term));
      }
    }
    return !canonical(std::move(difference)).empty();
  }

  // What the mutant runs where the original does not; empty where there is nothing.
  static std::string outside_domain(const ExactProgram& a, const ExactProgram& b) {
    if (!std::includes(a.opaque.begin(), a.opaque.end(), b.opaque.begin(), b.opaque.end())) {
      return "domain: an opaque operator runs on operands that the original does not give it";
    }
    if (!std::includes(a.partial.begin(), a.partial.end(), b.partial.begin(), b.partial.end())) {
      return "domain: a partial function is applied where the original does not apply it";
    }
    return {};
  }

  // The same of one output: on what results of partial functions it depends where it is equal.
  std::string outside_domain(const ExactValue& a, const ExactValue& b, std::size_t number) {
    const auto all = [&](const ExactValue& value, const std::vector<char>* marks) {
      VariableSets::Number out = VariableSets::kNone;
      for (std::size_t k = 0; k < value.partial.size(); ++k) {
        const bool counts =
            marks == nullptr || k >= marks->size() || (*marks)[k] == static_cast<char>(Mark::Equal);
        if (counts) out = values_.sets().united(out, value.partial[k]);
      }
      return out;
    };
    const auto theirs = all(a, nullptr);
    if (values_.sets().united(theirs, all(b, &marks_[number])) == theirs) return {};
    return "domain: an output depends on results of a partial function that the original's does "
           "not depend on";
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  std::uint64_t one_hot_steps_;
  ExactValues values_;
  Verdict verdict_;
  Marks marks_;
};

}  // namespace

Verdict ExactEngine::check(const Graph& original, const Graph& mutant,
                           const ProofOptions& options) {
  constexpr std::size_t kOfAMoment = 1 << 17;
  ExactLimits limits = limits_;
  if (options.is_answered) limits.monomials = std::min(limits.monomials, kOfAMoment);
  return Comparison(original, mutant, options, limits).run();
}

}  // namespace pet
