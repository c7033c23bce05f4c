#include "verify/weights/unfolding.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>

#include "core/eval/evaluate.h"
#include "core/eval/moved.h"
#include "core/eval/rounding.h"
#include "core/ir/copy.h"
#include "core/onnx/weight_programs.h"
#include "core/util/parallel.h"
#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/values/residue_store.h"

namespace pet {
namespace {

std::map<Digest, std::shared_ptr<const Tensor>> constants_of(const Graph& graph) {
  std::map<Digest, std::shared_ptr<const Tensor>> out;
  for (const Node& node : graph.nodes()) {
    if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what))
      out.emplace((*leaf)->digest(), *leaf);
  }
  return out;
}

// Digests of the original's constants, as weight programs call them.
std::map<std::string, std::shared_ptr<const Tensor>> named_constants(const Graph& original) {
  std::map<std::string, std::shared_ptr<const Tensor>> out;
  for (const auto& [digest, tensor] : constants_of(original)) out.emplace(digest.hex(), tensor);
  return out;
}

class ConstantCheck {
 public:
  ConstantCheck(const Graph& original, const Unfolded& mutant, std::size_t threads,
                const std::stop_token& stop)
      : original_(original), mutant_(mutant), threads_(threads), stop_(stop) {}

  Result<std::string> run() {
    // Each by itself, for most steps of one are done by one thread.
    const auto& folded = mutant_.folded;
    std::vector<Result<std::string>> wrong(folded.size(), std::string{});
    const std::size_t within = folded.size() < threads_ ? threads_ : 1;
    parallel_for(folded.size(), within > 1 ? 1 : threads_, [&](std::size_t i) {
      if (!stop_.stop_requested()) wrong[i] = check_rounding(folded[i], within);
    });
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    for (auto& one : wrong) {
      if (!one || !one->empty()) return std::move(one);
    }
    return check_weightless();
  }

 private:
  static std::string described(const FoldedConstant& constant, const std::string& what) {
    return fmt::format("constant '{}' is not what its weight program says: {}",
                       printable(constant.name), what);
  }

  Result<std::string> check_rounding(const FoldedConstant& constant, std::size_t threads) const {
    const auto theirs = constant.stored->floats();
    // What is only moved has the bits that it had, -0 and the smallest ones, too.
    const auto moved = moved_constants(mutant_.graph, constant.program);
    const auto rounded = moved ? Tensor::of_floats(*constant.stored->type().shape, *moved)
                               : correctly_rounded(mutant_.graph, constant.program, threads, stop_);
    if (!rounded) {
      if (rounded.error().kind == ErrorKind::Stopped) return rounded.error();
      return described(constant, rounded.error().message);
    }
    const auto mine = rounded->floats();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (std::bit_cast<std::uint32_t>(theirs[i]) == std::bit_cast<std::uint32_t>(mine[i]))
        continue;
      return described(constant, fmt::format("element {} is {:.9g} and should be {:.9g}", i,
                                             theirs[i], mine[i]));
    }
    return std::string{};
  }

  // Of every value whether it is a sum of products of which each has a weight: an element that
  // contains none is 0, which is a float.
  std::vector<char> made_of_weights(const ValueTable& table) const {
    const Graph& graph = mutant_.graph;
    std::vector<char> out(graph.nodes().size(), 0);
    for (const NodeId id : graph.ids()) {
      const Node& node = graph.node(id);
      if (node.constant() != nullptr) {
        out[id.index()] = table.value(table.of_mutant(id)).role == ConstantRole::Symbol ? 1 : 0;
      } else if (graph.has_meaning(id)) {
        const auto has_weight = [&](const Access& factor) {
          const auto k = static_cast<std::size_t>(factor.operand);
          return k < node.operands.size() && out[node.operands[k].index()] != 0;
        };
        out[id.index()] = std::ranges::all_of(graph.meaning(id).sum.terms, [&](const Term& term) {
          return std::ranges::any_of(term.factors, has_weight);
        });
      }
    }
    return out;
  }

  // With two draws of all weights: what comes out the same both times contains none of them.
  Result<std::string> check_weightless() const {
    KeyStream primes(Digester("weightless").add(fresh_entropy()).finish(), 0);
    const ResidueEvaluator evaluator(draw_primes(primes, 2), fresh_entropy(), threads_, stop_);
    ValueTable table(original_, mutant_.graph, ValueTable::Weights::OfPrograms);
    while (table.next_of_mutant()) continue;
    const auto made = made_of_weights(table);
    constexpr std::size_t kMemory = std::size_t{1} << 26;  // few weights serve two programs
    const PairCode code(original_, mutant_.graph);
    ResidueStore first(table, code, evaluator, fresh_entropy(), kMemory, stop_);
    ResidueStore second(table, code, evaluator, fresh_entropy(), kMemory, stop_);
    for (const FoldedConstant& constant : mutant_.folded) {
      if (made[constant.program.index()] != 0) continue;
      const ValueId value = table.of_mutant(constant.program);
      const auto x = first.residues(value);
      if (!x) return x.error();
      const auto y = second.residues(value);
      if (!y) return y.error();
      for (std::size_t i = 0; i < (*x)->size(); ++i) {
        if ((*x)->lane(0)[i] != (*y)->lane(0)[i] || (*x)->lane(1)[i] != (*y)->lane(1)[i]) continue;
        const auto exactly =
            is_exactly_a_float(mutant_.graph, constant.program, static_cast<Dim>(i));
        if (!exactly) return described(constant, exactly.error().message);
        if (!*exactly) {
          return described(constant,
                           fmt::format("element {} contains no weight and is no float", i));
        }
      }
    }
    return std::string{};
  }

  const Graph& original_;
  const Unfolded& mutant_;
  std::size_t threads_;
  const std::stop_token& stop_;
};

}  // namespace

