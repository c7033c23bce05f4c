#include "verify/region/region_checker.h"

#include <algorithm>
#include <limits>

#include "verify/region/partial_functions.h"
#include "verify/region/partition.h"
#include "verify/values/interface.h"
#include "verify/values/value_table.h"
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
      : original_(original),
        mutant_(mutant),
        options_(options),
        limits_(limits),
        table_(original, mutant,
               options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols),
        first_(original, region::Expander::Side::Original, table_, leaves_, options.stop),
        second_(mutant, region::Expander::Side::Mutant, table_, leaves_, options.stop) {
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
  }

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      verdict_.outcome = Outcome::ShapeMismatch;
      verdict_.reason = std::move(mismatch);
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
    compare_all();
    if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (!region::is_defined_with(first_, second_, leaves_)) return Error{std::string(kElsewhere)};
    std::vector<Region> out;
    for (OutputVerdict& output : verdict_.outputs) {
      if (!output.reason.empty()) return Error{std::move(output.reason)};
      out.push_back(std::move(output.wrong));
    }
    return out;
  }

 private:
  void compare_all() {
    while (const auto id = table_.next_of_mutant()) {
      if (table_.is_new(*id) && is_opaque(table_.node(*id))) join_opaque(*id);
    }
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      compare(i);
      if (options_.stop.stop_requested()) return;
    }
  }

  // An operator without a meaning of ours yields what the original's yields if it is the same and
  // reads the same.
  void join_opaque(ValueId id) {
    const NodeId mine = table_.value(id).node;
    for (const NodeId theirs : original_.ids()) {
      if (!is_opaque(original_.node(theirs)) || !same_call(theirs, mine)) continue;
      table_.join(id, table_.of_original(theirs));
      return;
    }
  }

  bool same_call(NodeId theirs, NodeId mine) {
    const Node& a = original_.node(theirs);
    const Node& b = mutant_.node(mine);
    if (a.what != b.what || a.operands.size() != b.operands.size()) return false;
    for (std::size_t i = 0; i < a.operands.size(); ++i) {
      if (!same_value(a.operands[i], b.operands[i])) return false;
    }
    return true;
  }

  bool same_value(NodeId theirs, NodeId mine) {
    if (table_.of_original(theirs) == table_.of_mutant(mine)) return true;
    const TensorType& type = original_.node(theirs).type;
    if (!type.shape || type != mutant_.node(mine).type) return false;
    const auto parts = region::partition(first_, theirs, second_, mine, leaves_, limits_);
    return parts && region::not_identical(*parts).empty();
  }

  void compare(std::size_t number) {
    const NodeId a = original_.outputs()[number];
    const NodeId b = mutant_.outputs()[number];
    const Node& node = original_.node(a);
    OutputVerdict& out = verdict_.outputs.emplace_back();
    out.name = node.name;
    out.elements = node.type.shape ? count(*node.type.shape) : 0;
    if (node.type.shape) out.wrong.basis = DigitBasis::plain(*node.type.shape);
    if (table_.of_original(a) == table_.of_mutant(b) || out.elements == 0) {
      const bool same = table_.of_original(a) == table_.of_mutant(b) || node.type.shape;
      out.outcome = same ? Outcome::Equivalent : Outcome::Unknown;
      out.equal = out.elements;
      if (!same) out.reason = "an output of unknown shape";
      return;
    }
    auto parts = region::partition(first_, a, second_, b, leaves_, limits_);
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
      differing_.back().boxes.push_back(region::box_of(piece));
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
    if (!region::is_defined_with(first_, second_, leaves_))
      withhold(verdict_, std::string(kElsewhere));
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  const region::PartitionLimits limits_;
  ValueTable table_;
  region::LeafTable leaves_;
  region::Expander first_;
  region::Expander second_;
  Verdict verdict_;
  std::vector<Region> differing_;  // by output: where term lists differ at every position
};

}  // namespace

Verdict RegionChecker::check(const Graph& original, const Graph& mutant,
                             const ProofOptions& options) {
  return RegionProof(original, mutant, options, {.steps = most_steps_}).run();
}

Result<std::vector<Region>> not_shown_equal(const Graph& original, const Graph& mutant,
                                            const ProofOptions& options, std::size_t most_steps) {
  return RegionProof(original, mutant, options, {.steps = most_steps}).regions();
}

}  // namespace pet
