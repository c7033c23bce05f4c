// Over 400 lines: every reader that is fed with hostile files, a small class each.
#include "tests/fuzz/hostile/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <span>

#include "app/pet-verify/answer.h"
#include "app/pet-verify/junit.h"
#include "app/pet-verify/question_digest.h"
#include "app/pet-verify/report.h"
#include "app/pet-verify/told.h"
#include "core/egraph/extract/extractor.h"
#include "core/egraph/serialize.h"
#include "core/onnx/text.h"
#include "core/onnx/weight_programs.h"
#include "core/rewrite/form.h"
#include "core/rewrite/rewriter.h"
#include "core/util/check.h"
#include "core/util/deadline.h"
#include "core/util/printable.h"
#include "tests/fuzz/hostile/json_changes.h"
#include "tests/fuzz/hostile/model_changes.h"
#include "tests/fuzz/hostile/seeds.h"
#include "tests/support/onnx_builder.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/exact/exact_engine.h"
#include "verify/region/region_engine.h"
#include "verify/rules/rule_check.h"

namespace pet::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr double kSecondsOfAPair = 0.2;
constexpr double kSecondsOfARule = 0.1;  // many proofs
constexpr std::size_t kMostPairs = 3;    // of a manifest
constexpr std::uint64_t kSeed = 1;       // of the proofs

Engines small_engines() {
  constexpr std::size_t kFewSteps = 20'000;
  Engines out;
  out.push_back(std::make_unique<BitmapEngine>());
  out.push_back(std::make_unique<ExactEngine>(ExactLimits{
      .elements = 1 << 12, .monomials = 1 << 16, .time = std::chrono::milliseconds(200)}));
  out.push_back(std::make_unique<RegionEngine>(kFewSteps));
  return out;
}

app::Options options_for(const fs::path& folder) {
  app::Options out;
  out.proof.proof.in_detail = true;
  out.proof.proof.record_test = true;
  out.proof.proof.memory_bytes = std::size_t{1} << 26;
  out.seed_given = true;
  app::set_seed(out, kSeed);
  out.timeout_seconds = kSecondsOfAPair;
  out.bitmap = true;
  out.bundle = folder;
  return out;
}

// Extents of 0 leave the others to be walked along.
double product(const Shape& extents) {
  double out = 1;
  for (const Dim extent : extents) out *= static_cast<double>(std::max<Dim>(extent, 1));
  return out;
}

double to_compute(const Graph& graph) {
  double out = 0;
  for (const NodeId id : graph.ids()) {
    const auto& shape = graph.node(id).type.shape;
    if (shape) out += product(*shape);
    if (!graph.has_meaning(id)) continue;
    const Meaning& meaning = graph.meaning(id);
    for (const Application& application : meaning.applications) {
      const double window = application.window ? product(application.window->extent) : 1;
      out += product(application.out) * window;
    }
    for (const Term& term : meaning.sum.terms)
      out += product(meaning.sum.out) * product(term.reduce);
  }
  return out;
}

double to_compute(const Model& model) {
  const auto programs = weight_programs_of(model);
  const bool has_programs = programs && programs->has_value();
  return to_compute(model.graph) + (has_programs ? to_compute((*programs)->graph) : 0);
}

// Of a pair as it is going to be read; 0 where it cannot be.
double to_compute(const app::Question& question) {
  if (question.files.size() == 1) {
    const auto programs = read_case(question.files[0], question.reading);
    return programs ? to_compute(programs->original) + to_compute(programs->mutant) : 0;
  }
  double out = 0;
  for (const fs::path& file : question.files) {
    const auto model = read_model(file, question.reading);
    if (!model) return 0;
    out += to_compute(*model);
  }
  return out;
}

std::string lines_of(const Error& error) {
  if (error.message.find('\n') == std::string::npos) return {};
  return "an error of several lines: " + error.message;
}

// Every report that the command writes.
std::string reported(const app::Question& question, app::Answer answer,
                     const app::Options& options) {
  answer.question = app::question_digest(question, options, answer.contents);
  const auto read_back =
      app::told(app::json_report(question, answer, options, app::Layout::OneLine));
  if (!read_back) return "its own report cannot be read back";
  app::junit_report(std::span(&*read_back, 1));
  app::text_report(answer, options);
  if (!answer.verdict) return answer.error ? lines_of(*answer.error) : "neither verdict nor error";
  app::regions_report(*answer.verdict);
  app::witness_report(*answer.verdict);
  if (answer.verdict->engines_disagree) return answer.verdict->reason;
  return {};
}

class EveryTarget : public Target {
 public:
  EveryTarget(fs::path folder, double largest)
      : folder_(std::move(folder)),
        largest_(largest),
        options_(options_for(folder_)),
        engines_(small_engines()) {}

