#include "core/ops/parts/pieces.h"

#include <fmt/format.h>

namespace pet::ops {
namespace {

Error too_many(std::string_view who) {
  return {fmt::format("{}: reads more than {} pieces of its operand", who, kMostPieces),
          ErrorKind::Unsupported};
}

Term with(const Term& term, const Piece& piece) {
  Term out = term;
  out.guards.insert(out.guards.end(), piece.guards.begin(), piece.guards.end());
  out.factors[0].index.push_back(piece.at);
  out.coef.scale *= piece.coef.scale;
  out.coef.tables.insert(out.coef.tables.end(), piece.coef.tables.begin(), piece.coef.tables.end());
  return out;
}

// Cuts a list of positions, axis by axis from the outermost, into runs whose steps are the same
// everywhere inside.
class Cutter {
 public:
  Cutter(const std::vector<Dim>& positions, const Shape& extents, std::size_t first)
      : positions_(positions),
        extents_(extents),
        first_(first),
        strides_(row_major_strides(extents)) {}

  // false: too many.
  bool cut(std::size_t axis, std::size_t offset, const Piece& outside) {
    if (axis == extents_.size()) {
      if (pieces_.size() == kMostPieces) return false;
      pieces_.push_back(outside);
      pieces_.back().at += positions_[offset];
      return true;
    }
    const auto stride = static_cast<std::size_t>(strides_[axis]);
    const Dim extent = extents_[axis];
    for (Dim low = 0; low < extent;) {
      const std::size_t slab = offset + static_cast<std::size_t>(low) * stride;
      const Run run = run_from(slab, stride, extent - low);
      Piece inside = outside;
      const auto guards = within(first_ + axis, low, low + run.length, extent);
      inside.guards.insert(inside.guards.end(), guards.begin(), guards.end());
      inside.at += (v(first_ + axis) - low) * run.step;
      if (!cut(axis + 1, slab, inside)) return false;
      low += run.length;
    }
    return true;
  }

  std::vector<Piece> pieces() && { return std::move(pieces_); }

 private:
  struct Run {
    Dim length = 1;
    Dim step = 0;
  };

  // How many of the slabs from this one on follow each other by the same step everywhere inside.
  Run run_from(std::size_t slab, std::size_t size, Dim slabs) const {
    Run run;
    for (; run.length < slabs; ++run.length, slab += size) {
      const Dim step = positions_[slab + size] - positions_[slab];
      if (run.length == 1) run.step = step;
      if (step != run.step || !moves_by(slab, size, step)) break;
    }
    if (run.length == 1) run.step = 0;
    return run;
  }

  bool moves_by(std::size_t slab, std::size_t size, Dim step) const {
    for (std::size_t i = 1; i < size; ++i) {
      if (positions_[slab + size + i] - positions_[slab + i] != step) return false;
    }
    return true;
  }

  const std::vector<Dim>& positions_;
  const Shape& extents_;
  std::size_t first_;
  std::vector<Dim> strides_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Guard> within(std::size_t axis, Dim low, Dim high, Dim extent) {
  if (low <= 0 && high >= extent) return {};
  return {{v(axis), low, high}};
}

Result<std::vector<Term>> sum_of_pieces(std::string_view who,
                                        std::span<const std::vector<Piece>> axes) {
  std::vector<Term> terms = {{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, {}}}}};
  for (const auto& pieces : axes) {
    if (terms.size() * pieces.size() > kMostPieces) return too_many(who);
    std::vector<Term> more;
    for (const Term& term : terms) {
      for (const Piece& piece : pieces) more.push_back(with(term, piece));
    }
    terms = std::move(more);
  }
  return terms;
}

Result<std::vector<Piece>> pieces_of(std::string_view who, const std::vector<Dim>& positions,
                                     const Shape& extents, std::size_t first) {
  if (positions.empty()) return std::vector<Piece>{};
  Cutter cutter(positions, extents, first);
  if (!cutter.cut(0, 0, {})) return too_many(who);
  return std::move(cutter).pieces();
}

}  // namespace pet::ops
