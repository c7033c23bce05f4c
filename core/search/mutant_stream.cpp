#include "core/search/mutant_stream.h"

#include "core/program/substitute.h"

namespace pet {

MutantStream::MutantStream(const Graph& subprogram, const GeneratorConfig& config,
                           std::size_t later_steps, MutantGenerator::Trace trace)
    : later_(config),
      trace_(std::move(trace)),
      generator_(std::in_place, subprogram, config, trace_) {
  later_.max_steps = later_steps;
}

bool MutantStream::step() {
  if (generator_ && generator_->step()) return true;
  leave_tree();
  if (sources_.empty()) return false;
  source_ = std::move(sources_.front());
  sources_.pop_front();
  generator_.emplace(source_->part.program, later_, trace_);
  return true;
}

void MutantStream::leave_tree() {
  before_ = counters();
  generator_.reset();
}

std::optional<Mutant> MutantStream::take() {
  Mutant mutant = *generator_->next();
  if (!source_) return mutant;
  return in_place(std::move(mutant));
}

GeneratorCounters MutantStream::counters() const {
  GeneratorCounters out = before_;
  if (!generator_) return out;
  const GeneratorCounters& now = generator_->counters();
  out.nodes += now.nodes;
  out.programs += now.programs;
  out.mutants += now.mutants;
  for (std::size_t i = 0; i < kPrunedReasons; ++i) out.pruned[i] += now.pruned[i];
  return out;
}

std::optional<Mutant> MutantStream::in_place(Mutant mutant) const {
  const Substitute substitute{&mutant.program, source_->part.inputs, source_->part.outputs};
  auto whole = with_replaced(source_->whole, std::span(&substitute, 1));
  if (!whole) return std::nullopt;
  std::vector<std::string> moves = source_->moves;
  moves.insert(moves.end(), mutant.moves.begin(), mutant.moves.end());
  return Mutant{*std::move(whole), source_->how + ", then " + mutant.how, std::move(moves)};
}

bool MutantStream::next_round(const std::vector<Candidate>& kept, const SplitOptions& split_into) {
  for (const Candidate& candidate : kept) {
    if (!started_.insert(candidate.program.digest()).second) continue;
    for (SubprogramClass& same : split(candidate.program, split_into).classes)
      sources_.push_back(
          {candidate.program, candidate.how, candidate.moves, std::move(same.places.front())});
  }
  return !sources_.empty();
}

}  // namespace pet
