#include "tests/fuzz/weight_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/ir/builder.h"
#include "core/program/subprogram.h"
#include "core/util/rng.h"
#include "tests/fuzz/weight_numbers.h"
#include "verify/exact/exact_engine.h"

namespace pet::fuzz {
namespace {

constexpr ExactLimits kLimits{
    .elements = 1 << 12, .monomials = 1 << 20, .time = std::chrono::seconds(5)};
constexpr double kMostGrowth = 65536;
constexpr long double kMostSize = 0x1p128L;
constexpr long double kSmallest = 0x1p-126L;

struct Unfolded {
  Graph graph;
  std::vector<std::pair<const Tensor*, NodeId>> folded;  // what is stored, and what computes it
};

// With programs in place of the constants that they explain.
std::optional<Unfolded> unfolded(const FilePair& pair, const WeightPrograms& programs) {
  const auto explaining = bound(programs, pair.original);
  if (!explaining) return std::nullopt;
  GraphBuilder builder;
  Unfolded out;
  std::vector<NodeId> computed(explaining->nodes().size());
  const auto copy = [&](const Graph& graph, NodeId id, std::vector<NodeId>& place) {
    std::vector<NodeId> operands;
    for (const NodeId operand : graph.node(id).operands) operands.push_back(place[operand.index()]);
    place[id.index()] = *copy_node(builder, graph.node(id), std::move(operands));
  };
  std::vector<NodeId> place(pair.file.nodes().size());
  for (const NodeId id : pair.file.inputs())
    place[id.index()] =
        builder.add_input(pair.file.node(id).input()->name, pair.file.node(id).type);
  for (const NodeId id : explaining->ids()) copy(*explaining, id, computed);
  for (const NodeId id : pair.file.ids()) {
    const Node& node = pair.file.node(id);
    if (node.input() != nullptr) continue;
    std::size_t number = programs.results.size();
    if (node.constant() != nullptr) {
      const auto it =
          std::find(programs.results.begin(), programs.results.end(), node.constant()->digest());
      number = static_cast<std::size_t>(it - programs.results.begin());
    }
    if (number == programs.results.size()) {
      copy(pair.file, id, place);
      continue;
    }
    const NodeId value = computed[explaining->outputs()[number].index()];
    if (builder.type(value) != node.type) return std::nullopt;
    place[id.index()] = value;
    out.folded.emplace_back(node.constant(), value);
  }
  for (const NodeId id : pair.file.outputs()) builder.add_output(place[id.index()]);
  out.graph = std::move(builder).build();
  return out;
}

bool is_symbol(const Tensor& tensor) {
  return tensor.type().dtype == DType::Float && tensor.floats().size() > 1;
}

class Judge {
 public:
  Judge(const FilePair& pair, std::uint64_t seed) : pair_(pair), seed_(seed) {
    for (const Node& node : pair.original.nodes())
      if (node.constant() != nullptr && is_symbol(*node.constant()))
        symbols_.insert(node.constant()->digest());
  }

  Judgement explained_by(const WeightPrograms& programs) {
    const auto unfolding = unfolded(pair_, programs);
    if (!unfolding) return {false, false, "the programs read what the original does not have"};
    ProofOptions options;
    options.proof_seed = "unused";
    const Verdict verdict = ExactEngine(kLimits).check(pair_.original, unfolding->graph, options);
    if (verdict.outputs.empty()) return {false, true, verdict.reason};
    if (verdict.outcome != Outcome::Equivalent)
      return {false, false, fmt::format("over the reals it is {}", to_string(verdict.outcome))};
    for (const auto& [stored, id] : unfolding->folded) {
      if (auto judgement = constant(unfolding->graph, *stored, id); !judgement.acceptable)
        return judgement;
    }
    unfolded_ = unfolding->graph;
    return {true, false, {}};
  }

  // Of what was found acceptable: sums, and what a runtime makes of the file.
  Judgement rounding() {
    // Results of functions of weights count 1 to the theory; as they are they say more of the file
    // as it is stored. Neither is as fine as the other everywhere.
    const std::string as_stored = growth(pair_.file, Results::AsTheyAre);
    if (!as_stored.empty() && !growth(unfolded_, Results::One).empty())
      return {false, false, as_stored};
    return run_in_floats();
  }

