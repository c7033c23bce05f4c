#include <array>

#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

struct Row {
  std::int64_t filters;
  int blocks;
  std::int64_t stride;  // of the first
};

constexpr std::array<Row, 7> kRows{
    {{16, 1, 1}, {24, 2, 2}, {32, 3, 2}, {64, 4, 2}, {96, 3, 1}, {160, 3, 2}, {320, 1, 1}}};

Value conv_norm(Network& net, const std::string& scope, const Value& x, const ConvSpec& spec) {
  return net.batch_norm(scope + "/norm", net.conv(scope, x, spec));
}

Value conv_norm_relu(Network& net, const std::string& scope, const Value& x, const ConvSpec& spec) {
  return net.relu(scope, conv_norm(net, scope, x, spec));
}

Value inverted(Network& net, const std::string& scope, const Value& x, std::int64_t wider,
               std::int64_t filters, std::int64_t stride) {
  const std::int64_t hidden = x.shape[1] * wider;
  Value v = conv_norm_relu(net, scope + "/expand", x, {.filters = hidden});
  v = conv_norm_relu(
      net, scope + "/depthwise", v,
      {.filters = hidden, .kernel = 3, .stride = stride, .groups = hidden, .same = true});
  v = conv_norm(net, scope + "/project", v, {.filters = filters});
  return v.shape == x.shape ? net.add(scope, x, v) : v;
}

}  // namespace

void eqsat_mobilenet(Network& net, const ModelRequest& request) {
  const std::int64_t fewer = request.tiny ? 8 : 1;
  const std::int64_t image = request.tiny ? 32 : 224;
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = conv_norm_relu(net, "/stem", v,
                     {.filters = 32 / fewer, .kernel = 3, .stride = 2, .same = true});
  for (std::size_t row = 0; row < kRows.size(); ++row) {
    const Row& r = kRows[row];
    for (int block = 0; block < r.blocks; ++block) {
      const std::string scope = "/features" + std::to_string(row) + "." + std::to_string(block);
      v = inverted(net, scope, v, row == 0 ? 1 : 6, r.filters / fewer, block == 0 ? r.stride : 1);
    }
  }
  v = conv_norm_relu(net, "/last", v, {.filters = 1280 / fewer});
  v = net.average_pool("/pool", v, {.kernel = v.shape[2], .stride = 1});
  net.output(net.conv("/classifier", v, {.filters = request.tiny ? 10 : 1000}), "output");
}

}  // namespace pet::datasets
