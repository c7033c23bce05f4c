#include "verify/places/tame.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/util/rational.h"
#include "verify/values/value_table.h"

namespace pet::places {
namespace {

constexpr double kOrdinary = 14;  // powers of two, up or down

// What is known of a value's products: all of one value alike.
struct Products {
  bool is_constant = true;
  bool may_cancel = false;  // of a constant: some have a negative weight
  int weights = 0;          // at most, in one product
  bool is_foreign = false;  // of a constant: has numbers of which the original computes nothing
  int added = 0;            // constants that were added to what varies
  bool adds_signs = false;  // one of them may have either sign
  double least = 0;         // log2 of the numbers that products have on the way
  double most = 0;
  bool is_zero = false;  // a number that is 0 everywhere
};

class TameSums {
 public:
  explicit TameSums(const Graph& original, const Graph& mutant)
      : mutant_(mutant), varies_(mutant.depends_on_inputs()) {
    const auto needed = original.needed_by_outputs();
    for (const NodeId id : original.ids()) {
      const Tensor* tensor = original.node(id).constant();
      if (tensor == nullptr) continue;
      constants_.insert(tensor->digest());
      if (needed[id.index()] != 0) used_.insert(tensor->digest());
    }
  }

  bool run() {
    for (const NodeId id : mutant_.ids()) {
      const Node& node = mutant_.node(id);
      if (node.input() != nullptr) {
        values_.push_back({.is_constant = false});
      } else if (const Tensor* tensor = node.constant()) {
        values_.push_back(of_constant(*tensor));
      } else if (!mutant_.has_meaning(id) || !add(id)) {
        return false;
      }
    }
    return true;
  }

 private:
  Products of_constant(const Tensor& tensor) const {
    const auto role = ValueTable::role_of(tensor, ValueTable::Weights::Symbols,
                                          constants_.contains(tensor.digest()));
    const bool is_used = used_.contains(tensor.digest());
    if (role == ConstantRole::Symbol) return {.weights = 1, .is_foreign = !is_used};
    Products out;
    bool is_first = true;
    for (const float x : tensor.floats()) {
      out.may_cancel = out.may_cancel || x < 0;
      if (x == 0) continue;
      const double size = std::log2(std::abs(static_cast<double>(x)));
      out.least = is_first ? size : std::min(out.least, size);
      out.most = is_first ? size : std::max(out.most, size);
      is_first = false;
    }
    out.is_zero = is_first;
    return out;
  }

  static bool is_ordinary(const Products& products) {
    return std::max(-products.least, products.most) <= kOrdinary;
  }

  bool add(NodeId id) {
    const bool is_constant = varies_[id.index()] == 0;
    const Meaning& meaning = mutant_.meaning(id);
    // A function of constants is a weight like any other.
    const bool is_result = !meaning.applications.empty();
    Products out{.is_constant = is_constant};
    bool is_first = true;
    for (const Term& term : meaning.sum.terms) {
      const auto made = of_term(id, term);
      if (!made) return false;
      if (made->is_zero) continue;
      if (made->is_constant && !is_constant) {
        if (made->may_cancel && (made->is_foreign || !is_ordinary(*made))) return false;
        out.added += count(term.reduce) > 1 ? 2 : 1;
        out.adds_signs = out.adds_signs || made->may_cancel;
        continue;
      }
      out.is_foreign = out.is_foreign || made->is_foreign;
      out.may_cancel = out.may_cancel || made->may_cancel;
      out.weights = std::max(out.weights, made->weights);
      out.added += made->added * (count(term.reduce) > 1 ? 2 : 1);
      out.adds_signs = out.adds_signs || made->adds_signs;
      out.least = is_first ? made->least : std::min(out.least, made->least);
      out.most = is_first ? made->most : std::max(out.most, made->most);
      is_first = false;
    }
    if (is_constant) {
      // It is computed once: how it came about is looked at for whole files.
      out.weights = out.weights > 0 || is_result ? 1 : 0;
    } else if (out.may_cancel || out.weights > 1 || (out.adds_signs && out.added > 1) ||
               !is_ordinary(out)) {
      return false;
    }
    values_.push_back(out);
    return true;
  }

