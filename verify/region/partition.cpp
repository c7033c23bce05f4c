#include "verify/region/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/box_cover.h"
#include "core/util/check.h"
#include "verify/region/term_list.h"
#include "verify/values/step_limit.h"

namespace pet::region {
namespace {

constexpr std::size_t kMostBases = 64;
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
  return Narrow{static_cast<Var>(widest - box.begin()), Narrow::How::Cut,
                widest->low + widest->extent() / 2};
}

class Partitioning {
 public:
  Partitioning(Expander& original, NodeId original_output, Expander& mutant, NodeId mutant_output,
               const LeafTable& leaves, const PartitionLimits& limits)
      : limits_(limits),
        leaves_(leaves),
        sides_{std::pair(&original, original_output), std::pair(&mutant, mutant_output)} {
    out_.basis = DigitBasis::plain(*original.graph().node(original_output).type.shape);
  }

  Result<Partition> run() {
    for (std::size_t i = 0; i < kMostBases; ++i) {
      const auto finished = try_basis();
      if (!finished) return finished.error();
      if (*finished) return std::move(out_);
    }
    return Error{"the axes fall into too many digits"};
  }

 private:
  // False: the basis was refined.
  Result<bool> try_basis() {
    out_.pieces.clear();
    open_.clear();
    std::vector<Range> whole;
    for (const Dim extent : out_.basis.flat()) whole.push_back({0, extent});
    open_.push_back(std::move(whole));
    while (!open_.empty()) {
      if (out_.pieces.size() + open_.size() > limits_.boxes)
        return Error{fmt::format("more than {} boxes", limits_.boxes)};
      std::vector<Range> box = std::move(open_.back());
      open_.pop_back();
      const auto narrow = look_at(box);
      if (!narrow) return narrow.error();
      if (*narrow && !apply(**narrow, box)) return false;
    }
    return true;
  }

  // Nothing: the box is a piece now.
  Result<std::optional<Narrow>> look_at(const std::vector<Range>& box) {
    TermList difference(box.size());
    bool inputs_only = true;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& [expander, output] = sides_[side];
      auto expansion = expander->expand({{output, -1}, coordinates()}, box);
      if (sides_[0].first->steps() + sides_[1].first->steps() > limits_.steps)
        return more_than_steps(limits_.steps);
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
    out_.pieces.push_back(std::move(piece));
    return std::optional<Narrow>();
  }

  // By axis of the output, in digits.
  std::vector<Affine> coordinates() const {
    std::vector<Affine> out;
    Var var = 0;
    for (const Shape& digits : out_.basis.digits) {
      Affine e;
      for (const Dim digit : digits) e = e * digit + Affine::of(var++);
      out.push_back(std::move(e));
    }
    return out;
  }

  // False: not the box was cut but the basis refined.
  bool apply(const Narrow& narrow, const std::vector<Range>& box) {
    const auto digit = static_cast<std::size_t>(narrow.var);
    const Range range = box[digit];
    PET_CHECK(range.extent() > 1, "what is to be narrowed is wide");
    Dim at = range.low + 1;
    if (narrow.how == Narrow::How::Cut) {
      at = narrow.value;
    } else if (narrow.how == Narrow::How::Digits) {
      if (refine(digit, narrow.value)) return false;
      at = (floor_div(range.low, narrow.value) + 1) * narrow.value;
    }
    PET_CHECK(range.low < at && at < range.high, "a cut lies inside");
    for (const Range part : {Range{range.low, at}, Range{at, range.high}}) {
      open_.push_back(box);
      open_.back()[digit] = part;
    }
    return true;
  }

  bool refine(std::size_t digit, Dim factor) {
    for (Shape& digits : out_.basis.digits) {
      if (digit >= digits.size()) {
        digit -= digits.size();
        continue;
      }
      Dim& extent = digits[digit];
      if (factor < 2 || extent <= factor || extent % factor != 0) return false;
      extent /= factor;
      digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(digit) + 1, factor);
      return true;
    }
    return false;
  }

  const PartitionLimits limits_;
  const LeafTable& leaves_;
  std::array<std::pair<Expander*, NodeId>, 2> sides_;
  Partition out_;
  std::vector<std::vector<Range>> open_;
  std::size_t products_ = 0;
};

}  // namespace

Result<Partition> partition(Expander& original, NodeId original_output, Expander& mutant,
                            NodeId mutant_output, const LeafTable& leaves,
                            const PartitionLimits& limits) {
  return Partitioning(original, original_output, mutant, mutant_output, leaves, limits).run();
}

Box box_of(const Piece& piece) {
  Box out;
  for (const Range& range : piece.box) {
    out.low.push_back(range.low);
    out.high.push_back(range.high);
  }
  return out;
}

Region not_identical(const Partition& partition) {
  Region out{partition.basis, {}};
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
      out.boxes.push_back(box_of(piece));
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
