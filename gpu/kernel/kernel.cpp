#include "gpu/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/util/check.h"
#include "gpu/kernel/index.h"

namespace pet::gpu {
namespace {

// Folds of at least so many elements are shared among the threads of a block.
constexpr Dim kSharedFold = 64;
constexpr Dim kMostThreads = 256;
// A block of its own for each of more numbers than that keeps more blocks waiting than it saves.
constexpr Dim kMostRowsOfOne = 1 << 18;

void mark(const ExpressionRef& root, std::vector<char>& depends) {
  const auto mark_axes = [&](const IndexExpr& e) {
    for (const int axis : e.axes()) {
      if (static_cast<std::size_t>(axis) < depends.size())
        depends[static_cast<std::size_t>(axis)] = 1;
    }
  };
  for (const Expression* e : in_order(root)) {
    for (const IndexExpr& index : e->index) mark_axes(index);
    for (const Guard& guard : e->guards) mark_axes(guard.expr);
  }
}

Dim largest_fold(const Body& body) {
  Dim largest = 0;
  for (const FoldStep& fold : body.folds) largest = std::max(largest, count(fold.extent));
  return largest;
}

// By axis of the result whether a fold depends on it.
std::vector<char> axes_of_folds(const Body& body) {
  std::vector<char> depends(body.out.size(), 0);
  for (const FoldStep& fold : body.folds) {
    mark(fold.element, depends);
    mark(fold.result, depends);
  }
  return depends;
}

// Where each axis of the body went: those of rows first, then those within.
std::vector<IndexExpr> new_axes(const std::vector<char>& is_row) {
  std::vector<IndexExpr> out(is_row.size());
  std::size_t next = 0;
  for (const char rows : {char{1}, char{0}}) {
    for (std::size_t i = 0; i < is_row.size(); ++i) {
      if (is_row[i] == rows) out[i] = v(next++);
    }
  }
  return out;
}

// In a fold no axis within the row is read, and the fold's own follow those of the rows.
std::vector<IndexExpr> with_fold_axes(std::vector<IndexExpr> axes, std::size_t rows,
                                      const Shape& extent) {
  for (std::size_t i = 0; i < extent.size(); ++i) axes.push_back(v(rows + i));
  return axes;
}

int threads_for(Dim fold) {
  return static_cast<int>(std::min(
      kMostThreads,
      std::max<Dim>(32, static_cast<Dim>(std::bit_ceil(static_cast<std::uint64_t>(fold))))));
}

Kernel by_rows(Body body, const std::vector<char>& is_row) {
  Kernel out;
  for (std::size_t i = 0; i < body.out.size(); ++i)
    (is_row[i] != 0 ? out.rows : out.within).push_back(body.out[i]);
  out.threads = threads_for(largest_fold(body));
  const auto axes = new_axes(is_row);
  for (FoldStep& fold : body.folds) {
    const auto inside = with_fold_axes(axes, out.rows.size(), fold.extent);
    fold.element = at(fold.element, inside);
    fold.result = at(fold.result, inside);
  }
  out.folds = std::move(body.folds);
  out.value = at(body.value, axes);
  out.place = axes;
  return out;
}

Dim operations_in(const ExpressionRef& root) {
  Dim sum = 0;
  for (const Expression* e : in_order(root)) {
    if (e->kind == Expression::Kind::Call)
      sum += std::max<Dim>(1, static_cast<Dim>(e->operands.size()) - 1);
  }
  return sum;
}

constexpr const char* word(Fold fold) {
  switch (fold) {
    case Fold::Sum:
      return "sum";
    case Fold::Product:
      return "product";
    case Fold::Largest:
      return "largest";
    case Fold::Smallest:
      return "smallest";
  }
  return "?";
}

}  // namespace

Shape Kernel::extents(const FoldStep& fold) const {
  Shape out = rows;
  if (!is_by_rows()) out.insert(out.end(), within.begin(), within.end());
  out.insert(out.end(), fold.extent.begin(), fold.extent.end());
  return out;
}

Shape Kernel::positions() const {
  Shape out = rows;
  out.insert(out.end(), within.begin(), within.end());
  return out;
}

float neutral(Fold fold) {
  switch (fold) {
    case Fold::Sum:
      return 0;
    case Fold::Product:
      return 1;
    case Fold::Largest:
      return -std::numeric_limits<float>::max();
    case Fold::Smallest:
      return std::numeric_limits<float>::max();
  }
  return 0;
}

Body with_equal_parts_shared(Body body) {
  Sharing sharing;
  for (FoldStep& fold : body.folds) {
    fold.element = sharing.shared(fold.element);
    fold.result = sharing.shared(fold.result);
  }
  body.value = sharing.shared(body.value);
  return body;
}

Kernel make_kernel(Body body, std::vector<Shape> reads) {
  const auto is_row = axes_of_folds(body);
  Dim rows = 1;
  for (std::size_t i = 0; i < is_row.size(); ++i) rows *= is_row[i] != 0 ? body.out[i] : 1;
  const bool shares =
      largest_fold(body) >= kSharedFold && (count(body.out) > rows || rows <= kMostRowsOfOne);
  const Shape result = body.out;
  Kernel out;
  if (shares) {
    out = by_rows(std::move(body), is_row);
  } else {
    out = {.rows = body.out,
           .within = {},
           .folds = std::move(body.folds),
           .value = std::move(body.value),
           .reads = {},
           .result = {},
           .place = identity_index(body.out)};
  }
  out.reads = std::move(reads);
  out.result = result;
  return out;
}

Dim flops_of(const Kernel& kernel) {
  const Dim rows = count(kernel.rows);
  Dim sum = operations_in(kernel.value) * count(kernel.result);
  for (const FoldStep& fold : kernel.folds)
    sum += rows *
           (count(fold.extent) * (operations_in(fold.element) + 1) + operations_in(fold.result));
  return sum;
}

std::string to_string(const Kernel& kernel) {
  std::string out;
  for (std::size_t k = 0; k < kernel.folds.size(); ++k) {
    const FoldStep& fold = kernel.folds[k];
    out += fmt::format("t{} = {} over {} of {}\n", k, word(fold.fold), pet::to_string(fold.extent),
                       to_string(fold.element));
    if (fold.result->kind != Expression::Kind::Local)
      out += fmt::format("t{} = {}\n", k, to_string(fold.result));
  }
  std::string place;
  for (const IndexExpr& e : kernel.place) place += (place.empty() ? "" : ", ") + to_string(e);
  return out + fmt::format("[{}] = {}\n", place, to_string(kernel.value));
}

}  // namespace pet::gpu
