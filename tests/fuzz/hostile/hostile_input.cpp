// Hostile files through what pet-verify reads them with: none may crash it, hang it, exhaust the
// memory or make it throw, and no report of a sanitizer may come of it. An input is a function of
// kind, seed and number: --only N looks at that one alone, in this very process (for a debugger).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "core/util/digest.h"
#include "core/util/printable.h"
#include "tests/fuzz/hostile/supervised.h"
#include "tests/fuzz/hostile/targets.h"
#include "tests/support/onnx_builder.h"

namespace {

using namespace pet;
using namespace pet::fuzz;
namespace fs = std::filesystem;

struct Wanted {
  std::string kind = "case";
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  std::uint64_t only = 0;
  double largest = 0x1p18;
  std::string keep = ".";
  Patience patience;
};

Input input_of(const Target& target, const Wanted& wanted, std::uint64_t index) {
  Digester digester("hostile input");
  digester.add(wanted.kind).add(wanted.seed).add(index);
  Rng rng(digester.finish().word());
  return target.input(rng);
}

void tell(const Target& target, const Wanted& wanted, const Finding& finding) {
  const fs::path folder = fs::path(wanted.keep) /
                          fmt::format("hostile-{}-{}-{}", wanted.kind, wanted.seed, finding.index);
  fs::create_directories(folder);
  for (const InputFile& file : input_of(target, wanted, finding.index))
    testing::write_bytes(folder / file.name, file.bytes);
  fmt::print(
      "{} {} of seed {}: {}\n  kept in {}; again with: hostile_input --kind {} --seed {} --only "
      "{}\n",
      wanted.kind, finding.index, wanted.seed, printable(finding.what), folder.string(),
      wanted.kind, wanted.seed, finding.index);
  std::fflush(stdout);
}

void print(const Tally& tally) {
  const auto line = [](const char* what, std::uint64_t number) {
    fmt::print("{:<34} {:>9}\n", what, number);
  };
  line("refused", tally.refused);
  line("read, too large to be checked here", tally.large);
  line("read and checked", tally.read);
  line("  decided", tally.decided);
}

// What a campaign must look like to say anything: inputs that are refused at once show little, and
// so do inputs that nothing is wrong with.
bool is_convincing(const Tally& tally, std::uint64_t inputs) {
  constexpr std::uint64_t kEnough = 300;
  if (inputs < kEnough) return true;
  const std::uint64_t refused = tally.refused;
  const std::uint64_t read = tally.read;
  const std::uint64_t all = refused + read + tally.large.load();
  return 20 * refused >= all && 50 * read >= all;
}

int campaign(Target& target, const Wanted& wanted) {
  const Shared<Tally> tally;
  const auto look = [&](std::uint64_t index) {
    return target.look(input_of(target, wanted, index), *tally);
  };
  fmt::print("{} inputs of kind {} from seed {}\n", wanted.count, wanted.kind, wanted.seed);
  std::size_t findings = 0;
  supervise(0, wanted.count, look, wanted.patience, [&](const Finding& finding) {
    ++findings;
    tell(target, wanted, finding);
  });
  print(*tally);
  fmt::print("{:<34} {:>9}\n", "findings", findings);
  if (findings > 0) return 1;
  if (is_convincing(*tally, wanted.count)) return 0;
  fmt::print("the campaign does not say enough: 5 % refused, 2 % read\n");
  return 1;
}

int look_at_one(Target& target, const Wanted& wanted) {
  const Shared<Tally> tally;
  const auto look = [&](std::uint64_t index) {
    return target.look(input_of(target, wanted, index), *tally);
  };
  const std::string what = looked_at(look, wanted.only);
  print(*tally);
  if (what.empty()) return 0;
  tell(target, wanted, {wanted.only, what});
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App line("Hostile files, through what pet-verify reads them with");
  Wanted wanted;
  line.add_option("--kind", wanted.kind, "what the files should be")
      ->check(CLI::IsMember(target_names()));
  line.add_option("--count", wanted.count, "inputs");
  line.add_option("--seed", wanted.seed, "of all of them");
  const auto* only = line.add_option("--only", wanted.only, "look at the input of that number");
  line.add_option("--largest", wanted.largest, "elements to compute; what has more is read only");
  line.add_option("--seconds", wanted.patience.seconds, "that an input may keep a processor busy");
  line.add_option("--keep", wanted.keep, "folder for inputs that something is wrong with");
  CLI11_PARSE(line, argc, argv);

  const testing::ScratchFolder folder;
  const auto target =
      target_called(wanted.kind, {PET_CASES, PET_RULES, folder / "."}, wanted.largest);
  return only->count() > 0 ? look_at_one(*target, wanted) : campaign(*target, wanted);
}
