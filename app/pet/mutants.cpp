#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/common/files.h"
#include "app/common/json_text.h"
#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "app/pet/mutant_counts.h"
#include "app/pet/stopping.h"
#include "core/onnx/export.h"
#include "core/onnx/inventory.h"
#include "core/program/correct/corrections.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "core/util/printable.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::app {
namespace {

struct MutantsOptions {
  std::string file, at, take, out, budget = "60s", format = "text";
  bool counts = false;
  ShapeFlags shapes;
};

// A program that is right everywhere, or why there is none: the mutant itself, or corrected.
struct Right {
  std::optional<CorrectionWay> corrected;
  Result<Graph> program;
};

// A mutant of one place: what is wrong with it, and what is right.
struct Looked {
  std::vector<Move> moves;
  Verdict verdict;
  std::vector<Right> right;
};

// As it is, or corrected.
std::string words_of(std::vector<Move> moves, std::optional<CorrectionWay> corrected = {}) {
  if (corrected) moves.emplace_back(move::Correct{*corrected});
  return in_words(moves);
}

class Mutants {
 public:
  Mutants(const Model& model, const MutantsOptions& options) : model_(model), options_(options) {
    proof_.threads = all_threads();
    proof_.stop = stopping_.everything();
  }

  int run() {
    bool found = false;
    std::string nearest;  // what was asked for is this one, and something more
    for (const Subprogram& subprogram : places()) {
      const std::string& place = model_.graph.node(subprogram.outputs[0]).name;
      if (!options_.at.empty() && place != options_.at) continue;
      found = true;
      MutantGenerator generator(subprogram.program, {.moves = 1});
      while (auto mutant = generator.next()) {
        if (stopping_.asked_once()) return kStopped;
        if (!options_.take.empty() && !is_asked_for(mutant->moves)) {
          const std::string words = words_of(mutant->moves);
          if (options_.take.starts_with(words + ", ")) nearest = words;
          continue;
        }
        const Looked looked = look(subprogram, *std::move(mutant));
        tell(place, looked);
        if (!options_.take.empty()) return write(subprogram, looked);
      }
    }
    if (!found && options_.at.empty()) {
      fmt::print("no mutants: the model has no linear operators\n");
      return kDone;
    }
    if (!found)
      return fail({fmt::format("no linear operator computes {}; `pet show` names the values",
                               printable(options_.at)),
                   ErrorKind::Usage});
    if (!nearest.empty())
      return fail(
          {fmt::format("{} cannot be corrected so: \"{}\"", nearest, printable(options_.take)),
           ErrorKind::Usage});
    if (!options_.take.empty())
      return fail({fmt::format("{} has no mutant called \"{}\"", printable(options_.at),
                               printable(options_.take)),
                   ErrorKind::Usage});
    return kDone;
  }

 private:
  std::vector<Subprogram> places() const {
    std::vector<Subprogram> out;
    for (SubprogramClass& same : split(model_.graph, {}).classes) {
      std::copy_if(same.places.begin(), same.places.end(), std::back_inserter(out),
                   [](const Subprogram& subprogram) { return subprogram.outputs.size() == 1; });
    }
    return out;
  }

  // By the words that it is listed with, as it is or corrected in some way.
  bool is_asked_for(const std::vector<Move>& moves) const {
    bool found = options_.take == words_of(moves);
    for (std::size_t way = 0; way < kCorrectionWays; ++way)
      found = found || options_.take == words_of(moves, static_cast<CorrectionWay>(way));
    return found;
  }

  Looked look(const Subprogram& subprogram, Mutant mutant) const {
    BitmapChecker checker;
    Verdict verdict = checker.check(subprogram.program, mutant.program, proof_);
    std::vector<Right> right;
    if (verdict.outcome == Outcome::Equivalent) {
      right.push_back({{}, std::move(mutant.program)});
    } else if (verdict.outcome == Outcome::Partial) {
      for (Correction& way :
           corrections(subprogram.program, mutant.program, verdict.outputs[0].wrong))
        right.push_back({way.way, checked(checker, subprogram, std::move(way.program))});
    } else {
      right.push_back({{}, Error{verdict.reason, ErrorKind::Tool}});
    }
    return {std::move(mutant.moves), std::move(verdict), std::move(right)};
  }

  Result<Graph> checked(BitmapChecker& checker, const Subprogram& subprogram,
                        Result<Graph> corrected) const {
    if (!corrected) return corrected;
    ProofOptions whether = proof_;
    whether.first_difference = true;
    const Verdict again = checker.check(subprogram.program, *corrected, whether);
    if (again.outcome == Outcome::Equivalent) return corrected;
    return Error{"the corrected program is still not equal", ErrorKind::Tool};
  }

  static void tell(const std::string& place, const Looked& looked) {
    fmt::print("{}: {}: {}", printable(place), words_of(looked.moves),
               to_string(looked.verdict.outcome));
    if (looked.verdict.outcome == Outcome::Partial) {
      const OutputVerdict& out = looked.verdict.outputs[0];
      fmt::print(
          ", {} of {} positions wrong ({:.2f} %): {}", out.elements - out.equal, out.elements,
          100.0 * static_cast<double>(out.elements - out.equal) / static_cast<double>(out.elements),
          to_string(out.wrong));
      for (const Right& way : looked.right) {
        const std::string how = in_words(Move(move::Correct{*way.corrected}));
        if (way.program) {
          fmt::print("; {}", how);
        } else {
          fmt::print("; not {}: {}", how, way.program.error().message);
        }
      }
    }
    fmt::print("\n");
  }

