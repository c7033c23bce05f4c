#include "verify/rounding/summands.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "verify/rounding/summand_pieces.h"

namespace pet {
namespace {

using summands::Piece;
using summands::Pieces;
using summands::Slab;
using summands::Source;
using summands::TermBox;

Digest digest_of(std::string_view what, const std::multiset<Digest>& parts) {
  Digester out(what);
  for (const Digest& part : parts) out.add(part);
  return out.finish();
}

Digest constants() { return digest_of("constants", {}); }

Digest sum_of(const std::set<Digest>& alone, const std::multiset<Digest>& products) {
  return Digester("sum")
      .add(digest_of("alone", {alone.begin(), alone.end()}))
      .add(digest_of("products", products))
      .finish();
}

// What a sum over products is made of.
struct Summed {
  std::set<Digest> alone;
  std::multiset<Digest> products;
};

// x beside x + c is no more than x + c: where several products are added up, one of them has the
// bias.
void leave_out_shifted(std::set<Digest>& parts) {
  if (parts.size() < 2) return;
  const std::set<Digest> all = parts;
  std::erase_if(parts, [&](const Digest& part) {
    return all.contains(sum_of({part, constants()}, {}));
  });
}

constexpr std::size_t kMostPieces = 64;

// One program, node by node.
class Summands {
 public:
  explicit Summands(const Graph& graph) : graph_(graph) {
    for (const NodeId id : graph.ids()) pieces_.push_back(pieces_of(id));
  }

  int degree_of(NodeId id) const {
    int out = 0;
    for (const Piece& piece : pieces(id).pieces) out = std::max(out, piece.source.degree);
    return out;
  }

  Cuts cuts_of(NodeId id) const { return {pieces(id).axis, pieces(id).ends}; }

  // On the way to an output.
  struct Sums {
    std::set<Digest> unseen;
    std::multiset<Digest> of_one;
  };
  Sums on_the_way_to(NodeId output) const {
    std::vector<std::vector<char>> needed;  // by node and piece
    for (std::size_t i = 0; i <= output.index(); ++i) needed.emplace_back(pieces_[i].number(), 0);
    std::ranges::fill(needed.back(), 1);
    Sums out;
    for (std::size_t i = needed.size(); i-- > 0;) {
      for (std::size_t k = 0; k < needed[i].size(); ++k) {
        if (needed[i][k] == 0) continue;
        const Piece& piece = pieces_[i].pieces[k];
        out.unseen.insert(piece.unseen.begin(), piece.unseen.end());
        if (piece.of_one) out.of_one.insert(*piece.of_one);
        mark_read(NodeId(i), pieces_[i].slab(k), needed);
      }
    }
    return out;
  }

 private:
  const Pieces& pieces(NodeId id) const { return pieces_[id.index()]; }

  static Pieces whole(const Node& node, Piece piece) {
    const auto& shape = node.type.shape;
    Pieces out;
    out.add(shape && !shape->empty() ? shape->front() : 1, std::move(piece));
    return out;
  }

  // What an operand is made of altogether.
  Source source_of(NodeId id) const {
    Source out;
    for (const Piece& piece : pieces(id).pieces) out.include(piece.source);
    return out;
  }

  // The pieces of an operand that are read.
  std::pair<std::size_t, std::size_t> read(const Pieces& operand, const Access& access,
                                           const TermBox& box) const {
    if (operand.number() == 1) return {0, 1};
    const auto [least, most] = box.bounds(access.index[operand.axis]);
    std::size_t first = 0;
    while (first < operand.number() && operand.ends[first] <= least) ++first;
    std::size_t end = first;
    while (end < operand.number() && operand.slab(end).first <= most) ++end;
    return {first, end};
  }

  void mark_read(NodeId id, const Slab& slab, std::vector<std::vector<char>>& needed) const {
    const auto& operands = graph_.node(id).operands;
    if (!graph_.has_meaning(id) || !graph_.meaning(id).applications.empty()) {
      for (const NodeId operand : operands) std::ranges::fill(needed[operand.index()], 1);
      return;
    }
    const IndexedSum& sum = graph_.meaning(id).sum;
    for (const Term& term : sum.terms) {
      const TermBox box(sum.out, term, slab);
      if (!may_count(term, box)) continue;
      for (const Access& access : term.factors) {
        const NodeId operand = operands[static_cast<std::size_t>(access.operand)];
        const auto [first, end] = read(pieces(operand), access, box);
        for (std::size_t k = first; k < end; ++k) needed[operand.index()][k] = 1;
      }
    }
  }

  static bool may_count(const Term& term, const TermBox& box) {
    return std::ranges::all_of(term.guards,
                               [&](const Guard& guard) { return box.may_hold(guard); });
  }

