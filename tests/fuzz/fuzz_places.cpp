// Random networks that differ in several places: what is shown place by place is held against the
// engine that looks at the whole of both.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tests/fuzz/network.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/places/prove.h"

using namespace pet;
using namespace pet::fuzz;

namespace {

constexpr std::uint64_t kOneOf = 8;

struct Statistics {
  std::uint64_t networks = 0, shown = 0, by_several = 0, changed = 0;
  std::uint64_t looked_at = 0, equivalent = 0;  // by the engine that looks at everything
  std::uint64_t bolder = 0;  // shown here, and withheld there for its rounding or its domain
  std::uint64_t conflicts = 0;
};

void compare(std::uint64_t seed, const Network& network, bool verbose, Statistics& all) {
  ProofOptions options;
  options.proof_seed = fmt::format("networks {}", seed);
  const places::Answer answer = places::prove(network.original, network.mutant, options);
  const bool is_shown = answer.verdict && answer.verdict->outcome == Outcome::Equivalent;
  ++all.networks;
  all.changed += network.changed;
  // Of those that are not shown some are looked at all the same: how many are equal is known then.
  if (!is_shown && !verbose && seed % kOneOf != 0) return;
  const Verdict whole = BitmapChecker().check(network.original, network.mutant, options);
  ++all.looked_at;
  all.equivalent += whole.outcome == Outcome::Equivalent ? 1U : 0U;
  if (verbose)
    fmt::print("network {}: {}, {} places; as a whole {} ({})\n", seed,
               is_shown ? "shown" : answer.report.whole, answer.report.places.size(),
               to_string(whole.outcome), whole.reason);
  if (!is_shown) return;
  ++all.shown;
  all.by_several += answer.report.places.size() > 1 ? 1U : 0U;
  if (whole.outcome == Outcome::Equivalent) return;
  const bool is_denied = whole.outcome == Outcome::Different || whole.outcome == Outcome::Partial;
  ++(is_denied ? all.conflicts : all.bolder);
  if (!is_denied && !verbose) return;
  fmt::print("{} at network {}: shown by {} places, as a whole {} ({})\noriginal:\n{}mutant:\n{}",
             is_denied ? "false accept" : "bolder", seed, answer.report.places.size(),
             to_string(whole.outcome), whole.reason, to_string(network.original),
             to_string(network.mutant));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random networks, place by place and as a whole");
  std::uint64_t runs = 400;
  std::uint64_t seed = 1;
  bool verbose = false;
  app.add_option("--runs", runs, "networks");
  app.add_option("--seed", seed, "of the first; the others follow");
  app.add_flag("--verbose", verbose, "what was said of each");
  CLI11_PARSE(app, argc, argv);
  Statistics all;
  constexpr std::uint64_t kMostConflicts = 5;
  for (std::uint64_t i = 0; all.networks < runs && all.conflicts < kMostConflicts; ++i)
    if (const auto network = random_network(seed + i)) compare(seed + i, *network, verbose, all);
  fmt::print(
      "{} networks of {} changed pairs, {} shown by places, {} by several; {} looked at as a "
      "whole, "
      "{} of them equivalent\n",
      all.networks, all.changed, all.shown, all.by_several, all.looked_at, all.equivalent);
  fmt::print("{} bolder, {} false accepts\n", all.bolder, all.conflicts);
  // A campaign in which nothing is shown by several places says nothing; and what the whole would
  // withhold ought to be rare.
  constexpr std::uint64_t kEnough = 200;
  const bool says_enough = all.networks < kEnough || (all.by_several * 100 >= all.networks &&
                                                      all.bolder * 100 <= all.networks);
  return all.conflicts == 0 && says_enough ? 0 : 1;
}
