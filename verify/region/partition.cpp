#include "verify/region/partition.h"

#include <algorithm>
#include <array>

#include "core/analysis/box_cover.h"
#include "verify/region/term_list.h"
#include "verify/values/step_limit.h"

namespace pet::region {
namespace {

constexpr std::size_t kMostCells = 1 << 20;

Dim volume(const std::vector<Range>& box) {
  Dim out = 1;
  for (const Range& range : box) out *= range.extent();
  return out;
}

// Nothing where the box is one position.
std::optional<Narrow> halved(const std::vector<Range>& box) {
  const auto widest = std::max_element(box.begin(), box.end(), [](const Range& a, const Range& b) {
    return a.extent() < b.extent();
  });
  if (widest == box.end() || widest->extent() < 2) return std::nullopt;
  return Narrow{static_cast<Var>(widest - box.begin()),
                Narrow::How::Cut,
                widest->low + widest->extent() / 2,
                {Cause::Kind::Close, {}, {}}};
}

class Partitioning {
 public:
  Partitioning(Expander& original, NodeId original_output, Expander& mutant, NodeId mutant_output,
               const LeafTable& leaves, const PartitionLimits& limits)
      : limits_(limits),
        leaves_(leaves),
        sides_{std::pair(&original, original_output), std::pair(&mutant, mutant_output)},
        cutting_(*original.graph().node(original_output).type.shape, limits.boxes) {}

  Result<Partition> run() {
    for (;;) {
      const auto box = cutting_.next();
      if (!box) return box.error();
      if (!*box) return Partition{cutting_.basis(), std::move(pieces_), cutting_.cuts()};
      const auto narrow = look_at(**box);
      if (!narrow) return narrow.error();
      if (!*narrow) continue;
      const auto goes = cutting_.cut(**box, **narrow, asks_);
      if (!goes) return goes.error();
      if (*goes == Cutting::Goes::Anew) pieces_.clear();
    }
  }

 private:
  // Nothing: the box is a piece now.
  Result<std::optional<Narrow>> look_at(const std::vector<Range>& box) {
    TermList difference(box.size());
    bool inputs_only = true;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& [expander, output] = sides_[side];
      auto expansion = expander->expand({{output, -1}, cutting_.coordinates()}, box);
      if (sides_[0].first->steps() + sides_[1].first->steps() > limits_.steps)
        return more_than_steps(limits_.steps);
      asks_ = side;
      if (const auto* need = std::get_if<Narrow>(&expansion)) return std::optional(*need);
      if (const auto* why = std::get_if<GiveUp>(&expansion)) return Error{why->reason};
      auto& products = std::get<std::vector<Product>>(expansion);
      products_ += products.size();
      if (products_ > limits_.products) return Error{"too many terms to compare"};
      for (Product& product : products) {
        for (const Factor& factor : product.factors)
          inputs_only = inputs_only && leaves_.kind(factor.leaf) == LeafKind::Input;
        difference.add(std::move(product), side == 0 ? 1 : -1);
      }
    }
    const auto settled = difference.settle(box, leaves_);
    if (const auto* need = std::get_if<Narrow>(&settled)) return std::optional(*need);
    const Left left = std::get<Left>(settled);
    if (left == Left::Unclear && volume(box) <= limits_.looked_at_closely) {
      if (const auto half = halved(box)) return half;
    }
    Piece piece{box, Finding::NotIdentical, inputs_only};
    if (left != Left::Unclear)
      piece.finding = left == Left::Nothing ? Finding::Identical : Finding::Different;
    pieces_.push_back(std::move(piece));
    return std::optional<Narrow>();
  }

  const PartitionLimits limits_;
  const LeafTable& leaves_;
  std::array<std::pair<Expander*, NodeId>, 2> sides_;
  Cutting cutting_;
  std::vector<Piece> pieces_;
  std::size_t asks_ = 0;  // the side that was written out last
  std::size_t products_ = 0;
};

}  // namespace

Result<Partition> partition(Expander& original, NodeId original_output, Expander& mutant,
                            NodeId mutant_output, const LeafTable& leaves,
                            const PartitionLimits& limits) {
  return Partitioning(original, original_output, mutant, mutant_output, leaves, limits).run();
}

Box box_of(const std::vector<Range>& ranges) {
  Box out;
  for (const Range& range : ranges) {
    out.low.push_back(range.low);
    out.high.push_back(range.high);
  }
  return out;
}

Region not_identical(const Partition& partition) {
  Region out{partition.basis, {}};
  if (partition.pieces.empty()) return out;
  const std::size_t rank = partition.basis.flat().size();
  std::vector<Dim> cells_of(rank, 0);
  std::vector<std::vector<Dim>> cuts(rank);
  std::size_t cells = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    for (const Piece& piece : partition.pieces)
      cuts[d].insert(cuts[d].end(), {piece.box[d].low, piece.box[d].high});
    std::sort(cuts[d].begin(), cuts[d].end());
    cuts[d].erase(std::unique(cuts[d].begin(), cuts[d].end()), cuts[d].end());
    cells_of[d] = static_cast<Dim>(cuts[d].size()) - 1;
    cells *= static_cast<std::size_t>(cells_of[d]);
    if (cells > kMostCells) break;
  }
  if (cells > kMostCells) {
    for (const Piece& piece : partition.pieces) {
      if (piece.finding == Finding::Identical) continue;
      out.boxes.push_back(box_of(piece.box));
    }
    return out;
  }
  std::vector<char> marked(cells, 0);
  const auto strides = row_major_strides(cells_of);
  for (const Piece& piece : partition.pieces) {
    if (piece.finding == Finding::Identical) continue;
    std::vector<std::size_t> flats = {0};
    for (std::size_t d = 0; d < rank; ++d) {
      std::vector<std::size_t> next;
      for (std::size_t i = 0; i + 1 < cuts[d].size(); ++i) {
        if (cuts[d][i] < piece.box[d].low || cuts[d][i] >= piece.box[d].high) continue;
        for (const std::size_t flat : flats)
          next.push_back(flat + i * static_cast<std::size_t>(strides[d]));
      }
      flats = std::move(next);
    }
    for (const std::size_t flat : flats) marked[flat] = 1;
  }
  for (const Box& grid : cover(marked, cells_of, cells)) {
    Box& box = out.boxes.emplace_back();
    for (std::size_t d = 0; d < rank; ++d) {
      box.low.push_back(cuts[d][static_cast<std::size_t>(grid.low[d])]);
      box.high.push_back(cuts[d][static_cast<std::size_t>(grid.high[d])]);
    }
  }
  return out;
}

}  // namespace pet::region
