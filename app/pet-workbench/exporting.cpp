#include "app/pet-workbench/exporting.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/file_prover.h"
#include "app/common/files.h"
#include "app/common/machine.h"
#include "core/onnx/export.h"
#include "core/onnx/input_ranges.h"
#include "core/onnx/inventory.h"
#include "core/run/place_record.h"
#include "core/search/acceptance.h"
#include "core/search/rewriting.h"
#include "core/util/printable.h"
#include "core/util/temporary_file.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

constexpr double kLog2Error = -64;  // as of `pet optimize`

Error stopped() { return {"stopped", ErrorKind::Stopped}; }
Error nothing_faster() {
  return {
      "nothing faster has been found so far: let the search run on, or search with other moves"};
}

fs::path certificate_of(const fs::path& target) {
  fs::path out = target;
  return out.replace_extension(".certificate.json");
}

// Before any work: that nothing is lost.
Status check_target(const Model& model, const fs::path& target) {
  if (auto status = check_rewritable(model.path, target); !status) return status;
  std::vector<fs::path> read = external_files(model);
  read.push_back(model.path);
  const std::vector<fs::path> written{target, certificate_of(target)};
  return keep(read, written);
}

CertifyingProver prover_for(const ExportWires& wires) {
  return CertifyingProver({.budget_s = wires.proof_budget_s, .stop = wires.stop});
}

// The file stands there: what is known of it, and its certificate beside it.
viz::ExportedFile told(const Model& model, const fs::path& target, const Graph& written,
                       std::uintmax_t bytes, const FileVerdict& verdict,
                       const CertifyingProver& prover) {
  viz::ExportedFile out;
  out.original = {model.path, stored_bytes(model), operator_counts(model.graph)};
  out.written = {target, bytes, operator_counts(written)};
  out.verdict = verdict;
  const auto& certificate = prover.certificate();
  Status noted = certificate && *certificate
                     ? write_text(certificate_of(target), **certificate)
                     : Status(certificate ? certificate->error() : Error{"none was asked for"});
  if (noted)
    out.certificate = certificate_of(target);
  else
    out.why_no_certificate = noted.error().message;
  return out;
}

// ---- without measuring

// A plan as a file that nobody sees before it is proved.
Result<viz::ExportedFile> write_proved(const Model& model, const Plan& plan, std::size_t number,
                                       const fs::path& target, const ExportWires& wires) {
  wires.events(StageStarted{Stage::Weights, number});
  auto rewriting = rewriting_of(model.graph, plan, all_threads(), wires.stop);
  if (!rewriting) return std::move(rewriting).error();
  const TemporaryFile file(target);
  auto metadata = provenance(model, PET_VERSION);
  metadata.merge(rewriting->metadata);
  auto written = write_rewritten(model, rewriting->replacements, metadata, file.path());
  if (!written) return std::move(written).error();
  const auto changed = read_model(file.path(), {.dimensions = model.dimensions});
  if (!changed) return changed.error();
  wires.events(StageStarted{Stage::Proving, number});
  CertifyingProver prover = prover_for(wires);
  const auto verdict = prover.prove(model, *changed, kLog2Error);
  if (!verdict) return verdict.error();
  wires.events(FileProved{number, verdict->outcome, verdict->reason, verdict->log2_error,
                          verdict->primes, verdict->growth});
  if (verdict->outcome != Outcome::Equivalent)
    return Error{fmt::format("not proved: the file would be {} {}; nothing was written",
                             pet::to_string(verdict->outcome),
                             verdict->reason.empty() ? "" : "(" + verdict->reason + ")")};
  if (wires.stop.stop_requested()) return stopped();
  if (auto placed = file.put_in_place(); !placed) return std::move(placed).error();
  auto out = told(model, target, changed->graph, stored_bytes(*changed), *verdict, prover);
  out.places = plan.choices.size();
  return out;
}

bool overlaps(const Subprogram& place, const std::vector<NodeId>& taken) {
  return std::ranges::any_of(
      place.nodes, [&](NodeId node) { return std::ranges::find(taken, node) != taken.end(); });
}