  int write(const Subprogram& subprogram, const Looked& looked) const {
    const Right* taken = nullptr;
    for (const Right& way : looked.right) {
      const bool asked = options_.take == words_of(looked.moves) ||
                         options_.take == words_of(looked.moves, way.corrected);
      if (asked && (taken == nullptr || !taken->program)) taken = &way;
    }
    if (taken == nullptr)
      return fail({fmt::format("{} cannot be corrected so: \"{}\"",
                               printable(words_of(looked.moves)), printable(options_.take)),
                   ErrorKind::Usage});
    if (!taken->program)
      return fail({fmt::format("\"{}\" cannot be taken: {}", printable(options_.take),
                               taken->program.error().message),
                   ErrorKind::Usage});
    if (options_.out.empty()) return kDone;
    const std::string how = words_of(looked.moves, taken->corrected);
    const Replacement replacement{*taken->program, subprogram.inputs, subprogram.outputs, how};
    if (auto status = write_rewritten(model_, std::span(&replacement, 1), {{"pet.mutant", how}},
                                      options_.out);
        !status) {
      return fail(status.error());
    }
    fmt::print("wrote {}\n", printable(options_.out));
    return kDone;
  }

  const Model& model_;
  const MutantsOptions& options_;
  Stopping stopping_;
  ProofOptions proof_;
};

nlohmann::ordered_json json_of(const MutantCounts& c) {
  return {{"number", c.number},
          {"operators", fmt::format("{}", fmt::join(c.operators, ", "))},
          {"place", c.place},
          {"places", c.places},
          {"generated", c.generated},
          {"all_generated", c.all_generated},
          {"distinct", c.distinct},
          {"equal", c.equal},
          {"partial", c.partial},
          {"corrected", c.corrected},
          {"different", c.different},
          {"undecided", c.undecided},
          {"not_checked", c.not_checked},
          {"likely_equal", c.likely_equal},
          {"likely_partial", c.likely_partial},
          {"seconds", std::round(c.seconds * 1000) / 1000}};
}

// The names come last, they are as long as they are.
template <class... Ts>
std::string row(const Ts&... cells) {
  return fmt::format("{:>6} {:>9}  {:>8} {:>6} {:>7} {:>9} {:>9} {:>9} {:>11}  {}", cells...);
}

std::string row_of(const MutantCounts& c) {
  return row(c.places, std::to_string(c.generated) + (c.all_generated ? "" : "+"), c.distinct,
             c.equal, c.partial, c.corrected, c.different, c.undecided, c.not_checked,
             fmt::format("{} at {}", fmt::join(c.operators, ", "), printable(c.place)));
}

int count(const Model& model, const MutantsOptions& options) {
  const auto budget = parse_seconds(options.budget);
  if (!budget) return fail(std::move(Error(budget.error())).within("--budget"));
  const Stopping stopping;
  const Progress progress;
  const bool as_json = options.format == "json";
  CountingOptions counting;
  counting.budget_s = *budget;
  counting.threads = all_threads();
  counting.progress = [&](const std::string& words) { progress.show(words); };
  counting.counted = [&](const MutantCounts& counts) {
    progress.clear();
    fmt::print("{}", as_json ? one_line(json_of(counts)) : row_of(counts) + "\n");
    std::fflush(stdout);
  };
  if (!as_json)
    fmt::print("{}\n", row("places", "generated", "distinct", "equal", "partial", "corrected",
                           "different", "undecided", "not checked", "subprogram"));
  count_mutants(model, counting, stopping.search());
  return stopping.asked_once() ? kStopped : kDone;
}

}  // namespace

Command add_mutants(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "mutants", "the mutants of a model: where each is wrong, and whether it can be corrected");
  auto o = std::make_shared<MutantsOptions>();
  command->add_option("file", o->file, "an ONNX file")->required();
  command->add_option("--at", o->at, "only those that compute this value");
  auto* counts = command->add_flag(
      "--counts", o->counts,
      "only how many there are of each distinct subprogram, as the search generates them, and what "
      "they are");
  command->add_option("--budget", o->budget, "time for the counts of one subprogram")
      ->needs(counts)
      ->capture_default_str();
  command->add_option("--format", o->format, "of the counts; json: one object a line")
      ->needs(counts)
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  auto* take = command->add_option(
      "--take", o->take,
      "take the mutant of that description, corrected, whether it is faster or not");
  take->excludes(counts);
  command->add_option("-o,--output", o->out, "write the model with it")->needs(take);
  add_shape_flags(*command, o->shapes);
  return [o] {
    const auto model = read_at_shapes(o->file, o->shapes);
    if (!model) return fail(model.error());
    if (!o->out.empty()) {
      if (auto free = check_rewritable(o->file, o->out); !free) return fail(free.error());
      const std::array<std::filesystem::path, 1> written = {o->out};
      if (auto kept = keep(external_files(*model), written); !kept) return fail(kept.error());
    }
    if (o->counts) return count(*model, *o);
    return Mutants(*model, *o).run();
  };
}

}  // namespace pet::app
