// PET's own test beside the engines here, as tables in Markdown (docs/pets_own_test.md). Run by
// hand, one core.
//   theorem_bench wrong CASES       what the published form calls equal and should not, and why
//   theorem_bench mutants CASES     how long each engine takes over tests/cases/mutants
//   theorem_bench models [--full] [NAME...]  the same over mutants of the layers of models, by
//                                   default of the paper's, at tiny sizes
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "core/eval/kernels/prime.h"
#include "core/onnx/text.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/region/region_engine.h"
#include "verify/theorem/published.h"
#include "verify/theorem/tested.h"
#include "verify/theorem/theorem_engine.h"

using namespace pet;

namespace {

namespace fs = std::filesystem;

std::vector<std::pair<std::string, CaseFile>> cases_in(const fs::path& folder) {
  std::vector<std::pair<std::string, CaseFile>> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    auto file = read_case(entry.path());
    if (file.ok()) out.emplace_back(entry.path().stem().string(), *std::move(file));
  }
  std::ranges::sort(out, {}, &std::pair<std::string, CaseFile>::first);
  return out;
}

Dim equal_in(const Verdict& verdict) {
  Dim out = 0;
  for (const OutputVerdict& output : verdict.outputs) out += output.equal;
  return out;
}

// ---- what is accepted wrongly

// The boxes of the paper and its positions, in fields of random primes.
bool is_fooled_in_random_fields(const Graph& original, const Graph& mutant) {
  ValueTable values(original, mutant, ValueTable::Weights::Symbols);
  while (values.next_of_mutant()) continue;
  theorem::LeafTable leaves;
  const auto both = theorem::computed_by_both(original, mutant, values);
  using theorem::Program;
  const auto first = Program::read(original, Program::Side::Original, values, both, leaves);
  const auto second = Program::read(mutant, Program::Side::Mutant, values, both, leaves);
  std::vector<theorem::Field> fields;
  KeyStream keys(digest_of("primes", "of a table"), 0);
  for (const PrimeField& field : draw_primes(keys, 4)) fields.emplace_back(field.prime());
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    const NodeId theirs = original.outputs()[i];
    const NodeId mine = mutant.outputs()[i];
    const auto boxes = theorem::published_boxes(*first, theirs, *second, mine);
    std::vector<Shape> positions;
    for (const auto& box : boxes->boxes) {
      for (Shape& at : theorem::tested_positions(box.ranges, boxes->basis))
        positions.push_back(std::move(at));
    }
    theorem::Steps steps(TheoremEngine::kMostSteps, {});
    const auto agree = theorem::agree_at(*first, theirs, *second, mine, positions, fields,
                                         digest_of("inputs", "of a table"), steps);
    if (std::ranges::find(*agree, 0) != agree->end()) return false;
  }
  return true;
}

std::string why(const CaseFile& file, const Verdict& checked) {
  if (!is_fooled_in_random_fields(file.original.graph, file.mutant.graph))
    return "2^31 is 1 modulo 2^31 - 1; random primes tell them apart";
  if (!checked.reason.empty()) return checked.reason;
  return "inside of a box of the paper an index is not linear, or a number is not the same; boxes "
         "in "
         "digits, cut where it changes, tell them apart";
}

struct Row {
  std::string name;
  Verdict published, checked;
  std::string right, why;
};

void print(const char* title, const std::vector<Row>& rows) {
  fmt::print("{}:\n\n| case | as published | right | checked | why |\n|---|---|---|---|---|\n",
             title);
  for (const Row& row : rows) {
    fmt::print("| `{}` | {} | {} | {} | {} |\n", row.name, to_string(row.published.outcome),
               row.right, to_string(row.checked.outcome), row.why);
  }
  fmt::print("\n");
}

void print_wrong(const fs::path& cases) {
  std::vector<Row> over_reals, undefined, in_floats;
  std::size_t asked = 0;
  std::size_t answered = 0;
  for (const auto& [name, file] : cases_in(cases / "adversarial")) {
    const Graph& original = file.original.graph;
    const Graph& mutant = file.mutant.graph;
    ++asked;
    Row row{name, TheoremEngine(TheoremForm::AsPublished).check(original, mutant, {}), {}, {}, {}};
    if (row.published.outcome != Outcome::Unknown &&
        row.published.outcome != Outcome::ShapeMismatch)
      ++answered;
    if (equal_in(row.published) == 0) continue;
    row.checked = TheoremEngine().check(original, mutant, {});
    const Verdict exact = ExactEngine().check(original, mutant, {});
    const Verdict bitmap = BitmapChecker().check(original, mutant, {});
    row.right = file.headers.at("expect").substr(0, file.headers.at("expect").find(' '));
    if (exact.leaves_domain) {
      row.why = exact.reason;
      undefined.push_back(std::move(row));
    } else if (!exact.outputs.empty() && equal_in(row.published) > equal_in(exact)) {
      row.why = why(file, row.checked);
      over_reals.push_back(std::move(row));
    } else if (!exact.outputs.empty() && equal_in(row.published) > equal_in(bitmap)) {
      row.why = bitmap.reason;
      in_floats.push_back(std::move(row));
    }
  }
  print("Not equal over the reals", over_reals);
  print("The mutant may be undefined where the original is not", undefined);
  print("Equal over the reals, and not in floats, of which the theorems say nothing", in_floats);
  fmt::print("Of {} pairs that can be read the published form has a word on {}.\n", asked,
             answered);
}

