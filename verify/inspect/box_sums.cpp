// What every value of a program is, box by box, and why it falls into these.
#include <algorithm>

#include "verify/inspect/crossings.h"
#include "verify/inspect/cuts.h"
#include "verify/inspect/inspected_terms.h"
#include "verify/inspect/region_inspector.h"
#include "verify/values/interface.h"

namespace pet {
namespace {

constexpr std::size_t kMostTerms = 200'000;  // of all boxes of one value

region::Expander::Side engine_side(ProgramSide side) {
  return side == ProgramSide::Original ? region::Expander::Side::Original
                                       : region::Expander::Side::Mutant;
}

std::string why_no_boxes(const Node& node) {
  if (!node.type.shape) return "how large it is depends on the values of the inputs";
  return node.type.dtype == DType::Float ? "" : "its elements are no floating-point numbers";
}

template <class T>
void add_new(const std::vector<T>& some, std::vector<T>& all) {
  for (const T& one : some)
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

// The cuts of `boxes`, with those of the operands that each comes from.
std::vector<InspectedCut> traced(const region::SumBoxes& boxes, ProgramSide side,
                                 const Graph& graph, NodeId node,
                                 const std::vector<InspectedValue>& before) {
  std::vector<InspectedCut> out = cuts_of(boxes.cuts, side);
  for (const region::Cut& cut : boxes.cuts) {
    const auto here = std::ranges::find_if(
        out, [&](const InspectedCut& c) { return c.digit == cut.digit && c.at == cut.at; });
    const Crossings crossings = crossings_of(cut, graph, side, node, boxes.basis, before);
    add_new(crossings.sources, here->sources);
    add_new(crossings.begins, here->causes);
  }
  for (InspectedCut& cut : out) std::ranges::sort(cut.sources);
  return out;
}

InspectedValue value_of(region::Pair& pair, ProgramSide side, const Graph& graph, NodeId id,
                        const std::vector<InspectedValue>& before) {
  const Node& node = graph.node(id);
  InspectedValue out;
  if (node.type.shape) out.basis = DigitBasis::plain(*node.type.shape);
  out.reason = why_no_boxes(node);
  if (!out.reason.empty()) return out;
  const auto boxes = pair.sum_boxes_of(engine_side(side), id);
  if (!boxes) {
    out.reason = boxes.error().message;
    return out;
  }
  out.basis = boxes->basis;
  out.boxes = boxes->boxes.size();
  out.cuts = traced(*boxes, side, graph, id, before);
  for (const region::DigitSplit& split : boxes->splits)
    out.digits.push_back({split.axis, split.inner, cause_of(split.cause, side)});
  return out;
}

Result<std::vector<InspectedValue>> values_of(region::Pair& pair, ProgramSide side,
                                              const Graph& graph, const std::stop_token& stop) {
  std::vector<InspectedValue> out;
  for (const NodeId id : graph.ids()) {
    // A constant is a leaf, or a number at every place: looked at where it is read.
    if (graph.node(id).constant() != nullptr) {
      out.emplace_back().reason = "a constant";
      continue;
    }
    out.push_back(value_of(pair, side, graph, id, out));
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  }
  return out;
}

struct Place {
  ProgramSide side;
  NodeId value;
};

// Adds the terms of one program; an Error: they are too many, or beyond the engine.
Status add_terms(region::Pair& pair, const Place& place, const DigitBasis& basis,
                 const std::vector<region::Range>& box, std::size_t& terms,
                 InspectedSums::Part& part) {
  const auto sum = pair.sum_over(engine_side(place.side), place.value, basis, box);
  if (!sum) return sum.error();
  for (const auto& [factors, boxes] : *sum) {
    for (const region::WeightedBox& weighted : boxes) {
      if (++terms > kMostTerms) return Error{"too many terms to show"};
      part.terms.push_back(term_of(pair, factors, weighted, box.size()));
      part.terms.back().is_of_original = place.side == ProgramSide::Original;
      if (weighted.weight < 0) part.terms.back().coefficient.insert(0, "-");
    }
  }
  return Done();
}

// What stands at the places in each of the boxes.
Result<InspectedSums> sums_in(region::Pair& pair, const std::vector<Place>& places,
                              const DigitBasis& basis,
                              const std::vector<std::vector<region::Range>>& boxes,
                              const std::stop_token& stop) {
  InspectedSums out{basis, {}, {}};
  std::size_t terms = 0;
  for (const auto& box : boxes) {
    InspectedSums::Part& part = out.parts.emplace_back();
    part.box = region::box_of(box);
    for (const Place& place : places) {
      const auto ok = add_terms(pair, place, basis, box, terms, part);
      if (!ok) part.reason = ok.error().message;
    }
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  }
  return out;
}

InspectedSums nothing_known(const Node& node, std::string why) {
  return {node.type.shape ? DigitBasis::plain(*node.type.shape) : DigitBasis{}, {}, std::move(why)};
}

}  // namespace

Result<InspectedSplits> RegionInspector::splits(const Graph& original, const Graph& mutant,
                                                const std::stop_token& stop) {
  if (auto mismatch = interface_mismatch(original, mutant); !mismatch.empty())
    return Error{std::move(mismatch)};
  region::Pair pair(original, mutant, ValueTable::Weights::Symbols, {}, stop);
  auto first = values_of(pair, ProgramSide::Original, original, stop);
  if (!first) return first.error();
  auto second = values_of(pair, ProgramSide::Mutant, mutant, stop);
  if (!second) return second.error();
  return InspectedSplits{*std::move(first), *std::move(second)};
}

Result<InspectedSums> RegionInspector::sums(const Graph& original, const Graph& mutant,
                                            ProgramSide side, NodeId value,
                                            const std::stop_token& stop) {
  if (auto mismatch = interface_mismatch(original, mutant); !mismatch.empty())
    return Error{std::move(mismatch)};
  const Node& node = (side == ProgramSide::Original ? original : mutant).node(value);
  if (auto why = why_no_boxes(node); !why.empty()) return nothing_known(node, std::move(why));
  region::Pair pair(original, mutant, ValueTable::Weights::Symbols, {}, stop);
  const auto found = pair.sum_boxes_of(engine_side(side), value);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (!found) return nothing_known(node, found.error().message);
  return sums_in(pair, {{side, value}}, found->basis, found->boxes, stop);
}

Result<InspectedSums> RegionInspector::sums(const Graph& original, const Graph& mutant,
                                            std::size_t output, const std::stop_token& stop) {
  if (auto mismatch = interface_mismatch(original, mutant); !mismatch.empty())
    return Error{std::move(mismatch)};
  const Node& node = original.node(original.outputs()[output]);
  if (auto why = why_no_boxes(node); !why.empty()) return nothing_known(node, std::move(why));
  region::Pair pair(original, mutant, ValueTable::Weights::Symbols, {}, stop);
  const auto parts = pair.partition_of(output);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (!parts) return nothing_known(node, parts.error().message);
  std::vector<std::vector<region::Range>> boxes;
  for (const region::Piece& piece : parts->pieces) boxes.push_back(piece.box);
  return sums_in(pair,
                 {{ProgramSide::Original, original.outputs()[output]},
                  {ProgramSide::Mutant, mutant.outputs()[output]}},
                 parts->basis, boxes, stop);
}

}  // namespace pet
