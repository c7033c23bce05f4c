#include "gpu/kernel/from_meaning.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "gpu/kernel/function_text.h"
#include "gpu/kernel/index.h"

namespace pet::gpu {
namespace {

Shape joined(Shape a, const Shape& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The coefficient as numbers: its scale is in the first table, or stands alone.
std::vector<ExpressionRef> coefficients(const Coef& coef) {
  std::vector<ExpressionRef> out;
  Rational scale = coef.scale;
  for (const AxisTable& by_axis : coef.tables) {
    std::vector<float> values;
    for (const Rational& x : by_axis.values)
      values.push_back(static_cast<float>(to_double(Rational(scale * x))));
    out.push_back(table(std::move(values), v(by_axis.axis)));
    scale = 1;
  }
  if (scale != 1) out.push_back(number(static_cast<float>(to_double(scale))));
  return out;
}

ExpressionRef chained(Operation operation, std::vector<ExpressionRef> all, float of_none) {
  if (all.empty()) return number(of_none);
  return all.size() == 1 ? all.front() : call(operation, std::move(all));
}

class FromMeaning {
 public:
  FromMeaning(const Meaning& meaning, std::span<const Shape> operands, Surroundings& surroundings)
      : meaning_(meaning), surroundings_(surroundings) {
    shapes_.assign(operands.begin(), operands.end());
    for (const Application& one : meaning.applications) shapes_.push_back(one.out);
    operands_ = operands.size();
  }

  Result<Body> make() {
    body_.out = meaning_.sum.out;
    for (std::size_t a = 0; a < meaning_.applications.size(); ++a) {
      if (!meaning_.applications[a].window) continue;
      if (auto status = place(a); !status) return std::move(status).error();
    }
    std::vector<ExpressionRef> terms;
    for (const Term& term : meaning_.sum.terms) {
      auto made = term_of(term);
      if (!made) return std::move(made).error();
      terms.push_back(*std::move(made));
    }
    body_.value = chained(Operation::Add, std::move(terms), 0);
    return std::move(body_);
  }

 private:
  // What a window yields is computed with the sum where the sum reads it in place, else kept.
  Status place(std::size_t a) {
    const Application& one = meaning_.applications[a];
    const bool here = is_read_in_place(a);
    Body own{.out = one.out, .folds = {}, .value = nullptr};
    Body& body = here ? body_ : own;
    std::vector<ExpressionRef> row;
    if (auto status = fold_window(one, body, row); !status) return status;
    auto value = applied(one, identity_index(one.out), one.out, row, false);
    if (!value) return std::move(value).error();
    if (here) {
      placed_[a] = *std::move(value);
    } else {
      own.value = *std::move(value);
      kept_[a] = surroundings_.keep(std::move(own));
    }
    return Done{};
  }

  bool is_read_in_place(std::size_t a) const {
    const auto number = static_cast<int>(operands_ + a);
    const Application& one = meaning_.applications[a];
    if (one.out != meaning_.sum.out) return false;
    for (std::size_t b = a + 1; b < meaning_.applications.size(); ++b) {
      const Application& other = meaning_.applications[b];
      if (other.window && other.window->read.operand == number) return false;
      for (const Access& element : other.elements) {
        if (element.operand == number &&
            (other.out != one.out || !is_in_place(element.index, one.out) || !is_read_in_place(b)))
          return false;
      }
    }
    return std::ranges::all_of(meaning_.sum.terms, [&](const Term& term) {
      return std::ranges::all_of(term.factors, [&](const Access& factor) {
        return factor.operand != number ||
               (term.reduce.empty() && is_in_place(factor.index, one.out));
      });
    });
  }

  Status fold_window(const Application& one, Body& body, std::vector<ExpressionRef>& row) {
    const Window& window = *one.window;
    const Shape extents = joined(one.out, window.extent);
    std::vector<Guard> guards = needed_guards(window.guards, extents);
    const auto inside = guards_inside(
        window.read.index, shapes_[static_cast<std::size_t>(window.read.operand)], extents);
    guards.insert(guards.end(), inside.begin(), inside.end());
    auto element = read(window.read, extents, true);
    if (!element) return std::move(element).error();
    ExpressionRef elements = number(static_cast<float>(count(window.extent)));
    const auto add = [&](Fold fold, const ExpressionRef& each, ExpressionRef result) {
      body.folds.push_back(
          {fold, window.extent, guarded(guards, each, number(neutral(fold))), std::move(result)});
      return local(static_cast<int>(body.folds.size()) - 1);
    };
    if (!guards.empty()) {
      ExpressionRef own = local(static_cast<int>(body.folds.size()));
      elements = add(Fold::Sum, number(1), std::move(own));
    }
    for (const FoldText& text : one.function->row_text) {
      if (text.element.empty()) continue;
      Words words{
          {*element}, one.parameters, row, local(static_cast<int>(body.folds.size())), elements};
      const auto each = read_function_text(text.element, words);
      if (!each) return each.error();
      auto result = read_function_text(text.result, words);
      if (!result) return std::move(result).error();
      row.push_back(add(text.fold, *each, *std::move(result)));
    }
    return Done{};
  }

  // Of the function at a position.
  Result<ExpressionRef> applied(const Application& one, std::span<const IndexExpr> index,
                                const Shape& extents, const std::vector<ExpressionRef>& row,
                                bool in_fold) {
    Words words{{}, one.parameters, row, nullptr, nullptr};
    for (const Access& element : one.elements) {
      Access moved = element;
      for (IndexExpr& e : moved.index) e = e.substitute(index);
      auto value = read(moved, extents, in_fold);
      if (!value) return value;
      words.elements.push_back(*std::move(value));
    }
    return read_function_text(one.function->text, words);
  }

  Result<ExpressionRef> read(const Access& access, const Shape& extents, bool in_fold) {
    const auto place = static_cast<std::size_t>(access.operand);
    if (place < operands_) return surroundings_.read(place, access.index, extents, in_fold);
    const std::size_t a = place - operands_;
    if (const auto found = placed_.find(a); found != placed_.end()) return found->second;
    if (const auto found = kept_.find(a); found != kept_.end())
      return load(found->second, access.index);
    auto value = applied(meaning_.applications[a], access.index, extents, {}, in_fold);
    if (!value) return value;
    return guarded(guards_inside(access.index, shapes_[place], extents), *std::move(value),
                   number(0));
  }

  Result<ExpressionRef> term_of(const Term& term) {
    const bool in_fold = !term.reduce.empty();
    const Shape extents = joined(body_.out, term.reduce);
    if (in_fold && count(term.reduce) == 0) return number(0);
    std::vector<ExpressionRef> factors = coefficients(term.coef);
    for (const Access& factor : term.factors) {
      auto value = read(factor, extents, in_fold);
      if (!value) return value;
      factors.push_back(*std::move(value));
    }
    ExpressionRef product = guarded(needed_guards(term.guards, extents),
                                    chained(Operation::Multiply, std::move(factors), 1), number(0));
    if (!in_fold) return product;
    ExpressionRef own = local(static_cast<int>(body_.folds.size()));
    body_.folds.push_back({Fold::Sum, term.reduce, std::move(product), own});
    return own;
  }

  const Meaning& meaning_;
  Surroundings& surroundings_;
  std::vector<Shape> shapes_;  // of operands and applications
  std::size_t operands_ = 0;
  Body body_;
  std::map<std::size_t, ExpressionRef> placed_;  // by application
  std::map<std::size_t, int> kept_;
};

}  // namespace

Result<Body> body_of(const Meaning& meaning, std::span<const Shape> operands,
                     Surroundings& surroundings) {
  return FromMeaning(meaning, operands, surroundings).make();
}

}  // namespace pet::gpu
