// Random files whose constants are folded by weight programs, as the tool folds them and tampered
// with, through the proof of files and a judge that is exact. A pair is a function of its own seed:
// --runs 1 --seed N runs that pair alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "tests/fuzz/weight_files.h"
#include "tests/fuzz/weight_judge.h"
#include "tests/fuzz/weight_pair.h"
#include "verify/files/file_proof.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/weights/unfolding.h"

namespace {

using namespace pet;
using namespace pet::fuzz;

// What became of files of one kind.
struct Tally {
  std::uint64_t files = 0;
  std::uint64_t accepted = 0;
  std::uint64_t near = 0;       // equivalent up to constants
  std::uint64_t undecided = 0;  // by the judge
  // Of what the tool writes:
  std::uint64_t acceptable = 0;  // to the judge
  std::uint64_t lost = 0;        // acceptable, and not accepted
  std::uint64_t withheld = 0;    // the same, for rounding might decide
};

struct Statistics {
  std::uint64_t pairs = 0;
  std::uint64_t folded = 0;    // constants
  std::uint64_t left = 0;      // constants that stay computed
  std::uint64_t unfolded = 0;  // pairs without any folded constant
  std::uint64_t conflicts = 0;
  Tally honest;
  std::map<std::string, Tally> tricks;
};

// Verifiers that are broken on purpose: they take one kind of reason for none.
bool is_overlooked(const std::string& sabotage, const Models& models, const FileVerdict& verdict) {
  static const std::map<std::string, std::string> kReasons = {
      {"rounding", "and should be"},
      {"weightless", "contains no weight"},
      {"conditioning", "ill-conditioned"},
      {"everything", ""},
  };
  if (sabotage.empty() || verdict.outcome == Outcome::Equivalent) return false;
  if (sabotage != "everything" && verdict.outcome != Outcome::Unknown) return false;
  if (verdict.reason.find(kReasons.at(sabotage)) == std::string::npos) return false;
  if (sabotage == "everything" || sabotage == "conditioning") return true;
  const auto unfolded = unfold(models.original, models.file);
  return unfolded && BitmapChecker().check(models.original.graph, unfolded->graph, {}).outcome ==
                         Outcome::Equivalent;
}

class Campaign {
 public:
  Campaign(std::string sabotage, bool verbose)
      : sabotage_(std::move(sabotage)), verbose_(verbose) {}

  void run_pair(std::uint64_t seed) {
    const Pair pair = random_weight_pair(seed);
    ++all_.pairs;
    const auto honest = folded(pair);
    if (!honest) return report(seed, pair, FilePair{}, honest.error().message);
    all_.folded += honest->programs.results.size();
    all_.left += honest->left;
    try_file(seed, pair, *honest, *honest, all_.honest);
    Rng rng(~seed);
    constexpr int kTampered = 2;
    // A function of its own seed: the other file is none that happened to come before.
    const auto other = folded(random_weight_pair(seed + 1));
    for (int i = 0; i < kTampered; ++i) {
      const auto file = tampered(*honest, other ? other->programs : WeightPrograms{}, rng);
      if (file) try_file(seed, pair, *file, *honest, all_.tricks[file->trick]);
    }
  }

  const Statistics& statistics() const { return all_; }

 private:
  void try_file(std::uint64_t seed, const Pair& pair, const FilePair& file, const FilePair& honest,
                Tally& tally) {
    ++tally.files;
    const auto models = written(file);
    if (!models) return report(seed, pair, file, models.error().message);
    FileProofOptions options;
    options.proof.proof_seed = fmt::format("fuzz {}", seed);
    options.proof.record_test = true;  // how constants follow is told
    const FileVerdict verdict = prove_files(models->original, models->file, options);
    const bool accepted =
        verdict.outcome == Outcome::Equivalent || is_overlooked(sabotage_, *models, verdict);
    tally.accepted += accepted ? 1U : 0U;
    tally.near += verdict.outcome == Outcome::EquivalentUpToConstants ? 1U : 0U;
    const auto found = verdict.found_programs ? decoded(*verdict.found_programs) : WeightPrograms{};
    if (!found) return report(seed, pair, file, "programs that cannot be read");
    // Whatever else is said of a file that was tampered with, nothing is lost.
    const Judgement truth =
        accepted || file.trick.empty() ? judge(file, honest.programs, *found, seed) : Judgement{};
    tally.undecided += truth.undecided ? 1U : 0U;
    if (file.trick.empty() && truth.acceptable) {
      ++tally.acceptable;
      const bool ill = verdict.reason.starts_with("ill-conditioned") ||
                       verdict.reason.starts_with("rounding") ||
                       verdict.reason.ends_with("beyond the range of floats");
      if (!accepted) ++(ill ? tally.withheld : tally.lost);
      if (verdict.outcome == Outcome::Different)
        report(seed, pair, file, "it is called different and is not");
    }
    if (verbose_) print_file(seed, pair, file, verdict, truth);
    if (accepted && !truth.acceptable && !truth.undecided) report(seed, pair, file, truth.why);
  }