// ---- how long it takes

struct Timed {
  const char* name;
  std::function<Verdict(const Graph&, const Graph&)> check;
  std::vector<double> ms = {};
  std::size_t decided = 0;
};

std::vector<Timed> engines() {
  return {
      {"PET's test, checked",
       [](const Graph& a, const Graph& b) { return TheoremEngine().check(a, b, {}); }},
      {"as published",
       [](const Graph& a, const Graph& b) {
         return TheoremEngine(TheoremForm::AsPublished).check(a, b, {});
       }},
      {"region", [](const Graph& a, const Graph& b) { return RegionEngine().check(a, b, {}); }},
      {"bitmap", [](const Graph& a, const Graph& b) { return BitmapChecker().check(a, b, {}); }}};
}

// The best of three: whatever else the machine has to do makes it slower.
void time(std::vector<Timed>& all, const Graph& original, const Graph& mutant) {
  constexpr int kTimes = 3;
  for (Timed& engine : all) {
    double best = 0;
    for (int i = 0; i < kTimes; ++i) {
      const std::clock_t start = std::clock();
      const Verdict verdict = engine.check(original, mutant);
      const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      best = i == 0 ? ms : std::min(best, ms);
      if (i == 0 && verdict.outcome != Outcome::Unknown) ++engine.decided;
    }
    engine.ms.push_back(best);
  }
}

double median(std::vector<double> of) {
  std::ranges::sort(of);
  return of.empty() ? 0 : of[of.size() / 2];
}

void print_head(const char* what) {
  fmt::print("| {} | pairs |", what);
  for (const Timed& engine : engines()) fmt::print(" {} |", engine.name);
  fmt::print("\n|---|---|---|---|---|---|\n");
}

// Median, largest, how many are decided.
void print_row(const std::string& name, const std::vector<Timed>& all) {
  fmt::print("| {} | {} |", name, all.front().ms.size());
  for (const Timed& engine : all) {
    fmt::print(" {:.2g} ms, at most {:.3g}; {} |", median(engine.ms),
               *std::ranges::max_element(engine.ms), engine.decided);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void print_mutants(const fs::path& cases) {
  print_head("tests/cases/mutants");
  std::vector<Timed> all = engines();
  for (const auto& [name, file] : cases_in(cases / "mutants"))
    time(all, file.original.graph, file.mutant.graph);
  print_row("all", all);
}

// The layers of a model, each once, and their first mutants.
void print_model(const std::string& name, bool full) {
  constexpr std::size_t kMutants = 3;
  const testing::ScratchFolder folder;
  const fs::path path = folder.path() / "model.onnx";
  datasets::ModelRequest request{.name = name, .tiny = !full};

  if (auto built = datasets::build_model(request, path); !built) {
    fmt::print(stderr, "{}: {}\n", name, built.error().message);
    return;
  }
  const auto model = read_model(path);
  if (!model) {
    fmt::print(stderr, "{}: {}\n", name, model.error().message);
    return;
  }
  std::vector<Timed> all = engines();
  for (const SubprogramClass& layer : split(model->graph, {.max_operators = 1}).classes) {
    const Graph& program = layer.representative().program;
    MutantGenerator generator(program);
    for (std::size_t i = 0; i < kMutants;) {
      const auto mutant = generator.next();
      if (!mutant) break;
      if (in_words(mutant->moves).starts_with("fast")) continue;
      time(all, program, mutant->program);
      ++i;
    }
  }
  if (!all.front().ms.empty()) print_row(name, all);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "wrong" && argc == 3) {
    print_wrong(argv[2]);
  } else if (what == "mutants" && argc == 3) {
    print_mutants(argv[2]);
  } else if (what == "models") {
    print_head("model");
    const bool full = argc > 2 && std::strcmp(argv[2], "--full") == 0;
    std::vector<std::string> names(argv + (full ? 3 : 2), argv + argc);
    if (names.empty()) names = {"resnet18", "csrnet", "inception-v3", "bert-pet", "resnet3d18"};
    for (const std::string& name : names) print_model(name, full);
  } else {
    fmt::print(stderr, "theorem_bench wrong CASES | mutants CASES | models [--full] [NAME...]\n");
    return 2;
  }
  return 0;
}
