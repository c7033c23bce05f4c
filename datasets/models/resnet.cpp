#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr int kStages = 4;
constexpr int kBlocksPerStage = 2;

// What the modules of a basic block are called.
struct BlockNames {
  const char* conv1;
  const char* norm1;
  const char* relu1;
  const char* conv2;
  const char* norm2;
  const char* relu2;
};

// The second ReLU of a block of images is the first one's module used again, hence its "_1". In a
// block of videos each convolution is a sequence with its norm.
constexpr BlockNames kImageBlock{"/conv1", "/bn1", "/relu", "/conv2", "/bn2", "/relu_1"};
constexpr BlockNames kVideoBlock{"/conv1/conv1.0", "/conv1/conv1.1", "/conv1/conv1.2",
                                 "/conv2/conv2.0", "/conv2/conv2.1", "/relu"};

// Two convolutions of three taps an axis beside a shortcut, which is a convolution of one tap where
// the block changes the shape.
Value basic_block(Network& net, const std::string& scope, const BlockNames& names, const Value& x,
                  std::int64_t filters, std::int64_t stride) {
  Value v = net.conv_norm(scope + names.conv1, scope + names.norm1, x,
                          {.filters = filters, .kernel = 3, .stride = stride, .pad = 1});
  v = net.relu(scope + names.relu1, v);
  v = net.conv_norm(scope + names.conv2, scope + names.norm2, v,
                    {.filters = filters, .kernel = 3, .pad = 1});
  Value shortcut = x;
  if (v.shape != x.shape) {
    shortcut = net.conv_norm(scope + "/downsample/downsample.0", scope + "/downsample/downsample.1",
                             x, {.filters = filters, .stride = stride});
  }
  return net.relu(scope + names.relu2, net.add(scope, v, shortcut));
}

// Everything behind the stem, up to the classifier.
Value stages(Network& net, const BlockNames& names, Value v) {
  std::int64_t filters = v.shape[1];
  for (int stage = 1; stage <= kStages; ++stage) {
    const std::string layer = "layer" + std::to_string(stage);
    for (int block = 0; block < kBlocksPerStage; ++block) {
      std::string scope = "/" + layer;
      scope.append("/").append(layer).append(".").append(std::to_string(block));
      v = basic_block(net, scope, names, v, filters, stage > 1 && block == 0 ? 2 : 1);
    }
    filters *= 2;
  }
  return net.flatten("", net.global_average_pool("/avgpool", v));
}

}  // namespace

void resnet18(Network& net, const ModelRequest& request) {
  const std::int64_t image = request.size.value_or(request.tiny ? 32 : 224);
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = net.conv_norm("/conv1", "/bn1", v,
                    {.filters = request.tiny ? 8 : 64, .kernel = 7, .stride = 2, .pad = 3});
  v = net.relu("/relu", v);
  v = net.max_pool("/maxpool", v, {.kernel = 3, .stride = 2, .pad = 1});
  v = stages(net, kImageBlock, v);
  net.output(net.linear("/fc", v, request.tiny ? 10 : 1000), "output");
}

void resnet3d18(Network& net, const ModelRequest& request) {
  const std::int64_t frames = request.frames.value_or(16);
  const std::int64_t image = request.size.value_or(request.tiny ? 16 : 112);
  Value v = net.input("input", {request.batch.value_or(1), 3, frames, image, image});
  v = net.conv_norm("/stem/stem.0", "/stem/stem.1", v,
                    {.filters = request.tiny ? 4 : 64,
                     .kernel = {3, 7, 7},
                     .stride = {1, 2, 2},
                     .pad = {1, 3, 3}});
  v = net.relu("/stem/stem.2", v);
  v = stages(net, kVideoBlock, v);
  net.output(net.linear("/fc", v, request.tiny ? 10 : 400), "output");
}

}  // namespace pet::datasets