Result<Unfolded> unfold(const Graph& original, const Graph& mutant,
                        const WeightPrograms& programs) {
  std::map<Digest, NodeId> explained;
  for (std::size_t i = 0; i < programs.results.size(); ++i)
    explained.emplace(programs.results[i], programs.graph.outputs()[i]);
  const auto named = named_constants(original);
  GraphBuilder builder;
  GraphCopy computed(programs.graph, builder, {.instead = [&](NodeId id) -> Result<Instead> {
                       const Node& node = programs.graph.node(id);
                       if (node.input() == nullptr) return Instead(AsItIs{});
                       const auto it = named.find(node.input()->name);
                       if (it == named.end() || it->second->type() != node.type)
                         return Error{"they read a constant that the first file does not have"};
                       return Instead(builder.add_constant(it->second));
                     }});
  Unfolded out;
  GraphCopy copy(mutant, builder, {.instead = [&](NodeId id) -> Result<Instead> {
                   const Node& node = mutant.node(id);
                   const auto* leaf = std::get_if<ConstantLeaf>(&node.what);
                   const auto it =
                       leaf != nullptr ? explained.find((*leaf)->digest()) : explained.end();
                   if (it == explained.end()) return Instead(AsItIs{});
                   const NodeId program = computed.at(it->second);
                   if (builder.type(program) != node.type)
                     return Error{"a result of another type than the constant's"};
                   out.folded.push_back({*leaf, node.name, program});
                   return Instead(program);
                 }});
  auto done = copy.make_inputs();
  if (done) done = computed.make_kept();
  if (done) done = copy.run();
  if (!done) return std::move(done).error().within("weight programs");
  out.graph = std::move(builder).build();
  return out;
}

Result<Unfolded> unfold(const Model& original, const Model& mutant) {
  const auto programs = weight_programs_of(mutant);
  if (!programs) return programs.error();
  if (!*programs) return Unfolded{mutant.graph, {}};
  return unfold(original.graph, mutant.graph, **programs);
}

Result<std::string> wrong_constant(const Graph& original, const Unfolded& mutant,
                                   std::size_t threads, const std::stop_token& stop) {
  if (mutant.folded.empty()) return std::string{};
  return ConstantCheck(original, mutant, threads, stop).run();
}

}  // namespace pet
