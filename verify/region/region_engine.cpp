#include "verify/region/region_engine.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "verify/region/pair.h"
#include "verify/values/infinite_arithmetic.h"
#include "verify/values/interface.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

constexpr std::string_view kUndecided =
    "the term lists differ, but no inputs were found at which the results do";
constexpr std::string_view kElsewhere =
    "domain: a partial function or an opaque operator is applied where the original does not";

class RegionProof {
 public:
  RegionProof(const Graph& original, const Graph& mutant, const ProofOptions& options,
              const region::PartitionLimits& limits)
      : original_(original), mutant_(mutant), options_(options), limits_(limits) {
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
  }

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      verdict_.outcome = Outcome::ShapeMismatch;
      verdict_.reason = std::move(mismatch);
      return std::move(verdict_);
    }
    auto infinite = infinite_arithmetic(original_, mutant_, options_.stop);
    if (!infinite || !infinite->empty()) {
      verdict_.reason = infinite ? *std::move(infinite) : infinite.error().message;
      return std::move(verdict_);
    }
    compare_all();
    if (options_.stop.stop_requested()) {
      verdict_ = Verdict{};
      verdict_.reason = "stopped before the proof was finished";
      return std::move(verdict_);
    }
    decide();
    verdict_.outcome = combined(verdict_.outputs);
    return std::move(verdict_);
  }

  Result<std::vector<Region>> regions() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty())
      return Error{std::move(mismatch)};
    auto infinite = infinite_arithmetic(original_, mutant_, options_.stop);
    if (!infinite) return std::move(infinite).error();
    if (!infinite->empty()) return Error{*std::move(infinite)};
    compare_all();
    if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (!pair_->is_defined()) return Error{std::string(kElsewhere)};
    std::vector<Region> out;
    for (OutputVerdict& output : verdict_.outputs) {
      if (!output.reason.empty()) return Error{std::move(output.reason)};
      out.push_back(std::move(output.wrong));
    }
    return out;
  }

 private:
  // REQUIRES: the programs have equal inputs and outputs
  void compare_all() {
    pair_.emplace(original_, mutant_,
                  options_.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols,
                  limits_, options_.stop);
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      compare(i);
      if (options_.stop.stop_requested()) return;
    }
  }

  void compare(std::size_t number) {
    const Node& node = original_.node(original_.outputs()[number]);
    OutputVerdict& out = verdict_.outputs.emplace_back();
    out.name = node.name;
    out.elements = node.type.shape ? count(*node.type.shape) : 0;
    if (node.type.shape) out.wrong.basis = DigitBasis::plain(*node.type.shape);
    if (pair_->is_shared(number) || out.elements == 0) {
      const bool same = pair_->is_shared(number) || node.type.shape;
      out.outcome = same ? Outcome::Equivalent : Outcome::Unknown;
      out.equal = out.elements;
      if (!same) out.reason = "an output of unknown shape";
      return;
    }
    auto parts = pair_->partition_of(number);
    if (!parts) {
      out.undecided = out.elements;
      out.reason = parts.error().message;
      const Shape all = out.wrong.basis.flat();
      out.wrong.boxes = {Box{Shape(all.size(), 0), all}};
      return;
    }
    out.wrong = region::not_identical(*parts);
    out.undecided = out.wrong.volume();
    out.equal = out.elements - out.undecided;
    out.outcome = out.undecided == 0 ? Outcome::Equivalent : Outcome::Unknown;
    if (out.undecided == 0) return;
    differing_.resize(verdict_.outputs.size());
    for (const region::Piece& piece : parts->pieces) {
      if (piece.finding != region::Finding::Different || !piece.inputs_only) continue;
      differing_.back().basis = parts->basis;
      differing_.back().boxes.push_back(region::box_of(piece.box));
    }
  }

  // By output; empty where there is nothing to decide.
  Marks marks_of_outputs() const {
    Marks out;
    for (const OutputVerdict& output : verdict_.outputs) {
      std::vector<char>& marked = out.emplace_back();
      if (!output.reason.empty() || output.undecided == 0) continue;
      marked = output.wrong.points();
      for (char& mark : marked) mark = static_cast<char>(mark != 0 ? Mark::Undecided : Mark::Equal);
    }
    return out;
  }

  void decide() {
    Marks marks = marks_of_outputs();
    differing_.resize(marks.size());
    std::vector<std::vector<char>> surely;
    for (const Region& region : differing_)
      surely.push_back(region.empty() ? std::vector<char>{} : region.points());
    const auto differ = [&](std::size_t i, std::size_t k) {
      return !surely[i].empty() && surely[i][k] != 0;
    };
    pet::decide(original_, mutant_, "region", options_, differ, marks, verdict_.outputs);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      OutputVerdict& out = verdict_.outputs[i];
      if (marks[i].empty()) continue;
      if (options_.in_detail) keep_positions(marks[i], out);
      if (out.different == 0) {
        out.outcome = Outcome::Unknown;
        out.reason = kUndecided;
      } else {
        out.outcome = out.equal == 0 ? Outcome::Different : Outcome::Partial;
      }
    }
    const auto first =
        std::find_if(verdict_.outputs.begin(), verdict_.outputs.end(),
                     [](const OutputVerdict& o) { return o.outcome != Outcome::Equivalent; });
    if (first != verdict_.outputs.end()) verdict_.reason = first->reason;
    if (!pair_->is_defined()) withhold(verdict_, std::string(kElsewhere));
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  const region::PartitionLimits limits_;
  std::optional<region::Pair> pair_;  // once they are known to fit each other
  Verdict verdict_;
  std::vector<Region> differing_;  // by output: where term lists differ at every position
};

}  // namespace

Verdict RegionEngine::check(const Graph& original, const Graph& mutant,
                            const ProofOptions& options) {
  return RegionProof(original, mutant, options, {.steps = most_steps_}).run();
}

Result<std::vector<Region>> not_shown_equal(const Graph& original, const Graph& mutant,
                                            const ProofOptions& options, std::size_t most_steps) {
  return RegionProof(original, mutant, options, {.steps = most_steps}).regions();
}

}  // namespace pet
