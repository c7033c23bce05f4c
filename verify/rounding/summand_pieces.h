// What values are made of, piece by piece (summands.h).
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/ir/meaning.h"
#include "core/util/digest.h"

namespace pet::summands {

// What the elements of a value are made of: inputs, results of functions, products, sums of such.
// Nothing: constants.
struct Source {
  std::set<Digest> parts;
  int degree = 0;              // how many of them its largest products multiply
  std::set<Digest> negated{};  // of the parts: those with a minus in front, wherever they stand

  bool is_constant() const { return parts.empty(); }
  bool is_multiplied() const { return degree > 1; }
  void include(const Source& other) {
    for (const Digest& part : other.parts) {
      const bool is_negated = other.negated.contains(part);
      if (parts.insert(part).second && is_negated) negated.insert(part);
      if (!is_negated) negated.erase(part);
    }
    degree = std::max(degree, other.degree);
  }
  Digest digest() const {
    Digester out("parts");
    for (const Digest& part : parts) out.add(part);
    return out.finish();
  }
};

// Part of a result: `first` <= its index along `axis` < `end`.
struct Slab {
  std::size_t axis = 0;
  Dim first = 0;
  Dim end = 0;
};

// What a piece of a value is made of, and what it is where that is a sum with more to say than
// sizes.
struct Piece {
  Source source;
  std::set<Digest> unseen{};       // may cancel out of sight of sizes; and what is as good as that
  std::optional<Digest> of_one{};  // over one thing with both signs
};

// What a value is made of, piece by piece along one axis: of what was concatenated each piece has
// its own.
struct Pieces {
  std::size_t axis = 0;
  std::vector<Dim> ends;  // rising; the last is the extent
  std::vector<Piece> pieces;

  std::size_t number() const { return pieces.size(); }
  Slab slab(std::size_t piece) const {
    return {axis, piece == 0 ? 0 : ends[piece - 1], ends[piece]};
  }
  void add(Dim end, Piece piece) {
    if (!pieces.empty() && is_last(piece)) {
      ends.back() = end;
      return;
    }
    ends.push_back(end);
    pieces.push_back(std::move(piece));
  }

 private:
  bool is_last(const Piece& piece) const {
    const Piece& last = pieces.back();
    return last.source.parts == piece.source.parts && last.source.negated == piece.source.negated &&
           last.unseen == piece.unseen && last.of_one == piece.of_one;
  }
};

// The axes of a term over a part of its result.
class TermBox {
 public:
  TermBox(const Shape& out, const Term& term, const Slab& slab) : extents_(out), slab_(slab) {
    extents_.insert(extents_.end(), term.reduce.begin(), term.reduce.end());
    if (!out.empty()) extents_[slab.axis] = slab.end - slab.first;
  }

  // Smallest and largest value, or more.
  std::pair<Dim, Dim> bounds(const IndexExpr& e) const {
    if (slab_.first == 0) return e.bounds(extents_);
    std::vector<IndexExpr> shifted;
    for (std::size_t i = 0; i < extents_.size(); ++i) shifted.push_back(v(i));
    shifted[slab_.axis] += slab_.first;
    return e.substitute(shifted).bounds(extents_);
  }
  bool may_hold(const Guard& guard) const {
    if (guard.multiple_of != 0) return true;
    const auto [least, most] = bounds(guard.expr);
    return least < guard.high && most >= guard.low;
  }

 private:
  Shape extents_;
  const Slab slab_;
};

}  // namespace pet::summands
