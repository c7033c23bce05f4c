// Joining: pieces of a batch laid one after another along a sliding axis (PET's N2H, N2W and Figure
// 1), so that one larger image is computed instead of several. Cutting: the inverse. Either is
// wrong where windows reach across a seam; with a halo (zeros between joined pieces, overlap
// between cut ones) it is right everywhere.
#include <fmt/format.h>

#include <functional>

#include "core/program/mutate/axes.h"
#include "core/program/mutate/generator.h"
#include "core/program/views.h"

namespace pet {
namespace {

struct Site {
  const Graph& graph;
  NodeId node;
  std::size_t operand;
  AxisPair batch;
  AxisPair slide;
  Dim factor;
};

using View = std::function<Result<NodeId>(GraphBuilder&, NodeId)>;

// The operator of the site between a view of its operand and a view of its result.
Result<Graph> between(const Site& site, const View& before, const View& after) {
  GraphBuilder b;
  std::vector<NodeId> operands;
  for (const NodeId input : site.graph.inputs())
    b.add_input(site.graph.node(input).input()->name, site.graph.node(input).type);
  for (const NodeId id : site.graph.node(site.node).operands) {
    const Node& leaf = site.graph.node(id);
    operands.push_back(leaf.input() != nullptr
                           ? b.add_input(leaf.input()->name, leaf.type)
                           : b.add_constant(std::get<ConstantLeaf>(leaf.what), leaf.name));
  }
  auto viewed = before(b, operands[site.operand]);
  if (!viewed) return std::move(viewed).error();
  operands[site.operand] = *viewed;
  auto result = b.add(*site.graph.node(site.node).op(), std::move(operands));
  if (!result) return std::move(result).error();
  auto back = after(b, *result);
  if (!back) return std::move(back).error();
  b.add_output(*back);
  return std::move(b).build();
}

// Along the result's sliding axis the pieces must come out equally long.
Status divides(const GraphBuilder& b, NodeId x, std::size_t axis, Dim factor) {
  const Dim extent = (*b.type(x).shape)[axis];
  if (extent % factor != 0) return Error{fmt::format("{} pieces of {} positions", factor, extent)};
  return Done{};
}

Result<Graph> join(const Site& s, Dim halo) {
  const Dim wanted = (*s.graph.node(s.node).type.shape)[s.slide.output];
  return between(
      s,
      [&](GraphBuilder& b, NodeId x) -> Result<NodeId> {
        auto padded = views::pad(b, x, s.slide.operand, 0, halo);
        if (!padded) return padded;
        return views::stack(b, *padded, s.batch.operand, s.slide.operand, s.factor);
      },
      [&](GraphBuilder& b, NodeId y) -> Result<NodeId> {
        if (auto status = divides(b, y, s.slide.output, s.factor); !status)
          return std::move(status).error();
        auto parted = views::unstack(b, y, s.batch.output, s.slide.output, s.factor);
        if (!parted || (*b.type(*parted).shape)[s.slide.output] < wanted)
          return Error{"the pieces come out too short"};
        return views::slice(b, *parted, s.slide.output, 0, wanted);
      });
}

Result<Graph> cut(const Site& s) {
  return between(
      s,
      [&](GraphBuilder& b, NodeId x) {
        return views::unstack(b, x, s.batch.operand, s.slide.operand, s.factor);
      },
      [&](GraphBuilder& b, NodeId y) {
        return views::stack(b, y, s.batch.output, s.slide.output, s.factor);
      });
}

Result<Graph> cut_with_halo(const Site& s, Dim halo) {
  const Dim extent = s.graph.operand_shapes(s.node)[s.operand][s.slide.operand];
  const Dim wanted = (*s.graph.node(s.node).type.shape)[s.slide.output];
  const Dim batch = s.graph.operand_shapes(s.node)[s.operand][s.batch.operand];
  if (wanted % s.factor != 0) return Error{"the result cannot be cut evenly"};
  return between(
      s,
      [&](GraphBuilder& b, NodeId x) -> Result<NodeId> {
        auto padded = views::pad(b, x, s.slide.operand, halo, halo);
        if (!padded) return padded;
        std::vector<NodeId> pieces;
        for (Dim i = 0; i < s.factor; ++i) {
          auto piece = views::slice(b, *padded, s.slide.operand, i * (extent / s.factor),
                                    extent / s.factor + 2 * halo);
          if (!piece) return piece;
          pieces.push_back(*piece);
        }
        return views::concat(b, pieces, s.batch.operand);
      },
      [&](GraphBuilder& b, NodeId y) -> Result<NodeId> {
        const Dim length = wanted / s.factor;
        if ((*b.type(y).shape)[s.slide.output] < halo / s.slide.step + length)
          return Error{"the pieces come out too short"};
        auto cropped = views::slice(b, y, s.slide.output, halo / s.slide.step, length);
        if (!cropped) return cropped;
        std::vector<NodeId> pieces;
        for (Dim i = 0; i < s.factor; ++i) {
          auto piece = views::slice(b, *cropped, s.batch.output, i * batch, batch);
          if (!piece) return piece;
          pieces.push_back(*piece);
        }
        return views::concat(b, pieces, s.slide.output);
      });
}

void propose(const Site& s, std::vector<Mutant>& out) {
  const Shape shape = s.graph.operand_shapes(s.node)[s.operand];
  const Dim overhang = s.slide.overhang;
  const Dim halo =
      s.slide.step > 0 ? (overhang + s.slide.step - 1) / s.slide.step * s.slide.step : 0;
  const auto add = [&](Result<Graph> program, const std::string& how) {
    if (program) out.push_back({*std::move(program), how});
  };
  const auto name = [&](const char* verb, const char* extra) {
    return fmt::format("{} {} of axis {} along axis {}{}", verb, s.factor, s.batch.operand,
                       s.slide.operand, extra);
  };
  if (shape[s.batch.operand] % s.factor == 0) {
    add(join(s, 0), name("join", ""));
    if (halo > 0) add(join(s, halo), name("join", " with a halo"));
  }
  if (shape[s.slide.operand] % s.factor == 0 && shape[s.slide.operand] > s.factor) {
    add(cut(s), name("cut", ""));
    if (halo > 0) add(cut_with_halo(s, halo), name("cut", " with a halo"));
  }
}

}  // namespace

std::vector<Mutant> joins_and_cuts(const Graph& subprogram) {
  std::vector<Mutant> out;
  const NodeId node = subprogram.outputs()[0];
  const auto& operands = subprogram.node(node).operands;
  const auto is_leaf = [&](NodeId id) { return subprogram.node(id).op() == nullptr; };
  if (!std::all_of(operands.begin(), operands.end(), is_leaf)) return out;
  constexpr Dim kPieces = 2;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (subprogram.node(operands[i]).constant() != nullptr) continue;
    const auto axes = free_axes(subprogram, node, i);
    for (const AxisPair& batch : axes) {
      for (const AxisPair& slide : axes) {
        // Two batch axes in a row change nothing but the layout.
        if (batch.batch && !slide.batch) propose({subprogram, node, i, batch, slide, kPieces}, out);
      }
    }
  }
  return out;
}

}  // namespace pet
