// InstanceNormalization: each channel of each image shifted and scaled to mean 0 and variance 1,
// then scaled and shifted by channel.
#include <fmt/format.h>

#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/normalized.h"
#include "core/ops/parts/row.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_instance_normalization(const Op& op, std::span<const Shape> in) {
  if (in[0].size() < 3)
    return Error{fmt::format("InstanceNormalization: {} has no spatial axis", to_string(in[0]))};
  const Shape channels = {in[0][1]};
  if (in[1] != channels || in[2] != channels)
    return Error{
        fmt::format("InstanceNormalization: {} and {} are not one element for each of the "
                    "channels of {}",
                    to_string(in[1]), to_string(in[2]), to_string(in[0]))};
  Ints row(in[0].size() - 2);
  std::iota(row.begin(), row.end(), 2);
  return Meaning{{along_rows(normalized_function(), {op.real("epsilon")}, in[0], row)},
                 scaled_and_shifted(in[0], 3, {{v(1)}, {{v(1)}}})};
}

}  // namespace

const OpDef& instance_normalization() {
  static const OpDef def{.name = "InstanceNormalization",
                         .summary =
                             "channels of images shifted and scaled to mean 0 and variance "
                             "1, then scaled and shifted",
                         .arity = {3, 3},
                         .attrs = {{"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter}},
                         .lower = lower_instance_normalization};
  return def;
}

}  // namespace pet::ops
