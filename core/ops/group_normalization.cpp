// GroupNormalization: each group of channels of each image shifted and scaled to mean 0 and
// variance 1, then scaled and shifted by channel. (The form of operator set 18, which does that by
// group, is deprecated.)
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/normalized.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

// All of an image that lies in the group of channels of an element.
Window group_window(const Shape& shape, Dim channels_of_group) {
  Window window{
      .extent = {channels_of_group},
      .guards = {},
      .read = {0, {v(0), div(v(1), channels_of_group) * channels_of_group + v(shape.size())}},
      .symmetry = Symmetry::Multiset};
  for (std::size_t i = 2; i < shape.size(); ++i) {
    window.read.index.push_back(v(shape.size() + window.extent.size()));
    window.extent.push_back(shape[i]);
  }
  return window;
}

Result<Meaning> lower_group_normalization(const Op& op, std::span<const Shape> in) {
  const Dim groups = op.integer("num_groups");
  if (in[0].size() < 2 || groups < 1 || in[0][1] == 0 || in[0][1] % groups != 0)
    return Error{fmt::format("GroupNormalization: the channels of {} are no {} groups",
                             to_string(in[0]), groups)};
  const Shape channels = {in[0][1]};
  if (in[1] != channels || in[2] != channels)
    return Error{
        fmt::format("GroupNormalization: {} and {} are not one element for each of the "
                    "channels of {}",
                    to_string(in[1]), to_string(in[2]), to_string(in[0]))};
  return Meaning{{{&normalized_function(),
                   {op.real("epsilon")},
                   in[0],
                   {{0, identity_index(in[0])}},
                   group_window(in[0], in[0][1] / groups)}},
                 scaled_and_shifted(in[0], 3, {{v(1)}, {{v(1)}}})};
}

Imported group_normalization_from_onnx(const OnnxCall& call) {
  if (auto status = stashes_floats(call); !status) return std::move(status).error();
  Attrs attrs = call.attrs;
  attrs.erase("stash_type");
  return one_result(group_normalization(), std::move(attrs),
                    {std::size_t{0}, std::size_t{1}, std::size_t{2}});
}

}  // namespace

const OpDef& group_normalization() {
  static const OpDef def{.name = "GroupNormalization",
                         .summary =
                             "groups of channels shifted and scaled to mean 0 and variance "
                             "1, then scaled and shifted by channel",
                         .arity = {3, 3},
                         .attrs = {{"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter},
                                   {"num_groups", std::int64_t{1}, AttrRole::Geometry, true}},
                         .since = 21,
                         .lower = lower_group_normalization,
                         .from_onnx = group_normalization_from_onnx};
  return def;
}

}  // namespace pet::ops
