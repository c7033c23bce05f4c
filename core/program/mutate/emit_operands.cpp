#include "core/program/mutate/emit_operands.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/mutate/compose.h"
#include "core/program/views.h"

namespace pet::mutation {
namespace {

constexpr int kNowhere = -1;

bool holds(const DigitDims& dims, int digit) {
  return std::any_of(dims.begin(), dims.end(), [&](const std::vector<int>& dim) {
    return std::find(dim.begin(), dim.end(), digit) != dim.end();
  });
}

// The digits that a tensor has now, in the order that they will be needed in.
std::vector<int> ordered(const DigitTensor& tensor, const std::vector<int>& rank) {
  std::vector<int> order;
  for (const Digit& digit : tensor.digits()) order.push_back(digit.id);
  std::stable_sort(order.begin(), order.end(),
                   [&](int x, int y) { return rank[at(x)] < rank[at(y)]; });
  return order;
}

int first_behind(const DigitTensor& tensor, const std::vector<int>& rank, int digit) {
  for (const Digit& other : tensor.digits()) {
    if (rank[at(other.id)] > rank[at(digit)]) return other.id;
  }
  return kNowhere;
}

}  // namespace

std::vector<std::vector<Digit>> Operands::sized(const DigitDims& dims) const {
  std::vector<std::vector<Digit>> out;
  for (const auto& dim : dims) {
    out.emplace_back();
    for (const int digit : dim) out.back().push_back({digit, s_.extent[at(digit)]});
  }
  return out;
}

DigitTensor Operands::tensor(NodeId node, const DigitDims& dims) const {
  return DigitTensor(node, sized(dims));
}

// ---- data

Result<DigitTensor> Operands::joined_data() {
  if (s_.part_digit < 0) return tensor(leaf_(s_.parts[0].data), s_.data_dims);
  // A part lies in front of the channels that it holds.
  std::vector<DigitTensor> parts;
  for (const Part& part : s_.parts) {
    DigitTensor one = tensor(leaf_(part.data), s_.data_dims);
    if (auto status = one.insert_unit(b_, s_.part_digit, s_.channel_digit); !status)
      return std::move(status).error();
    for (Dim i = 0; i < part.repeat; ++i) parts.push_back(one);
  }
  return DigitTensor::concat(b_, std::move(parts), s_.part_digit);
}

// By digit: where the last digit that comes of it lies in the layout.
std::vector<int> Operands::ranks(const DigitDims& dims) const {
  std::vector<int> rank(s_.extent.size(), kNowhere);
  int next = 0;
  for (const auto& dim : dims) {
    for (const int digit : dim) rank[at(digit)] = next++;
  }
  for (auto step = s_.data_steps.rbegin(); step != s_.data_steps.rend(); ++step) {
    if (step->kind == Step::Kind::Repeat) continue;
    int last = step->with < 0 ? kNowhere : rank[at(step->with)];
    if (step->kind != Step::Kind::Apart && step->to >= 0)
      last = step->kind == Step::Kind::Windows ? last : std::max(last, rank[at(step->to)]);
    rank[at(step->digit)] = last;
  }
  return rank;
}

Result<std::vector<DigitTensor>> Operands::pieces(const DigitTensor& whole, const Step& step,
                                                  const std::vector<int>& order) {
  std::vector<DigitTensor> out;
  for (Dim i = 0; i < step.count; ++i) {
    DigitTensor piece = whole;
    if (auto status = piece.settle(b_, order); !status) return std::move(status).error();
    if (auto status = piece.slice(b_, step.digit, i * step.low, step.length, step.stride); !status)
      return std::move(status).error();
    piece.rename(step.digit, step.with);
    out.push_back(std::move(piece));
  }
  return out;
}

Status Operands::apply(const Step& step, std::vector<DigitTensor>& parts,
                       const std::vector<int>& rank) {
  std::vector<DigitTensor> next;
  for (DigitTensor& part : parts) {
    if (step.kind == Step::Kind::Split) {
      part.split(step.digit, {step.to, s_.extent[at(step.to)]},
                 {step.with, s_.extent[at(step.with)]});
      next.push_back(std::move(part));
      continue;
    }
    const std::vector<int> order = ordered(part, rank);
    if (auto status = part.settle(b_, order); !status) return status;
    if (step.kind == Step::Kind::Pad) {
      if (auto status = part.pad(b_, step.digit, step.low, step.high); !status) return status;
      part.rename(step.digit, step.to);
      next.push_back(std::move(part));
      continue;
    }
    std::vector<DigitTensor> made;
    if (step.kind == Step::Kind::Repeat) {
      made.assign(static_cast<std::size_t>(step.count), part);
    } else {
      auto found = pieces(part, step, order);
      if (!found) return std::move(found).error();
      made = *std::move(found);
    }
    if (step.kind == Step::Kind::Apart) {
      next.insert(next.end(), made.begin(), made.end());
      continue;
    }
    for (DigitTensor& piece : made) {
      auto status = piece.insert_unit(b_, step.to, first_behind(piece, rank, step.to));
      if (!status) return status;
    }
    auto joined = DigitTensor::concat(b_, std::move(made), step.to);
    if (!joined) return std::move(joined).error();
    next.push_back(*std::move(joined));
  }
  parts = std::move(next);
  return Done{};
}

Result<std::vector<DigitTensor>> Operands::data(const DigitDims& dims) {
  auto start = joined_data();
  if (!start) return std::move(start).error();
  std::vector<DigitTensor> parts = {*std::move(start)};
  const std::vector<int> rank = ranks(dims);
  for (const Step& step : s_.data_steps) {
    if (auto status = apply(step, parts, rank); !status) return std::move(status).error();
  }
  for (DigitTensor& part : parts) {
    if (auto status = part.arrange(b_, dims); !status) return std::move(status).error();
  }
  return parts;
}

// ---- weight

Result<DigitTensor> Operands::composed_weight() {
  const Composition& both = *s_.composition;
  return compose_weights(b_, both, leaf_(both.first.weight), leaf_(both.second.weight),
                         s_.weight_dims, s_.extent);
}

Result<DigitTensor> Operands::part_weight(const Part& part) {
  auto dims = sized(s_.weight_dims);
  for (auto& dim : dims) {
    for (Digit& digit : dim) {
      if (digit.id == s_.feature_digit) digit.extent = part.features;
    }
  }
  DigitTensor out(leaf_(part.weight), std::move(dims));
  if (s_.part_digit < 0) return out;
  if (s_.merged == Merging::Channels) {
    if (auto status = out.insert_unit(b_, s_.part_digit, s_.weight_channel_digit); !status)
      return std::move(status).error();
    return out;
  }
  if (s_.merged == Merging::CommonDivisor) {
    out.split(s_.feature_digit, {s_.part_digit, part.repeat},
              {s_.feature_digit, part.features / part.repeat});
    return out;
  }
  const Dim most = s_.extent[at(s_.feature_digit)];
  if (auto status = out.pad(b_, s_.feature_digit, 0, most - part.features); !status)
    return std::move(status).error();
  if (auto status = out.insert_unit(b_, s_.part_digit, s_.feature_digit); !status)
    return std::move(status).error();
  return out;
}

// Of the weights or of the biases.
Result<NodeId> Operands::sum_of(std::optional<NodeId> (*which)(const Part&)) {
  std::optional<NodeId> sum;
  for (const Part& part : s_.parts) {
    const NodeId one = leaf_(*which(part));
    if (!sum) {
      sum = one;
      continue;
    }
    auto more = b_.add(ops::add(), {}, {*sum, one});
    if (!more) return more;
    sum = *more;
  }
  return *sum;
}

Result<DigitTensor> Operands::joined_weight() {
  if (s_.composition != nullptr) return composed_weight();
  if (!s_.merged) return tensor(leaf_(s_.parts[0].weight), s_.weight_dims);
  if (s_.merged == Merging::Sum) {
    auto weight = sum_of([](const Part& part) { return std::optional(part.weight); });
    if (!weight) return std::move(weight).error();
    return tensor(*weight, s_.weight_dims);
  }
  std::vector<DigitTensor> parts;
  for (const Part& part : s_.parts) {
    auto one = part_weight(part);
    if (!one) return one;
    parts.push_back(*std::move(one));
  }
  return DigitTensor::concat(b_, std::move(parts),
                             s_.merged == Merging::Features ? s_.feature_digit : s_.part_digit);
}

// Blocks along a digit become blocks on a diagonal, zeros elsewhere.
Status Operands::diagonal(DigitTensor& weight, const Step& step) {
  std::vector<DigitTensor> rows;
  for (Dim i = 0; i < step.count; ++i) {
    DigitTensor row = weight;
    if (auto status = row.slice(b_, step.digit, i, 1); !status) return status;
    row.rename(step.digit, step.to);
    if (auto status = row.insert_unit(b_, step.with, step.to); !status) return status;
    if (auto status = row.pad(b_, step.with, i, step.count - 1 - i); !status) return status;
    rows.push_back(std::move(row));
  }
  auto joined = DigitTensor::concat(b_, std::move(rows), step.to);
  if (!joined) return std::move(joined).error();
  weight = *std::move(joined);
  return Done{};
}

Result<NodeId> Operands::weight(const DigitDims& dims, Dim tap) {
  auto out = joined_weight();
  if (!out) return std::move(out).error();
  for (const Step& step : s_.weight_steps) {
    if (step.kind == Step::Kind::Split) {
      out->split(step.digit, {step.to, s_.extent[at(step.to)]},
                 {step.with, s_.extent[at(step.with)]});
    } else if (step.kind == Step::Kind::Diagonal) {
      if (auto status = diagonal(*out, step); !status) return std::move(status).error();
    } else if (step.kind == Step::Kind::Taps) {
      auto status = out->slice(b_, step.digit, step.low, step.count);
      if (!status) return std::move(status).error();
      out->rename(step.digit, step.to);
    } else if (auto status = out->slice(b_, step.digit, tap, 1); !status) {
      return std::move(status).error();
    }
  }
  if (auto status = out->arrange(b_, dims); !status) return std::move(status).error();
  return out->node();
}

// ---- bias and result

Result<DigitTensor> Operands::joined_bias() {
  if (!s_.merged) return tensor(leaf_(*s_.parts[0].bias), s_.bias_dims);
  if (s_.merged == Merging::Channels || s_.merged == Merging::Sum) {
    auto bias = sum_of([](const Part& part) { return part.bias; });
    if (!bias) return std::move(bias).error();
    return tensor(*bias, s_.bias_dims);
  }
  std::vector<NodeId> parts;
  const Dim most = s_.extent[at(s_.feature_digit)];
  for (const Part& part : s_.parts) {
    const NodeId bias = leaf_(*part.bias);
    auto padded = s_.merged == Merging::Groups ? views::pad(b_, bias, 0, 0, most - part.features)
                                               : Result<NodeId>(bias);
    if (!padded) return std::move(padded).error();
    parts.push_back(*padded);
  }
  auto whole = views::concat(b_, parts, 0);
  if (!whole) return std::move(whole).error();
  std::vector<int> digits = {s_.feature_digit};
  if (s_.part_digit >= 0) digits.insert(digits.begin(), s_.part_digit);
  return tensor(*whole, {digits});
}

Result<NodeId> Operands::bias(const DigitDims& dims) {
  auto out = joined_bias();
  if (!out) return std::move(out).error();
  for (const Step& step : s_.result_steps) {
    if (step.kind == Step::Kind::Split && out->has(step.digit))
      out->split(step.digit, {step.to, s_.extent[at(step.to)]},
                 {step.with, s_.extent[at(step.with)]});
  }
  if (auto status = out->arrange(b_, dims); !status) return std::move(status).error();
  return out->node();
}

Result<NodeId> Operands::result(NodeId product, const DigitDims& dims) {
  DigitTensor out = tensor(product, dims);
  DigitDims made = s_.result_dims;  // the original's layout, in the digits that there are now
  for (const Step& step : s_.result_steps) {
    for (auto& dim : made) {
      const auto found = std::find(dim.begin(), dim.end(), step.digit);
      if (found == dim.end()) continue;
      *found = step.to;
      if (step.kind == Step::Kind::Split) dim.insert(found + 1, step.with);
      break;
    }
  }
  PET_CHECK(std::all_of(s_.result_steps.begin(), s_.result_steps.end(),
                        [&](const Step& step) { return !holds(made, step.digit); }),
            "a step undoes a digit for good");
  if (auto status = out.arrange(b_, made); !status) return std::move(status).error();
  for (auto step = s_.result_steps.rbegin(); step != s_.result_steps.rend(); ++step) {
    if (step->kind == Step::Kind::Split) {
      if (!out.merge(step->to, step->with, step->digit))
        return Error{"the digits of the result do not lie side by side"};
    } else {
      if (auto status = out.slice(b_, step->to, 0, step->count); !status)
        return std::move(status).error();
      out.rename(step->to, step->digit);
    }
  }
  if (auto status = out.arrange(b_, s_.result_dims); !status) return std::move(status).error();
  return out.node();
}

}  // namespace pet::mutation
