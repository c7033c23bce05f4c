#include "tests/conformance/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/ir/builder.h"
#include "core/util/overloaded.h"
#include "tests/support/element_types.h"

namespace pet::test {
namespace {

Dim draw_integer(Rng& rng) {
  constexpr Dim kHostile[] = {std::numeric_limits<Dim>::max(),
                              std::numeric_limits<Dim>::min(),
                              Dim{1} << 31,
                              Dim{1} << 40,
                              (Dim{1} << 32) + 1,
                              -(Dim{1} << 31),
                              65537};
  return rng.below(4) == 0 ? kHostile[rng.below(std::size(kHostile))] : rng.between(-3, 7);
}

void change_list(Ints& list, Rng& rng) {
  const auto what = rng.below(8);
  if (what == 0) {
    list.push_back(draw_integer(rng));
  } else if (what == 1 && !list.empty()) {
    list.pop_back();
  } else if (!list.empty()) {
    list[rng.below(list.size())] = draw_integer(rng);
  }
}

AttrValue changed_value(AttrValue value, Rng& rng) {
  constexpr double kReals[] = {0,
                               -1,
                               0.5,
                               1e38,
                               1e-45,
                               -0.0,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
  const std::string kTexts[] = {"",      "none",          "tanh",    "DCR",    "CRD",
                                "edge",  "reflect",       "linear",  "ij->ji", "ij,jk->",
                                "a,a,a", "...a->a",       "floor",   "ceil",   "i->ii",
                                "->",    "align_corners", "\x01\xff"};
  std::visit(overloaded{[&](std::int64_t& i) { i = draw_integer(rng); },
                        [&](Ints& list) { change_list(list, rng); },
                        [&](double& x) { x = kReals[rng.below(std::size(kReals))]; },
                        [&](std::string& s) { s = kTexts[rng.below(std::size(kTexts))]; }},
             value);
  return value;
}

}  // namespace

Sample changed(const Sample& sample, Rng& rng, Change change) {
  Sample out = sample;
  std::vector<const AttrDef*> attrs;
  for (const AttrDef& attr : sample.op.def->attrs) {
    if (change == Change::Anything || attr.role == AttrRole::Geometry) attrs.push_back(&attr);
  }
  for (auto times = rng.below(3) + 1; times > 0; --times) {
    if (!attrs.empty() && rng.below(2) == 0) {
      const AttrDef& attr = *attrs[rng.below(attrs.size())];
      out.op.attrs.set(attr.name, changed_value(*out.op.attrs.find(attr.name), rng));
    } else {
      change_list(out.operands[rng.below(out.operands.size())], rng);
    }
  }
  return out;
}

Result<Meaning> accepted(const Sample& sample) {
  auto op = make_op(*sample.op.def, sample.op.attrs);
  if (!op) return std::move(op).error();
  GraphBuilder builder;
  std::vector<NodeId> ids;
  for (std::size_t i = 0; i < sample.operands.size(); ++i) {
    ids.push_back(
        builder.add_input(std::to_string(i), operand_type(sample.operands, sample.elements, i)));
  }
  const auto node = builder.add(*op, ids);
  if (!node) return node.error();
  return std::move(builder).build().meaning(*node);
}

std::string structural_fault(const Meaning& meaning, const std::vector<Shape>& operands) {
  std::vector<Shape> known = operands;
  const auto fault = [&](const Access& access, std::size_t axes) -> std::string {
    if (access.operand < 0 || static_cast<std::size_t>(access.operand) >= known.size())
      return "no such operand";
    if (access.index.size() != known[static_cast<std::size_t>(access.operand)].size())
      return "an index of another rank";
    for (const IndexExpr& e : access.index) {
      const auto used = e.axes();
      if (!used.empty() && used.back() >= static_cast<int>(axes))
        return fmt::format("no axis {}", used.back());
    }
    return "";
  };
  for (const Application& application : meaning.applications) {
    for (const Access& access : application.elements) {
      if (auto what = fault(access, application.out.size()); !what.empty()) return what;
    }
    if (application.window) {
      const std::size_t axes = application.out.size() + application.window->extent.size();
      if (auto what = fault(application.window->read, axes); !what.empty()) return what;
    }
    known.push_back(application.out);
  }
  for (const Term& term : meaning.sum.terms) {
    Shape axes = meaning.sum.out;
    axes.insert(axes.end(), term.reduce.begin(), term.reduce.end());
    for (const Access& factor : term.factors) {
      if (auto what = fault(factor, axes.size()); !what.empty()) return what;
    }
    for (const AxisTable& table : term.coef.tables) {
      if (static_cast<Dim>(table.values.size()) != axes.at(static_cast<std::size_t>(table.axis)))
        return "a table's length";
    }
  }
  return "";
}

Dim work(const Meaning& meaning, const std::vector<Shape>& operands) {
  constexpr Dim kCap = Dim{1} << 30;
  const auto product = [](Dim start, const Shape& shape) {
    for (const Dim extent : shape)
      start = extent != 0 && start > kCap / extent ? kCap : start * extent;
    return start;
  };
  Dim total = product(1, meaning.sum.out);
  for (const Shape& shape : operands) total += product(1, shape);
  for (const Application& a : meaning.applications) {
    total += product(product(1, a.out), a.window ? a.window->extent : Shape{});
  }
  for (const Term& term : meaning.sum.terms)
    total += product(product(1, meaning.sum.out), term.reduce);
  return total;
}

std::vector<Values> positive_operands(const Sample& sample, Rng& rng) {
  std::vector<Values> out;
  for (const TensorType& type : operand_types(sample.operands, sample.elements)) {
    out.push_back({*type.shape, {}});
    const bool is_truth = type.dtype == DType::Bool;
    for (Dim i = 0; i < count(*type.shape); ++i)
      out.back().data.push_back(
          static_cast<Real>(is_truth ? rng.between(0, 1) : rng.between(1, 9)));
  }
  return out;
}

}  // namespace pet::test
