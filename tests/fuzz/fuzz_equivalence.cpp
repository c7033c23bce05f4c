// Random pairs of programs through the bitmap engine and the exact one. A pair is a function of its
// own seed: --runs 1 --seed N runs that pair alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "core/ops/ops.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/pair.h"
#include "tests/fuzz/places_or_bitmap.h"
#include "tests/fuzz/sabotage.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/region/region_engine.h"
#include "verify/theorem/theorem_engine.h"

namespace {

using namespace pet;
using namespace pet::fuzz;

struct Statistics {
  std::uint64_t pairs = 0;
  std::uint64_t rich = 0;
  std::uint64_t equivalent = 0;
  std::uint64_t rewritten = 0;  // equivalent, and another program once views are taken out
  std::uint64_t partial = 0;
  std::uint64_t different = 0;
  std::uint64_t unknown = 0;
  std::uint64_t limited = 0;  // the exact engine reached a limit
  std::uint64_t witnesses = 0;
  Dim positions = 0;
  Dim lost = 0;
  Dim withheld = 0;
  std::uint64_t conflicts = 0;
  std::map<std::string, std::uint64_t> operators;  // pairs with one of them in either program
  std::map<Dim, std::uint64_t> outputs;            // by their number of elements
};

constexpr ExactLimits kLimits{
    .elements = 1 << 12, .monomials = 1 << 20, .time = std::chrono::seconds(5)};

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void print_conflict(const Pair& pair, std::uint64_t seed, const std::string& what) {
  fmt::print("false accept at pair {}: {}\nsteps:", seed, what);
  for (const std::string& step : pair.steps) fmt::print(" [{}]", step);
  fmt::print("\noriginal:\n{}mutant:\n{}", to_string(pair.original), to_string(pair.mutant));
  fmt::print("again with: fuzz_equivalence --runs 1 --seed {}\n", seed);
}

void count_parts(const Pair& pair, Statistics& all) {
  std::set<std::string> here;
  for (const Graph* graph : {&pair.original, &pair.mutant}) {
    for (const Node& node : graph->nodes())
      if (node.op() != nullptr) here.insert(node.op()->def->name);
  }
  for (const std::string& name : here) ++all.operators[name];
  for (const NodeId output : pair.original.outputs()) {
    const auto& shape = pair.original.node(output).type.shape;
    if (shape) ++all.outputs[count(*shape)];
  }
}

// Half of all outputs have so many elements or more.
Dim median_output(const Statistics& all) {
  std::uint64_t number = 0;
  for (const auto& [elements, times] : all.outputs) number += times;
  std::uint64_t seen = 0;
  for (const auto& [elements, times] : all.outputs) {
    seen += times;
    if (2 * seen >= number) return elements;
  }
  return 0;
}

// Of all that there are the one in the fewest pairs.
std::pair<std::string, double> rarest_operator(const Statistics& all) {
  std::pair<std::string, double> out{"", 101};
  for (const OpDef* def : ops::all()) {
    const auto it = all.operators.find(def->name);
    const double times = it == all.operators.end() ? 0 : static_cast<double>(it->second);
    const double share = percent(times, static_cast<double>(all.pairs));
    if (share < out.second) out = {def->name, share};
  }
  return out;
}

// Who is asked. Engines speak of the reals, checkers of floats, too, in every second pair.
struct Asked {
  std::string name;
  std::function<Verdict(const Graph&, const Graph&, const ProofOptions&)> check;
};

void run_pair(std::uint64_t seed, const Asked& asked, bool verbose, Statistics& all) {
  const Pair pair = random_pair(seed);
  ProofOptions options;
  options.proof_seed = fmt::format("fuzz {}", seed);
  options.floats = seed % 2 == 0 ? Floats::None : Floats::Drawn;
  Verdict claimed = asked.check(pair.original, pair.mutant, options);
  const Verdict exact = ExactEngine(kLimits).check(pair.original, pair.mutant, options);
  // Of where functions are applied these ask for whole tensors, or not for what is read in padding,
  // and leave the rest to the bitmap engine, without which nothing is accepted.
  if (exact.leaves_domain && (asked.name == "region" || asked.name == "theorem"))
    claimed = BitmapChecker().check(pair.original, pair.mutant, options);
  ++all.pairs;
  count_parts(pair, all);
  all.rich += pair.rich ? 1U : 0U;
  switch (claimed.outcome) {
    case Outcome::Equivalent:
      ++all.equivalent;
      if (digest_without_views(pair.original) != digest_without_views(pair.mutant)) ++all.rewritten;
      break;
    case Outcome::Partial:
      ++all.partial;
      break;
    case Outcome::Different:
      ++all.different;
      break;
    default:
      ++all.unknown;
  }
  if (exact.outputs.empty()) ++all.limited;
  const Judgement judgement = judge(pair.original, claimed, exact);
  all.positions += judgement.compared;
  all.lost += judgement.lost;
  all.withheld += judgement.withheld;
  std::string conflict = judgement.conflict;
  for (const OutputVerdict& out : claimed.outputs) all.witnesses += out.witness ? 1U : 0U;
  if (conflict.empty()) conflict = false_witness(pair.original, pair.mutant, claimed);
  if (verbose) {
    fmt::print("pair {}: {} ({}), exactly {} ({}), {} lost;", seed, to_string(claimed.outcome),
               claimed.reason, to_string(exact.outcome), exact.reason, judgement.lost);
    for (const std::string& step : pair.steps) fmt::print(" [{}]", step);
    fmt::print("\noriginal:\n{}mutant:\n{}", to_string(pair.original), to_string(pair.mutant));
  }
  if (conflict.empty()) return;
  ++all.conflicts;
  print_conflict(pair, seed, conflict);
}

void print_statistics(const Statistics& all) {
  const auto n = static_cast<double>(all.pairs);
  const auto line = [&](const char* what, std::uint64_t number) {
    fmt::print("{:<34} {:>9}  {:6.2f} %\n", what, number, percent(static_cast<double>(number), n));
  };
  line("pairs", all.pairs);
  line("with functions, several outputs", all.rich);
  line("equivalent", all.equivalent);
  line("  by another program", all.rewritten);
  line("partial", all.partial);
  line("different", all.different);
  line("unknown", all.unknown);
  line("beyond the exact engine's limits", all.limited);
  line("outputs with a replayed witness", all.witnesses);
  fmt::print("{:<34} {:>9}\n", "positions compared", all.positions);
  const auto share = [&](const char* what, Dim number) {
    fmt::print("{:<34} {:>9}  {:.4f} %\n", what, number,
               percent(static_cast<double>(number), static_cast<double>(all.positions)));
  };
  share("lost positions", all.lost);
  share("withheld: rounding would decide", all.withheld);
  fmt::print("{:<34} {:>9}\n", "elements of the median output", median_output(all));
  const auto [rarest, times] = rarest_operator(all);
  fmt::print("{:<34} {:>9}  {:6.2f} %\n", "the rarest operator", rarest, times);
  fmt::print("{:<34} {:>9}\n", "false accepts", all.conflicts);
}

// What a campaign must look like to say anything; too few pairs say nothing about shares.
bool is_convincing(const Statistics& all) {
  constexpr double kEnoughPairs = 1000;
  const auto n = static_cast<double>(all.pairs);
  const double lost = percent(static_cast<double>(all.lost), static_cast<double>(all.positions));
  if (n < kEnoughPairs) return true;
  return percent(static_cast<double>(all.rewritten), n) >= 20 &&
         percent(static_cast<double>(all.partial), n) >= 5 &&
         percent(static_cast<double>(all.limited), n) < 1 && lost < 0.1 &&
         median_output(all) >= 64 && rarest_operator(all).second >= 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random pairs of programs: the bitmap engine against the exact one");
  std::uint64_t runs = 2000;
  std::uint64_t seed = 1;
  std::string engine = "bitmap";
  std::string sabotage;
  bool verbose = false;
  app.add_option("--runs", runs, "pairs");
  app.add_option("--seed", seed, "of the first pair; the others follow");
  app.add_option("--engine", engine,
                 "what is held against the exact engine: bitmap, region, places, theorem")
      ->check(CLI::IsMember({"bitmap", "region", "places", "theorem"}));
  app.add_option("--sabotage", sabotage, "a broken checker in place of the bitmap engine");
  app.add_flag("--verbose", verbose, "every pair, its programs and what was said of them");
  CLI11_PARSE(app, argc, argv);

  PlacesOrBitmap places;
  const auto ask = [](auto checker) {
    return [checker](const Graph& a, const Graph& b, const ProofOptions& options) {
      return checker->check(a, b, options);
    };
  };
  Asked asked{engine, ask(std::make_shared<BitmapChecker>())};
  if (engine == "region") asked.check = ask(std::make_shared<RegionEngine>());
  if (engine == "theorem") asked.check = ask(std::make_shared<TheoremEngine>());
  if (engine == "places") asked.check = ask(&places);
  if (!sabotage.empty()) {
    std::shared_ptr<EquivalenceChecker> broken = sabotaged(sabotage);
    if (broken == nullptr) {
      fmt::print(stderr, "fuzz_equivalence: no broken checker is called {}\n", sabotage);
      return 2;
    }
    asked.check = ask(std::move(broken));
  }
  fmt::print("{} pairs from seed {}\n", runs, seed);
  Statistics all;
  constexpr std::uint64_t kMostConflicts = 5;
  for (std::uint64_t i = 0; i < runs && all.conflicts < kMostConflicts; ++i)
    run_pair(seed + i, asked, verbose, all);
  print_statistics(all);
  if (engine == "places")
    fmt::print("{:<34} {:>9}, by several {}\n", "shown by places", places.shown(),
               places.with_several());
  if (all.conflicts > 0) return 1;
  if (!is_convincing(all)) {
    fmt::print(
        "the campaign does not say enough: 20 % equivalent by another program, 5 % partial, 1 % "
        "limited, 0.1 % lost, half of the outputs with 64 elements, each operator in 1 %\n");
    return 1;
  }
  return 0;
}
