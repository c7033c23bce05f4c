#include "core/search/pet_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "core/program/fingerprint.h"
#include "core/search/exclude.h"

namespace pet {

PetSearch::PetSearch(const Model& model, std::string target, const SearchConfig& config,
                     SearchPorts ports)
    : model_(model),
      config_(config),
      timer_(model, ports.profiler, config.reach),
      sink_(std::move(ports.sink)),
      stop_(std::move(ports.stop)),
      check_(config_, ports.checker, stop_),
      classes_(included(split(model.graph, config.split).classes, model.graph, config.exclude)),
      planner_(model.graph, classes_, config_.machine.value_or(MachineModel{})),
      queue_(planner_, costs_of_originals()) {
  order_.resize(classes_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto cost = [&](std::size_t number) {
    return queue_.original_ms(number) * static_cast<double>(classes_[number].places.size());
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    work_.push_back({{}, CandidateHeap(config.heap), {}, {}, {}, 0});
    work_.back().counted.subprogram = number;
  }
  sink_(SearchStarted{model.path.filename().string(), model.digest.hex(), std::move(target),
                      config.seed, classes_.size()});
}

std::vector<double> PetSearch::costs_of_originals() const {
  std::vector<double> out;
  for (const SubprogramClass& same : classes_)
    out.push_back(cost_of(same.representative().program));
  return out;
}

double PetSearch::cost_of(const Graph& program) const {
  MachineModel machine;
  machine.threads = static_cast<double>(config_.threads);
  if (config_.machine) machine = *config_.machine;
  return analytic_ms(work_of(program), machine);
}

StepStatus PetSearch::step(Grain grain) {
  const std::size_t start = next_;
  const std::size_t looked_at = steps_;
  const std::size_t measured = totals_.measured;
  while (!stop_.stop_requested()) {
    if (!work()) {
      is_finished_ = true;
      return StepStatus::Finished;
    }
    if (steps_ == config_.max_steps) return StepStatus::Finished;
    const bool settling = next_ >= order_.size() * config_.rounds;
    const bool reached =
        grain == Grain::Node || settling || (grain == Grain::Mutant && steps_ != looked_at) ||
        (grain != Grain::Subprogram && totals_.measured != measured) || next_ != start;
    if (reached) return StepStatus::Running;
  }
  return StepStatus::Finished;
}

// A stop in the middle of a check or of a measurement says nothing about what was looked at: such a
// piece has not happened, so that the events are those of a whole number of pieces.
bool PetSearch::work() {
  const SearchFinished totals = totals_;
  const bool more = advance();
  if (is_cut_short_) {
    totals_ = totals;
    pending_.clear();
    return true;
  }
  if (more) ++totals_.pieces;
  for (const Event& event : std::exchange(pending_, {})) sink_(event);
  return more;
}

// Round by round. In each the cheapest candidate of every subprogram is measured as soon as it is
// known, the others once all subprograms have been seen, first those that belong to what looks like
// the best plan: however little time there is, something of everything is known.
bool PetSearch::advance() {
  const bool all_rounds = next_ >= order_.size() * config_.rounds;
  const bool between = !is_open_ && (all_rounds || next_ % order_.size() == 0);
  if (auto first = queue_.take_first()) {
    measure(*std::move(first));
    return true;
  }
  if (between) {
    if (take(time_layout(planner_, classes_, timer_, stop_))) return true;
    if (auto wanted = queue_.take_wanted()) {
      measure(*std::move(wanted));
      return true;
    }
    if (take(time_border(planner_, timer_, stop_))) return true;
    if (auto other = queue_.take_worth_by_itself()) {
      measure(*std::move(other));
      return true;
    }
  }
  if (all_rounds) return check_chosen();
  if (!is_open_) {
    open_class();
    return true;
  }
  MutantStream& mutants = *work_[current()].mutants;
  if (mutants.has_mutant()) {
    if (auto mutant = mutants.take()) {
      ++steps_;
      look_at(*std::move(mutant));
    }
  } else if (!mutants.step()) {
    close_class();
  }
  return true;
}

std::string PetSearch::show(const Graph& program) {
  std::string digest = program.digest().hex();
  if (shown_.insert(digest).second) emit(ProgramShown{digest, to_text(program, "program")});
  return digest;
}

// What is random about a subprogram depends on nothing that was done before.
void PetSearch::open_class() {
  ClassWork& work = work_[current()];
  if (!work.mutants) {
    const auto program = show(subprogram().program);
    emit(SubprogramFound{current(), operator_names(subprogram().program),
                         model_.graph.node(subprogram().outputs[0]).name,
                         classes_[current()].places.size(), program});
    MutantGenerator::Trace trace;
    if (trace_) trace = [this, number = current()](const TraceNode& node) { trace_(number, node); };
    work.mutants.emplace(subprogram().program, config_.generator, config_.later_steps,
                         std::move(trace));
    emit(RoundStarted{current(), 0, {}});
  } else {
    auto sources =
        work.mutants->next_round(planner_.best_of(current(), config_.later_sources), config_.split);
    if (sources.empty()) {
      ++next_;
      return;
    }
    emit(RoundStarted{current(), work.mutants->round(), std::move(sources)});
  }
  work.fingerprints =
      std::make_unique<Fingerprinter>(subprogram().program, config_.seed, config_.positions);
  is_open_ = true;
}

void PetSearch::count_mutants(std::size_t number, bool all) {
  ClassWork& work = work_[number];
  work.counted.all = all;
  work.counted.generator = work.mutants->counters();
  emit(work.counted);
}

void PetSearch::close_class() {
  ClassWork& work = work_[current()];
  count_mutants(current(), true);
  queue_.add(current(), work.heap.take());
  work.fingerprints.reset();
  is_open_ = false;
  ++next_;
}

void PetSearch::show(std::size_t number, const Lineage& mutant) {
  if (work_[number].shown.insert(mutant.id).second) emit(MutantShown{number, mutant});
}

void PetSearch::discard(std::size_t number, const Lineage& mutant, Discarded why,
                        std::string detail) {
  ++work_[number].counted.discarded[static_cast<std::size_t>(why)];
  if (is_worth_telling(why)) show(number, mutant);
  emit(MutantDiscarded{number, mutant.id, why, {}, {}, std::move(detail)});
}

void PetSearch::drop(std::size_t number, const Candidate& candidate, std::optional<MutantId> by) {
  ++work_[number].counted.discarded[static_cast<std::size_t>(Discarded::OthersCostLess)];
  emit(CandidateDropped{number, candidate.lineage.id, candidate.cost, candidate.inputs,
                        candidate.outputs, by});
}

// Nothing where it is not worth a further look.
std::optional<Candidate> PetSearch::worth_a_look(std::size_t number, Graph program,
                                                 const Lineage& lineage) {
  auto made = candidate_of(classes_[number].representative().program, std::move(program), lineage);
  if (!made) {
    discard(number, lineage, Discarded::Unknown, made.error().message);
    return std::nullopt;
  }
  Candidate out = *std::move(made);
  out.cost = cost_of(out.arranged);
  const double original_ms = queue_.original_ms(number);
  const double worth = keeps_orders(out)
                           ? config_.worth_measuring
                           : std::max(config_.worth_measuring, config_.worth_in_other_orders);
  if (out.cost > worth * original_ms) {
    ++work_[number].counted.discarded[static_cast<std::size_t>(Discarded::CostsMore)];
    emit(MutantDiscarded{number, lineage.id, Discarded::CostsMore, {}, out.cost, {}});
    return std::nullopt;
  }
  // A corrected mutant takes the place in the heap that it had before.
  if (!is_correction(lineage) && !work_[number].heap.would_enter(out)) {
    drop(number, out, std::nullopt);
    return std::nullopt;
  }
  out.kind = Calibration::kind_of(out.arranged);
  return out;
}

void PetSearch::look_at(Proposal mutant) {
  ClassWork& work = work_[current()];
  ++totals_.proposed;
  ++work.counted.proposed;
  emit(MutantProposed{current(), mutant.lineage});
  auto candidate = worth_a_look(current(), std::move(mutant.program), mutant.lineage);
  if (!candidate) return;
  // What cannot be looked at in single places is taken for right until it is chosen.
  const auto print = work.fingerprints->compare(candidate->program);
  if (print && print->all_wrong())
    return discard(current(), candidate->lineage, Discarded::FingerprintAllWrong);
  const bool in_part = print && print->agree < print->positions;
  if (in_part && config_.only == Only::Equivalent)
    return discard(current(), candidate->lineage, Discarded::NotAsked, "equal in part");
  if (!in_part && config_.only == Only::Partial) {
    return discard(current(), candidate->lineage, Discarded::NotAsked,
                   "equal at every sampled position");
  }
  if (in_part) candidate->right = Candidate::Right::SampledInPart;
  CandidateKept kept{current(),          candidate->lineage.id, candidate->cost, candidate->inputs,
                     candidate->outputs, std::nullopt,          in_part};
  const auto left = work.heap.add(*std::move(candidate));
  if (left) kept.displaced = left->lineage.id;
  emit(kept);
  if (left) drop(current(), *left, kept.mutant);
}

Checked PetSearch::counted(Checked checked) {
  ++totals_.verified;
  is_cut_short_ = checked.outcome == Outcome::Unknown && stop_.stop_requested();
  return checked;
}

// Known to be wrong somewhere and right elsewhere. What comes of it is measured next.
void PetSearch::check_whole(Waiting waiting) {
  Candidate& candidate = waiting.candidate;
  const std::size_t number = waiting.number;
  const Graph& original = classes_[number].representative().program;
  const Checked checked = counted(check_.in_part(original, candidate.program));
  if (is_cut_short_) return;
  const auto program = show(candidate.program);
  show(number, candidate.lineage);
  emit(MutantVerified{number, candidate.lineage.id, program, checked.outcome, checked.everywhere(),
                      checked.wrong, checked.wrong_share(), checked.log2_error});
  if (checked.outcome == Outcome::Equivalent) {
    candidate.right = Candidate::Right::Sampled;
    queue_.put_back(number, std::move(candidate));
  } else if (checked.outcome == Outcome::Partial && checked.wrong) {
    correct(waiting, *checked.wrong);
  } else {
    const bool different = checked.outcome == Outcome::Different;
    discard(number, candidate.lineage,
            different ? Discarded::DifferentEverywhere : Discarded::Unknown, checked.reason);
  }
}

void PetSearch::correct(const Waiting& waiting, const Region& wrong) {
  const Candidate& candidate = waiting.candidate;
  const std::size_t number = waiting.number;
  const Graph& original = classes_[number].representative().program;
  std::vector<Candidate> right;
  for (Correction& way : corrections(original, candidate.program, wrong)) {
    if (!way.program) {
      ++work_[number].counted.discarded[static_cast<std::size_t>(Discarded::NotCorrectable)];
      emit(MutantDiscarded{number,
                           candidate.lineage.id,
                           Discarded::NotCorrectable,
                           way.way,
                           {},
                           way.program.error().message});
      continue;
    }
    Lineage lineage{work_[number].mutants->new_id(), candidate.lineage.id, candidate.lineage.round,
                    candidate.lineage.moves};
    lineage.moves.emplace_back(move::Correct{way.way});
    auto made = worth_a_look(number, *std::move(way.program), lineage);
    if (!made) continue;
    const Checked again = counted(check_.thinly(original, made->program));
    if (is_cut_short_) return;
    const auto program = show(made->program);
    show(number, made->lineage);
    emit(MutantCorrected{number, candidate.lineage.id, made->lineage.id, program, again.outcome,
                         again.everywhere()});
    if (again.outcome != Outcome::Equivalent) {
      discard(number, made->lineage, Discarded::NotCorrectable, again.reason);
      continue;
    }
    right.push_back(*std::move(made));
  }
  for (Candidate& made : right) queue_.put_back(number, std::move(made));
}

bool PetSearch::take(std::optional<SurroundingTimed> timed) {
  if (!timed) return false;
  is_cut_short_ = timed->is_cut_short;
  if (timed->event) emit(*std::move(timed->event));
  return true;
}

void PetSearch::measure(Waiting next) {
  if (next.candidate.right == Candidate::Right::SampledInPart) {
    check_whole(std::move(next));
  } else {
    measure_now(std::move(next));
  }
}

void PetSearch::measure_now(Waiting next) {
  ++totals_.measured;
  const Subprogram& place = classes_[next.number].representative();
  auto [files, comparison] = timer_.time_candidate(place, next.candidate, stop_);
  is_cut_short_ = was_stopped(comparison);
  if (is_cut_short_) return;
  const MutantId id = next.candidate.lineage.id;
  const auto program = show(next.candidate.program);
  show(next.number, next.candidate.lineage);
  if (!comparison) {
    const Error& error = comparison.error();
    emit(CandidateFailed{next.number, id, error.message, error.kind, program, files});
    return;
  }
  emit(CandidateMeasured{next.number, id, program, files, *comparison});
  const double ratio = comparison->ratio.median;
  const auto& measured = planner_.of(next.number);
  const bool best = comparison->decision == Decision::Faster &&
                    std::all_of(measured.begin(), measured.end(), [&](const Measured& m) {
                      return m.comparison.ratio.median < ratio;
                    });
  planner_.add(next.number, {std::move(next.candidate), *std::move(comparison)});
  if (!best) return;
  const double saved_ms = planner_.saved_ms(next.number, measured.size() - 1);
  saved_ms_ += saved_ms - std::exchange(work_[next.number].saved_ms, saved_ms);
  emit(BestImproved{next.number, id, saved_ms});
}

// What agreed wherever it was looked at and is to be used. One that turns out wrong is dropped:
// that samples can be right by chance is no defect.
bool PetSearch::check_chosen() {
  const auto which = planner_.unchecked();
  if (!which) return false;
  const Candidate& candidate = planner_.of(which->number)[which->index].candidate;
  const Checked checked = counted(check_.everywhere(
      classes_[which->number].representative().program, candidate.program, Floats::Drawn));
  if (is_cut_short_) return true;
  const auto program = show(candidate.program);
  show(which->number, candidate.lineage);
  emit(MutantVerified{which->number, candidate.lineage.id, program, checked.outcome, true,
                      checked.wrong, checked.wrong_share(), checked.log2_error});
  if (checked.outcome == Outcome::Equivalent) {
    planner_.set_checked(*which);
  } else {
    const auto why =
        checked.outcome == Outcome::Different ? Discarded::DifferentEverywhere : Discarded::Unknown;
    discard(which->number, candidate.lineage, why, checked.reason);
    planner_.drop(*which);
  }
  return true;
}

std::vector<Plan> PetSearch::best() const { return planner_.plans(); }

void PetSearch::finish(StopReason reason) {
  totals_.reason = reason;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  for (std::size_t number = 0; number < classes_.size(); ++number)
    if (work_[number].mutants) {
      work_[number].counted.discarded[static_cast<std::size_t>(Discarded::NotMeasured)] =
          queue_.waiting(number) + work_[number].heap.untaken();
      count_mutants(number, false);
    }
  emit(totals_);
  for (const Event& event : std::exchange(pending_, {})) sink_(event);
}

}  // namespace pet
