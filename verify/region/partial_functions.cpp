#include "verify/region/partial_functions.h"

#include <algorithm>
#include <set>

#include "verify/region/term_list.h"
#include "verify/values/totality.h"

namespace pet::region {
namespace {

constexpr std::size_t kMostBoxes = 4096;

// The applications of partial functions as terms whose sums are the positions.
class Applied {
 public:
  Applied(Expander& expander, const LeafTable& leaves) : expander_(expander), leaves_(leaves) {}

  TermList& terms() { return terms_; }

  // False: it is not known what the node applies its functions to.
  bool add(NodeId id) {
    const Meaning& meaning = expander_.graph().meaning(id);
    for (std::size_t i = 0; i < meaning.applications.size(); ++i) {
      const Application& application = meaning.applications[i];
      if (application.function->totality == Totality::Total) continue;
      if (!add({id, static_cast<int>(i)}, application.out)) return false;
    }
    return true;
  }

 private:
  bool add(const Place& place, const Shape& shape) {
    std::vector<std::vector<Range>> open(1);
    for (const Dim extent : shape) open[0].push_back({0, extent});
    std::vector<Affine> index;
    for (std::size_t d = 0; d < shape.size(); ++d) index.push_back(Affine::of(static_cast<Var>(d)));
    std::size_t boxes = 0;
    while (!open.empty()) {
      const std::vector<Range> box = std::move(open.back());
      open.pop_back();
      if (std::any_of(box.begin(), box.end(), [](const Range& r) { return r.extent() == 0; }))
        continue;
      if (++boxes > kMostBoxes) return false;
      auto expansion = expander_.expand({place, index}, box);
      if (std::holds_alternative<GiveUp>(expansion)) return false;
      if (const auto* need = std::get_if<Narrow>(&expansion)) {
        halve(box, *need, open);
        continue;
      }
      for (Product& product : std::get<std::vector<Product>>(expansion)) {
        // What a leaf is by its whole arguments it is at one position only.
        const auto wide =
            std::find_if(box.begin(), box.end(), [](const Range& r) { return r.extent() > 1; });
        const bool moves = !leaves_.is_by_leaves(product.factors.front().leaf);
        if (moves && wide != box.end()) {
          halve(box, {static_cast<Var>(wide - box.begin()), Narrow::How::Apart, 0}, open);
          continue;
        }
        product.ranges.digits = 0;
        terms_.add(std::move(product), 1);
      }
    }
    return true;
  }

  static void halve(const std::vector<Range>& box, const Narrow& need,
                    std::vector<std::vector<Range>>& open) {
    const Range range = box[static_cast<std::size_t>(need.var)];
    const Dim at = need.how == Narrow::How::Cut ? need.value : range.low + range.extent() / 2;
    for (const Range part : {Range{range.low, at}, Range{at, range.high}}) {
      open.push_back(box);
      open.back()[static_cast<std::size_t>(need.var)] = part;
    }
  }

  Expander& expander_;
  const LeafTable& leaves_;
  TermList terms_{0};
};

}  // namespace

bool is_defined_with(Expander& original, Expander& mutant, const LeafTable& leaves) {
  // A runtime may run, and fail at, an operator without a meaning of ours that no output needs.
  std::set<ValueId> all;
  for (const NodeId id : original.graph().ids()) all.insert(original.id_of(id));
  for (const NodeId id : mutant.graph().ids()) {
    if (is_opaque(mutant.graph().node(id)) && !all.contains(mutant.id_of(id))) return false;
  }
  // Of partial functions that no output needs nothing is promised by the original or asked of the
  // mutant.
  const auto ours_needed = original.graph().needed_by_outputs();
  const auto theirs_needed = mutant.graph().needed_by_outputs();
  std::set<ValueId> shared;
  for (const NodeId id : original.graph().ids()) {
    if (ours_needed[id.index()] != 0) shared.insert(original.id_of(id));
  }
  Applied theirs(mutant, leaves);
  bool any = false;
  for (const NodeId id : mutant.graph().ids()) {
    if (theirs_needed[id.index()] == 0 || shared.contains(mutant.id_of(id))) continue;
    if (!applies_partial_function(mutant.graph(), id)) continue;
    any = true;
    if (!theirs.add(id)) return false;
  }
  if (!any) return true;
  Applied ours(original, leaves);
  for (const NodeId id : original.graph().ids()) {
    // What is not known of the original is not counted on.
    if (ours_needed[id.index()] != 0 && applies_partial_function(original.graph(), id))
      ours.add(id);
  }
  return ours.terms().covers(theirs.terms());
}

}  // namespace pet::region
