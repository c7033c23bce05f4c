#include "verify/files/file_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/ir/builder.h"
#include "core/onnx/read_again.h"
#include "core/onnx/weight_programs.h"
#include "core/program/subprogram.h"
#include "core/util/check.h"
#include "core/util/printable.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/pairs/pair_proof.h"
#include "verify/places/objections.h"
#include "verify/places/prove.h"
#include "verify/weights/constant_matching.h"
#include "verify/weights/constant_range.h"
#include "verify/weights/known_reals.h"
#include "verify/weights/unfolding.h"

namespace pet {
namespace {

// Nothing is known any more, not even a difference: the engines saw another program than the file
// holds.
void withdraw(Verdict& verdict, const std::string& reason) {
  verdict.outcome = Outcome::Unknown;
  verdict.reason = reason;
  for (OutputVerdict& out : verdict.outputs) {
    OutputVerdict nothing;
    nothing.elements = nothing.undecided = out.elements;
    nothing.reason = reason;
    nothing.wrong.basis = out.wrong.basis;
    const Shape all = out.wrong.basis.flat();
    if (out.elements > 0) nothing.wrong.boxes = {Box{Shape(all.size(), 0), all}};
    out = std::move(nothing);
  }
}

// Whether the two are walked place by place first. Places know what holds for all weights, and the
// sooner the better: who wants every engine asked gets that.
bool goes_by_places(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  if (options.bind_weights || options.exhaustive) return false;
  switch (options.by_places) {
    case ByPlaces::None:
      return false;
    case ByPlaces::Large:
      return places::are_large(original, mutant);
    case ByPlaces::All:
      return true;
  }
  return false;
}

// The word of places, or else of the engines.
Verdict places_or_engines(const Graph& original, const Graph& mutant,
                          std::span<Engine* const> engines, const ProofOptions& options) {
  if (!goes_by_places(original, mutant, options))
    return prove_pair(original, mutant, engines, options);
  places::Answer answer = places::prove(original, mutant, options);
  if (answer.verdict) return *std::move(answer.verdict);
  ProofOptions how = options;
  how.record_test = options.record_test && !answer.report.pairs;  // of what was shown by places
  Verdict verdict = prove_pair(original, mutant, engines, how);
  verdict.places = std::move(answer.report);
  return verdict;
}

// The engines' word; where they do not call the programs equal, once more with the reals that
// constants are the nearest floats of, and with operators spelled out that one program has and the
// other has not.
FileVerdict ask(const Graph& original, const Graph& mutant, std::span<Engine* const> engines,
                const ProofOptions& options) {
  FileVerdict verdict{places_or_engines(original, mutant, engines, options)};
  const bool is_equal =
      verdict.outcome == Outcome::Equivalent || verdict.outcome == Outcome::EquivalentUpToConstants;
  if (is_equal || verdict.engines_disagree || options.bind_weights || options.max_ulp < 1) {
    return verdict;
  }
  const auto reals = with_known_reals(original, mutant);
  if (!reals || !*reals) return verdict;
  ProofOptions how = options;
  how.in_detail = how.record_test = false;
  FileVerdict found{prove_pair((*reals)->original, (*reals)->mutant, engines, how)};
  if (found.outcome != Outcome::Equivalent) return verdict;
  found.outcome = Outcome::EquivalentUpToConstants;
  for (OutputVerdict& out : found.outputs) out.outcome = Outcome::EquivalentUpToConstants;
  found.known_reals = (*reals)->constants;
  found.spelled_out = (*reals)->spelled_out;
  return found;
}

// The engines see how the mutant's constants follow from the original's; then the constants must be
// what the programs say.
FileVerdict ask_unfolded(const Graph& original, const Unfolded& mutant,
                         std::span<Engine* const> engines, const ProofOptions& options) {
  FileVerdict verdict = ask(original, mutant.graph, engines, options);
  verdict.weight_programs = mutant.folded.size();
  if (verdict.outcome == Outcome::Unknown || verdict.outcome == Outcome::ShapeMismatch)
    return verdict;
  const Asking asking(options, "constants' rounding");
  const auto wrong = wrong_constant(original, mutant, options.threads, options.stop);
  if (!wrong) withdraw(verdict, wrong.error().message);
  if (wrong && !wrong->empty()) withdraw(verdict, *wrong);
  return verdict;
}

// A proof for the constants as folding yields them. Nothing where that does not show the files to
// be equal.
std::optional<FileVerdict> ask_matched(const Graph& original, const MatchedConstants& matched,
                                       std::span<Engine* const> engines,
                                       const ProofOptions& options) {
  if (matched.count == 0) {
    ProofOptions how = options;
    if (options.record_test) {
      if (auto text = encoded(matched.programs))
        how.certified_text = std::make_shared<const std::string>(*std::move(text));
    }
    FileVerdict verdict = ask_unfolded(original, matched.mutant, engines, how);
    verdict.found_programs = how.certified_text;
    if (claims_equality(verdict.outcome)) return verdict;
    return std::nullopt;
  }
  FileVerdict verdict = ask(original, matched.mutant.graph, engines, options);
  if (!claims_equality(verdict.outcome)) return std::nullopt;
  verdict.outcome = Outcome::EquivalentUpToConstants;
  for (OutputVerdict& out : verdict.outputs) out.outcome = Outcome::EquivalentUpToConstants;
  verdict.weight_programs = matched.mutant.folded.size();
  verdict.inexact_constants = matched.count;
  verdict.max_ulp = matched.max_ulp;
  return verdict;
}

Result<std::optional<MatchedConstants>> matched_constants(const Graph& original,
                                                          const Graph& mutant,
                                                          const ProofOptions& options) {
  const Asking asking(options, "constants that follow from others");
  return match_constants(original, mutant, options.max_ulp, options.threads, options.stop);
}

FileVerdict ask_files(const Model& original, const Model& mutant, std::span<Engine* const> engines,
                      const ProofOptions& options) {
  const auto unfolded = unfold(original, mutant);
  if (unfolded && !unfolded->folded.empty())
    return ask_unfolded(original.graph, *unfolded, engines, options);
  // Where a file's own programs are wrong nobody looks for others.
  if (unfolded && !options.bind_weights) {
    const auto matched = matched_constants(original.graph, mutant.graph, options);
    if (matched && *matched) {
      if (auto verdict = ask_matched(original.graph, **matched, engines, options))
        return *std::move(verdict);
    }
  }
  FileVerdict verdict = ask(original.graph, mutant.graph, engines, options);
  if (!unfolded && verdict.outcome == Outcome::Unknown)
    verdict.reason = fmt::format("{}; {}", unfolded.error().message, verdict.reason);
  return verdict;
}

// The file as it runs where no caller gives what it has defaults for.
Result<Model> at_defaults(const Model& model) {
  GraphBuilder builder;
  std::map<NodeId, NodeId> place;
  for (const ModelInput& input : model.inputs) {
    const Node& node = model.graph.node(input.id);
    if (node.input() == nullptr) continue;
    place[input.id] = input.standard ? builder.add_constant(input.standard, node.name)
                                     : builder.add_input(node.input()->name, node.type);
  }
  std::vector<NodeId> inputs;
  for (const NodeId id : model.graph.inputs()) {
    if (!place.contains(id)) return Error{"an input that the file does not declare"};
    inputs.push_back(place.at(id));
  }
  std::vector<std::string> names;
  for (const NodeId id : model.graph.outputs()) names.push_back(model.graph.node(id).name);
  const auto outputs = append(builder, model.graph, inputs, names);
  if (!outputs) return outputs.error();
  for (const NodeId id : *outputs) builder.add_output(id);
  Model out = model;
  out.graph = std::move(builder).build();
  return out;
}

// What holds for all values of an input holds for its default, up to rounding: a stored value may
// be so large that nothing is left of what it is added to.
std::string objection_at_defaults(const Model& original, const Model& mutant,
                                  const FileVerdict& claimed, const ProofOptions& options) {
  const auto has_default = [](const ModelInput& input) { return input.standard != nullptr; };
  if (std::ranges::none_of(original.inputs, has_default)) return {};
  const Asking asking(options, "inputs at their defaults");
  const auto a = at_defaults(original);
  if (!a) return a.error().message;
  const auto b = at_defaults(mutant);
  if (!b) return b.error().message;
  ProofOptions alone = options;
  alone.in_detail = alone.record_test = false;
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  const FileVerdict there = ask_files(*a, *b, engines, alone);
  for (std::size_t i = 0; i < claimed.outputs.size(); ++i) {
    if (i < there.outputs.size() && there.outputs[i].equal >= claimed.outputs[i].equal) continue;
    return fmt::format("where the inputs have their defaults: {}",
                       there.reason.empty() ? "not equal" : there.reason);
  }
  return claims_equality(there.outcome) ? std::string{} : there.reason;
}

// What engines say, and what speaks against an "equal" of theirs that is seen in no program alone.
FileVerdict ask_and_object(const Model& original, const Model& mutant,
                           std::span<Engine* const> engines, const ProofOptions& options) {
  FileVerdict verdict = ask_files(original, mutant, engines, options);
  if (original.digest == mutant.digest) return verdict;  // equal to itself, whatever it computes
  if (claims_equality(verdict.outcome)) {
    const Asking asking(options, "the range of constants");
    const auto objection =
        objection_to_constants(original.graph, mutant.graph, options.threads, options.stop);
    if (!objection) withdraw(verdict, objection.error().message);
    if (objection && !objection->empty()) withdraw(verdict, *objection);
  }
  if (claims_equality(verdict.outcome)) {
    const auto objection = objection_at_defaults(original, mutant, verdict, options);
    if (!objection.empty()) withdraw(verdict, objection);
  }
  return verdict;
}

const PlaceReport* place_that_differs(const FileVerdict& verdict) {
  if (!verdict.places) return nullptr;
  const auto& places = verdict.places->places;
  const auto it = std::ranges::find(places, Outcome::Different, &PlaceReport::outcome);
  return it == places.end() ? nullptr : &*it;
}

// Whether they are equal for the weights that the files hold, where they are not known to be so for
// all: somebody who means these alone can ask for that.
// By the bitmap engine, if it is among those that are asked, within its limits.
bool are_equal_as_stored(const Model& original, const Model& mutant,
                         std::span<Engine* const> engines, const ProofOptions& options) {
  const auto bitmap = std::ranges::find(engines, BitmapEngine::kName, &Engine::name);
  if (bitmap == engines.end() || options.bind_weights || options.stop.stop_requested())
    return false;
  ProofOptions bound = options;
  bound.bind_weights = bound.first_difference = true;
  bound.in_detail = bound.record_test = false;
  const std::array<Engine*, 1> alone = {*bitmap};
  return claims_equality(ask_and_object(original, mutant, alone, bound).outcome);
}

// A model as a proof sees it: bodies stand in the places of calls, where they can be read.
class Seen {
 public:
  explicit Seen(const Model& model) : model_(model) {
    if (!model.nested) return;
    if (auto read = read_in_place(model)) in_place_ = *std::move(read);
  }
  const Model& model() const { return in_place_ ? *in_place_ : model_; }

