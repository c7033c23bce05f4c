#include "app/pet/mutant_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/program/correct/corrections.h"
#include "core/program/fingerprint.h"
#include "core/program/split.h"
#include "core/search/mutant_check.h"
#include "core/util/deadline.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

class Counter {
 public:
  Counter(const Subprogram& subprogram, const CountingOptions& options, MutantCounts& counts,
          std::stop_token stop)
      : original_(subprogram.program),
        options_(options),
        counts_(counts),
        deadline_(options.budget_s, std::move(stop)) {
    config_.threads = options.threads;
  }

  void run() {
    const std::vector<Mutant> mutants = mixed(generated());
    for (const Mutant& mutant : mutants) {
      options_.progress(
          fmt::format("{} of {} mutants checked", &mutant - mutants.data(), mutants.size()));
      check(mutant.program);
    }
  }

 private:
  enum class Likely { Equal, Partial, Unknown };

  std::vector<Mutant> generated() {
    std::vector<Mutant> out;
    MutantGenerator generator(original_, options_.generator);
    const Deadline half(options_.budget_s / 2, deadline_.token());
    while (!half.is_over() || generator.has_mutant()) {
      auto mutant = generator.next();
      counts_.all_generated = !mutant;
      if (!mutant) break;
      out.push_back(*std::move(mutant));
      options_.progress(fmt::format("{} mutants", out.size()));
    }
    const GeneratorCounters& counters = generator.counters();
    const auto pruned = [&](Pruned why) { return counters.pruned[static_cast<std::size_t>(why)]; };
    counts_.distinct = counters.programs;
    counts_.generated = counters.programs + pruned(Pruned::SeenProgram);
    counts_.different = pruned(Pruned::Fingerprint);
    return out;
  }

  Likely sampled(const Graph& mutant) const {
    const auto print = fingerprints_.compare(mutant);
    if (!print || print->agree == 0) return Likely::Unknown;
    return print->agree == print->positions ? Likely::Equal : Likely::Partial;
  }

  // Those that look equal and those that look partial in turn: where the time ends, some of both
  // have been checked.
  std::vector<Mutant> mixed(std::vector<Mutant> mutants) const {
    std::vector<Mutant> equal;
    std::vector<Mutant> others;
    for (Mutant& mutant : mutants)
      (sampled(mutant.program) == Likely::Equal ? equal : others).push_back(std::move(mutant));
    std::vector<Mutant> out;
    for (std::size_t i = 0; i < std::max(equal.size(), others.size()); ++i) {
      for (auto* some : {&equal, &others})
        if (i < some->size()) out.push_back(std::move((*some)[i]));
    }
    return out;
  }

  bool is_over() const { return deadline_.token().stop_requested(); }

  void check(const Graph& mutant) {
    if (is_over()) return sample(mutant);
    const Checked checked = sampled(mutant) == Likely::Equal ? check_.thinly(original_, mutant)
                                                             : check_.in_part(original_, mutant);
    switch (checked.outcome) {
      case Outcome::Equivalent:
        ++counts_.equal;
        break;
      case Outcome::Partial: {
        const bool right = checked.wrong && can_be_corrected(mutant, *checked.wrong);
        if (!right && is_over()) return sample(mutant);
        ++counts_.partial;
        if (right) ++counts_.corrected;
        break;
      }
      case Outcome::Different:
        ++counts_.different;
        break;
      default:
        if (is_over()) return sample(mutant);
        ++counts_.undecided;
    }
  }

  bool can_be_corrected(const Graph& mutant, const Region& wrong) {
    const auto ways = corrections(original_, mutant, wrong);
    return std::ranges::any_of(ways, [&](const Correction& way) {
      return way.program && check_.thinly(original_, *way.program).outcome == Outcome::Equivalent;
    });
  }

  void sample(const Graph& mutant) {
    ++counts_.not_checked;
    const Likely likely = sampled(mutant);
    if (likely == Likely::Equal) ++counts_.likely_equal;
    if (likely == Likely::Partial) ++counts_.likely_partial;
  }

  const Graph& original_;
  const CountingOptions& options_;
  MutantCounts& counts_;
  Deadline deadline_;
  SearchConfig config_;
  SearchChecker checker_;
  MutantCheck check_{config_, checker_, deadline_.token()};
  Fingerprinter fingerprints_{original_, config_.seed, config_.positions};
};

}  // namespace

void count_mutants(const Model& model, const CountingOptions& options,
                   const std::stop_token& stop) {
  const Split found = split(model.graph, {});
  for (std::size_t number = 0; number < found.classes.size() && !stop.stop_requested(); ++number) {
    const Subprogram& subprogram = found.classes[number].representative();
    MutantCounts counts;
    counts.number = number;
    counts.operators = operator_names(subprogram.program);
    counts.place = model.graph.node(subprogram.outputs[0]).name;
    counts.places = found.classes[number].places.size();
    CountingOptions told = options;
    told.progress = [&](const std::string& words) {
      options.progress(
          fmt::format("subprogram {} of {}: {}", number + 1, found.classes.size(), words));
    };
    const auto start = std::chrono::steady_clock::now();
    Counter(subprogram, told, counts, stop).run();
    counts.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    options.counted(counts);
  }
}

}  // namespace pet::app
