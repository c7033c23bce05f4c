#include "core/program/thin_check.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/box_cover.h"
#include "core/analysis/product.h"
#include "core/program/point_reader.h"
#include "core/util/check.h"

namespace pet {
namespace {

// A second or two; checking everywhere takes no longer than what needs more.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 29;
constexpr std::size_t kAtATime = 4096;  // positions between two looks at the stop

// A part of a row-major position.
struct Digit {
  Dim extent = 1;
  Dim stride = 1;
};

// The positions of a result as sums of digits.
struct Thinning {
  std::vector<Digit> enumerated;
  std::vector<Digit> drawn;  // what a weight alone carries
};

std::optional<Thinning> thinning(const Graph& program) {
  if (program.outputs().size() != 1) return std::nullopt;
  const NodeId output = program.outputs()[0];
  if (program.node(output).op() == nullptr || count(*program.node(output).type.shape) == 0)
    return std::nullopt;
  const auto product = read_product(program, output);
  if (!product || program.depends_on_inputs()[product->weight.index()] != 0) return std::nullopt;
  Thinning out;
  Dim stride = 1;
  for (auto dim = product->result_dims.rbegin(); dim != product->result_dims.rend(); ++dim) {
    for (auto axis = dim->rbegin(); axis != dim->rend(); ++axis) {
      const ProductAxis& a = product->axes[*axis];
      const bool carried = a.role == AxisRole::Feature;
      (carried ? out.drawn : out.enumerated).push_back({a.result, stride});
      stride *= a.result;
    }
  }
  PET_CHECK(stride == count(*program.node(output).type.shape), "axes make up the result");
  if (out.drawn.empty()) return std::nullopt;
  return out;
}

// Every sum of one multiple of each digit's stride.
std::vector<Dim> sums(const std::vector<Digit>& digits) {
  std::vector<Dim> out = {0};
  for (const Digit& digit : digits) {
    std::vector<Dim> more;
    more.reserve(out.size() * static_cast<std::size_t>(digit.extent));
    for (const Dim sum : out) {
      for (Dim i = 0; i < digit.extent; ++i) more.push_back(sum + i * digit.stride);
    }
    out = std::move(more);
  }
  return out;
}

}  // namespace

Result<Region> thin_difference(const Graph& original, const Graph& mutant, std::uint64_t seed,
                               const std::stop_token& stop) {
  const auto thinned = thinning(original);
  if (!thinned || mutant.outputs().size() != 1 ||
      mutant.node(mutant.outputs()[0]).type != original.node(original.outputs()[0]).type)
    return Error{"no channels that a weight carries", ErrorKind::Unsupported};
  Rng rng(seed);
  const DrawnLeaves drawn(original, rng);
  PointReader first(drawn, original, kMostSteps);
  PointReader second(drawn, mutant, kMostSteps);
  const std::vector<Dim> places = sums(thinned->enumerated);
  const std::vector<Dim> channels = sums(thinned->drawn);
  const Shape& shape = *original.node(original.outputs()[0]).type.shape;
  std::vector<char> wrong(static_cast<std::size_t>(count(shape)), 0);
  bool any = false;
  for (std::size_t from = 0; from < places.size(); from += kAtATime) {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const std::size_t to = std::min(places.size(), from + kAtATime);
    std::vector<Dim> positions;
    for (std::size_t i = from; i < to; ++i)
      positions.push_back(places[i] + channels[rng.below(channels.size())]);
    const auto x = first.values(0, positions);
    if (!x) return x.error();
    const auto y = second.values(0, positions);
    if (!y) return y.error();
    for (std::size_t i = from; i < to; ++i) {
      if ((*x)[i - from] == (*y)[i - from]) continue;
      any = true;
      for (const Dim channel : channels) wrong[static_cast<std::size_t>(places[i] + channel)] = 1;
    }
  }
  Region out = region_of(wrong, shape, basis_of_views(mutant, mutant.outputs()[0]));
  if (any && out.empty()) return Error{"not wrong in few boxes", ErrorKind::Unsupported};
  return out;
}

}  // namespace pet
