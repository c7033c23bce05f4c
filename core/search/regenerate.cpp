#include "core/search/regenerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/program/correct/corrections.h"
#include "core/search/exclude.h"
#include "core/search/mutant_check.h"
#include "core/search/mutant_stream.h"
#include "core/util/median.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Key = std::pair<std::size_t, std::string>;  // a subprogram, and how

// What the journal says of mutants, by what they are called.
struct Told {
  std::map<Key, const CandidateMeasured*> measured;
  std::map<Key, std::string> programs;  // digests
  // What corrected programs were before, and how they are called, by their digests.
  std::map<std::pair<std::size_t, std::string>, std::string> corrected;
};

Told told_by(const JournalContent& content) {
  Told out;
  for (const auto& entry : content.entries) {
    std::visit(overloaded{[&](const CandidateMeasured& e) {
                            out.measured[{e.subprogram, e.how}] = &e;
                            out.programs[{e.subprogram, e.how}] = e.program;
                          },
                          [&](const MutantVerified& e) {
                            out.programs[{e.subprogram, e.how}] = e.program;
                          },
                          [&](const MutantCorrected& e) {
                            out.corrected[{e.subprogram, e.program}] = e.how;
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
      : config_(content.header.config),
        classes_(included(split(model.graph, config_.split).classes, model.graph, config_.exclude)),
        told_(told_by(content)),
        stop_(std::move(stop)),
        check_(config_, checker, stop_) {}

  Result<Choice> choice(const Model& model, const PlanTried::Part& part) {
    auto mutant = known_.find({part.subprogram, part.how});
    const auto measured = told_.measured.find({part.subprogram, part.how});
    if (part.subprogram >= classes_.size() || measured == told_.measured.end()) return lost(part);
    if (mutant == known_.end()) {
      auto made = mutant_of(part.subprogram, part.how);
      if (!made) return std::move(made).error();
      mutant = known_.emplace(Key{part.subprogram, part.how}, *std::move(made)).first;
    }
    const SubprogramClass& same = classes_[part.subprogram];
    const auto name = [&](const Subprogram& s) { return model.graph.node(s.outputs[0]).name; };
    const auto place = std::ranges::find(same.places, part.place, name);
    if (place == same.places.end()) return lost(part);
    auto program = transfer(mutant->second.program, same.representative(), *place);
    if (!program) return std::move(program).error();
    const Comparison& comparison = measured->second->comparison;
    return Choice{part.subprogram,
                  part.place,
                  part.how,
                  mutant->second.moves,
                  is_corrected({part.subprogram, part.how}),
                  median(comparison.timing.a_ms) * (1 - 1 / comparison.ratio.median),
                  comparison.ratio,
                  *std::move(program),
                  place->inputs,
                  place->outputs};
  }

 private:
  static Error lost(const PlanTried::Part& part) {
    return {
        fmt::format("the model has no \"{}\" at {}", printable(part.how), printable(part.place))};
  }
  bool is_corrected(const Key& key) const {
    const auto program = told_.programs.find(key);
    return program != told_.programs.end() &&
           told_.corrected.contains({key.first, program->second});
  }

  // Once more as the search came by it.
  Result<Mutant> mutant_of(std::size_t number, const std::string& how) {
    const auto program = told_.programs.find({number, how});
    if (program == told_.programs.end())
      return Error{fmt::format("the journal does not tell of \"{}\"", printable(how))};
    const auto corrected = told_.corrected.find({number, program->second});
    if (corrected != told_.corrected.end())
      return corrected_of(number, corrected->second, how, program->second);
    MutantStream stream(classes_[number].representative().program, config_.generator,
                        config_.later_steps, {});
    if (const auto source = source_of(number, how)) {
      auto made = mutant_of(number, *source);
      if (!made) return made;
      Candidate candidate;
      candidate.program = std::move(made->program);
      candidate.how = std::move(made->how);
      candidate.moves = std::move(made->moves);
      stream.leave_tree();
      stream.next_round({std::move(candidate)}, config_.split);
    }
    return found(stream, how, program->second);
  }

  // What a later round started from: of the measured ones that it goes on from, the longest.
  std::optional<std::string> source_of(std::size_t number, const std::string& how) const {
    std::optional<std::string> out;
    for (const auto& [key, measured] : told_.measured) {
      const bool goes_on = key.first == number && how.starts_with(key.second + ", then ");
      if (goes_on && (!out || key.second.size() > out->size())) out = key.second;
    }
    return out;
  }

  Result<Mutant> found(MutantStream& stream, const std::string& how, const std::string& digest) {
    while (!stop_.stop_requested()) {
      if (!stream.has_mutant()) {
        if (!stream.step()) break;
        continue;
      }
      auto mutant = stream.take();
      if (mutant && mutant->how == how && mutant->program.digest().hex() == digest)
        return *std::move(mutant);
    }
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return Error{fmt::format("\"{}\" is not generated any more", printable(how))};
  }

  Result<Mutant> corrected_of(std::size_t number, const std::string& before, const std::string& how,
                              const std::string& digest) {
    auto mutant = mutant_of(number, before);
    if (!mutant) return mutant;
    const Graph& original = classes_[number].representative().program;
    const Checked checked = check_.in_part(original, mutant->program);
    if (checked.outcome == Outcome::Partial && checked.wrong) {
      for (Correction& way : corrections(original, mutant->program, *checked.wrong)) {
        if (!way.program || way.program->digest().hex() != digest) continue;
        mutant->moves.push_back(way.how);
        return Mutant{*std::move(way.program), how, std::move(mutant->moves)};
      }
    }
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return Error{fmt::format("\"{}\" is not corrected so any more", printable(how))};
  }

  const SearchConfig& config_;
  std::vector<SubprogramClass> classes_;
  Told told_;
  std::map<Key, Mutant> known_;
  std::stop_token stop_;
  MutantCheck check_;
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