// The mutant in every place of the class that does not overlap with one before.
Result<Plan> plan_of(const Model& model, const SubprogramClass& places, const Graph& mutant,
                     const std::stop_token& stop) {
  Plan plan;
  std::vector<NodeId> taken;
  for (const Subprogram& place : places.places) {
    if (stop.stop_requested()) return stopped();
    if (overlaps(place, taken)) continue;
    auto program = transfer(mutant, places.representative(), place);
    if (!program) return std::move(program).error();
    taken.insert(taken.end(), place.nodes.begin(), place.nodes.end());
    Choice choice;
    choice.place = model.graph.node(place.outputs[0]).name;
    choice.program = *std::move(program);
    choice.inputs = place.inputs;
    choice.outputs = place.outputs;
    plan.choices.push_back(std::move(choice));
  }
  return plan;
}

}  // namespace

Result<viz::ExportedFile> export_mutant(const Model& model, const SubprogramClass& places,
                                        const Graph& mutant, const fs::path& target,
                                        const ExportWires& wires) {
  if (auto free = check_target(model, target); !free) return std::move(free).error();
  const auto plan = plan_of(model, places, mutant, wires.stop);
  if (!plan) return plan.error();
  auto out = write_proved(model, *plan, 0, target, wires);
  if (out) out->left_alone = places.places.size() - plan->choices.size();
  return out;
}

Result<std::vector<AppliedPass>> passes_over(const Model& model, const SubprogramClass& places,
                                             const Graph& mutant, const std::stop_token& stop) {
  const auto plan = plan_of(model, places, mutant, stop);
  if (!plan) return plan.error();
  return passes_over(model, *plan, stop);
}

Result<std::vector<AppliedPass>> passes_over(const Model& model, const Plan& plan,
                                             const std::stop_token& stop) {
  auto rewriting = rewriting_of(model.graph, plan, all_threads(), stop);
  if (!rewriting) return std::move(rewriting).error();
  return std::move(rewriting->applied);
}

Result<viz::ExportedFile> export_unmeasured(const Model& model, const std::vector<Plan>& plans,
                                            const fs::path& target, const ExportWires& wires) {
  if (auto free = check_target(model, target); !free) return std::move(free).error();
  Result<viz::ExportedFile> out = nothing_faster();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    out = write_proved(model, plans[i], i, target, wires);
    if (out || out.error().kind == ErrorKind::Stopped) break;
  }
  return out;
}

// ---- as `pet optimize` does

namespace {

Result<Accepted> accepted_of(Acceptance& acceptance) {
  while (true) {
    const auto status = acceptance.step();
    if (!status) return status.error();
    if (*status == StepStatus::Finished) break;
  }
  Accepted out = acceptance.take();
  if (!out.chosen.empty()) return out;
  return Error{fmt::format("nothing was written: {}", out.reason)};
}

Result<AcceptanceConfig> config_for(const Model& model, const WholeFiles& measuring) {
  auto ranges = input_ranges(model);
  if (!ranges) return std::move(ranges).error().within(printable(model.path.string()));
  AcceptanceConfig out;
  out.log2_error = kLog2Error;
  out.comparing_seconds = measuring.comparing_seconds;
  out.seed = measuring.seed;
  out.threads = all_threads();
  out.read.dimensions = model.dimensions;
  out.load = measuring.load;
  out.load.ranges = *std::move(ranges);
  out.metadata = provenance(model, PET_VERSION, measuring.backend.info(), measuring.load.threads);
  return out;
}

}  // namespace

Result<viz::ExportedFile> export_measured(const Model& model, std::vector<Plan> plans,
                                          const fs::path& target, const ExportWires& wires,
                                          const WholeFiles& measuring) {
  if (auto free = check_target(model, target); !free) return std::move(free).error();
  if (plans.empty()) return nothing_faster();
  auto config = config_for(model, measuring);
  if (!config) return std::move(config).error();
  CertifyingProver prover = prover_for(wires);
  std::unique_ptr<Profiler> profiler;
  const auto profile_files = [&](const FileEffort& effort) -> Profiler& {
    profiler = measuring.profiler(effort);
    return *profiler;
  };
  Acceptance acceptance(model, std::move(plans), target, *std::move(config),
                        Judges{[&](const Model& a, const Model& b, double log2_error) {
                                 return prover.prove(a, b, log2_error);
                               },
                               measuring.backend, profile_files},
                        wires.events, wires.stop);
  const auto accepted = accepted_of(acceptance);
  if (!accepted) return accepted.error();
  auto out = told(model, target, *accepted->written, accepted->bytes, *accepted->verdict, prover);
  out.places = accepted->chosen.size();
  out.measured = accepted->comparison;
  return out;
}

}  // namespace pet::app
