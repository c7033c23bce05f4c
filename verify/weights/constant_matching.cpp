#include "verify/weights/constant_matching.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/program/constant_folder.h"
#include "core/program/fold_affine.h"
#include "core/program/subprogram.h"
#include "verify/weights/fold_rounding.h"
#include "verify/weights/rearranged.h"

namespace pet {
namespace {

// Beyond that one is not looked at as a folding of the other.
constexpr std::uint64_t kFarApart = std::uint64_t{1} << 20;

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

// A constant that follows from the original's, and the program that yields it.
struct Candidate {
  std::shared_ptr<const Tensor> value;
  NodeId program;
};

struct Closest {
  NodeId program;
  std::uint64_t ulp = kFarApart;
};

std::optional<Closest> closest(const Tensor& tensor, const std::vector<Candidate>& candidates) {
  Closest out;
  for (const Candidate& candidate : candidates) {
    if (candidate.value->type() != tensor.type()) continue;
    const std::uint64_t here = distance(tensor, *candidate.value, out.ulp);
    if (here < out.ulp) out = {candidate.program, here};
  }
  if (out.ulp == kFarApart) return std::nullopt;
  return out;
}

// Constants of the mutant that are none of the original's, by their digests.
std::map<Digest, const Tensor*> unmatched(const Graph& original, const Graph& mutant) {
  std::set<Digest> theirs;
  for (const Node& node : original.nodes())
    if (node.constant() != nullptr) theirs.insert(node.constant()->digest());
  std::map<Digest, const Tensor*> out;
  for (const Node& node : mutant.nodes()) {
    const Tensor* tensor = node.constant();
    if (tensor != nullptr && is_weight(*tensor) && !theirs.contains(tensor->digest()))
      out.emplace(tensor->digest(), tensor);
  }
  return out;
}

// Adds to `programs` those of `open` that are the original's with their elements elsewhere.
std::map<Digest, NodeId> rearranged(GraphBuilder& programs, const Graph& original,
                                    const std::map<Digest, const Tensor*>& open,
                                    const std::stop_token& stop) {
  std::vector<std::shared_ptr<const Tensor>> sources;
  for (const Node& node : original.nodes()) {
    const auto* leaf = std::get_if<ConstantLeaf>(&node.what);
    if (leaf != nullptr && is_weight(**leaf)) sources.push_back(*leaf);
  }
  Rearrangements all(std::move(sources), stop);
  std::map<Digest, NodeId> out;
  // What is found soon first: there is an end to looking.
  for (const auto find : {&Rearrangements::whole, &Rearrangements::in_parts}) {
    for (const auto& [digest, tensor] : open) {
      if (out.contains(digest)) continue;
      if (const auto made = (all.*find)(programs, *tensor)) out.emplace(digest, *made);
    }
  }
  return out;
}

// Of the results of `folded`, which stand at these places.
std::vector<Candidate> candidates_of(const Graph& folded, const std::vector<Digest>& results,
                                     const std::vector<NodeId>& places) {
  std::map<Digest, NodeId> made;
  for (std::size_t i = 0; i < results.size(); ++i) made.emplace(results[i], places[i]);
  std::vector<Candidate> out;
  for (const Node& node : folded.nodes()) {
    const auto* leaf = std::get_if<ConstantLeaf>(&node.what);
    if (leaf == nullptr || !is_weight(**leaf)) continue;
    if (const auto it = made.find((*leaf)->digest()); it != made.end())
      out.push_back({*leaf, it->second});
  }
  return out;
}

// The programs once more, inside `builder`: where each result stands.
Result<std::vector<NodeId>> add(GraphBuilder& builder, const WeightPrograms& programs) {
  const std::vector<std::string> names(programs.results.size());
  return append(builder, programs.graph, copy_inputs(builder, programs.graph), names);
}

// Those of `programs` that explain a constant, as a file would carry them: each operand once.
Result<WeightPrograms> carried(GraphBuilder programs, const std::map<Digest, NodeId>& explained) {
  WeightPrograms out;
  for (const auto& [digest, program] : explained) {
    programs.add_output(program);
    out.results.push_back(digest);
  }
  const Graph all = std::move(programs).build();
  const auto needed = all.needed_by_outputs();
  GraphBuilder builder;
  const auto keep = [&](NodeId id) { return needed[id.index()] != 0; };
  GraphCopy copy(all, builder, {.keep = keep});
  if (auto done = copy.make_kept(); !done) return std::move(done).error();
  if (auto done = copy.make_outputs(); !done) return std::move(done).error();
  out.graph = std::move(builder).build();
  return out;
}

}  // namespace

Result<std::optional<MatchedConstants>> match_constants(const Graph& original, const Graph& mutant,
                                                        double most_ulp, std::size_t threads,
                                                        const std::stop_token& stop) {
  using Nothing = std::optional<MatchedConstants>;
  const auto open = unmatched(original, mutant);
  if (open.empty()) return Nothing{};
  const auto normalised = fold_affine(original, FoldWhat::ChannelMaps, FoldBeside::Others);
  if (!normalised) return normalised.error();
  ConstantFolder folder(original, threads, stop);
  const auto folded = folder.fold(*normalised);
  if (!folded) return folded.error();
  const WeightPrograms folds = std::move(folder).programs();
  GraphBuilder programs;
  const auto places = add(programs, folds);
  if (!places) return places.error();
  const auto candidates = candidates_of(folded->program, folds.results, *places);
  auto explained = rearranged(programs, original, open, stop);
  MatchedConstants out;
  for (const auto& [digest, tensor] : open) {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (explained.contains(digest)) continue;
    const auto best = closest(*tensor, candidates);
    if (!best) continue;  // it is the numbers that it holds
    explained.emplace(digest, best->program);
    if (best->ulp > 0) ++out.count;
  }
  if (explained.empty()) return Nothing{};
  auto found = carried(std::move(programs), explained);
  if (!found) return std::move(found).error();
  out.programs = *std::move(found);
  auto unfolded = unfold(original, mutant, out.programs);
  if (!unfolded) return std::move(unfolded).error();
  out.mutant = *std::move(unfolded);
  if (out.count == 0) return Nothing(std::move(out));
  const auto worst = worst_fold(out.mutant, threads, stop);
  if (!worst) return worst.error();
  // The nearest float is up to half a unit off by itself.
  const double beyond_nearest = std::max(*worst - 0.5, 0.0);
  if (beyond_nearest > most_ulp) return Nothing{};
  out.max_ulp = static_cast<std::uint64_t>(std::ceil(beyond_nearest));
  return Nothing(std::move(out));
}

}  // namespace pet
