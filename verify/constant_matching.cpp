#include "verify/constant_matching.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>

#include "core/eval/rounding.h"
#include "core/ir/builder.h"
#include "core/program/postopt/fold_batch_norm.h"
#include "core/program/subprogram.h"

namespace pet {
namespace {

// Two foldings of the same weights, in whatever order and precision, lie much closer together.
constexpr std::uint64_t kFarApart = std::uint64_t{1} << 20;

// A constant that folding the original yields: the expression, with its value.
struct Candidate {
  Graph expression;
  Tensor value;
};

bool is_weight(const Tensor& tensor) {
  return tensor.type().dtype == DType::Float && tensor.floats().size() > 1 && tensor.all_finite();
}

// The number of steps from one float to the other.
std::uint64_t distance(float a, float b) {
  const auto rank = [](float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return std::int64_t{bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits};
  };
  return static_cast<std::uint64_t>(std::abs(rank(a) - rank(b)));
}

// At worst; anything beyond `limit` once it is clear that it is beyond.
std::uint64_t distance(const Tensor& a, const Tensor& b, std::uint64_t limit) {
  std::uint64_t worst = 0;
  for (std::size_t i = 0; i < a.floats().size() && worst <= limit; ++i)
    worst = std::max(worst, distance(a.floats()[i], b.floats()[i]));
  return worst;
}

class Matching {
 public:
  Matching(const Model& original, const Model& mutant, std::size_t threads,
           const std::stop_token& stop)
      : original_(original.graph), mutant_(mutant.graph), threads_(threads), stop_(stop) {}

  Result<std::optional<MatchedConstants>> run() {
    std::set<Digest> theirs;
    for (const Node& node : original_.nodes())
      if (node.constant() != nullptr) theirs.insert(node.constant()->digest());
    std::vector<NodeId> unmatched;
    for (const NodeId id : mutant_.ids()) {
      const Tensor* tensor = mutant_.node(id).constant();
      if (tensor != nullptr && is_weight(*tensor) && !theirs.contains(tensor->digest()))
        unmatched.push_back(id);
    }
    if (unmatched.empty()) return std::optional<MatchedConstants>{};
    if (auto done = list_candidates(); !done) return std::move(done).error();
    MatchedConstants out;
    std::map<NodeId, const Candidate*> chosen;
    for (const NodeId id : unmatched) {
      const Candidate* best = closest(*mutant_.node(id).constant(), out);
      if (best == nullptr) return std::optional<MatchedConstants>{};
      chosen[id] = best;
    }
    auto unfolded = with_expressions(chosen);
    if (!unfolded) return std::move(unfolded).error();
    out.mutant = *std::move(unfolded);
    return std::optional(std::move(out));
  }

 private:
  // What the folded original computes from constants alone for something that is not.
  Status list_candidates() {
    const auto folded = fold_batch_norms(original_);
    if (!folded) return folded.error();
    std::vector<char> constant(folded->nodes().size(), 0);
    std::set<NodeId> wanted;
    for (const NodeId id : folded->ids()) {
      const Node& node = folded->node(id);
      const auto is_constant = [&](NodeId o) {
        return folded->node(o).constant() != nullptr || constant[o.index()] != 0;
      };
      const bool all = node.op() != nullptr && !node.operands.empty() && folded->has_meaning(id) &&
                       std::all_of(node.operands.begin(), node.operands.end(), is_constant);
      constant[id.index()] = all ? 1 : 0;
      if (node.op() == nullptr || all) continue;
      for (const NodeId operand : node.operands)
        if (constant[operand.index()] != 0) wanted.insert(operand);
    }
    for (const NodeId id : wanted) {
      auto value = correctly_rounded(*folded, id, threads_, stop_);
      if (!value && value.error().kind == ErrorKind::Stopped) return std::move(value).error();
      if (!value || !is_weight(*value)) continue;
      GraphBuilder alone;
      auto place = copy_up_to(alone, *folded, id);
      if (!place) return std::move(place).error();
      alone.add_output(*place);
      candidates_.push_back({std::move(alone).build(), *std::move(value)});
    }
    return Done{};
  }

  static Result<NodeId> copy_up_to(GraphBuilder& builder, const Graph& graph, NodeId id) {
    std::set<NodeId> needed = {id};
    for (std::size_t i = id.index() + 1; i-- > 0;) {
      if (!needed.contains(NodeId(i))) continue;
      for (const NodeId operand : graph.node(NodeId(i)).operands) needed.insert(operand);
    }
    std::map<NodeId, NodeId> place;
    for (const NodeId from : needed) {
      std::vector<NodeId> operands;
      for (const NodeId operand : graph.node(from).operands) operands.push_back(place.at(operand));
      auto made = copy_node(builder, graph.node(from), std::move(operands));
      if (!made) return made;
      place[from] = *made;
    }
    return place.at(id);
  }

  const Candidate* closest(const Tensor& tensor, MatchedConstants& out) const {
    const Candidate* best = nullptr;
    std::uint64_t least = kFarApart;
    for (const Candidate& candidate : candidates_) {
      if (candidate.value.type() != tensor.type()) continue;
      const std::uint64_t here = distance(tensor, candidate.value, least);
      if (here >= least) continue;
      least = here;
      best = &candidate;
    }
    if (best != nullptr && least > 0) ++out.count;
    if (best != nullptr) out.max_ulp = std::max(out.max_ulp, least);
    return best;
  }

  Result<Unfolded> with_expressions(const std::map<NodeId, const Candidate*>& chosen) const {
    GraphBuilder builder;
    Unfolded out;
    std::map<NodeId, NodeId> place;
    for (const NodeId id : mutant_.inputs())
      place[id] = builder.add_input(mutant_.node(id).input()->name, mutant_.node(id).type);
    for (const NodeId id : mutant_.ids()) {
      const Node& node = mutant_.node(id);
      if (node.input() != nullptr) continue;
      auto made = made_by(builder, node, place, chosen.contains(id) ? chosen.at(id) : nullptr);
      if (!made) return std::move(made).error();
      place[id] = *made;
      if (chosen.contains(id))
        out.folded.push_back({std::get<ConstantLeaf>(node.what), node.name, *made});
    }
    for (const NodeId id : mutant_.outputs()) builder.add_output(place.at(id));
    out.graph = std::move(builder).build();
    return out;
  }

  static Result<NodeId> made_by(GraphBuilder& builder, const Node& node,
                                const std::map<NodeId, NodeId>& place, const Candidate* candidate) {
    if (candidate != nullptr) {
      auto results = append(builder, candidate->expression, {});
      if (!results) return std::move(results).error();
      return results->front();
    }
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place.at(operand));
    return copy_node(builder, node, std::move(operands));
  }

  const Graph& original_;
  const Graph& mutant_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::vector<Candidate> candidates_;
};

}  // namespace

Result<std::optional<MatchedConstants>> match_constants(const Model& original, const Model& mutant,
                                                        std::size_t threads,
                                                        const std::stop_token& stop) {
  return Matching(original, mutant, threads, stop).run();
}

}  // namespace pet
