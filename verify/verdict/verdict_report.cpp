#include "verify/verdict/verdict_report.h"

#include <algorithm>

#include "core/analysis/box_cover.h"

namespace pet {

std::vector<OutputVerdict> equal_outputs(const Graph& original) {
  std::vector<OutputVerdict> out;
  for (const NodeId output : original.outputs()) {
    const Node& node = original.node(output);
    OutputVerdict& equal = out.emplace_back();
    equal.name = node.name;
    equal.outcome = Outcome::Equivalent;
    equal.elements = equal.equal = node.type.shape ? count(*node.type.shape) : 0;
    if (node.type.shape) equal.wrong.basis = DigitBasis::plain(*node.type.shape);
  }
  return out;
}

void describe(const Graph& mutant, std::size_t number, const std::vector<char>& marked,
              std::string_view undecided, OutputVerdict& out) {
  if (out.outcome == Outcome::Equivalent || marked.empty()) return;
  const Shape shape = out.wrong.basis.shape();
  out.wrong = region_of(marked, shape, basis_of_views(mutant, mutant.outputs()[number]));
  if (out.different == 0) {
    out.outcome = Outcome::Unknown;
    out.reason = undecided;
  } else {
    out.outcome = out.equal == 0 ? Outcome::Different : Outcome::Partial;
  }
}

void keep_positions(const std::vector<char>& marked, OutputVerdict& out) {
  out.equal_at = marked;
  for (char& at : out.equal_at) at = static_cast<char>(at == static_cast<char>(Mark::Equal));
}

void decide(const Graph& original, const Graph& mutant, std::string_view engine,
            const ProofOptions& options,
            const std::function<bool(std::size_t output, std::size_t position)>& surely_differ,
            Marks& marks, std::vector<OutputVerdict>& outputs) {
  constexpr auto kUndecided = static_cast<char>(Mark::Undecided);
  const auto is_open = [&](const std::vector<char>& marked) {
    return std::find(marked.begin(), marked.end(), kUndecided) != marked.end();
  };
  if (std::none_of(marks.begin(), marks.end(), is_open)) return;
  const Digest seed =
      Digester("replay of").add(engine).add(original.digest()).add(mutant.digest()).finish();
  replay(PairCode(original, mutant), seed, options, marks, outputs);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t k = 0; k < marks[i].size(); ++k) {
      if (marks[i][k] != kUndecided || !surely_differ(i, k)) continue;
      marks[i][k] = static_cast<char>(Mark::Different);
      --outputs[i].undecided;
      ++outputs[i].different;
    }
  }
}

void withhold(Verdict& verdict, const std::string& reason) {
  const bool leaves_open =
      std::any_of(verdict.outputs.begin(), verdict.outputs.end(),
                  [](const OutputVerdict& o) { return o.equal > 0 || o.different == 0; });
  if (leaves_open) leave_open(verdict, reason);
}

void leave_open(Verdict& verdict, const std::string& reason) {
  verdict.reason = reason;
  for (OutputVerdict& out : verdict.outputs) {
    out.undecided += out.equal;
    out.equal = 0;
    out.equal_at.clear();
    out.outcome = out.different > 0 ? Outcome::Different : Outcome::Unknown;
    out.reason = reason;
    const Shape all = out.wrong.basis.flat();
    if (out.elements > 0) out.wrong.boxes = {Box{Shape(all.size(), 0), all}};
  }
}

bool claims_anything(const Verdict& verdict) {
  return claims_equality(verdict.outcome) ||
         std::ranges::any_of(verdict.outputs, [](const OutputVerdict& out) {
           return out.equal > 0 || out.outcome == Outcome::Equivalent;
         });
}

bool has_witness(const std::vector<OutputVerdict>& outputs) {
  return std::ranges::any_of(outputs,
                             [](const OutputVerdict& out) { return out.witness.has_value(); });
}

Outcome combined(const std::vector<OutputVerdict>& outputs) {
  const auto all = [&](Outcome outcome) {
    return std::all_of(outputs.begin(), outputs.end(),
                       [&](const OutputVerdict& o) { return o.outcome == outcome; });
  };
  const auto any = [&](Outcome outcome) {
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const OutputVerdict& o) { return o.outcome == outcome; });
  };
  if (all(Outcome::Equivalent)) return Outcome::Equivalent;
  if (!any(Outcome::Partial) && !any(Outcome::Different)) return Outcome::Unknown;
  const bool some_equal = std::any_of(outputs.begin(), outputs.end(),
                                      [](const OutputVerdict& o) { return o.equal > 0; });
  return some_equal ? Outcome::Partial : Outcome::Different;
}

}  // namespace pet