  // Nothing where it has coefficients that are 0 somewhere, beside what is infinite no zeros.
  std::optional<Products> of_term(NodeId id, const Term& term) const {
    const auto& operands = mutant_.node(id).operands;
    Products out;
    out.may_cancel = sgn(term.coef.scale) < 0;
    if (sgn(term.coef.scale) == 0) return std::nullopt;
    out.least = out.most = std::log2(std::abs(to_double(term.coef.scale)));
    for (const AxisTable& table : term.coef.tables) {
      double least = INFINITY;
      double most = -INFINITY;
      for (const Rational& x : table.values) {
        if (sgn(x) == 0) return std::nullopt;
        out.may_cancel = out.may_cancel || sgn(x) < 0;
        least = std::min(least, std::log2(std::abs(to_double(x))));
        most = std::max(most, std::log2(std::abs(to_double(x))));
      }
      out.least += least;
      out.most += most;
    }
    for (const Access& access : term.factors) {
      const auto k = static_cast<std::size_t>(access.operand);
      if (k >= operands.size()) {  // a function of constants
        out.weights += 1;
        continue;
      }
      const Products& factor = values_[operands[k].index()];
      out.is_constant = out.is_constant && factor.is_constant;
      out.may_cancel = out.may_cancel || factor.may_cancel;
      out.is_zero = out.is_zero || factor.is_zero;
      out.weights += factor.weights;
      out.is_foreign = out.is_foreign || factor.is_foreign;
      out.added += factor.added;
      out.adds_signs = out.adds_signs || factor.adds_signs;
      out.least += factor.least;
      out.most += factor.most;
    }
    return out;
  }

  const Graph& mutant_;
  std::vector<char> varies_;
  std::set<Digest> constants_;  // of the original
  std::set<Digest> used_;       // that its output follows from
  std::vector<Products> values_;
};

double largest_number(const Tensor& tensor) {
  if (tensor.type().dtype != DType::Float) return 1;
  double out = 0;
  for (const float x : tensor.floats())
    out = std::max(out, std::isfinite(x) ? std::abs(static_cast<double>(x)) : INFINITY);
  return out;
}

double largest_coefficient(const Coef& coef) {
  double out = std::abs(to_double(coef.scale));
  for (const AxisTable& table : coef.tables) {
    double most = 0;
    for (const Rational& x : table.values) most = std::max(most, std::abs(to_double(x)));
    out *= most;
  }
  return out;
}

// Whether it is one operator that computes, between such as move elements of what varies and of
// constants that are symbols in the proof.
bool computes_once(const Graph& piece, const std::set<Digest>& symbols) {
  const auto varies = piece.depends_on_inputs();
  const auto needed = piece.needed_by_outputs();
  std::size_t computing = 0;
  for (const NodeId id : piece.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = piece.node(id);
    if (const Tensor* tensor = node.constant()) {
      if (ValueTable::role_of(*tensor, ValueTable::Weights::Symbols,
                              symbols.contains(tensor->digest())) != ConstantRole::Symbol)
        return false;
    } else if (node.op() != nullptr) {
      if (!piece.has_meaning(id)) return false;
      if (is_data_movement(piece.meaning(id))) continue;
      if (varies[id.index()] == 0 || ++computing > 1) return false;
    }
  }
  return true;
}

}  // namespace

bool is_rounded_alike(const Graph& original, const Graph& mutant) {
  std::set<Digest> symbols;
  for (const NodeId id : original.ids()) {
    if (const Tensor* tensor = original.node(id).constant()) symbols.insert(tensor->digest());
  }
  return computes_once(original, symbols) && computes_once(mutant, symbols);
}

bool is_tame(const Graph& original, const Graph& mutant) {
  return TameSums(original, mutant).run();
}

bool stays_within_floats(const Graph& program) {
  constexpr double kFar = 0x1p100;
  std::vector<double> sizes;
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    double size = 1;
    if (const Tensor* tensor = node.constant()) size = largest_number(*tensor);
    if (program.has_meaning(id)) {
      size = 0;
      for (const Term& term : program.meaning(id).sum.terms) {
        double product = largest_coefficient(term.coef);
        for (const Dim extent : term.reduce) product *= static_cast<double>(extent);
        for (const Access& access : term.factors) {
          const auto k = static_cast<std::size_t>(access.operand);
          if (k < node.operands.size()) product *= sizes[node.operands[k].index()];
        }
        size += product;
      }
    }
    if (!(size <= kFar)) return false;  // no number, too
    sizes.push_back(size);
  }
  return true;
}

}  // namespace pet::places
