#include "core/search/pet_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/backend/scratch_folder.h"
#include "core/program/correct/recompute.h"
#include "core/program/fingerprint.h"
#include "core/search/window.h"

namespace pet {
namespace {

std::string operator_names(const Graph& program) {
  std::string out;
  for (const Node& node : program.nodes()) {
    if (node.op() != nullptr) out += (out.empty() ? "" : ", ") + node.op()->def->name;
  }
  return out;
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

PetSearch::PetSearch(const Model& model, std::string target, SearchConfig config,
                     EquivalenceChecker& checker, Profiler& profiler, EventSink sink,
                     std::stop_token stop)
    : model_(model),
      config_(config),
      checker_(checker),
      profiler_(profiler),
      sink_(std::move(sink)),
      stop_(std::move(stop)),
      rng_(config.seed) {
  for (Subprogram& subprogram : split(model.graph, config.split)) {
    if (subprogram.outputs.size() == 1) subprograms_.push_back(std::move(subprogram));
  }
  sink_(SearchStarted{model.path.filename().string(), model.digest.hex(), std::move(target),
                      config.seed, subprograms_.size()});
}

double PetSearch::cost_of(const Graph& program) const {
  MachineModel machine;
  machine.threads = static_cast<double>(config_.threads);
  return analytic_ms(work_of(program), machine);
}

void PetSearch::open_subprogram() {
  const Subprogram& subprogram = subprograms_[next_subprogram_];
  sink_(SubprogramFound{next_subprogram_, operator_names(subprogram.program),
                        model_.graph.node(subprogram.outputs[0]).name});
  mutants_.emplace(subprogram.program);
  candidates_.clear();
  sorted_ = false;
  original_cost_ = cost_of(subprogram.program);
}

StepStatus PetSearch::step(Grain grain) {
  const std::size_t start = next_subprogram_;
  const std::size_t measured = totals_.measured;
  while (next_subprogram_ < subprograms_.size() && !stop_.stop_requested() &&
         steps_ < config_.max_steps) {
    if (!mutants_) open_subprogram();
    if (auto mutant = mutants_->next()) {
      ++steps_;
      look_at(*std::move(mutant));
      if (grain == Grain::Mutant) return StepStatus::Running;
    } else if (!candidates_.empty()) {
      measure_next();
    } else {
      mutants_.reset();
      ++next_subprogram_;
    }
    if (grain == Grain::Subprogram && next_subprogram_ != start) return StepStatus::Running;
    if (grain == Grain::Candidate && totals_.measured != measured) return StepStatus::Running;
  }
  return StepStatus::Finished;
}

void PetSearch::discard(const std::string& how, Discarded why, std::string detail) {
  sink_(MutantDiscarded{next_subprogram_, how, why, std::move(detail)});
}

void PetSearch::look_at(Mutant mutant) {
  ++totals_.proposed;
  sink_(MutantProposed{next_subprogram_, mutant.how});
  const double cost = cost_of(mutant.program);
  if (cost > config_.worth_measuring * original_cost_) {
    return discard(mutant.how, Discarded::CostsMore,
                   fmt::format("{:.3g} against {:.3g} ms", cost, original_cost_));
  }
  const Graph& original = subprograms_[next_subprogram_].program;
  const auto print = fingerprint(original, mutant.program, rng_, config_.positions);
  if (print && print->all_wrong()) return discard(mutant.how, Discarded::FingerprintAllWrong);
  ProofOptions options;
  options.threads = config_.threads;
  options.stop = stop_;
  const Verdict verdict = checker_.check(original, mutant.program, options);
  ++totals_.verified;
  const OutputVerdict* out = verdict.outputs.empty() ? nullptr : &verdict.outputs[0];
  const double share =
      out == nullptr || out->elements == 0
          ? 1
          : static_cast<double>(out->elements - out->equal) / static_cast<double>(out->elements);
  sink_(MutantVerified{next_subprogram_, mutant.how, verdict.outcome,
                       out == nullptr ? "" : to_string(out->wrong), share, verdict.log2_error});
  if (verdict.outcome == Outcome::Equivalent)
    return add_candidate(std::move(mutant.program), mutant.how, false);
  if (verdict.outcome != Outcome::Partial) {
    return discard(
        mutant.how,
        verdict.outcome == Outcome::Different ? Discarded::DifferentEverywhere : Discarded::Unknown,
        verdict.reason);
  }
  auto corrected = recompute(original, mutant.program, out->wrong);
  if (!corrected) return discard(mutant.how, Discarded::NotCorrectable, corrected.error().message);
  const Verdict again = checker_.check(original, *corrected, options);
  sink_(MutantCorrected{next_subprogram_, mutant.how, again.outcome});
  if (again.outcome != Outcome::Equivalent)
    return discard(mutant.how, Discarded::NotCorrectable, again.reason);
  add_candidate(*std::move(corrected), mutant.how + ", corrected by recomputing", true);
}

void PetSearch::add_candidate(Graph program, std::string how, bool corrected) {
  const double cost = cost_of(program);
  if (cost > config_.worth_measuring * original_cost_) {
    return discard(how, Discarded::CostsMore,
                   fmt::format("{:.3g} against {:.3g} ms", cost, original_cost_));
  }
  candidates_.push_back({std::move(program), std::move(how), corrected, cost});
}

void PetSearch::measure_next() {
  if (!sorted_) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost > b.cost; });
    sorted_ = true;
  }
  Candidate candidate = std::move(candidates_.back());
  candidates_.pop_back();
  ++totals_.measured;
  const Subprogram& subprogram = subprograms_[next_subprogram_];
  const auto failed = [&](const Error& error) {
    sink_(CandidateFailed{next_subprogram_, candidate.how, error.message});
  };
  const auto window = measured_window(model_.graph, subprogram, config_.reach);
  const auto changed =
      with_replaced(window.original, candidate.program, window.inputs, window.outputs);
  if (!changed) return failed(changed.error());
  const auto folder = ScratchFolder::make("pet-window");
  if (!folder) return failed(folder.error());
  const auto before = folder->path() / "original.onnx";
  const auto after = folder->path() / "candidate.onnx";
  for (const auto& [graph, path] :
       {std::pair{&window.original, before}, std::pair{&*changed, after}}) {
    if (auto status = write_program(*graph, model_.opset(), path); !status)
      return failed(status.error());
  }
  auto comparison = profiler_.compare(before, after, stop_);
  if (!comparison) return failed(comparison.error());
  sink_(CandidateMeasured{next_subprogram_, candidate.how, *comparison});
  if (comparison->decision != Decision::Faster) return;
  const double saved = median_of(comparison->timing.a_ms) - median_of(comparison->timing.b_ms);
  const auto mine = std::find_if(choices_.begin(), choices_.end(),
                                 [&](const Choice& c) { return c.subprogram == next_subprogram_; });
  if (mine != choices_.end() && mine->saved_ms >= saved) return;
  if (mine != choices_.end()) choices_.erase(mine);
  sink_(BestImproved{next_subprogram_, candidate.how, saved});
  choices_.push_back(
      {next_subprogram_,
       candidate.how,
       candidate.corrected,
       saved,
       comparison->ratio,
       {std::move(candidate.program), subprogram.inputs, subprogram.outputs, candidate.how}});
}

std::vector<Choice> PetSearch::best() const {
  std::vector<Choice> sorted = choices_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Choice& a, const Choice& b) { return a.saved_ms > b.saved_ms; });
  std::vector<Choice> out;
  std::set<NodeId> taken;
  for (Choice& choice : sorted) {
    const auto& nodes = subprograms_[choice.subprogram].nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return taken.contains(id); }))
      continue;
    taken.insert(nodes.begin(), nodes.end());
    out.push_back(std::move(choice));
  }
  return out;
}

void PetSearch::finish(StopReason reason) {
  totals_.reason = reason;
  totals_.chosen = best().size();
  sink_(totals_);
}

}  // namespace pet
