#include <utility>

#include "verify/region/expansion_run.h"

namespace pet::region {
namespace {

constexpr Dim kMostWindow = 1024;  // elements of one window

}  // namespace

// Element number `flat` of a window; nothing: a hole.
Answer<std::optional<Read>> Expander::Run::window_element(NodeId node, const Window& window,
                                                          Dim flat, std::vector<Affine> axes,
                                                          const Ranges& ranges) {
  for (const Dim stride : row_major_strides(window.extent)) {
    axes.emplace_back(flat / stride);
    flat %= stride;
  }
  for (const Guard& guard : window.guards) {
    const auto held = counts(node, guard, axes, ranges);
    if (const auto* need = std::get_if<Narrow>(&held)) return *need;
    if (!std::get<bool>(held)) return std::optional<Read>();
  }
  const auto at = located(node, window.read, axes, ranges);
  if (const auto* need = std::get_if<Narrow>(&at)) return *need;
  const auto inside = lies_inside(std::get<Read>(at), ranges);
  if (const auto* need = std::get_if<Narrow>(&inside)) return *need;
  if (!std::get<bool>(inside)) return std::optional<Read>();
  return std::optional(std::get<Read>(at));
}

Expander::Run::Ended Expander::Run::read_application(Item item) {
  const Read& read = item.reads.back();
  const NodeId node = read.place.node;
  const Application& application =
      e_.meaning(node).applications[static_cast<std::size_t>(read.place.application)];
  const Ranges& ranges = item.product.ranges;
  // What is read, element by element; then the sums that are read there.
  std::vector<std::optional<Read>> reads;
  for (const Access& access : application.elements) {
    const auto at = located(node, access, read.index, ranges);
    if (const auto* need = std::get_if<Narrow>(&at)) return narrow(std::move(item), *need);
    reads.emplace_back(std::get<Read>(at));
  }
  if (application.window) {
    const auto volume = checked_volume(application.window->extent, kMostWindow);
    if (!volume) return GiveUp{"a window of too many elements"};
    for (Dim flat = 0; flat < *volume; ++flat) {
      auto at = window_element(node, *application.window, flat, read.index, ranges);
      if (const auto* need = std::get_if<Narrow>(&at)) return narrow(std::move(item), *need);
      reads.push_back(std::get<std::optional<Read>>(std::move(at)));
    }
  }
  function_ = Function{std::move(item), std::move(reads), {}, std::nullopt};
  return std::nullopt;
}

// Takes what was found for an argument, and holes; then asks for the next one.
Expander::Run::Ended Expander::Run::add_arguments() {
  Function& function = *function_;
  const Ranges& ranges = function.item.product.ranges;
  if (const auto found = std::exchange(function.found, std::nullopt)) {
    if (const auto* need = std::get_if<Narrow>(&*found)) {
      Item item = std::move(function.item);
      function_.reset();
      return narrow(std::move(item), *need);
    }
    if (const auto* why = std::get_if<GiveUp>(&*found)) return *why;
    TermList sum(ranges.of.size());
    for (const Product& product : std::get<std::vector<Product>>(*found)) sum.add(product, 1);
    function.arguments.emplace_back(sum.written_out());
  }
  while (!function.is_complete() && !function.reads[function.arguments.size()])
    function.arguments.emplace_back();
  return std::nullopt;
}

Expander::Run::Ended Expander::Run::apply(Function function) {
  Item item = std::move(function.item);
  const Place& place = item.reads.back().place;
  const Application& application =
      e_.meaning(place.node).applications[static_cast<std::size_t>(place.application)];
  const auto elements =
      function.arguments.begin() + static_cast<std::ptrdiff_t>(application.elements.size());
  const Arguments arguments{{function.arguments.begin(), elements},
                            {elements, function.arguments.end()}};
  auto factor =
      applied(application, arguments, of_output_, item.product.ranges.of.size(), e_.leaves_);
  if (const auto* var = std::get_if<Var>(&factor)) {
    const Cause cause{Cause::Kind::Argument, place.node, place.node};
    return narrow(std::move(item), {*var, Narrow::How::Apart, 0, cause});
  }
  item.product.factors.push_back(std::get<Factor>(std::move(factor)));
  item.reads.pop_back();
  open_.push_back(std::move(item));
  return std::nullopt;
}

}  // namespace pet::region