  Pieces pieces_of(NodeId id) {
    const Node& node = graph_.node(id);
    if (const InputLeaf* input = node.input())
      return whole(node, {.source = {{Digester("input").add(input->name).finish()}, 1}});
    const bool reads_constants = std::ranges::all_of(
        node.operands, [&](NodeId operand) { return source_of(operand).is_constant(); });
    if (reads_constants) return whole(node, {});
    if (graph_.has_meaning(id)) return pieces_of(id, graph_.meaning(id));
    Digester opaque("opaque");
    digest_into(opaque, *node.op());
    for (const NodeId operand : node.operands) opaque.add(source_of(operand).digest());
    return whole(node, {.source = {{opaque.finish()}, 1}});
  }

  Pieces pieces_of(NodeId id, const Meaning& meaning) {
    const Node& node = graph_.node(id);
    const Shape& out = meaning.sum.out;
    if (meaning.applications.empty()) {
      for (std::size_t axis = 0; axis < out.size(); ++axis) {
        const auto cuts = cuts_along(axis, node, meaning.sum);
        if (cuts.empty() || cuts.size() >= kMostPieces) continue;
        Pieces found;
        found.axis = axis;
        Dim first = 0;
        for (const Dim end : cuts) {
          found.add(end, made_of(id, meaning, {axis, first, end}));
          first = end;
        }
        found.add(out[axis], made_of(id, meaning, {axis, first, out[axis]}));
        return found;
      }
    }
    return whole(node, made_of(id, meaning, {0, 0, out.empty() ? 1 : out.front()}));
  }

  // Inner positions along an axis of the result where it may be made of something else from there
  // on. They need not be right: which pieces a slab reads is found out for each of them.
  std::set<Dim> cuts_along(std::size_t axis, const Node& node, const IndexedSum& sum) const {
    std::set<Dim> out;
    const auto add_first_at = [&](const Term& term, const IndexExpr& e, Dim least) {
      Dim low = 0;
      Dim high = sum.out[axis];
      while (low < high) {
        const Dim middle = low + (high - low) / 2;
        const bool reached =
            TermBox(sum.out, term, {axis, middle, middle + 1}).bounds(e).first >= least;
        (reached ? high : low) = reached ? middle : middle + 1;
      }
      if (low > 0 && low < sum.out[axis]) out.insert(low);
    };
    const auto varies = [&](const IndexExpr& e) { return e.depends_on(static_cast<int>(axis)); };
    for (const Term& term : sum.terms) {
      for (const Guard& guard : term.guards) {
        if (sum.terms.size() == 1 || guard.multiple_of != 0 || !varies(guard.expr)) continue;
        add_first_at(term, guard.expr, guard.low);
        add_first_at(term, guard.expr, guard.high);
      }
      for (const Access& access : term.factors) {
        const Pieces& operand = pieces(node.operands[static_cast<std::size_t>(access.operand)]);
        if (operand.number() == 1 || !varies(access.index[operand.axis])) continue;
        for (std::size_t k = 0; k + 1 < operand.number(); ++k)
          add_first_at(term, access.index[operand.axis], operand.ends[k]);
      }
    }
    return out;
  }

  // The sum that a term takes as it is, up to a coefficient.
  const Summed* summed_in(const Term& term, const Source& summand) const {
    if (count(term.reduce) != 1 || summand.parts.size() != 1) return nullptr;
    const auto it = summed_.find(*summand.parts.begin());
    return it == summed_.end() ? nullptr : &it->second;
  }

