#include "core/program/mutate/forms.h"

#include <algorithm>

namespace pet::mutation {
namespace {

constexpr std::size_t kMostSliding = 3;  // dimensions that a sliding operator has at most

using move::Shaped;
using Slots = std::vector<std::vector<std::size_t>>;

struct Axes {
  std::vector<std::size_t> slides;
  std::vector<std::size_t> inner;  // batch axes behind the channels
  Slots original;                  // both, in order
  bool outer = false;              // is there a batch axis before the channels
};

Axes sort_axes(const State& s) {
  Axes out;
  for (std::size_t i = 0; i < s.axes.size(); ++i) {
    const OpAxis& axis = s.axes[i];
    if (axis.role == AxisRole::Slide) {
      out.slides.push_back(i);
      out.original.push_back({i});
    } else if (axis.role == AxisRole::Batch && axis.inner) {
      out.inner.push_back(i);
      out.original.push_back({i});
    } else if (axis.role == AxisRole::Batch) {
      out.outer = true;
    }
  }
  return out;
}

class Collector {
 public:
  void add(Slots slots, std::optional<Move> move) {
    if (slots.empty() || slots.size() > kMostSliding) return;
    for (const Form& form : out_) {
      if (form.kind == Form::Kind::Sliding && form.slots == slots) return;
    }
    out_.push_back({Form::Kind::Sliding, std::move(slots), std::move(move)});
  }
  void add(Form::Kind kind, Shaped how) { out_.push_back({kind, {}, move::Form{how}}); }
  std::vector<Form> take() { return std::move(out_); }

 private:
  std::vector<Form> out_;
};

}  // namespace

std::vector<Form> forms(const State& s, bool all) {
  if (s.fixed) return {{Form::Kind::AsItIs, {}, std::nullopt}};
  const Axes axes = sort_axes(s);
  Collector out;
  Slots slides;
  for (const std::size_t a : axes.slides) slides.push_back({a});
  Slots merged = slides;  // the inner batch axes as one dimension, where the first of them was
  if (!axes.inner.empty()) {
    const auto at = std::count_if(axes.slides.begin(), axes.slides.end(),
                                  [&](std::size_t a) { return a < axes.inner.front(); });
    merged.insert(merged.begin() + at, axes.inner);
  }
  out.add(axes.original, std::nullopt);
  if (slides.empty()) {
    out.add(Form::Kind::DataTimesWeight, Shaped::DataTimesWeight);
    if (!axes.inner.empty()) out.add(Form::Kind::WeightTimesData, Shaped::WeightTimesData);
  }
  out.add(slides, move::Form{Shaped::OnlySlides});
  out.add(merged, move::Form{Shaped::RestAsOne});
  if (!all) return out.take();
  if (axes.original.empty()) out.add(Slots{{}}, move::Form{Shaped::Sliding});
  for (std::size_t i = 0; i + 1 < axes.original.size(); ++i) {
    Slots turned = axes.original;
    std::swap(turned[i], turned[i + 1]);
    out.add(std::move(turned), move::ExchangeDimensions{i, i + 1});
  }
  for (const bool front : {true, false}) {
    Slots wider = axes.original;
    wider.insert(front ? wider.begin() : wider.end(), std::vector<std::size_t>{});
    out.add(std::move(wider), move::Form{front ? Shaped::UnitInFront : Shaped::UnitBehind});
  }
  return out.take();
}

}  // namespace pet::mutation