 private:
  Judgement constant(const Graph& graph, const Tensor& stored, NodeId id) {
    const auto values = values_of<Rational>(graph, {id}, exactly(stored_floats));
    if (!values) return {false, true, "a constant that is not defined"};
    const auto& e = (*values)[id.index()].data;
    const auto expected = rounded(graph, id);
    if (!expected) return {false, true, "a constant too close to the middle of two floats"};
    const auto floats = stored.floats();
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (floats[i] != (*expected)[i] || !std::isfinite(floats[i]))
        return {false, false,
                fmt::format("element {} is {:.9g}, not {:.9g}", i, floats[i], (*expected)[i])};
      const Rational s = exact(static_cast<double>(floats[i]));
      if (abs(s - e[i]) * power_of_two(24) > abs(e[i]))
        return {false, false, fmt::format("element {} is too small", i)};
    }
    const auto changes = depends_on_symbols(graph, id);
    if (!changes) return {false, true, "weights for which a constant is not defined"};
    for (std::size_t i = 0; i < e.size(); ++i) {
      if ((*changes)[i] == 0 && exact(static_cast<double>(floats[i])) != e[i])
        return {
            false, false,
            fmt::format("element {} contains no weight and is {}, no float", i, to_string(e[i]))};
    }
    return {true, false, {}};
  }

  // By two draws of all symbols: what is the same for both has none of them.
  std::optional<std::vector<char>> depends_on_symbols(const Graph& graph, NodeId id) {
    std::vector<std::vector<Rational>> draws;
    for (std::uint64_t draw = 0; draw < 2; ++draw) {
      std::map<Digest, std::vector<float>> drawn;
      Rng rng(seed_ * 2 + draw);
      for (const Digest& digest : symbols_) drawn[digest];
      const auto floats = [&](const Node& node) {
        const auto it = drawn.find(node.constant()->digest());
        if (it == drawn.end()) return stored_floats(node);
        while (it->second.size() < node.constant()->floats().size())
          it->second.push_back(static_cast<float>(0.5 + rng.uniform()));
        return it->second;
      };
      auto values = values_of<Rational>(graph, {id}, with_any_functions(floats));
      if (!values) return std::nullopt;
      draws.push_back(std::move((*values)[id.index()].data));
    }
    std::vector<char> out;
    for (std::size_t i = 0; i < draws[0].size(); ++i)
      out.push_back(draws[0][i] != draws[1][i] ? 1 : 0);
    return out;
  }

  // In words, where some sum is too large.
  std::string growth(const Graph& mutant, Results results) const {
    const auto theirs = sizes(pair_.original, ones_for, results);
    const auto mine = sizes(mutant, ones_for, results);
    if (!theirs || !mine) return {};
    for (std::size_t i = 0; i < theirs->size(); ++i) {
      const auto most = channel_maxima((*theirs)[i]);
      const auto own = channel_maxima((*mine)[i]);
      for (std::size_t c = 0; c < most.size(); ++c) {
        if (std::isfinite(most[c]) && !(own[c] <= 1.001L * kMostGrowth * most[c]))
          return fmt::format("output {}: sums grow from {:.3g} to {:.3g}", i,
                             static_cast<double>(most[c]), static_cast<double>(own[c]));
      }
    }
    return {};
  }

  static std::vector<float> ones_for(const Node& node) {
    if (node.constant() != nullptr) return stored_floats(node);
    return std::vector<float>(static_cast<std::size_t>(count(*node.type.shape)), 1);
  }

  static std::optional<std::vector<test::Numbers<long double>>> sizes(
      const Graph& graph, const FloatsOf& floats, Results results, bool* beyond_floats = nullptr) {
    auto arithmetic = with_sizes(floats, results);
    arithmetic.settle = [=](Sized& x) {
      // Below the normal floats rounding errors get no smaller.
      if (x.size > 0) x.size = std::max(x.size, kSmallest);
      if (beyond_floats != nullptr && !(x.size <= kMostSize)) *beyond_floats = true;
    };
    const auto sized = outputs(graph, arithmetic);
    if (!sized) return std::nullopt;
    std::vector<test::Numbers<long double>> out;
    for (const auto& output : *sized) {
      out.push_back({output.shape, {}});
      for (const Sized& x : output.data) out.back().data.push_back(x.size);
    }
    return out;
  }

  template <class N>
  static std::optional<std::vector<test::Numbers<N>>> outputs(const Graph& graph,
                                                              const Arithmetic<N>& arithmetic) {
    auto values = values_of<N>(graph, graph.outputs(), arithmetic);
    if (!values) return std::nullopt;
    std::vector<test::Numbers<N>> out;
    for (const NodeId id : graph.outputs()) out.push_back((*values)[id.index()]);
    return out;
  }

