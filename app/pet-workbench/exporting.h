// Writes changed models for the window: proved by the same prover as `pet optimize`, put in place
// only then, with the certificate beside. No Qt here.
#pragma once

#include <functional>
#include <stop_token>

#include "core/backend/backend.h"
#include "core/program/split.h"
#include "core/run/run.h"
#include "core/search/search.h"
#include "viz/session/exported.h"

namespace pet::app {

// Where it is told how far it is, and asked to end.
struct ExportWires {
  EventSink events;  // stages, as of an acceptance
  std::stop_token stop;
  double proof_budget_s = 600;
};

// `mutant` of the class's representative in every place of the class, one after another, as far as
// they do not overlap. An Error where a proof does not say equivalent: then nothing is there.
Result<viz::ExportedFile> export_mutant(const Model& model, const SubprogramClass& places,
                                        const Graph& mutant, const std::filesystem::path& target,
                                        const ExportWires& wires);

// The passes that tidied up the program with the mutant in its places, as it would be written.
Result<std::vector<AppliedPass>> passes_over(const Model& model, const SubprogramClass& places,
                                             const Graph& mutant, const std::stop_token& stop);
// The same of the choices of a plan.
Result<std::vector<AppliedPass>> passes_over(const Model& model, const Plan& plan,
                                             const std::stop_token& stop);

// The first of the plans that is proved; nothing is measured.
Result<viz::ExportedFile> export_unmeasured(const Model& model, const std::vector<Plan>& plans,
                                            const std::filesystem::path& target,
                                            const ExportWires& wires);

// What measures whole files.
struct WholeFiles {
  Backend& backend;
  std::function<std::unique_ptr<Profiler>(const FileEffort&)> profiler;
  LoadOptions load;
  double comparing_seconds = 36;
  std::uint64_t seed = 1;
};

// What `pet optimize` would accept of the plans: measured as a whole, proved, run against the
// original, and measured again.
Result<viz::ExportedFile> export_measured(const Model& model, std::vector<Plan> plans,
                                          const std::filesystem::path& target,
                                          const ExportWires& wires, const WholeFiles& measuring);

}  // namespace pet::app
