#include "core/search/rewriting.h"

#include "core/onnx/weight_programs.h"
#include "core/program/difference.h"
#include "core/program/substitute.h"

namespace pet {

Result<Rewriting> rewriting_of(const Graph& program, const Plan& plan, std::size_t threads,
                               std::stop_token stop, FoldedConstants* known) {
  std::vector<Substitute> substitutes;
  for (const Choice& choice : plan.choices)
    substitutes.push_back({&choice.program, choice.inputs, choice.outputs});
  auto whole = with_replaced(program, substitutes);
  if (!whole) return std::move(whole).error();
  ConstantFolder folder(program, threads, std::move(stop), known);
  PassTools tools{folder};
  auto tidied = apply_passes(PassStage::Whole, *std::move(whole), std::nullopt, tools);
  if (!tidied) return std::move(tidied).error();
  auto replacements = differences(program, tidied->program, "pet");
  if (!replacements) return std::move(replacements).error();
  Rewriting out{*replacements, {}, {}, tidied->applied};
  for (std::size_t i = 0; i < out.replacements.size(); ++i) {
    auto part = apply_passes(PassStage::NewPart, (*replacements)[i].program, i, tools);
    if (!part) return std::move(part).error();
    out.replacements[i].program = std::move(part->program);
    std::move(part->applied.begin(), part->applied.end(), std::back_inserter(out.applied));
  }
  out.left = folder.left();
  if (folder.count() == 0) return out;
  auto programs = encoded(std::move(folder).programs());
  if (programs) {
    out.metadata.emplace(kWeightProgramsKey, *std::move(programs));
    return out;
  }
  if (programs.error().kind != ErrorKind::Unsupported) return std::move(programs).error();
  // Too much to be noted: then nothing may be folded.
  return Rewriting{*std::move(replacements),
                   {},
                   {{"all", programs.error().message}},
                   std::move(tidied->applied)};
}

std::map<std::string, std::string> provenance(const Model& original, const std::string& tool) {
  return {{"pet.version", tool}, {"pet.source", original.digest.hex()}};
}

std::map<std::string, std::string> provenance(const Model& original, const std::string& tool,
                                              const BackendInfo& runtime, int threads) {
  auto out = provenance(original, tool);
  out["pet.cpu"] = runtime.device;
  out["pet.runtime"] = runtime.name + " " + runtime.version;
  out["pet.threads"] = std::to_string(threads);
  return out;
}

}  // namespace pet
