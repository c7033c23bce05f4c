// How long the region engine takes to say where mutants of layers are wrong: every mutant that the
// generator finds of a layer at its real size. Run by hand, one core. --fast: fast convolutions,
// too, which take seconds each; --check: every answer held against the bitmap engine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "core/program/mutate/generator.h"
#include "tests/bench/layers.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/region/region_engine.h"

using namespace pet;
using pet::bench::conv;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Flags {
  bool fast = false;
  bool check = false;
};

struct Totals {
  std::vector<double> took;
  std::size_t equal = 0;
  std::size_t partial = 0;
  std::size_t unknown = 0;
  std::size_t contradictions = 0;
  std::string slowest;
};

void look_at(const Graph& program, const Mutant& mutant, bool check, Totals& totals) {
  const auto start = Clock::now();
  const auto regions = not_shown_equal(program, mutant.program, {});
  totals.took.push_back(milliseconds_since(start));
  if (totals.took.back() == *std::max_element(totals.took.begin(), totals.took.end()))
    totals.slowest = in_words(mutant.moves);
  if (!regions) {
    ++totals.unknown;
    fmt::print("    unknown: {}: {}\n", in_words(mutant.moves), regions.error().message);
    return;
  }
  Dim wrong = 0;
  for (const Region& region : *regions) wrong += region.volume();
  ++(wrong == 0 ? totals.equal : totals.partial);
  if (!check) return;
  const Verdict verdict = BitmapChecker().check(program, mutant.program, {});
  for (std::size_t i = 0; i < regions->size(); ++i) {
    const OutputVerdict& out = verdict.outputs[i];
    if (out.wrong.points() == (*regions)[i].points()) continue;
    ++totals.contradictions;
    fmt::print("    {}: bitmap {}, region {}\n", in_words(mutant.moves), to_string(out.wrong),
               to_string((*regions)[i]));
  }
}

// Now and then, so that whoever waits an hour for the answer sees how far it is.
class Progress {
 public:
  explicit Progress(const char* name) : name_(name) {}
  void say(const Totals& totals) {
    constexpr double kBetween = 10'000;  // ms
    if (milliseconds_since(last_) < kBetween) return;
    last_ = Clock::now();
    fmt::print(stderr, "{}: {} mutants so far, {} equal, {} not everywhere, {} contradictions\n",
               name_, totals.took.size(), totals.equal, totals.partial, totals.contradictions);
  }

 private:
  const char* name_;
  Clock::time_point last_ = Clock::now();
};

void measure(const char* name, const Graph& program, const Flags& flags) {
  Totals totals;
  Progress progress(name);
  MutantGenerator generator(program);
  while (const auto mutant = generator.next()) {
    if (!flags.fast && in_words(mutant->moves).starts_with("fast")) continue;
    look_at(program, *mutant, flags.check, totals);
    progress.say(totals);
  }
  std::sort(totals.took.begin(), totals.took.end());
  constexpr double kAskedFor = 50;  // ms
  const auto longer = totals.took.end() - std::ranges::upper_bound(totals.took, kAskedFor);
  fmt::print(
      "{}: {} mutants, {} equal, {} not everywhere, {} unknown{}; median {:.2f} ms, {} longer than "
      "{} ms, at most {:.1f} ms ({})\n",
      name, totals.took.size(), totals.equal, totals.partial, totals.unknown,
      flags.check ? fmt::format(", {} contradictions", totals.contradictions) : "",
      totals.took[totals.took.size() / 2], longer, kAskedFor, totals.took.back(), totals.slowest);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    flags.fast = flags.fast || std::strcmp(argv[i], "--fast") == 0;
    flags.check = flags.check || std::strcmp(argv[i], "--check") == 0;
  }
  const Attrs same{{"pads", Ints{1, 1, 1, 1}}};
  const Attrs dilated{{"pads", Ints{2, 2, 2, 2}}, {"dilations", Ints{2, 2}}};
  measure("ResNet-18 layer1, batch 16", conv({16, 64, 56, 56}, {64, 64, 3, 3}, same), flags);
  measure("ResNet-18 layer3, batch 16", conv({16, 256, 14, 14}, {256, 256, 3, 3}, same), flags);
  measure(
      "ResNet-18 layer2, stride 2",
      conv({1, 64, 56, 56}, {128, 64, 3, 3}, {{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 2}}}),
      flags);
  measure("CSRNet, batch 1", conv({1, 512, 14, 14}, {512, 512, 3, 3}, dilated), flags);
  measure("ResNet3D-18 layer1, 8 frames",
          conv({1, 64, 8, 56, 56}, {64, 64, 3, 3, 3}, {{"pads", Ints{1, 1, 1, 1, 1, 1}}}), flags);
}
