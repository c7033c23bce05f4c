#include "verify/reduce/reducer.h"

#include <fmt/format.h>

#include <set>

#include "verify/reduce/operator_edits.h"
#include "verify/reduce/shared_values.h"
#include "verify/reduce/size_edits.h"
#include "verify/weights/unfolding.h"

namespace pet::reduce {
namespace {

class Reducer {
 public:
  Reducer(Failure failure, std::span<Engine* const> engines, const ProofOptions& options,
          const Limits& limits)
      : judge_(std::move(failure), engines, options), options_(options), limits_(limits) {}

  Result<Reduced> run(std::span<const Pair> starts) {
    if (auto begun = begin(starts); !begun) return std::move(begun).error();
    Reduced out;
    out.from = size_of(starts.front());
    // Operators first: fewer of them hold fewer sizes together, and are asked about sooner.
    for (bool smaller = true; smaller && !is_over();) {
      smaller = false;
      while (one_operator_less()) smaller = true;
      while (one_size_less()) smaller = true;
    }
    out.text = std::move(text_);
    out.to = size_;
    out.tries = tries_;
    out.is_finished = !is_over();
    return out;
  }

 private:
  Status begin(std::span<const Pair> starts) {
    std::optional<Error> why;
    for (const Pair& start : starts) {
      auto text = judge_.shown_by(start);
      ++tries_;
      if (text) {
        take(start, *std::move(text));
        return Done{};
      }
      if (!why) why = std::move(text).error();
    }
    if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return Error{"no case was found that shows the same; " +
                     (why ? why->message : std::string("there is nothing to begin with")),
                 ErrorKind::Unsupported};
  }

  void take(Pair pair, std::string text) {
    current_ = std::move(pair);
    text_ = std::move(text);
    size_ = size_of(current_);
    seen_.insert(digest_of(current_));
  }

  bool is_over() const { return tries_ >= limits_.tries || options_.stop.stop_requested(); }

  // Taken: it is smaller and fails in the same way.
  bool try_it(Result<Pair> pair) {
    if (!pair || is_over() || size_of(*pair) >= size_) return false;
    if (!seen_.insert(digest_of(*pair)).second) return false;
    ++tries_;
    auto text = judge_.shown_by(*pair);
    if (!text || options_.stop.stop_requested()) return false;
    take(*std::move(pair), *std::move(text));
    return true;
  }

  bool one_operator_less() {
    const auto shared = shared_values(current_, options_);
    if (!shared) return false;
    // What two engines or none say is no fault of one operator: there may be many ways to it.
    const Failure& failure = judge_.failure();
    const bool is_ours = failure.engines_disagree || failure.outcome == Outcome::Unknown;
    const auto edits =
        operator_edits(current_, *shared, is_ours ? Leaving::Freely : Leaving::Together);
    for (const PairChanges& edit : edits) {
      if (is_over()) return false;
      if (try_it(changed(current_, edit))) return true;
    }
    return false;
  }

  bool one_size_less() {
    const bool agree = judge_.failure().outcome != Outcome::ShapeMismatch;
    for (const SizeChange& change : size_changes(current_)) {
      if (is_over()) return false;
      if (try_it(resized(current_, change, agree ? Outputs::Agree : Outputs::MayDiffer)))
        return true;
    }
    return false;
  }

  Judge judge_;
  const ProofOptions& options_;
  const Limits limits_;
  Pair current_;
  std::string text_;
  PairSize size_;
  std::set<Digest> seen_;
  std::size_t tries_ = 0;
};

}  // namespace

Result<Reduced> reduced(std::span<const Pair> starts, const Verdict& verdict,
                        std::span<Engine* const> engines, const ProofOptions& options,
                        const Limits& limits) {
  auto failure = failure_of(verdict);
  if (!failure) {
    return Error{fmt::format("the pair is {}: there is no failure to be kept while it shrinks",
                             to_string(verdict.outcome)),
                 ErrorKind::Usage};
  }
  return Reducer(*std::move(failure), engines, options, limits).run(starts);
}

std::vector<Pair> starts_of(const Model& original, const Model& mutant,
                            const ProofOptions& options) {
  std::vector<Pair> out;
  const auto add = [&](Pair pair) {
    const auto shared = shared_values(pair, options);
    std::vector<Pair> cuts;
    for (const Cut cut : {Cut::Constants, Cut::Everything}) {
      if (!shared) break;
      if (auto made = changed(pair, cut_shared(pair, *shared, cut)))
        cuts.push_back(*std::move(made));
    }
    out.push_back(std::move(pair));
    for (Pair& made : cuts) out.push_back(std::move(made));
  };
  add({original.graph, mutant.graph});
  const auto unfolded = unfold(original, mutant);
  if (unfolded && !unfolded->folded.empty()) add({original.graph, unfolded->graph});
  return out;
}

}  // namespace pet::reduce
