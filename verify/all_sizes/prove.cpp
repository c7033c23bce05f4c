#include "verify/all_sizes/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/util/rng.h"
#include "verify/all_sizes/expansion.h"

namespace pet::all_sizes {
namespace {

constexpr int kAttempts = 400;             // to find sizes at which there are programs
constexpr std::size_t kMoreInstances = 8;  // beyond those that everything follows from

Error not_proved(std::string reason) { return {std::move(reason), ErrorKind::Unsupported}; }

bool are_programs(const Family& family, const SizeValues& sizes) {
  return std::all_of(family.at_least_zero.begin(), family.at_least_zero.end(),
                     [&](const Affine& e) {
                       Dim value = e.constant();
                       for (const auto& [var, coefficient] : e.parts())
                         value += coefficient * sizes[static_cast<std::size_t>(var)];
                       return value >= 0;
                     });
}

SizeValues drawn(std::size_t symbols, Dim least, Dim most, Rng& rng) {
  SizeValues out(symbols);
  for (Dim& size : out) size = rng.between(least, most);
  return out;
}

// A base, the base with each symbol one larger, small sizes down to 1, and large ones.
Result<std::vector<SizeValues>> sizes_to_look_at(const Family& family) {
  const std::size_t symbols = family.symbols.size();
  Rng rng(1);  // the same sizes each time
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<SizeValues> out = {drawn(symbols, 2, 9 + attempt / 20, rng)};
    for (std::size_t s = 0; s < symbols; ++s) {
      out.push_back(out.front());
      ++out.back()[s];
    }
    if (!std::all_of(out.begin(), out.end(),
                     [&](const SizeValues& sizes) { return are_programs(family, sizes); }))
      continue;
    const std::size_t wanted = out.size() + kMoreInstances;
    out.emplace_back(symbols, 1);
    if (!are_programs(family, out.back())) out.pop_back();
    for (int i = 0; i < kAttempts && out.size() < wanted; ++i) {
      SizeValues sizes = drawn(symbols, 1, out.size() % 2 == 0 ? 3 : 30, rng);
      if (are_programs(family, sizes)) out.push_back(std::move(sizes));
    }
    return out;
  }
  return not_proved("no sizes were found at which both are programs");
}

class Proof {
 public:
  Proof(const Family& family, const SizedPair& pair, const Limits& limits)
      : family_(family), pair_(pair), limits_(limits) {}

  Status run() {
    const auto& a = pair_.original;
    const auto& b = pair_.mutant;
    if (a.outputs.size() != b.outputs.size()) return not_proved("other numbers of outputs");
    if (any_partial()) return not_proved("a function that is not defined everywhere");
    if (!share_inputs()) return not_proved("an input is of another shape in the other program");
    std::vector<Affine> symbols = family_.at_least_zero;
    for (std::size_t s = 0; s < family_.symbols.size(); ++s)
      symbols.push_back(Affine::of(static_cast<Var>(s)) - 1);
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
      const auto& shape = a.node(a.outputs[i]).shape;
      if (shape != b.node(b.outputs[i]).shape)
        return not_proved(fmt::format("output {} is of another shape", i));
      position_.clear();
      Facts facts(symbols);
      for (const Affine& extent : shape) {
        const Affine at = Affine::of(static_cast<Var>(family_.symbols.size() + position_.size()));
        facts = facts.with(at).with(extent - at - 1);
        position_.push_back(at);
      }
      if (auto done = equal(i, facts); !done) return std::move(done).error();
    }
    return Done{};
  }

 private:
  // Whether an output needs them or not.
  bool any_partial() const {
    for (const SizedProgram* program : {&pair_.original, &pair_.mutant}) {
      for (const SizedNode& node : program->nodes) {
        for (const SizedApplication& application : node.applications) {
          if (application.function->totality == Totality::Partial) return true;
        }
      }
    }
    return false;
  }

  bool share_inputs() const {
    std::map<std::string, const std::vector<Affine>*> shapes;
    for (const SizedProgram* program : {&pair_.original, &pair_.mutant}) {
      for (const SizedNode& node : program->nodes) {
        if (node.leaf.empty()) continue;
        const auto [it, is_new] = shapes.emplace(node.leaf, &node.shape);
        if (!is_new && *it->second != node.shape) return false;
      }
    }
    return true;
  }

  // Case by case; the cases that are open are kept in a list, since there may be many.
  Status equal(std::size_t output, Facts facts) {
    std::vector<Facts> open = {std::move(facts)};
    while (!open.empty()) {
      const Facts now = std::move(open.back());
      open.pop_back();
      if (++cases_ > limits_.cases) return not_proved("too many cases");
      if (limits_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (now.contradict()) continue;
      const auto question = look(output, now);
      if (!question) return question.error();
      if (!*question) continue;
      open.push_back(now.with(negated(**question)));
      open.push_back(now.with(**question));
    }
    return Done{};
  }

  // Nothing: equal wherever the facts hold. Else what has to be known first.
  Result<std::optional<Affine>> look(std::size_t output, const Facts& facts) {
    const Var first_free = static_cast<Var>(family_.symbols.size() + position_.size());
    Expansion expansion(leaves_, family_.symbols.size(), first_free, limits_.steps, limits_.stop);
    auto all = expansion.element(pair_.original, pair_.original.outputs[output], position_, facts);
    if (!all) return open(expansion.open(), first_free);
    const auto theirs =
        expansion.element(pair_.mutant, pair_.mutant.outputs[output], position_, facts);
    if (!theirs) return open(expansion.open(), first_free);
    for (Product product : *theirs) {
      product.weight *= -1;
      all->push_back(std::move(product));
    }
    Open why;
    const auto difference = canonical(*all, facts, why);
    if (!difference) return open(why, first_free);
    if (!difference->empty()) return not_proved("the sums written out differ");
    return std::optional<Affine>();
  }

  // Only what is asked of symbols and positions can be gone through here: the others belong to one
  // way of writing the program out.
  static Result<std::optional<Affine>> open(const Open& why, Var first_free) {
    if (!why.question) return not_proved(why.reason);
    for (const auto& [var, coefficient] : why.question->parts()) {
      if (var >= first_free) return not_proved("a question about a sum stays open");
    }
    return why.question;
  }

  const Family& family_;
  const SizedPair& pair_;
  const Limits& limits_;
  Leaves leaves_;
  std::vector<Affine> position_;
  std::size_t cases_ = 0;
};

}  // namespace

Result<SizedPair> sized_pair(const Family& family, Constants constants) {
  auto sizes = sizes_to_look_at(family);
  if (!sizes) return std::move(sizes).error();
  std::vector<std::pair<Graph, Graph>> pairs;
  for (const SizeValues& at : *sizes) {
    auto pair = family.at(at);
    if (!pair) return std::move(pair).error();
    pairs.push_back(*std::move(pair));
  }
  Instances originals{*sizes, {}};
  Instances mutants{*sizes, {}};
  for (const auto& [original, mutant] : pairs) {
    originals.graphs.push_back(&original);
    mutants.graphs.push_back(&mutant);
  }
  auto original = sized_program(originals, constants);
  if (!original) return std::move(original).error();
  auto mutant = sized_program(mutants, constants);
  if (!mutant) return std::move(mutant).error();
  return SizedPair{*std::move(original), *std::move(mutant)};
}

Status prove_for_all_sizes(const Family& family, const SizedPair& pair, const Limits& limits) {
  return Proof(family, pair, limits).run();
}

}  // namespace pet::all_sizes