 private:
  const Model& model_;
  std::optional<Model> in_place_;
};

// What somebody may want to know who is told that nothing is known.
std::string hint(const FileVerdict& verdict, const Seen& original, const Seen& mutant,
                 std::span<Engine* const> engines, const ProofOptions& options) {
  // That was seen with the weights as they are stored: to ask whether the files are equal with
  // those would be in vain.
  if (const PlaceReport* place = place_that_differs(verdict))
    return fmt::format("; the piece that yields '{}' differs by itself", printable(place->mutant));
  if (!are_equal_as_stored(original.model(), mutant.model(), engines, options)) return {};
  return "; with the weights as they are stored they are equal: ask with --weights bound where no "
         "others are meant";
}

FileVerdict without_proof(Outcome outcome, std::string reason) {
  FileVerdict verdict;
  verdict.outcome = outcome;
  verdict.reason = std::move(reason);
  return verdict;
}

// Of every output: with both shapes where they are not alike, else not compared.
FileVerdict of_mismatch(const Model& original, const Model& mutant, std::string reason) {
  FileVerdict verdict = without_proof(Outcome::ShapeMismatch, std::move(reason));
  for (std::size_t i = 0; i < original.outputs.size(); ++i) {
    const auto& a = original.outputs[i].type.shape;
    OutputVerdict& out = verdict.outputs.emplace_back();
    out.name = original.outputs[i].name;
    const auto b = i < mutant.outputs.size() ? mutant.outputs[i].type.shape : std::nullopt;
    if (a && b && a != b) {
      out.outcome = Outcome::ShapeMismatch;
      out.shapes = {*a, *b};
      continue;
    }
    out.reason = "not compared, for the interfaces differ";
    if (!a) continue;
    out.elements = out.undecided = count(*a);
    out.wrong.basis = DigitBasis::plain(*a);
    if (out.elements > 0) out.wrong.boxes = {Box{Shape(a->size(), 0), *a}};
  }
  return verdict;
}

// Adds up what is asked more than once.
void note(std::vector<AskedQuestion>& asked, std::string_view what, double seconds) {
  const auto it = std::ranges::find(asked, what, &AskedQuestion::what);
  if (it == asked.end()) {
    asked.push_back({std::string(what), seconds});
  } else {
    it->seconds += seconds;
  }
}

}  // namespace

FileVerdict prove_files(const Model& original, const Model& mutant,
                        std::span<Engine* const> engines, const FileProofOptions& options) {
  PET_CHECK(!engines.empty(), "a proof needs an engine");
  FileVerdict verdict;
  std::vector<AskedQuestion> asked;
  ProofOptions how = options.proof;
  how.asked = [&](std::string_view what, double seconds) { note(asked, what, seconds); };
  const bool is_copy = original.digest == mutant.digest && original.dimensions == mutant.dimensions;
  if (auto mismatch = interface_mismatch(original, mutant, options.outputs); !mismatch.empty()) {
    verdict = of_mismatch(original, mutant, std::move(mismatch));
  } else if (const bool is_provable = !original.unprovable;
             is_copy && !(options.asks_of_copies && is_provable)) {
    verdict = proof_of_copy(original);  // equal to itself, whatever it computes
  } else if (const auto& reason = original.unprovable ? original.unprovable : mutant.unprovable) {
    verdict = without_proof(Outcome::Unknown,
                            fmt::format("{}: no proof reaches across that yet", *reason));
  } else {
    const Seen a(original);
    const Seen b(mutant);
    verdict = ask_and_object(a.model(), b.model(), engines, how);
    for (std::size_t i = 0; i < verdict.outputs.size(); ++i)
      verdict.outputs[i].name = original.outputs[i].name;
    if (verdict.outcome == Outcome::Unknown) verdict.reason += hint(verdict, a, b, engines, how);
  }
  for (const Model* model : {&original, &mutant})
    verdict.proved_at.insert(model->dimensions.begin(), model->dimensions.end());
  verdict.all_sizes = verdict.proved_at.empty() || is_copy;
  verdict.asked = std::move(asked);
  return verdict;
}

FileVerdict proof_of_copy(const Model& model) {
  FileVerdict verdict;
  verdict.outcome = Outcome::Equivalent;
  verdict.log2_error = -std::numeric_limits<double>::infinity();
  verdict.proved_at = model.dimensions;
  for (const ModelOutput& output : model.outputs) {
    OutputVerdict& out = verdict.outputs.emplace_back();
    out.name = output.name;
    out.outcome = Outcome::Equivalent;
    out.elements = out.equal = output.type.shape ? count(*output.type.shape) : 0;
  }
  return verdict;
}

FileVerdict prove_files(const Model& original, const Model& mutant,
                        const FileProofOptions& options) {
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  return prove_files(original, mutant, engines, options);
}

}  // namespace pet
