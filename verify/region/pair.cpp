#include "verify/region/pair.h"

#include "verify/region/partial_functions.h"

namespace pet::region {

Pair::Pair(const Graph& original, const Graph& mutant, ValueTable::Weights weights,
           const PartitionLimits& limits, const std::stop_token& stop)
    : original_(original),
      mutant_(mutant),
      limits_(limits),
      table_(original, mutant, weights),
      first_(original, Expander::Side::Original, table_, leaves_, stop),
      second_(mutant, Expander::Side::Mutant, table_, leaves_, stop) {
  while (const auto id = table_.next_of_mutant()) {
    if (table_.is_new(*id) && is_opaque(table_.node(*id))) join_opaque(*id);
  }
}

// An operator without a meaning of ours yields what the original's yields if it is the same and
// reads the same.
void Pair::join_opaque(ValueId id) {
  const NodeId mine = table_.value(id).node;
  for (const NodeId theirs : original_.ids()) {
    if (!is_opaque(original_.node(theirs)) || !same_call(theirs, mine)) continue;
    table_.join(id, table_.of_original(theirs));
    return;
  }
}

bool Pair::same_call(NodeId theirs, NodeId mine) {
  const Node& a = original_.node(theirs);
  const Node& b = mutant_.node(mine);
  if (a.what != b.what || a.operands.size() != b.operands.size()) return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i) {
    if (!same_value(a.operands[i], b.operands[i])) return false;
  }
  return true;
}

bool Pair::same_value(NodeId theirs, NodeId mine) {
  if (table_.of_original(theirs) == table_.of_mutant(mine)) return true;
  const TensorType& type = original_.node(theirs).type;
  if (!type.shape || type != mutant_.node(mine).type) return false;
  const auto parts = partition(first_, theirs, second_, mine, leaves_, limits_);
  return parts && not_identical(*parts).empty();
}

bool Pair::is_shared(std::size_t output) const {
  return table_.of_original(original_.outputs()[output]) ==
         table_.of_mutant(mutant_.outputs()[output]);
}

Result<Partition> Pair::partition_of(std::size_t output) {
  return partition(first_, original_.outputs()[output], second_, mutant_.outputs()[output], leaves_,
                   limits_);
}

Result<Pair::TermsAt> Pair::terms_at(std::size_t output, const Shape& position) {
  std::vector<Range> box;
  std::vector<Affine> index;
  for (const Dim at : position) {
    index.push_back(Affine::of(static_cast<Var>(box.size())));
    box.push_back({at, at + 1});
  }
  TermsAt out;
  TermList difference(box.size());
  for (const bool is_original : {true, false}) {
    const NodeId node = is_original ? original_.outputs()[output] : mutant_.outputs()[output];
    auto expansion = (is_original ? first_ : second_).expand({{node, -1}, index}, box);
    if (const auto* why = std::get_if<GiveUp>(&expansion)) return Error{why->reason};
    if (!std::holds_alternative<std::vector<Product>>(expansion))
      return Error{"a position that is no single one"};
    for (Product& product : std::get<std::vector<Product>>(expansion)) {
      double products = 1;
      for (std::size_t v = box.size(); v < product.ranges.of.size(); ++v)
        products *= static_cast<double>(product.ranges.of[v].extent());
      (is_original ? out.original : out.mutant) += products;
      difference.add(std::move(product), is_original ? 1 : -1);
    }
  }
  out.differing = difference.cancelled();
  return out;
}

Result<SumBoxes> Pair::sum_boxes_of(Expander::Side side, NodeId value) {
  return sum_boxes(expander(side), value);
}

Result<TermList::Terms> Pair::sum_over(Expander::Side side, NodeId value, const DigitBasis& basis,
                                       const std::vector<Range>& box) {
  return region::sum_over(expander(side), value, basis, box);
}

bool Pair::is_defined() { return is_defined_with(first_, second_, leaves_); }

}  // namespace pet::region
