#include "core/program/mutate/generator.h"

#include <algorithm>
#include <limits>

#include "core/program/fingerprint.h"
#include "core/program/fold_affine.h"
#include "core/program/mutate/canonical.h"
#include "core/program/mutate/computed_weights.h"
#include "core/program/mutate/emit.h"
#include "core/program/mutate/exchange.h"
#include "core/program/mutate/fast_convolution.h"
#include "core/program/mutate/moves.h"
#include "core/program/mutate/roots.h"
#include "core/util/check.h"

namespace pet {
namespace {

bool shapes_known(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (!node.type.shape) return false;
  }
  return true;
}

bool same_types(const Graph& a, const Graph& b) {
  if (a.outputs().size() != b.outputs().size()) return false;
  for (std::size_t i = 0; i < a.outputs().size(); ++i) {
    if (a.node(a.outputs()[i]).type != b.node(b.outputs()[i]).type) return false;
  }
  return true;
}

std::optional<Graph> folded_normalisations(const Graph& subprogram) {
  if (foldable(subprogram, FoldWhat::BatchNorms).empty()) return std::nullopt;
  auto folded = fold_affine(subprogram, FoldWhat::BatchNorms);
  if (!folded) return std::nullopt;
  return *std::move(folded);
}

bool is_first(const Move& move, std::span<const Move> moves) {
  return !moves.empty() && moves.front() == move;
}

bool leads_to(std::span<const Move> moves, std::span<const Move> all) {
  return moves.size() <= all.size() && std::ranges::equal(moves, all.first(moves.size()));
}

}  // namespace

struct MutantGenerator::Entry {
  mutation::State state;
  std::vector<std::size_t> path;
};

MutantGenerator::~MutantGenerator() = default;
MutantGenerator::MutantGenerator(MutantGenerator&&) noexcept = default;
MutantGenerator& MutantGenerator::operator=(MutantGenerator&&) noexcept = default;

// A normalisation between a product and what follows it hides the product: one that can be folded
// is, and the moves begin from there.
MutantGenerator::MutantGenerator(const Graph& subprogram, GeneratorConfig config, Trace trace)
    : MutantGenerator(subprogram, config, std::move(trace), std::nullopt) {}

MutantGenerator::MutantGenerator(const Graph& subprogram, GeneratorConfig config, Trace trace,
                                 std::optional<std::vector<Move>> towards)
    : config_(config), trace_(std::move(trace)), towards_(std::move(towards)) {
  if (!shapes_known(subprogram)) return;
  std::size_t index = 0;
  if (auto folded = folded_normalisations(subprogram)) {
    if (towards_ && is_first(move::FoldNormalisation{}, *towards_))
      towards_->erase(towards_->begin());
    folded_ = std::make_unique<const mutation::ComputedWeights>(*folded);
    subprogram_ = std::make_unique<const Graph>(folded_->with_constants());
  } else {
    subprogram_ = std::make_unique<const Graph>(subprogram);
    seen_programs_.insert(mutation::canonical_digest(subprogram));
  }
  if (folded_) offer({*subprogram_, {}}, {index++}, {});
  for (auto family : {mutation::exchanges, mutation::fast_convolutions}) {
    for (Mutant& mutant : family(*subprogram_)) {
      std::vector<Move> made = mutant.moves;
      offer(std::move(mutant), {index++}, std::move(made));
    }
  }
  for (mutation::State& state : mutation::roots(*subprogram_)) enter(std::move(state), {index++});
}

void MutantGenerator::record(TraceNode node) {
  if (node.pruned) ++counters_.pruned[static_cast<std::size_t>(*node.pruned)];
  if (trace_) trace_(node);
}

