// Rewrite rules applied: to random programs in which they fit, and to every bundled model at its
// tiny size. What comes out, in the form in which it would be written, is held against the program.
// A program is a function of its own seed: --runs 1 --seed N runs that one alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include "core/backend/scratch_folder.h"
#include "core/onnx/model.h"
#include "core/rewrite/form.h"
#include "core/rewrite/normal_form.h"
#include "datasets/models/models.h"
#include "tests/fuzz/rules/rule_pool.h"
#include "tests/fuzz/rules/rule_program.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/bitmap_checker.h"

namespace {

using namespace pet;
using namespace pet::fuzz;

struct Statistics {
  std::uint64_t programs = 0;
  std::uint64_t applied = 0;
  std::uint64_t over_the_reals = 0;  // of these: equal there, and to the exact engine alone
  std::uint64_t undecided = 0;
  std::uint64_t wrong = 0;
  std::uint64_t condition_fails = 0;             // places where it does, where nothing is applied
  std::map<std::size_t, std::uint64_t> by_rule;  // as published
  std::set<std::size_t> changes_nothing;         // of these: where they fit
};

class Campaign {
 public:
  explicit Campaign(RulePool& pool) : pool_(pool) {}

  void run_program(std::uint64_t seed) {
    Rng rng(seed);
    // Each by itself as often as at its forms: there are more of these.
    const std::size_t of = rng.below(2) == 0 ? pool_.published() : pool_.size();
    std::vector<std::size_t> chosen = {seed % pool_.published(), rng.below(of), rng.below(of)};
    std::vector<const rules::Rule*> around;
    for (const std::size_t number : chosen) around.push_back(&pool_.rule(number));
    around.resize(1 + rng.below(2));
    const auto program = program_around(around, rng);
    if (!program) return;
    constexpr std::size_t kOthers = 6;
    for (std::size_t i = 0; i < kOthers; ++i) chosen.push_back(rng.below(pool_.size()));
    std::vector<Used> used;
    for (const std::size_t number : chosen)
      if (const auto* one = pool_.usable(number); one != nullptr)
        used.push_back({*one, pool_.base(number)});
    constexpr std::size_t kMost = 4;
    apply(*program, std::move(used), kMost, rng, fmt::format("seed {}", seed));
  }

  void run_model(const Model& model, const std::string& name, std::size_t most, Rng& rng) {
    const auto normal = rules::normal_form(model.graph);
    std::vector<Used> used;
    for (std::size_t i = 0; normal && i < pool_.published(); ++i) {
      if (const auto* one = pool_.usable(i); one != nullptr) used.push_back({*one, i});
      const auto all = rules::with_forms({pool_.rule(i)}, normal->program);
      for (const rules::Rule& rule : std::span(all).subspan(1)) {
        auto one = rules::usable(rule, rule.condition);
        if (one) used.push_back({*std::move(one), i});
      }
    }
    shuffle(used, rng);
    apply(model.graph, std::move(used), most, rng, name);
  }

  const Statistics& statistics() const { return all_; }

