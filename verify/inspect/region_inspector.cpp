#include "verify/inspect/region_inspector.h"

#include "verify/inspect/cuts.h"
#include "verify/inspect/inspected_terms.h"
#include "verify/values/interface.h"

namespace pet {
namespace {

Sameness sameness_of(region::Finding finding) {
  switch (finding) {
    case region::Finding::Identical:
      return Sameness::Equal;
    case region::Finding::Different:
      return Sameness::Different;
    case region::Finding::NotIdentical:
      return Sameness::Unknown;
  }
  return Sameness::Unknown;
}

InspectedOutput whole(const Node& node, Sameness sameness) {
  InspectedOutput out{node.name, DigitBasis::plain(*node.type.shape), {}, {}, {}, {}};
  out.wrong.basis = out.basis;
  const Shape all = out.basis.flat();
  if (count(all) > 0) out.boxes = {{Box{Shape(all.size(), 0), all}, sameness}};
  return out;
}

InspectedOutput output_of(region::Pair& pair, const Node& node, std::size_t number) {
  if (!node.type.shape)
    return {node.name, {}, {}, {}, "how large it is depends on the values of the inputs", {}};
  if (pair.is_shared(number) || count(*node.type.shape) == 0) return whole(node, Sameness::Equal);
  const auto parts = pair.partition_of(number);
  if (!parts)
    return {node.name, DigitBasis::plain(*node.type.shape), {}, {}, parts.error().message, {}};
  InspectedOutput out{node.name, parts->basis,
                      {},        region::not_identical(*parts),
                      {},        cuts_of(parts->cuts, ProgramSide::Original)};
  for (const region::Piece& piece : parts->pieces)
    out.boxes.push_back({region::box_of(piece.box), sameness_of(piece.finding)});
  return out;
}

}  // namespace

Result<InspectedTerms> RegionInspector::terms(const Graph& original, const Graph& mutant,
                                              std::size_t output, const Shape& position,
                                              const std::stop_token& stop) {
  if (auto mismatch = interface_mismatch(original, mutant); !mismatch.empty())
    return Error{std::move(mismatch)};
  region::Pair pair(original, mutant, ValueTable::Weights::Symbols, {}, stop);
  const auto at = pair.terms_at(output, position);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (!at) return at.error();
  InspectedTerms out;
  out.original = at->original;
  out.mutant = at->mutant;
  for (const auto& [factors, boxes] : at->differing)
    for (const region::WeightedBox& box : boxes)
      out.differing.push_back(term_of(pair, factors, box, position.size()));
  return out;
}

Result<std::vector<InspectedOutput>> RegionInspector::boxes(const Graph& original,
                                                            const Graph& mutant,
                                                            const std::stop_token& stop) {
  if (auto mismatch = interface_mismatch(original, mutant); !mismatch.empty())
    return Error{std::move(mismatch)};
  region::Pair pair(original, mutant, ValueTable::Weights::Symbols, {}, stop);
  std::vector<InspectedOutput> out;
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    out.push_back(output_of(pair, original.node(original.outputs()[i]), i));
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  }
  return out;
}

}  // namespace pet
