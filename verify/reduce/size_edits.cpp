#include "verify/reduce/size_edits.h"

#include <functional>
#include <set>

#include "verify/reduce/resizing.h"

namespace pet::reduce {
namespace {

constexpr std::size_t kMostForPairs = 12;  // axes of one extent, for two of them to be tried alone
constexpr Dim kLargest = Dim{1} << 31;     // of two of them the product is a number

std::map<LeafAxis, Dim> axes_of(const Pair& pair) {
  std::map<LeafAxis, Dim> out;
  for (const Graph* program : {&pair.original, &pair.mutant}) {
    const auto needed = program->needed_by_outputs();
    for (const NodeId id : program->ids()) {
      const Node& node = program->node(id);
      const bool counts =
          node.input() != nullptr || (node.constant() != nullptr && needed[id.index()] != 0);
      if (!counts || !node.type.shape) continue;
      for (std::size_t axis = 0; axis < node.type.shape->size(); ++axis)
        out[{leaf_key(node), axis}] = (*node.type.shape)[axis];
    }
  }
  return out;
}

class SizeChanges {
 public:
  explicit SizeChanges(const Pair& pair) : axes_(axes_of(pair)) {}

  std::vector<SizeChange> all() {
    std::set<Dim, std::greater<>> extents;
    for (const auto& [axis, extent] : axes_)
      if (extent > 1 && extent < kLargest) extents.insert(extent);
    for (const Dim from : extents) {
      const std::set<Dim> smaller = {1, 2, from / 2, from - 1};
      for (const Dim to : smaller)
        if (to > 0 && to < from) along(from, to);
    }
    return std::move(out_);
  }

 private:
  using Group = std::vector<LeafAxis>;

  void along(Dim from, Dim to) {
    Group all;
    for (const auto& [axis, extent] : axes_)
      if (extent == from) all.push_back(axis);
    add(from, to, all);
    add_multiples(from, to);
    if (all.size() < 2) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Group others = all;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      add(from, to, others);
    }
    if (all.size() == 2) return;  // each alone is all but the other
    for (std::size_t i = 0; i < all.size() && all.size() <= kMostForPairs; ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) add(from, to, {all[i], all[j]});
    for (const LeafAxis& axis : all) add(from, to, {axis});
  }

  void add(Dim from, Dim to, const Group& group) {
    SizeChange change{from, to, {}, Numbers::AsTheyAre};
    for (const LeafAxis& axis : group) change.extents[axis] = to;
    add(std::move(change));
  }

  void add_multiples(Dim from, Dim to) {
    SizeChange change{from, to, {}, Numbers::AsTheyAre};
    bool any = false;
    for (const auto& [axis, extent] : axes_) {
      const bool related =
          extent > 1 && extent < kLargest && (extent % from == 0 || from % extent == 0);
      if (!related || extent * to % from != 0 || extent * to < from) continue;
      change.extents[axis] = extent * to / from;
      any = any || extent != from;
    }
    if (any) add(std::move(change));
  }

  void add(SizeChange change) {
    out_.push_back(change);
    change.first = Numbers::Scaled;
    out_.push_back(std::move(change));
  }

  std::map<LeafAxis, Dim> axes_;
  std::vector<SizeChange> out_;
};

}  // namespace

std::vector<TensorType> output_types(const Graph& program) {
  std::vector<TensorType> out;
  for (const NodeId id : program.outputs()) out.push_back(program.node(id).type);
  return out;
}

std::vector<SizeChange> size_changes(const Pair& pair) { return SizeChanges(pair).all(); }

Result<Pair> resized(const Pair& pair, const SizeChange& change, Outputs outputs) {
  auto original = Resizing(pair.original, change).find([](const Graph&) { return true; });
  if (!original) return std::move(original).error();
  auto mutant = Resizing(pair.mutant, change).find([&](const Graph& program) {
    return outputs == Outputs::MayDiffer || output_types(program) == output_types(*original);
  });
  if (!mutant) return std::move(mutant).error();
  return Pair{*std::move(original), *std::move(mutant)};
}

}  // namespace pet::reduce