 private:
  template <class T>
  static void shuffle(std::vector<T>& values, Rng& rng) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[rng.below(i)]);
  }

  struct Used {
    rules::UsableRule rule;
    std::size_t published = 0;
  };

  // `most` of what fits, the first rule's first.
  void apply(const Graph& program, std::vector<Used> used, std::size_t most, Rng& rng,
             const std::string& where) {
    ++all_.programs;
    const auto normal = rules::normal_form(program);
    if (!normal) return report(where, "no normal form", normal.error().message);
    std::vector<rules::UsableRule> rules;
    std::vector<std::size_t> published;
    for (Used& one : used) {
      rules.push_back(std::move(one.rule));
      published.push_back(one.published);
    }
    rules::Rewriter rewriter(std::move(rules));
    auto matches = rewriter.matches(normal->program);
    shuffle(matches, rng);
    std::ranges::stable_sort(matches, {},
                             [](const rules::Match& match) { return match.rule != 0; });
    for (std::size_t i = 0, done = 0; i < matches.size() && done < most; ++i) {
      const auto decided = rewriter.decide(normal->program, matches[i]);
      if (decided.fit == rules::Fit::ConditionFails) ++all_.condition_fails;
      if (decided.fit == rules::Fit::ChangesNothing)
        all_.changes_nothing.insert(published[matches[i].rule]);
      if (decided.fit != rules::Fit::Fits) continue;
      const auto made = rules::Rewriter::applied(normal->program, matches[i], *decided.instance);
      if (!made) continue;
      const auto written = rules::written_form(*made, *normal);
      if (!written) continue;
      ++done;
      ++all_.by_rule[published[matches[i].rule]];
      compare(program, *written,
              fmt::format("{}: {}", where, rewriter.rules()[matches[i].rule].rule.id));
    }
  }

  void compare(const Graph& program, const Graph& written, const std::string& where) {
    ++all_.applied;
    ProofOptions options;
    options.bind_weights = true;
    const Verdict seen = BitmapChecker().check(program, written, options);
    if (seen.outcome == Outcome::Equivalent) return;
    const Verdict exact = ExactEngine().check(program, written, options);
    if (exact.outcome == Outcome::Equivalent) {
      ++all_.over_the_reals;
    } else if (seen.outcome == Outcome::Unknown && exact.outcome == Outcome::Unknown) {
      ++all_.undecided;
      report(where, "undecided:", seen.reason);
    } else {
      ++all_.wrong;
      report(where, to_string(seen.outcome), seen.reason);
      fmt::print("{}\nrewritten:\n{}\n", to_string(program), to_string(written));
    }
  }

  static void report(const std::string& where, std::string_view what, const std::string& why) {
    fmt::print("{}: {} {}\n", where, what, why);
  }

  RulePool& pool_;
  Statistics all_;
};

// How many of the rules were applied less often than that. A rule whose target is its source in
// another order is none of them.
std::size_t seldom(const RulePool& pool, const Statistics& all, std::uint64_t least) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < pool.published(); ++i) {
    const auto it = all.by_rule.find(i);
    const std::uint64_t times = it == all.by_rule.end() ? 0 : it->second;
    if (times >= least || (times == 0 && all.changes_nothing.contains(i))) continue;
    fmt::print("{} was applied {} times\n", pool.rule(i).id, times);
    ++out;
  }
  return out;
}

Status run_models(Campaign& campaign, std::size_t most, std::uint64_t seed) {
  const auto folder = ScratchFolder::make("pet-fuzz");
  if (!folder) return folder.error();
  Rng rng(seed);
  for (const datasets::ModelInfo& info : datasets::list_models()) {
    const auto path = folder->path() / "model.onnx";
    datasets::ModelRequest request{.name = info.name, .tiny = true};
    request.batch = 1;
    if (auto done = datasets::build_model(request, path); !done) return done;
    const auto model = read_model(path, {.dimensions = {{"sequence", 8}}, .batch = 1});
    if (!model) return model.error();
    campaign.run_model(*model, info.name, most, rng);
  }
  return Done{};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("rewrite rules, applied");
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  std::uint64_t least = 0;
  std::size_t per_model = 0;
  app.add_option("--runs", runs, "random programs");
  app.add_option("--seed", seed, "of the first");
  app.add_option("--models", per_model, "so many applications to each bundled model");
  bool no_conditions = false;
  app.add_flag("--no-conditions", no_conditions, "break the rules on purpose");
  app.add_option("--least", least, "applications of each rule");
  CLI11_PARSE(app, argc, argv);
  auto pool = RulePool::read(PET_RULES);
  if (!pool) {
    fmt::print("{}\n", pool.error().message);
    return 1;
  }
  if (no_conditions) pool->forget_conditions();
  Campaign campaign(*pool);
  if (per_model > 0) {
    if (auto done = run_models(campaign, per_model, seed); !done) {
      fmt::print("{}\n", done.error().message);
      return 1;
    }
  }
  for (std::uint64_t i = 0; i < runs; ++i) campaign.run_program(seed + i);
  const Statistics& all = campaign.statistics();
  fmt::print(
      "{} rules, {} programs, {} applications of {} rules: {} wrong, {} undecided, {} equal over "
      "the "
      "reals alone; {} places at which a condition fails\n",
      pool->size(), all.programs, all.applied, all.by_rule.size(), all.wrong, all.undecided,
      all.over_the_reals, all.condition_fails);
  const bool all_used = seldom(*pool, all, least) == 0;
  return all.wrong == 0 && all_used && all.undecided * 100 <= all.applied ? 0 : 1;
}