 protected:
  std::vector<fs::path> written(const Input& input) const {
    std::vector<fs::path> out;
    for (const InputFile& file : input) {
      out.push_back(folder_ / file.name);
      testing::write_bytes(out.back(), file.bytes);
    }
    return out;
  }

  // As on the command line.
  std::string ask(const std::vector<fs::path>& files, const std::map<std::string, Dim>& sizes,
                  Tally& tally) {
    app::Options options = options_;
    options.files = files;
    options.reading.dimensions = sizes;
    const auto questions = app::questions(options);
    if (!questions) {
      ++tally.refused;
      return lines_of(questions.error());
    }
    for (std::size_t i = 0; i < std::min(questions->size(), kMostPairs); ++i) {
      std::string wrong = ask((*questions)[i], options, tally);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  const app::Options& options() const { return options_; }
  const Engines& engines() const { return engines_; }

 private:
  std::string ask(const app::Question& question, const app::Options& options, Tally& tally) {
    if (to_compute(question) > largest_) {
      ++tally.large;
      return {};
    }
    const app::Answer answer = app::answer(question, options, pointers(engines_), std::stop_token{},
                                           [](std::string_view, double) {});
    ++(answer.verdict ? tally.read : tally.refused);
    if (answer.verdict && answer.verdict->outcome != Outcome::Unknown) ++tally.decided;
    return reported(question, answer, options);
  }

  fs::path folder_;
  double largest_;
  app::Options options_;
  Engines engines_;
};

class CaseTarget final : public EveryTarget {
 public:
  CaseTarget(const Folders& folders, double largest)
      : EveryTarget(folders.folder, largest), pool_(pool_of(case_seeds(folders.cases))) {}

  Input input(Rng& rng) const override {
    return {{"case.txt", changed(one_of(pool_.files, rng), pool_, rng)}};
  }
  std::string look(const Input& input, Tally& tally) override {
    return ask(written(input), {}, tally);
  }

 private:
  Pool pool_;
};

class RuleTarget final : public EveryTarget {
 public:
  RuleTarget(const Folders& folders, double largest)
      : EveryTarget(folders.folder, largest), pool_(pool_of(rule_seeds(folders.rules))) {}

  Input input(Rng& rng) const override {
    std::string text = one_of(pool_.files, rng);
    const auto how = rng.below(4);
    if (how != 0) text = changed_json(text, pool_, rng);
    if (how < 2) text = changed(std::move(text), pool_, rng);
    return {{"rule.json", std::move(text)}};
  }

  std::string look(const Input& input, Tally& tally) override {
    const auto file = rules::read_rules(written(input).front());
    if (!file) {
      ++tally.refused;
      return lines_of(file.error());
    }
    ++tally.read;
    for (std::size_t i = 0; i < std::min<std::size_t>(file->rules.size(), 2); ++i) {
      std::string wrong = check(file->rules[i], tally);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  // What it is at forms has to be made only: it is checked as any other.
  static void make_forms(const rules::Rule& rule) {
    const auto general = rules::generalised(rule);
    for (const rules::RuleForm& form : rules::sample_forms()) {
      if (const auto one = rules::at_form(general.value_or(rule), form))
        (void)rules::usable(*one, rule.condition);
    }
  }

  std::string check(const rules::Rule& rule, Tally& tally) const {
    make_forms(rule);
    const Deadline deadline(kSecondsOfARule, {});
    ProofOptions proof = options().proof.proof;
    proof.stop = deadline.token();
    const auto found = rules::check_rule(rule, pointers(engines()), proof, kSeed);
    if (!found) return lines_of(found.error());
    if (found->engines_disagree) return found->reason;
    if (found->outcome != rules::RuleOutcome::Unknown) ++tally.decided;
    return {};
  }

  Pool pool_;
};

class ManifestTarget final : public EveryTarget {
 public:
  ManifestTarget(const Folders& folders, double largest)
      : EveryTarget(folders.folder, largest),
        pool_(pool_of(manifest_seeds(case_seeds(folders.cases), model_seeds(folders.folder),
                                     folders.folder))) {}

  Input input(Rng& rng) const override {
    std::string text = one_of(pool_.files, rng);
    const auto how = rng.below(4);
    if (how != 0) text = changed_json_line(text, pool_, rng);
    if (how < 2) text = changed(std::move(text), pool_, rng);
    return {{"manifest.jsonl", std::move(text)}};
  }
  std::string look(const Input& input, Tally& tally) override {
    return ask(written(input), {}, tally);
  }

 private:
  Pool pool_;
};

class ModelTarget final : public EveryTarget {
 public:
  ModelTarget(const Folders& folders, double largest)
      : EveryTarget(folders.folder, largest), seeds_(model_seeds(folders.folder)) {
    std::vector<std::string> files;
    for (const ModelPair& pair : seeds_) files.insert(files.end(), {pair.a, pair.b});
    pool_ = pool_of(std::move(files));
  }

  Input input(Rng& rng) const override {
    const ModelPair& pair = one_of(seeds_, rng);
    Input out = {{"first.onnx", pair.a}, {"second.onnx", pair.b}};
    const auto which = static_cast<std::size_t>(rng.below(2));
    std::string& bytes = out[which].bytes;
    const auto how = rng.below(4);
    if (how != 0) bytes = changed_model(bytes, pool_, rng);
    if (how < 2) bytes = changed(std::move(bytes), pool_, rng);
    // A file and its copy are one program, whatever they hold.
    if (rng.below(8) == 0) out[1 - which].bytes = bytes;
    return out;
  }

  // With the size that one of the seeds leaves open, where the files still do.
  std::string look(const Input& input, Tally& tally) override {
    const std::vector<fs::path> files = written(input);
    std::map<std::string, Dim> sizes;
    for (const fs::path& file : files) {
      const auto model = read_model(file, {.dimensions = {{"n", 3}}});
      if (model && model->dimensions.contains("n")) sizes["n"] = 3;
    }
    return ask(files, sizes, tally);
  }

 private:
  std::vector<ModelPair> seeds_;
  Pool pool_;
};

// What `pet egraph extract` does, but for the solver, which is played by one that answers at
// random.
class EGraphTarget final : public EveryTarget {
 public:
  EGraphTarget(const Folders& folders, double largest)
      : EveryTarget(folders.folder, largest), pool_(pool_of(egraph_seeds())) {}

  Input input(Rng& rng) const override {
    std::string text = one_of(pool_.files, rng);
    const auto how = rng.below(4);
    if (how != 0) text = changed_json(text, pool_, rng);
    if (how < 2) text = changed(std::move(text), pool_, rng);
    return {{"egraph.json", std::move(text)}};
  }

  std::string look(const Input& input, Tally& tally) override {
    const auto read = egraph::read_egraph(written(input).front());
    if (!read) {
      ++tally.refused;
      return lines_of(read.error());
    }
    ++tally.read;
    RandomSolver solver(plain_digest(std::as_bytes(std::span(input.front().bytes))).word());
    for (std::size_t i = 0; i < egraph::kExtractors; ++i) {
      const auto extractor = static_cast<egraph::Extractor>(i);
      const auto answer = egraph::extract(read->problem, extractor, &solver, {}, {});
      const bool may_fail =
          extractor == egraph::Extractor::Ocf || extractor == egraph::Extractor::OcfUnion;
      if (!answer.cost && !may_fail) return fmt::format("{} found no choice", to_string(extractor));
    }
    ++tally.decided;
    const auto again = egraph::parse_egraph(egraph::write_egraph(*read), "again");
    return again ? "" : "what was written cannot be read: " + again.error().message;
  }

 private:
  class RandomSolver final : public egraph::IlpSolver {
   public:
    explicit RandomSolver(std::uint64_t seed) : rng_(seed) {}
    Result<egraph::IlpAnswer> solve(const egraph::IlpModel& model, const std::vector<double>&,
                                    const egraph::IlpLimits&, std::stop_token) override {
      egraph::IlpAnswer out;
      out.end = rng_.below(2) == 0 ? egraph::IlpEnd::Optimal : egraph::IlpEnd::OutOfTime;
      out.values.resize(model.columns.size() + (rng_.below(8) == 0 ? 1 : 0));
      for (double& value : out.values) value = static_cast<double>(rng_.below(2));
      return out;
    }

   private:
    Rng rng_;
  };

  Pool pool_;
};

template <class T>
std::unique_ptr<Target> made(const Folders& folders, double largest) {
  return std::make_unique<T>(folders, largest);
}

using Make = std::unique_ptr<Target> (*)(const Folders&, double);
const std::map<std::string, Make, std::less<>> kTargets = {{"case", made<CaseTarget>},
                                                           {"egraph", made<EGraphTarget>},
                                                           {"manifest", made<ManifestTarget>},
                                                           {"model", made<ModelTarget>},
                                                           {"rule", made<RuleTarget>}};

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> out;
  for (const auto& [name, make] : kTargets) out.push_back(name);
  return out;
}

std::unique_ptr<Target> target_called(std::string_view name, const Folders& folders,
                                      double largest) {
  const auto it = kTargets.find(name);
  PET_CHECK(it != kTargets.end(), "targets are asked by their names");
  return it->second(folders, largest);
}

}  // namespace pet::fuzz
