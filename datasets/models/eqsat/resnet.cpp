#include <array>

#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

struct Residual {
  std::int64_t filters;    // of the first stage; each has twice as many as the one before
  std::int64_t expansion;  // of what a block yields
  std::int64_t groups;     // of its middle convolution
  std::array<int, 4> blocks;
};

struct Block {
  std::int64_t filters, outputs, groups, stride;
};

Value bottleneck(Network& net, const std::string& scope, const Value& x, const Block& block) {
  Value v = net.conv_relu(scope + "/conv1", x, {.filters = block.filters});
  v = net.conv_relu(scope + "/conv2", v,
                    {.filters = block.filters,
                     .kernel = 3,
                     .stride = block.stride,
                     .groups = block.groups,
                     .same = true});
  v = net.conv(scope + "/conv3", v, {.filters = block.outputs});
  Value shortcut = x;
  if (v.shape != x.shape) {
    shortcut = net.conv_relu(scope + "/downsample", x,
                             {.filters = block.outputs, .stride = block.stride, .same = true});
  }
  return net.relu(scope, net.add(scope, shortcut, v));
}

Value stages(Network& net, Value x, const Residual& sizes) {
  std::int64_t filters = sizes.filters;
  for (std::size_t stage = 0; stage < sizes.blocks.size(); ++stage, filters *= 2) {
    for (int block = 0; block < sizes.blocks[stage]; ++block) {
      const std::string scope = "/layer" + std::to_string(stage + 1) + "." + std::to_string(block);
      x = bottleneck(
          net, scope, x,
          {filters, filters * sizes.expansion, sizes.groups, stage > 0 && block == 0 ? 2 : 1});
    }
  }
  return x;
}

}  // namespace

void eqsat_resnet50(Network& net, const ModelRequest& request) {
  const std::int64_t features = request.tiny ? 4 : 64;
  const std::int64_t image = request.tiny ? 16 : 56;
  const Value x = net.input("input", {request.batch.value_or(1), features, image, image});
  net.output(stages(net, x, {features, 4, 1, {3, 4, 6, 3}}), "output");
}

void eqsat_resnext50(Network& net, const ModelRequest& request) {
  const std::int64_t fewer = request.tiny ? 16 : 1;
  const std::int64_t image = request.tiny ? 32 : 224;
  Value x = net.input("input", {request.batch.value_or(1), 3, image, image});
  x = net.conv_relu("/conv1", x, {.filters = 64 / fewer, .kernel = 7, .stride = 2, .same = true});
  x = net.max_pool("/maxpool", x, {.kernel = 3, .same = true});
  const std::int64_t groups = request.tiny ? 4 : 32;
  net.output(stages(net, x, {128 / fewer, 2, groups, {3, 4, 6, 3}}), "output");
}

}  // namespace pet::datasets
