#include "core/egraph/extract/extractor.h"

#include "core/egraph/extract/greedy.h"
#include "core/egraph/extract/ilp.h"
#include "core/util/steady_seconds.h"

namespace pet::egraph {
namespace {

ExtractorAnswer looked_at(const Problem& problem, Choice choice) {
  ExtractorAnswer out;
  if (auto cost = cost_of_choice(problem, choice)) {
    out.cost = *cost;
  } else {
    out.why = cost.error().message;
  }
  out.choice = std::move(choice);
  return out;
}

ExtractorAnswer by_ocf(const Problem& problem, Overlap overlap) {
  Estimated found = extract_ocf(problem, overlap);
  ExtractorAnswer out = looked_at(problem, std::move(found.choice));
  out.estimate = found.cost;
  return out;
}

ExtractorAnswer by_ilp(const Problem& problem, IlpSolver* solver, const IlpLimits& limits,
                       std::stop_token stop) {
  PET_CHECK(solver != nullptr, "an integer program needs a solver");
  IlpExtraction found =
      extract_ilp(problem, extract_dag(problem), *solver, limits, std::move(stop));
  ExtractorAnswer out = looked_at(problem, std::move(found.choice));
  out.bound = found.bound;
  out.is_optimal = found.is_optimal;
  out.why = found.why;
  out.columns = found.columns;
  out.rows = found.rows;
  return out;
}

ExtractorAnswer ask(const Problem& problem, Extractor extractor, IlpSolver* solver,
                    const IlpLimits& limits, std::stop_token stop) {
  switch (extractor) {
    case Extractor::Tree:
      return looked_at(problem, extract_tree(problem));
    case Extractor::Dag:
      return looked_at(problem, extract_dag(problem));
    case Extractor::Ocf:
      return by_ocf(problem, Overlap::LargestPart);
    case Extractor::OcfUnion:
      return by_ocf(problem, Overlap::Union);
    case Extractor::Ilp:
      return by_ilp(problem, solver, limits, std::move(stop));
  }
  return {};
}

}  // namespace

ExtractorAnswer extract(const Problem& problem, Extractor extractor, IlpSolver* solver,
                        const IlpLimits& limits, std::stop_token stop) {
  const double started = steady_seconds();
  ExtractorAnswer out = ask(problem, extractor, solver, limits, std::move(stop));
  out.seconds = steady_seconds() - started;
  return out;
}

}  // namespace pet::egraph
