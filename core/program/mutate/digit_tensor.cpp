#include "core/program/mutate/digit_tensor.h"

#include <algorithm>
#include <map>

#include "core/program/views.h"
#include "core/util/check.h"

namespace pet::mutation {
namespace {

Dim extent_of(const std::vector<Digit>& digits) {
  Dim extent = 1;
  for (const Digit& digit : digits) extent *= digit.extent;
  return extent;
}

Shape shape_of(const std::vector<std::vector<Digit>>& dims) {
  Shape shape;
  for (const auto& digits : dims) shape.push_back(extent_of(digits));
  return shape;
}

std::vector<int> flat_ids(const std::vector<std::vector<Digit>>& dims) {
  std::vector<int> ids;
  for (const auto& digits : dims) {
    for (const Digit& digit : digits) {
      if (digit.extent != 1) ids.push_back(digit.id);
    }
  }
  return ids;
}

// Which dimension of `from` each dimension of `to` is, where it is a mere reordering of them.
std::vector<std::size_t> reordering(const std::vector<std::vector<Digit>>& from,
                                    const std::vector<std::vector<Digit>>& to) {
  std::vector<std::size_t> order;
  std::vector<char> used(from.size(), 0);
  if (from.size() != to.size()) return {};
  for (const auto& wanted : to) {
    std::size_t i = 0;
    while (i < from.size() && (used[i] != 0 || from[i] != wanted)) ++i;
    if (i == from.size()) return {};
    used[i] = 1;
    order.push_back(i);
  }
  return order;
}

}  // namespace

std::vector<Digit> DigitTensor::digits() const {
  std::vector<Digit> out;
  for (const auto& dim : dims_) out.insert(out.end(), dim.begin(), dim.end());
  return out;
}

bool DigitTensor::has(int id) const {
  const auto all = digits();
  return std::any_of(all.begin(), all.end(), [&](const Digit& d) { return d.id == id; });
}

Dim DigitTensor::extent(int id) const {
  for (const Digit& digit : digits()) {
    if (digit.id == id) return digit.extent;
  }
  PET_CHECK(false, "the digit is there");
  return 0;
}

std::size_t DigitTensor::dimension_of(int id) const {
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    for (const Digit& digit : dims_[d]) {
      if (digit.id == id) return d;
    }
  }
  PET_CHECK(false, "the digit is there");
  return 0;
}

void DigitTensor::split(int id, const Digit& outer, const Digit& inner) {
  auto& dim = dims_[dimension_of(id)];
  const auto at = std::find_if(dim.begin(), dim.end(), [&](const Digit& d) { return d.id == id; });
  PET_CHECK(at->extent == outer.extent * inner.extent, "a digit is split into its factors");
  *at = outer;
  dim.insert(at + 1, inner);
}

void DigitTensor::rename(int id, int other) {
  for (Digit& digit : dims_[dimension_of(id)]) {
    if (digit.id == id) digit.id = other;
  }
}

bool DigitTensor::merge(int outer, int inner, int merged) {
  const std::size_t first = dimension_of(outer);
  auto& dim = dims_[first];
  const auto at =
      std::find_if(dim.begin(), dim.end(), [&](const Digit& d) { return d.id == outer; });
  if (at + 1 == dim.end() || (at + 1)->id != inner) return false;
  at->extent *= (at + 1)->extent;
  at->id = merged;
  dim.erase(at + 1);
  return true;
}

Status DigitTensor::reshape_to(GraphBuilder& b, std::vector<std::vector<Digit>> dims) {
  auto shaped = views::reshape(b, node_, shape_of(dims));
  if (!shaped) return std::move(shaped).error();
  node_ = *shaped;
  dims_ = std::move(dims);
  return Done{};
}