  static void print_file(std::uint64_t seed, const Pair& pair, const FilePair& file,
                         const FileVerdict& verdict, const Judgement& truth) {
    fmt::print("pair {} [{}]: {} ({}); judge: {} {};", seed, file.trick, to_string(verdict.outcome),
               verdict.reason,
               truth.acceptable  ? "acceptable"
               : truth.undecided ? "undecided"
                                 : "not acceptable",
               truth.why);
    for (const std::string& step : pair.steps) fmt::print(" [{}]", step);
    fmt::print("\n");
  }

  void report(std::uint64_t seed, const Pair& pair, const FilePair& file, const std::string& what) {
    ++all_.conflicts;
    fmt::print("false verdict at pair {} ({}): {}\nsteps:", seed,
               file.trick.empty() ? "as the tool writes it" : file.trick, what);
    for (const std::string& step : pair.steps) fmt::print(" [{}]", step);
    fmt::print("\noriginal:\n{}unfolded:\n{}file:\n{}programs:\n{}", to_string(pair.original),
               to_string(pair.mutant), to_string(file.file), to_string(file.programs.graph));
    fmt::print("again with: fuzz_weights --runs 1 --seed {}\n", seed);
  }

  std::string sabotage_;
  bool verbose_;
  Statistics all_;
};

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void print(const std::string& what, const Tally& tally) {
  fmt::print("{:<34} {:>7} {:>9} {:>11} {:>10}\n", what, tally.files, tally.accepted, tally.near,
             tally.undecided);
}

void print(const Statistics& all) {
  const auto line = [](const char* what, std::uint64_t number) {
    fmt::print("{:<34} {:>7}\n", what, number);
  };
  const auto share = [&](const char* what, std::uint64_t number) {
    fmt::print("{:<34} {:>7} {:>8.2f} %\n", what, number, percent(number, all.honest.acceptable));
  };
  line("pairs", all.pairs);
  line("constants folded", all.folded);
  line("constants that stay computed", all.left);
  fmt::print("{:<34} {:>7} {:>9} {:>11} {:>10}\n", "", "files", "accepted", "up to ulps",
             "undecided");
  print("as the tool writes them", all.honest);
  for (const auto& [trick, tally] : all.tricks) print(trick, tally);
  line("acceptable of the tool's files", all.honest.acceptable);
  share("  lost", all.honest.lost);
  share("  withheld: rounding would decide", all.honest.withheld);
  line("false verdicts", all.conflicts);
}

// What a campaign must look like to say anything.
bool is_convincing(const Statistics& all) {
  constexpr std::uint64_t kEnoughPairs = 300;
  if (all.pairs < kEnoughPairs) return true;
  return percent(all.honest.accepted, all.pairs) >= 25 && percent(all.unfolded, all.pairs) <= 20 &&
         all.tricks.size() == 9 && percent(all.honest.undecided, all.pairs) < 5 &&
         percent(all.honest.lost, all.honest.acceptable) < 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random files with folded constants: the proof of files against an exact judge");
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  std::string sabotage;
  bool verbose = false;
  app.add_option("--runs", runs, "pairs");
  app.add_option("--seed", seed, "of the first pair; the others follow");
  app.add_option("--sabotage", sabotage, "what the proof is made to overlook")
      ->check(CLI::IsMember({"rounding", "weightless", "conditioning", "everything"}));
  app.add_flag("--verbose", verbose, "a line for every file");
  CLI11_PARSE(app, argc, argv);

  fmt::print("{} pairs from seed {}\n", runs, seed);
  Campaign campaign(sabotage, verbose);
  const std::uint64_t most_conflicts = sabotage.empty() ? 5 : 40;
  for (std::uint64_t i = 0; i < runs && campaign.statistics().conflicts < most_conflicts; ++i)
    campaign.run_pair(seed + i);
  print(campaign.statistics());
  if (campaign.statistics().conflicts > 0) return 1;
  if (is_convincing(campaign.statistics())) return 0;
  fmt::print(
      "the campaign does not say enough: 25 % accepted, a folded constant a pair, every way of "
      "tampering, 5 % undecided, 2 % lost\n");
  return 1;
}
