#include "verify/inspect/small_twin.h"

#include <algorithm>
#include <functional>

#include "verify/inspect/made_again.h"
#include "verify/reduce/resizing.h"
#include "verify/region/region_engine.h"
#include "verify/values/step_limit.h"

namespace pet::inspect {
namespace {

using reduce::Numbers;
using reduce::Pair;
using reduce::SizeChange;

constexpr Dim kMostElements = 1 << 14;        // of one value: the solver's limit
constexpr double kMostSteps = 1 << 18;        // of both programs
constexpr std::size_t kMostTries = 1000;      // pairs that are looked at
constexpr std::size_t kMostWork = 1'000'000;  // of the corrector at each, in its steps

double steps_of(const Pair& pair) {
  return evaluation_steps(pair.original) + evaluation_steps(pair.mutant);
}

Dim largest_value(const Pair& pair) {
  Dim out = 0;
  for (const Graph* program : {&pair.original, &pair.mutant})
    for (const Node& node : program->nodes())
      if (node.type.shape) out = std::max(out, count(*node.type.shape));
  return out;
}

// In what way an output is wrong, whatever its sizes: in how many boxes of how many digits along
// each axis, and whether anything of it is right.
struct Pattern {
  std::vector<std::size_t> digits;
  std::size_t boxes = 0;
  bool is_everywhere = false;
  bool operator==(const Pattern&) const = default;
};

Pattern pattern_of(const Region& wrong) {
  Pattern out;
  out.boxes = wrong.boxes.size();
  if (wrong.empty()) return out;
  for (const Shape& axis : wrong.basis.digits) out.digits.push_back(axis.size());
  out.is_everywhere = wrong.volume() == count(wrong.basis.flat());
  return out;
}

// By output, as the corrector sees it; nothing where it does not know.
using Patterns = std::optional<std::vector<Pattern>>;
Patterns patterns_of(const Graph& original, const Graph& mutant, const std::stop_token& stop) {
  ProofOptions options;
  options.stop = stop;
  const auto regions = not_shown_equal(original, mutant, options, kMostWork);
  if (!regions) return std::nullopt;
  std::vector<Pattern> out;
  for (const Region& wrong : *regions) out.push_back(pattern_of(wrong));
  return out;
}

// Halves first, so that what divides an extent still does; then one less of what is odd. Two or one
// are too few for most things to be what they were.
int rank_of(const SizeChange& change) {
  constexpr Dim kFew = 4;
  if (change.to * 2 == change.from && change.from >= kFew) return 0;
  if (change.to == change.from - 1 && change.from % 2 == 1 && change.to >= kFew) return 1;
  if (change.to * 2 + 1 == change.from && change.from > kFew) return 2;
  return change.to > 1 ? 3 : 4;
}

std::vector<SizeChange> in_order(std::vector<SizeChange> changes) {
  std::ranges::stable_sort(changes, {}, rank_of);
  return changes;
}

// The mutant of an original that became smaller.
using MutantOf = std::function<Result<Graph>(const Graph& original, const Pair& before,
                                             const SizeChange&, const reduce::Resizing::Accepts&)>;

class Shrinking {
 public:
  Shrinking(const Pair& pair, MutantOf mutant_of, const std::stop_token& stop)
      : current_(pair),
        mutant_of_(std::move(mutant_of)),
        stop_(stop),
        patterns_(patterns_of(pair.original, pair.mutant, stop)) {}

  Result<Pair> run() {
    while (!is_small(current_)) {
      if (step()) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      return Error{
          "no smaller sizes were found at which both are programs, equal or wrong in the same way",
          ErrorKind::Unsupported};
    }
    return std::move(current_);
  }

 private:
  bool step() {
    for (const SizeChange& change : in_order(reduce::size_changes(current_))) {
      if (stop_.stop_requested() || tries_ > kMostTries) return false;
      auto made = smaller(change);
      if (!made || steps_of(*made) >= steps_of(current_)) continue;
      current_ = *std::move(made);
      return true;
    }
    return false;
  }

  Result<Pair> smaller(const SizeChange& change) {
    auto original =
        reduce::Resizing(current_.original, change).find([](const Graph&) { return true; });
    if (!original) return std::move(original).error();
    const auto types = reduce::output_types(*original);
    const auto accepts = [&](const Graph& mutant) {
      ++tries_;
      return reduce::output_types(mutant) == types &&
             (!patterns_ || patterns_of(*original, mutant, stop_) == patterns_);
    };
    auto mutant = mutant_of_(*original, current_, change, accepts);
    if (!mutant) return std::move(mutant).error();
    return Pair{*std::move(original), *std::move(mutant)};
  }

  Pair current_;
  const MutantOf mutant_of_;
  const std::stop_token& stop_;
  const Patterns patterns_;
  std::size_t tries_ = 0;
};

Result<SmallTwin> twin_of(Result<Pair> pair, std::string how) {
  if (!pair) return std::move(pair).error();
  return SmallTwin{std::make_shared<const Graph>(std::move(pair->original)),
                   std::make_shared<const Graph>(std::move(pair->mutant)), std::move(how)};
}

}  // namespace

bool is_small(const Pair& pair) {
  return largest_value(pair) <= kMostElements && steps_of(pair) <= kMostSteps;
}

Result<SmallTwin> small_twin(const Pair& pair, std::span<const Move> moves,
                             const std::stop_token& stop) {
  if (is_small(pair)) return Error{"the pair is small as it is", ErrorKind::Usage};
  if (!moves.empty()) {
    const auto again = [&](const Graph& original, const Pair& before, const SizeChange&,
                           const reduce::Resizing::Accepts& accepts) {
      return made_again(original, moves, before.mutant, accepts, stop);
    };
    auto twin = twin_of(Shrinking(pair, again, stop).run(), "the same moves at smaller sizes");
    if (twin || twin.error().kind == ErrorKind::Stopped) return twin;
  }
  const auto resized = [](const Graph&, const Pair& before, const SizeChange& change,
                          const reduce::Resizing::Accepts& accepts) {
    return reduce::Resizing(before.mutant, change).find(accepts);
  };
  return twin_of(Shrinking(pair, resized, stop).run(), "both programs at smaller sizes");
}

}  // namespace pet::inspect
