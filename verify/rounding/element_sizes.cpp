#include "verify/rounding/element_sizes.h"

#include <algorithm>
#include <map>

namespace pet {
namespace {

LaneTensor<double> shape_alone(const Shape& shape) {
  LaneTensor<double> out;
  out.shape = shape;
  return out;
}

LaneTensor<double> filled(const Shape& shape, double size) {
  LaneTensor<double> out(shape, 1);
  std::ranges::fill(out.values(), size);
  return out;
}

bool all_same(std::span<const double> sizes) {
  return !sizes.empty() && std::ranges::all_of(sizes, [&](double x) { return x == sizes[0]; });
}

// Where along an axis two tensors of the same shape differ from the position before: offsets into
// what is kept of each, in steps of their axes.
struct Joint {
  std::vector<std::size_t> a, b;
};

Joint joint(const Sizes& a, const Sizes& b, std::size_t axis) {
  Joint out;
  std::map<std::pair<Dim, Dim>, char> seen;
  const bool all = a.alike().all_differ(axis) || b.alike().all_differ(axis);
  const auto stride = [axis](const Sizes& sizes) {
    return row_major_strides(sizes.alike().classes())[axis];
  };
  for (Dim i = 0; i < a.shape()[axis]; ++i) {
    const Dim x = a.alike().class_of(axis, i);
    const Dim y = b.alike().class_of(axis, i);
    if (!all && !seen.try_emplace({x, y}, 0).second) continue;
    out.a.push_back(static_cast<std::size_t>(x * stride(a)));
    out.b.push_back(static_cast<std::size_t>(y * stride(b)));
  }
  return out;
}

}  // namespace

Sizes::Sizes(const Shape& shape, double everywhere)
    : alike_(Alike::everywhere(shape)),
      of_classes_(std::make_shared<LaneTensor<double>>(filled(alike_.classes(), everywhere))) {}

Sizes::Sizes(LaneTensor<double> of_elements) : alike_(Alike::nowhere(of_elements.shape)) {
  if (all_same(of_elements.values())) {
    *this = Sizes(of_elements.shape, of_elements.lane(0)[0]);
    return;
  }
  of_classes_ = std::make_shared<LaneTensor<double>>(std::move(of_elements));
}

Sizes::Sizes(Alike alike, LaneTensor<double> of_classes) : alike_(std::move(alike)) {
  if (all_same(of_classes.values())) {
    *this = Sizes(alike_.shape(), of_classes.lane(0)[0]);
    return;
  }
  of_classes_ = std::make_shared<LaneTensor<double>>(std::move(of_classes));
}

Sizes Sizes::unread(const Shape& shape) { return {Alike::nowhere(shape), shape_alone(shape)}; }

std::optional<double> Sizes::everywhere() const {
  if (of_classes_->size() != 1) return std::nullopt;
  return of_classes_->lane(0)[0];
}

LaneTensor<double> Sizes::take() && {
  const auto kept = std::move(of_classes_);
  if (kept.use_count() > 1) return *kept;
  return std::move(*kept);
}

LaneTensor<double> Sizes::of_elements() const {
  if (alike_.is_nowhere()) return *of_classes_;
  LaneTensor<double> out(shape(), 1);
  const auto strides = row_major_strides(alike_.classes());
  const std::size_t last = shape().size() - 1;  // a number has no positions to be alike
  std::vector<std::size_t> along_last;
  for (Dim i = 0; i < shape()[last]; ++i)
    along_last.push_back(static_cast<std::size_t>(alike_.class_of(last, i)));
  const auto from = of_classes_->lane(0);
  auto to = out.lane(0).begin();
  Shape at(last, 0);
  for (Dim row = count(shape()) / std::max<Dim>(shape()[last], 1); row-- > 0;) {
    Dim first = 0;
    for (std::size_t axis = 0; axis < last; ++axis)
      first += alike_.class_of(axis, at[axis]) * strides[axis];
    const double* sizes = from.data() + first;
    for (const std::size_t i : along_last) *to++ = sizes[i];
    for (std::size_t axis = last; axis-- > 0 && ++at[axis] == shape()[axis];) at[axis] = 0;
  }
  return out;
}

WrittenOut::WrittenOut(const std::vector<const Sizes*>& operands) {
  for (const Sizes* operand : operands) {
    if (operand->alike().is_nowhere()) {
      all_.push_back(&operand->of_classes());
      continue;
    }
    held_.push_back(std::make_unique<LaneTensor<double>>(operand->of_elements()));
    all_.push_back(held_.back().get());
  }
}

void for_each_pair(const Sizes& a, const Sizes& b,
                   const std::function<void(double, double)>& visit) {
  if (a.shape() != b.shape()) {
    const LaneTensor<double> x = a.of_elements();
    const LaneTensor<double> y = b.of_elements();
    for (std::size_t i = 0; i < x.size(); ++i) visit(x.lane(0)[i], y.lane(0)[i]);
    return;
  }
  const auto x = a.of_classes().lane(0);
  const auto y = b.of_classes().lane(0);
  if (a.shape().empty()) return visit(x[0], y[0]);
  std::vector<Joint> axes;
  for (std::size_t axis = 0; axis < a.shape().size(); ++axis) {
    axes.push_back(joint(a, b, axis));
    if (axes.back().a.empty()) return;
  }
  const Joint& last = axes.back();
  std::vector<std::size_t> at(axes.size() - 1, 0);
  for (;;) {
    std::size_t first_x = 0;
    std::size_t first_y = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      first_x += axes[axis].a[at[axis]];
      first_y += axes[axis].b[at[axis]];
    }
    for (std::size_t i = 0; i < last.a.size(); ++i)
      visit(x[first_x + last.a[i]], y[first_y + last.b[i]]);
    std::size_t k = at.size();
    while (k > 0 && ++at[k - 1] == axes[k - 1].a.size()) at[--k] = 0;
    if (k == 0) return;
  }
}

}  // namespace pet