  Piece made_of(NodeId id, const Meaning& meaning, const Slab& slab) {
    const auto& operands = graph_.node(id).operands;
    const auto results = results_of(id, meaning);
    Source all;
    std::set<Digest> alone;
    std::map<Digest, std::set<int>> signs;  // of what is alone
    std::multiset<Digest> products;
    bool adds_constants = false;  // which may be as large as they like
    bool has_both_signs = false;
    const Summed* inner = nullptr;  // of the last product
    for (const Term& term : meaning.sum.terms) {
      const TermBox box(meaning.sum.out, term, slab);
      if (!may_count(term, box)) continue;
      Source summand;
      int degree = 0;
      int sign = sgn(term.coef.scale);
      std::multiset<Digest> factors;
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        Source factor;
        if (k < operands.size()) {
          const Pieces& operand = pieces(operands[k]);
          const auto [first, end] = read(operand, access, box);
          for (std::size_t i = first; i < end; ++i) factor.include(operand.pieces[i].source);
        } else {
          factor = results[k - operands.size()];
        }
        if (factor.is_constant()) {
          if (k < operands.size() && turns_sign(operands[k])) sign = -sign;
          has_both_signs = has_both_signs || k >= operands.size() || may_mix_signs(operands[k]);
          continue;
        }
        summand.include(factor);
        degree = std::min(degree + factor.degree, kMostDegree);
        factors.insert(factor.digest());
      }
      adds_constants = adds_constants || factors.empty();
      if (factors.size() > 1) summand = {{digest_of("product", factors)}, degree};
      all.include(summand);
      if (summand.is_multiplied()) {
        products.insert(summand.digest());
        inner = factors.size() == 1 ? summed_in(term, summand) : nullptr;
        continue;
      }
      for (const Digest& part : summand.parts)
        signs[part].insert(summand.negated.contains(part) ? -sign : sign);
      alone.merge(summand.parts);
    }
    all.negated.clear();
    for (const auto& [part, of_part] : signs) {
      if (of_part == std::set{-1}) all.negated.insert(part);
    }
    if (all.is_constant() || sums_nothing(meaning)) return {all};
    // x less its mean is no x: far from 0 nothing is left of it.
    for (const auto& [part, of_part] : signs) {
      if (of_part.size() < 2) continue;
      has_both_signs = true;
      for (std::set<Digest>* parts : {&alone, &all.parts}) {
        parts->erase(part);
        parts->insert(Digester("against itself").add(part).finish());
      }
    }
    if (products.empty()) {
      leave_out_shifted(alone);
      all.parts = alone;
    }
    // A bias is added to the sums over a product at once, or afterwards; but no two.
    const bool is_bias = adds_constants && alone.empty() && products.size() == 1;
    if (is_bias && inner != nullptr && !inner->alone.contains(constants()))
      std::tie(alone, products) = std::tie(inner->alone, inner->products);
    if (adds_constants) alone.insert(constants());
    if (all.parts.size() + (adds_constants ? 1 : 0) <= 1 && !all.is_multiplied()) {
      if (!has_both_signs) return {all};
      return {.source = all, .of_one = all.digest()};
    }
    const Digest sum = sum_of(alone, products);
    Piece out{.source = Source{{sum}, all.degree}, .unseen = {sum}};
    if (products.empty()) return out;
    summed_.emplace(sum, Summed{alone, products});
    // Who adds a constant could as well add 0.
    if (alone.erase(constants()) > 0) out.unseen.insert(sum_of(alone, products));
    return out;
  }

  // Of what moves the elements of one value; nothing of anything else.
  std::optional<NodeId> only_operand(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.operands.size() != 1 || !graph_.has_meaning(id)) return std::nullopt;
    return is_data_movement(graph_.meaning(id)) ? std::optional(node.operands[0]) : std::nullopt;
  }

  // A constant that turns the sign of everything (others make fast convolutions).
  bool turns_sign(NodeId id) const {
    if (const auto moved = only_operand(id)) return turns_sign(*moved);
    const Tensor* tensor = graph_.node(id).constant();
    return tensor != nullptr && tensor->type().dtype == DType::Float &&
           std::ranges::all_of(tensor->floats(), [](float x) { return x < 0; });
  }

  // Of what is computed from constants nothing is known.
  bool may_mix_signs(NodeId id) const {
    if (const auto moved = only_operand(id)) return may_mix_signs(*moved);
    const Tensor* tensor = graph_.node(id).constant();
    if (tensor == nullptr || tensor->type().dtype != DType::Float) return true;
    const auto floats = tensor->floats();
    return std::ranges::any_of(floats, [](float x) { return x < 0; }) &&
           std::ranges::any_of(floats, [](float x) { return x > 0; });
  }

  std::vector<Source> results_of(NodeId id, const Meaning& meaning) const {
    const auto& operands = graph_.node(id).operands;
    std::vector<Source> results;
    for (const Application& application : meaning.applications) {
      bool is_constant = true;
      Digester function("function");
      function.add(application.function->name);
      for (const double x : application.parameters) function.add(std::bit_cast<std::uint64_t>(x));
      const auto read = [&](const Access& access) {
        const auto k = static_cast<std::size_t>(access.operand);
        const Source source =
            k < operands.size() ? source_of(operands[k]) : results[k - operands.size()];
        function.add(source.digest());
        is_constant = is_constant && source.is_constant();
      };
      for (const Access& access : application.elements) read(access);
      if (application.window) read(application.window->read);
      results.push_back(is_constant ? Source{} : Source{{function.finish()}, 1});
    }
    return results;
  }

  const Graph& graph_;
  std::vector<Pieces> pieces_;         // by node
  std::map<Digest, Summed> summed_{};  // of the sums over products met so far
};

}  // namespace

bool sums_nothing(const Meaning& meaning) {
  return is_data_movement(meaning) ||
         (meaning.sum.terms.size() == 1 && count(meaning.sum.terms[0].reduce) == 1);
}

SumsOfProgram sums_of(const Graph& graph) {
  const Summands found(graph);
  SumsOfProgram out;
  for (const NodeId output : graph.outputs()) {
    auto sums = found.on_the_way_to(output);
    out.by_output.push_back(std::move(sums.unseen));
    out.of_one_by_output.push_back(std::move(sums.of_one));
  }
  for (const NodeId id : graph.ids()) {
    out.degrees.push_back(found.degree_of(id));
    out.cuts.push_back(found.cuts_of(id));
  }
  return out;
}

}  // namespace pet
