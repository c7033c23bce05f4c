#include "core/search/rewriting.h"

#include "core/onnx/weight_programs.h"
#include "core/program/difference.h"
#include "core/program/postopt/arrange.h"
#include "core/program/substitute.h"

namespace pet {

Result<Rewriting> rewriting_of(const Graph& program, const Plan& plan, std::size_t threads,
                               std::stop_token stop) {
  std::vector<Substitute> substitutes;
  for (const Choice& choice : plan.choices)
    substitutes.push_back({&choice.program, choice.inputs, choice.outputs});
  auto whole = with_replaced(program, substitutes);
  if (!whole) return std::move(whole).error();
  auto arranged = arrange(*whole, Borders::Fixed);
  if (!arranged) return std::move(arranged).error();
  auto replacements = differences(program, arranged->graph, "pet");
  if (!replacements) return std::move(replacements).error();
  Rewriting out;
  ConstantFolder folder(program, threads, std::move(stop));
  for (const Replacement& replacement : *replacements) {
    auto folded = folder.fold(replacement.program);
    if (!folded) return std::move(folded).error();
    out.replacements.push_back(replacement);
    out.replacements.back().program = *std::move(folded);
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
  return Rewriting{*std::move(replacements), {}, {{"all", programs.error().message}}};
}

}  // namespace pet