// A node joins those that are still to be looked at unless it is one of them already.
void MutantGenerator::enter(mutation::State state, std::vector<std::size_t> path) {
  if (towards_ && !leads_to(state.moves, *towards_)) return;
  std::optional<Pruned> pruned;
  if (state.depth() > config_.depth) {
    pruned = Pruned::Depth;
  } else if (!seen_nodes_.insert(state.key()).second) {
    pruned = Pruned::SeenNode;
  }
  std::vector<Move> last;
  if (!state.moves.empty()) last.push_back(state.moves.back());
  record({0, path, std::move(last), false, pruned, 0});
  if (!pruned) open_.push_back(std::make_unique<Entry>(Entry{std::move(state), std::move(path)}));
}

std::optional<Pruned> MutantGenerator::judge(const Graph& program, std::size_t& tested) {
  if (!same_types(*subprogram_, program)) return Pruned::Misfit;
  if (!seen_programs_.insert(mutation::canonical_digest(program)).second)
    return Pruned::SeenProgram;
  ++counters_.programs;
  if (towards_) return std::nullopt;
  // Most subprograms of several operators have no mutant, and need no fingerprint.
  if (!fingerprinter_)
    fingerprinter_ = std::make_unique<Fingerprinter>(*subprogram_, config_.seed, config_.positions);
  // What cannot be evaluated at single points is not judged by them.
  const auto look = fingerprinter_->look(program);
  if (!look) return std::nullopt;
  tested = look->tested;
  if (!look->agrees) return Pruned::Fingerprint;
  return std::nullopt;
}

void MutantGenerator::offer(Mutant mutant, const std::vector<std::size_t>& path,
                            std::vector<Move> last) {
  std::size_t tested = 0;
  const auto pruned = judge(mutant.program, tested);
  record({0, path, std::move(last), true, pruned, tested});
  if (pruned) return;
  if (folded_) {
    auto program = folded_->with_expressions(mutant.program);
    PET_CHECK(program.ok(), "an expression has the type of the constant that stood for it");
    mutant.program = *std::move(program);
    mutant.moves.insert(mutant.moves.begin(), move::FoldNormalisation{});
  }
  ++counters_.mutants;
  waiting_.push_back(std::move(mutant));
}

void MutantGenerator::expand(const Entry& entry) {
  const mutation::State& state = entry.state;
  for (const mutation::Form& form : mutation::forms(state, state.moves.empty())) {
    std::vector<Move> last;
    if (form.move) last.push_back(*form.move);
    auto program = mutation::emit(*subprogram_, state, form);
    if (!program) {
      record({0, entry.path, std::move(last), true, Pruned::Misfit, 0});
      continue;
    }
    Mutant mutant{*std::move(program), state.moves};
    mutant.moves.insert(mutant.moves.end(), last.begin(), last.end());
    if (mutant.moves.empty()) mutant.moves.emplace_back(move::Form{move::Shaped::Plainly});
    offer(std::move(mutant), entry.path, std::move(last));
  }
  if (state.moves.size() >= config_.moves) return;
  std::size_t index = 0;
  for (mutation::State& next : mutation::moves(state, {})) {
    auto path = entry.path;
    path.push_back(index++);
    enter(std::move(next), std::move(path));
  }
}

bool MutantGenerator::step() {
  if (open_.empty() || steps_ >= config_.max_steps) return false;
  const std::unique_ptr<Entry> entry = std::move(open_.front());
  open_.pop_front();
  ++steps_;
  ++counters_.nodes;
  expand(*entry);
  return true;
}

std::optional<Mutant> MutantGenerator::next() {
  while (waiting_.empty()) {
    if (!step()) return std::nullopt;
  }
  Mutant mutant = std::move(waiting_.front());
  waiting_.pop_front();
  return mutant;
}

std::vector<Graph> made_by(const Graph& subprogram, std::span<const Move> moves) {
  GeneratorConfig far;
  far.moves = std::max(far.moves, moves.size());
  far.depth = std::numeric_limits<std::size_t>::max();
  MutantGenerator generator(subprogram, far, {}, std::vector(moves.begin(), moves.end()));
  std::vector<Graph> out;
  while (auto mutant = generator.next())
    if (std::ranges::equal(mutant->moves, moves)) out.push_back(std::move(mutant->program));
  return out;
}

}  // namespace pet
