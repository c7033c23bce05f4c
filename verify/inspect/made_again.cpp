#include "verify/inspect/made_again.h"

#include <algorithm>

#include "core/program/correct/corrections.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "core/program/substitute.h"
#include "verify/region/region_engine.h"

namespace pet::inspect {
namespace {

constexpr std::size_t kMostPrograms = 64;  // that some of the moves make

std::vector<const OpDef*> operators_of(const Graph& program) {
  std::vector<const OpDef*> out;
  for (const Node& node : program.nodes())
    if (node.op() != nullptr) out.push_back(node.op()->def);
  return out;
}

class MovesAgain {
 public:
  MovesAgain(const Graph& original, const std::stop_token& stop)
      : original_(original), stop_(stop) {}

  // All that the moves make: some say less than everything.
  std::vector<Graph> programs(std::span<const Move> moves) const {
    if (moves.empty()) return {original_};
    if (const auto* correct = std::get_if<move::Correct>(&moves.back()))
      return corrected(programs(moves.first(moves.size() - 1)), correct->way);
    const auto is_new_start = [](const Move& m) {
      return std::holds_alternative<move::StartAgain>(m);
    };
    const auto last = std::ranges::find_if(moves.rbegin(), moves.rend(), is_new_start);
    const auto begin = static_cast<std::size_t>(moves.rend() - last);
    if (begin == 0) return made_by(original_, moves);
    return in_parts(programs(moves.first(begin - 1)), moves.subspan(begin));
  }

 private:
  std::vector<Graph> corrected(const std::vector<Graph>& mutants, CorrectionWay way) const {
    std::vector<Graph> out;
    ProofOptions options;
    options.stop = stop_;
    for (const Graph& mutant : mutants) {
      const auto wrong = not_shown_equal(original_, mutant, options);
      if (!wrong || wrong->size() != 1 || wrong->front().empty()) continue;
      for (Correction& made : corrections(original_, mutant, wrong->front()))
        if (made.way == way && made.program) out.push_back(*std::move(made.program));
    }
    return out;
  }

  // Some operators of a program are mutated once more: which ones the moves do not say.
  std::vector<Graph> in_parts(const std::vector<Graph>& wholes, std::span<const Move> moves) const {
    std::vector<Graph> out;
    for (const Graph& whole : wholes) {
      for (const SubprogramClass& same : split(whole, {}).classes) {
        const Subprogram& part = same.representative();
        for (const Graph& mutant : made_by(part.program, moves)) {
          const Substitute substitute{&mutant, part.inputs, part.outputs};
          auto made = with_replaced(whole, std::span(&substitute, 1));
          if (made) out.push_back(*std::move(made));
          if (stop_.stop_requested() || out.size() >= kMostPrograms) return out;
        }
      }
    }
    return out;
  }

  const Graph& original_;
  const std::stop_token& stop_;
};

}  // namespace

Result<Graph> made_again(const Graph& original, std::span<const Move> moves, const Graph& like,
                         const std::function<bool(const Graph&)>& accepts,
                         const std::stop_token& stop) {
  const auto wanted = operators_of(like);
  for (Graph& made : MovesAgain(original, stop).programs(moves))
    if (operators_of(made) == wanted && accepts(made)) return std::move(made);
  return Error{"these moves make no such program at these sizes", ErrorKind::Unsupported};
}

}  // namespace pet::inspect
