// What values are made of, piece by piece (summands.h).
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
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

// What stands against itself, and what constants are added to, are forms of one thing: what is
// summed of x, x less its mean, and x + c is constants times x and a constant.
class Forms {
 public:
  Digest against_itself(const Digest& part) {
    const Digest out = Digester("against itself").add(part).finish();
    things_.emplace(out, part);
    return out;
  }
  // `sum`: of the part and constants.
  void shift(const Digest& part, const Digest& sum) {
    shifted_.insert(sum);
    things_.emplace(sum, part);
  }

  bool are_of_one(const std::set<Digest>& parts) const {
    std::set<Digest> things;
    for (Digest part : parts) {
      for (auto it = things_.find(part); it != things_.end(); it = things_.find(part))
        part = it->second;
      things.insert(part);
    }
    return things.size() == 1;
  }
  // Those that constants were added to.
  std::vector<Digest> shifted(const std::set<Digest>& parts) const {
    std::vector<Digest> out;
    std::ranges::set_intersection(parts, shifted_, std::back_inserter(out));
    return out;
  }

 private:
  std::map<Digest, Digest> things_;  // by form
  std::set<Digest> shifted_;
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
  std::optional<Digest> unseen{};  // may cancel out of sight of sizes
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

  // With the sources of another way to the same value, where its pieces are known as well, and the
  // higher degree of both.
  Pieces with_sources_of(const Pieces& other) const {
    const bool is_cut_alike = axis == other.axis && ends == other.ends;
    if (number() > 1 && other.number() > 1 && !is_cut_alike) return *this;
    const Pieces& cut = number() > 1 ? *this : other;
    Pieces out;
    out.axis = cut.axis;
    for (std::size_t k = 0; k < cut.number(); ++k) {
      Piece piece = pieces[number() > 1 ? k : 0];
      const int degree = piece.source.degree;
      piece.source = other.pieces[other.number() > 1 ? k : 0].source;
      piece.source.degree = std::max(piece.source.degree, degree);
      out.add(cut.ends[k], std::move(piece));
    }
    return out;
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
