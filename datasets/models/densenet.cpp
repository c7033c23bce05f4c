#include <array>

#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

struct Sizes {
  std::int64_t image, stem, growth, classes;
  std::array<int, 4> layers;  // in each dense block
};

constexpr Sizes kFull{224, 64, 32, 1000, {6, 12, 24, 16}};
constexpr Sizes kTiny{64, 16, 8, 10, {2, 2, 2, 2}};
constexpr std::int64_t kBottleneck =
    4;  // a layer's 1x1 convolution makes this many times the growth

// Each layer reads everything that the block has made so far, as one concatenation of its own.
Value dense_block(Network& net, const std::string& scope, const Value& x, const Sizes& sizes,
                  int layers) {
  std::vector<Value> features{x};
  for (int i = 1; i <= layers; ++i) {
    const std::string layer = scope + "/denselayer" + std::to_string(i);
    Value v = net.concat(layer, features);
    v = net.batch_norm(layer + "/norm1", v);
    v = net.relu(layer + "/relu1", v);
    v = net.conv_norm(layer + "/conv1", layer + "/norm2", v,
                      {.filters = kBottleneck * sizes.growth});
    v = net.relu(layer + "/relu2", v);
    features.push_back(
        net.conv(layer + "/conv2", v, {.filters = sizes.growth, .kernel = 3, .pad = 1}));
  }
  return net.concat(scope, features);
}

Value transition(Network& net, const std::string& scope, const Value& x, TransitionOrder order) {
  Value v = net.batch_norm(scope + "/norm", x);
  v = net.relu(scope + "/relu", v);
  const ConvSpec halve{.filters = x.shape[1] / 2};
  if (order == TransitionOrder::ConvThenPool) {
    v = net.conv(scope + "/conv", v, halve);
    return net.average_pool(scope + "/pool", v, {});
  }
  v = net.average_pool(scope + "/pool", v, {});
  return net.conv(scope + "/conv", v, halve);
}

}  // namespace

void densenet121(Network& net, const ModelRequest& request, TransitionOrder order) {
  const Sizes& sizes = request.tiny ? kTiny : kFull;
  const std::int64_t image = request.size.value_or(sizes.image);
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = net.conv_norm("/features/conv0", "/features/norm0", v,
                    {.filters = sizes.stem, .kernel = 7, .stride = 2, .pad = 3});
  v = net.relu("/features/relu0", v);
  v = net.max_pool("/features/pool0", v, {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t block = 0; block < sizes.layers.size(); ++block) {
    const std::string number = std::to_string(block + 1);
    v = dense_block(net, "/features/denseblock" + number, v, sizes, sizes.layers[block]);
    if (block + 1 < sizes.layers.size())
      v = transition(net, "/features/transition" + number, v, order);
  }
  v = net.batch_norm("/features/norm5", v);
  v = net.relu("", v);
  v = net.flatten("", net.global_average_pool("", v));
  net.output(net.linear("/classifier", v, sizes.classes), "output");
}

}  // namespace pet::datasets