Status DigitTensor::arrange(GraphBuilder& b, const DigitDims& dims) {
  std::vector<std::vector<Digit>> target;
  for (const auto& ids : dims) {
    target.emplace_back();
    for (const int id : ids) target.back().push_back({id, extent(id)});
  }
  const std::vector<int> now = flat_ids(dims_);
  const std::vector<int> then = flat_ids(target);
  PET_CHECK(now.size() == then.size(), "a layout names every digit once");
  if (now == then) return reshape_to(b, std::move(target));
  if (const auto order = reordering(dims_, target); !order.empty()) {
    auto turned = views::transpose(b, node_, order);
    if (!turned) return std::move(turned).error();
    node_ = *turned;
    dims_ = std::move(target);
    return Done{};
  }
  // Digits that stay together are moved as one.
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < then.size(); ++i) place[then[i]] = i;
  std::vector<std::vector<Digit>> runs;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i == 0 || place.at(now[i]) != place.at(now[i - 1]) + 1) runs.emplace_back();
    runs.back().push_back({now[i], extent(now[i])});
  }
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return place.at(runs[x][0].id) < place.at(runs[y][0].id);
  });
  if (auto status = reshape_to(b, std::move(runs)); !status) return status;
  auto turned = views::transpose(b, node_, order);
  if (!turned) return std::move(turned).error();
  node_ = *turned;
  return reshape_to(b, std::move(target));
}

Status DigitTensor::settle(GraphBuilder& b, const std::vector<int>& order) {
  DigitDims dims;
  for (const int id : order) {
    if (has(id)) dims.push_back({id});
  }
  return arrange(b, dims);
}

Result<std::size_t> DigitTensor::isolate(GraphBuilder& b, int id) {
  const std::size_t at = dimension_of(id);
  if (dims_[at].size() > 1) {
    std::vector<std::vector<Digit>> dims;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      if (d != at) {
        dims.push_back(dims_[d]);
        continue;
      }
      std::vector<Digit> run;
      for (const Digit& digit : dims_[d]) {
        if (digit.id != id) {
          run.push_back(digit);
          continue;
        }
        if (!run.empty()) dims.push_back(std::move(run));
        run.clear();
        dims.push_back({digit});
      }
      if (!run.empty()) dims.push_back(std::move(run));
    }
    if (auto status = reshape_to(b, std::move(dims)); !status) return std::move(status).error();
  }
  return dimension_of(id);
}

Status DigitTensor::pad(GraphBuilder& b, int id, Dim before, Dim after) {
  if (before == 0 && after == 0) return Done{};
  const auto axis = isolate(b, id);
  if (!axis) return axis.error();
  auto padded = views::pad(b, node_, *axis, before, after);
  if (!padded) return std::move(padded).error();
  node_ = *padded;
  dims_[*axis][0].extent += before + after;
  return Done{};
}

Status DigitTensor::slice(GraphBuilder& b, int id, Dim low, Dim count, Dim step) {
  if (low == 0 && step == 1 && count == extent(id)) return Done{};
  const auto axis = isolate(b, id);
  if (!axis) return axis.error();
  auto sliced = views::slice(b, node_, *axis, low, count, step);
  if (!sliced) return std::move(sliced).error();
  node_ = *sliced;
  dims_[*axis][0].extent = count;
  return Done{};
}

Status DigitTensor::insert_unit(GraphBuilder& b, int id, int in_front_of) {
  auto dims = dims_;
  if (in_front_of < 0) {
    dims.push_back({{id, 1}});
  } else {
    const auto axis = isolate(b, in_front_of);
    if (!axis) return axis.error();
    dims = dims_;
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), {{id, 1}});
  }
  return reshape_to(b, std::move(dims));
}

Result<DigitTensor> DigitTensor::concat(GraphBuilder& b, std::vector<DigitTensor> parts, int id) {
  std::vector<NodeId> nodes;
  Dim extent = 0;
  for (DigitTensor& part : parts) {
    if (auto axis = part.isolate(b, id); !axis) return std::move(axis).error();
    nodes.push_back(part.node_);
    extent += part.extent(id);
  }
  DigitTensor out = std::move(parts.front());
  const std::size_t axis = out.dimension_of(id);
  auto joined = views::concat(b, nodes, axis);
  if (!joined) return std::move(joined).error();
  out.node_ = *joined;
  out.dims_[axis][0].extent = extent;
  return out;
}

}  // namespace pet::mutation
