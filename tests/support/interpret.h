// A meaning evaluated by its definition, one element after another, in long double: the judge of
// everything that evaluates faster.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/ir/meaning.h"

namespace pet::test {

struct Values {
  Shape shape;
  std::vector<Real> data;

  // The element at `index`, nothing outside.
  std::optional<Real> at(const std::vector<IndexExpr>& index, std::span<const Dim> axes) const {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const Dim position = index[i].value(axes);
      if (position < 0 || position >= shape[i]) return std::nullopt;
      flat = flat * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(position);
    }
    return data[flat];
  }
};

// Calls visit(prefix + position) for every position of a shape, in row-major order.
inline void for_each_position(std::vector<Dim> prefix, std::span<const Dim> shape,
                              const std::function<void(std::span<const Dim>)>& visit) {
  if (shape.empty()) return visit(prefix);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  prefix.push_back(0);
  for (Dim& i = prefix.back(); i < shape[0]; ++i)
    for_each_position(prefix, shape.subspan(1), visit);
}

inline Values interpret(const Application& application, std::span<const Values> known) {
  Values out{application.out, {}};
  const auto read = [&](const Access& access, std::span<const Dim> axes) {
    return known[static_cast<std::size_t>(access.operand)].at(access.index, axes);
  };
  for_each_position({}, application.out, [&](std::span<const Dim> o) {
    RowState row;
    if (application.window) {
      std::vector<Real> window;
      for_each_position({o.begin(), o.end()}, application.window->extent,
                        [&](std::span<const Dim> axes) {
                          if (!all_hold(application.window->guards, axes)) return;
                          if (const auto element = read(application.window->read, axes))
                            window.push_back(*element);
                        });
      row = application.function->row(application.parameters, window);
    }
    std::vector<Real> elements;
    for (const Access& access : application.elements)
      elements.push_back(read(access, o).value_or(0));
    out.data.push_back(application.function->value(application.parameters, row, elements));
  });
  return out;
}

inline Values interpret(const Meaning& meaning, std::vector<Values> known) {
  for (const Application& application : meaning.applications)
    known.push_back(interpret(application, known));
  Values out{meaning.sum.out, {}};
  for_each_position({}, meaning.sum.out, [&](std::span<const Dim> o) {
    Real sum = 0;
    for (const Term& term : meaning.sum.terms) {
      for_each_position({o.begin(), o.end()}, term.reduce, [&](std::span<const Dim> axes) {
        if (!all_hold(term.guards, axes)) return;
        Real product = static_cast<Real>(to_double(term.coef.at(axes)));
        for (const Access& factor : term.factors) {
          product *=
              known[static_cast<std::size_t>(factor.operand)].at(factor.index, axes).value_or(0);
        }
        sum += product;
      });
    }
    out.data.push_back(sum);
  });
  return out;
}

}  // namespace pet::test
