#include "core/search/regenerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/search/exclude.h"
#include "core/search/mutant_maker.h"
#include "core/util/median.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Key = std::pair<std::size_t, MutantId>;  // a subprogram, and its mutant

// What the journal says of mutants.
struct Told {
  std::map<Key, Lineage> lineages;
  std::map<Key, const CandidateMeasured*> measured;
  std::map<Key, std::string> programs;  // digests
};

Told told_by(const JournalContent& content) {
  Told out;
  for (const auto& entry : content.entries) {
    std::visit(overloaded{[&](const MutantShown& e) {
                            out.lineages[{e.subprogram, e.mutant.id}] = e.mutant;
                          },
                          [&](const CandidateMeasured& e) {
                            out.measured[{e.subprogram, e.mutant}] = &e;
                            out.programs[{e.subprogram, e.mutant}] = e.program;
                          },
                          [&](const MutantVerified& e) {
                            out.programs[{e.subprogram, e.mutant}] = e.program;
                          },
                          [&](const MutantCorrected& e) {
                            out.programs[{e.subprogram, e.corrected}] = e.program;
                          },
                          [](const auto&) {}},
               entry.event);
  }
  return out;
}

class Regenerator {
 public:
  Regenerator(const Model& model, const JournalContent& content, EquivalenceChecker& checker,
              std::stop_token stop)
      : config_(pet_config(content.header.config)),
        classes_(included(split(model.graph, config_.split).classes, model.graph, config_.exclude)),
        told_(told_by(content)),
        checker_(checker),
        stop_(std::move(stop)) {}

  Result<Choice> choice(const Model& model, const PlanTried::Part& part) {
    const Key key{part.subprogram, part.mutant};
    const auto measured = told_.measured.find(key);
    if (part.subprogram >= classes_.size() || measured == told_.measured.end())
      return Error{fmt::format("the journal does not tell of mutant {} of subprogram {} at {}",
                               part.mutant.value, part.subprogram, printable(part.place))};
    auto known = known_.find(key);
    if (known == known_.end()) {
      auto made = mutant_of(part.subprogram, part.mutant);
      if (!made) return std::move(made).error();
      known = known_.emplace(key, *std::move(made)).first;
    }
    const SubprogramClass& same = classes_[part.subprogram];
    const auto name = [&](const Subprogram& s) { return model.graph.node(s.outputs[0]).name; };
    const auto place = std::ranges::find(same.places, part.place, name);
    if (place == same.places.end())
      return Error{fmt::format("the model has no such subprogram at {}", printable(part.place))};
    auto program = transfer(known->second.program, same.representative(), *place);
    if (!program) return std::move(program).error();
    const Comparison& comparison = measured->second->comparison;
    return Choice{
        part.subprogram,       part.place,
        known->second.lineage, median(comparison.timing.a_ms) * (1 - 1 / comparison.ratio.median),
        comparison.ratio,      *std::move(program),
        place->inputs,         place->outputs};
  }

 private:
  // Once more as the search came by it: its ancestors first, each from the one before.
  Result<Proposal> mutant_of(std::size_t number, MutantId id) {
    const auto line = ancestry(number, id);
    if (!line) return line.error();
    return MutantMaker(classes_[number].representative().program, config_, checker_, stop_)
        .make(*line);
  }

  // The mutant and what it was made of, the first ancestor first.
  Result<std::vector<Wanted>> ancestry(std::size_t number, MutantId id) const {
    std::vector<Wanted> out;
    for (std::optional<MutantId> next = id; next; next = out.back().lineage.parent) {
      const auto told = told_.lineages.find({number, *next});
      const auto program = told_.programs.find({number, *next});
      const bool is_older = out.empty() || *next < out.back().lineage.id;
      if (told == told_.lineages.end() || !is_older || program == told_.programs.end())
        return Error{fmt::format(
            "the journal does not tell how mutant {} of subprogram {} was made", id.value, number)};
      out.push_back({told->second, program->second});
    }
    std::ranges::reverse(out);
    return out;
  }

  const SearchConfig config_;
  std::vector<SubprogramClass> classes_;
  Told told_;
  std::map<Key, Proposal> known_;
  EquivalenceChecker& checker_;
  std::stop_token stop_;
};

}  // namespace

const PlanTried* accepted_plan(const JournalContent& content) {
  const PlanTried* out = nullptr;
  for (const auto& entry : content.entries) {
    const auto* plan = std::get_if<PlanTried>(&entry.event);
    if (plan != nullptr && plan->accepted) out = plan;
  }
  return out;
}

Result<std::vector<Choice>> regenerate(
    const Model& model, const JournalContent& content, const PlanTried& plan,
    EquivalenceChecker& checker, const std::function<void(std::size_t, std::size_t)>& progress,
    std::stop_token stop) {
  if (auto current = check_current(content); !current) return std::move(current).error();
  if (!std::holds_alternative<SearchConfig>(content.header.config))
    return Error{fmt::format("of a search by {} changed places are not made anew from its journal; "
                             "its report has them",
                             name_of(content.header.config)),
                 ErrorKind::Unsupported};
  Regenerator regenerator(model, content, checker, std::move(stop));
  std::vector<Choice> out;
  for (const PlanTried::Part& part : plan.parts) {
    progress(out.size(), plan.parts.size());
    auto choice = regenerator.choice(model, part);
    if (!choice) return std::move(choice).error();
    out.push_back(*std::move(choice));
  }
  return out;
}

}  // namespace pet
