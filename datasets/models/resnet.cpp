#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr int kStages = 4;
constexpr int kBlocksPerStage = 2;

// Two 3x3 convolutions beside a shortcut, which is a 1x1 convolution where the block changes the
// shape. The second ReLU of a block is the same module used again, hence its "_1".
Value basic_block(Network& net, const std::string& scope, const Value& x, std::int64_t filters,
                  std::int64_t stride) {
  Value v = net.conv_norm(scope + "/conv1", scope + "/bn1", x,
                          {.filters = filters, .kernel = 3, .stride = stride, .pad = 1});
  v = net.relu(scope + "/relu", v);
  v = net.conv_norm(scope + "/conv2", scope + "/bn2", v,
                    {.filters = filters, .kernel = 3, .pad = 1});
  Value shortcut = x;
  if (v.shape != x.shape) {
    shortcut = net.conv_norm(scope + "/downsample/downsample.0", scope + "/downsample/downsample.1",
                             x, {.filters = filters, .stride = stride});
  }
  return net.relu(scope + "/relu_1", net.add(scope, v, shortcut));
}

}  // namespace

void resnet18(Network& net, const ModelRequest& request) {
  const std::int64_t image = request.tiny ? 32 : 224;
  std::int64_t filters = request.tiny ? 8 : 64;
  Value v = net.input("input", {request.batch, 3, image, image});
  v = net.conv_norm("/conv1", "/bn1", v, {.filters = filters, .kernel = 7, .stride = 2, .pad = 3});
  v = net.relu("/relu", v);
  v = net.max_pool("/maxpool", v, {.kernel = 3, .stride = 2, .pad = 1});
  for (int stage = 1; stage <= kStages; ++stage) {
    const std::string layer = "layer" + std::to_string(stage);
    for (int block = 0; block < kBlocksPerStage; ++block) {
      const std::string scope = "/" + layer + "/" + layer + "." + std::to_string(block);
      v = basic_block(net, scope, v, filters, stage > 1 && block == 0 ? 2 : 1);
    }
    filters *= 2;
  }
  v = net.flatten("", net.global_average_pool("/avgpool", v));
  net.output(net.linear("/fc", v, request.tiny ? 10 : 1000), "output");
}

}  // namespace pet::datasets
