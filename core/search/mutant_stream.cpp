#include "core/search/mutant_stream.h"

#include "core/program/substitute.h"

namespace pet {

MutantStream::MutantStream(const Graph& subprogram, const GeneratorConfig& config,
                           std::size_t later_steps, MutantGenerator::Trace trace)
    : later_(config),
      trace_(std::move(trace)),
      generator_(std::in_place, subprogram, config, trace_of_next_tree()) {
  later_.max_steps = later_steps;
}

MutantGenerator::Trace MutantStream::trace_of_next_tree() {
  const std::size_t tree = trees_++;
  if (!trace_) return {};
  return [trace = trace_, tree](TraceNode node) {
    node.tree = tree;
    trace(node);
  };
}

bool MutantStream::step() {
  if (generator_ && generator_->step()) return true;
  leave_tree();
  if (sources_.empty()) return false;
  source_ = std::move(sources_.front());
  sources_.pop_front();
  generator_.emplace(source_->part.program, later_, trace_of_next_tree());
  return true;
}

void MutantStream::leave_tree() {
  before_ = counters();
  generator_.reset();
}

std::optional<Proposal> MutantStream::take() {
  Mutant mutant = *generator_->next();
  if (source_) return in_place(std::move(mutant));
  return Proposal{std::move(mutant.program), {new_id(), {}, 0, std::move(mutant.moves)}};
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

std::optional<Proposal> MutantStream::in_place(Mutant mutant) {
  const Substitute substitute{&mutant.program, source_->part.inputs, source_->part.outputs};
  auto whole = with_replaced(source_->whole, std::span(&substitute, 1));
  if (!whole) return std::nullopt;
  std::vector<Move> moves = source_->lineage.moves;
  moves.emplace_back(move::StartAgain{});
  moves.insert(moves.end(), mutant.moves.begin(), mutant.moves.end());
  return Proposal{*std::move(whole), {new_id(), source_->lineage.id, round_, std::move(moves)}};
}

std::vector<MutantId> MutantStream::next_round(const std::vector<Candidate>& kept,
                                               const SplitOptions& split_into) {
  std::vector<MutantId> out;
  for (const Candidate& candidate : kept) {
    if (!started_.insert(candidate.program.digest()).second) continue;
    auto classes = split(candidate.program, split_into).classes;
    if (classes.empty()) continue;
    out.push_back(candidate.lineage.id);
    for (SubprogramClass& same : classes)
      sources_.push_back({candidate.program, candidate.lineage, std::move(same.places.front())});
  }
  if (!out.empty()) ++round_;
  return out;
}

}  // namespace pet