  // Axis 1 is the channels'.
  static std::size_t channel_of(const Shape& shape, std::size_t element) {
    if (shape.size() < 2) return 0;
    std::size_t inside = 1;
    for (std::size_t a = 2; a < shape.size(); ++a) inside *= static_cast<std::size_t>(shape[a]);
    return element / inside % static_cast<std::size_t>(shape[1]);
  }

  static std::vector<long double> channel_maxima(const test::Numbers<long double>& sizes) {
    const auto channels = sizes.shape.size() < 2 ? 1 : static_cast<std::size_t>(sizes.shape[1]);
    std::vector<long double> out(channels, 0);
    for (std::size_t i = 0; i < sizes.data.size(); ++i) {
      long double& x = out[channel_of(sizes.shape, i)];
      x = std::max(x, sizes.data[i]);
    }
    return out;
  }

  // Nothing is said of how exact results are, only that floats hold them.
  static Judgement held_where(const std::vector<test::Numbers<long double>>& theirs,
                              const std::vector<test::Numbers<long double>>& mine) {
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      for (std::size_t k = 0; k < theirs[i].data.size(); ++k) {
        if (std::isfinite(theirs[i].data[k]) && !std::isfinite(mine[i].data[k]))
          return {false, false, fmt::format("output {}, element {}: beyond floats", i, k)};
      }
    }
    return {true, false, {}};
  }

  // A file of sums 2^16 times as large keeps 8 bits at least, less what many roundings cost; where
  // the original itself keeps fewer, nothing is said.
  Judgement run_in_floats() {
    std::map<std::string, std::vector<float>> inputs;
    Rng rng(seed_);
    for (const NodeId id : pair_.original.inputs()) {
      const Node& node = pair_.original.node(id);
      for (Dim i = 0; i < count(*node.type.shape); ++i) {
        const double size = 0.5 + rng.uniform();
        inputs[node.input()->name].push_back(static_cast<float>(rng.below(2) == 0 ? size : -size));
      }
    }
    const FloatsOf floats = [&](const Node& node) {
      return node.constant() != nullptr ? stored_floats(node) : inputs.at(node.input()->name);
    };
    bool overflows = false;  // the original itself, or but for the signs of what it sums
    const auto truth = outputs(pair_.original, exactly(floats));
    const auto size = sizes(pair_.original, floats, Results::AsTheyAre, &overflows);
    const auto theirs = outputs(pair_.original, in_floats(inputs, &overflows));
    const auto mine = outputs(pair_.file, in_floats(inputs));
    if (!truth || !size || !theirs || !mine) return {false, true, "an output that is not defined"};
    if (overflows) return held_where(*theirs, *mine);
    constexpr long double kShare = 0x1p-3L;
    for (std::size_t i = 0; i < truth->size(); ++i) {
      const auto most = channel_maxima((*size)[i]);
      for (std::size_t k = 0; k < (*truth)[i].data.size(); ++k) {
        const long double e = to_long_double((*truth)[i].data[k]);
        const long double allowed =
            std::max(kShare * most[channel_of((*size)[i].shape, k)], kSmallest);
        const auto is_far = [&](long double x) { return !(std::abs(x - e) <= allowed); };
        if (is_far((*mine)[i].data[k]) && !is_far((*theirs)[i].data[k]))
          return {false, false,
                  fmt::format("output {}, element {}: in floats {:.9g}, exactly {:.9g}", i, k,
                              static_cast<double>((*mine)[i].data[k]), static_cast<double>(e))};
      }
    }
    return {true, false, {}};
  }

  const FilePair& pair_;
  std::uint64_t seed_;
  std::set<Digest> symbols_;
  Graph unfolded_;  // with the programs that explain the file
};

}  // namespace

Judgement judge(const FilePair& pair, const WeightPrograms& honest, const WeightPrograms& found,
                std::uint64_t seed) {
  Judge judge(pair, seed);
  Judgement out = judge.explained_by(pair.programs);
  if (!pair.trick.empty()) {
    // What the original itself computes from weights may be stored as well.
    const auto own = folded({pair.original, pair.original, false, {}});
    for (const WeightPrograms& programs :
         {honest, WeightPrograms{}, own ? own->programs : WeightPrograms{}, found}) {
      if (out.acceptable) break;
      const Judgement otherwise = judge.explained_by(programs);
      const bool undecided = out.undecided || otherwise.undecided;
      if (otherwise.acceptable) out = otherwise;
      out.undecided = undecided && !out.acceptable;
    }
  }
  if (!out.acceptable) return out;
  return judge.rounding();
}

}  // namespace pet::fuzz
