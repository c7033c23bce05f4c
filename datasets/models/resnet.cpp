#include <array>

#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr std::size_t kStages = 4;

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

// How the wide convolutions of a block slide: three taps along every axis, or along images alone.
struct Taps {
  PerAxis kernel = 3, pad = 1;
  bool over_frames = true;  // where there are any

  PerAxis stride(std::int64_t along_images) const {
    if (over_frames) return along_images;
    return {1, along_images, along_images};
  }
};
Taps within_frames() { return {{1, 3, 3}, {0, 1, 1}, false}; }

// What comes beside a block: its input, or a convolution of one tap where the block changes shape.
Value shortcut(Network& net, const std::string& scope, const Value& x, const Value& v,
               const PerAxis& stride) {
  if (v.shape == x.shape) return x;
  return net.conv_norm(scope + "/downsample/downsample.0", scope + "/downsample/downsample.1", x,
                       {.filters = v.shape[1], .stride = stride});
}

// Two wide convolutions.
Value basic_block(Network& net, const std::string& scope, const BlockNames& names, const Taps& taps,
                  const Value& x, std::int64_t filters, std::int64_t stride) {
  Value v = net.conv_norm(
      scope + names.conv1, scope + names.norm1, x,
      {.filters = filters, .kernel = taps.kernel, .stride = taps.stride(stride), .pad = taps.pad});
  v = net.relu(scope + names.relu1, v);
  v = net.conv_norm(scope + names.conv2, scope + names.norm2, v,
                    {.filters = filters, .kernel = taps.kernel, .pad = taps.pad});
  return net.relu(scope + names.relu2,
                  net.add(scope, v, shortcut(net, scope, x, v, taps.stride(stride))));
}

// A wide convolution between two of one tap, the last of which has four times the channels.
Value bottleneck(Network& net, const std::string& scope, const Value& x, std::int64_t filters,
                 std::int64_t stride) {
  constexpr std::int64_t kExpansion = 4;
  Value v = net.relu(scope + "/relu",
                     net.conv_norm(scope + "/conv1", scope + "/bn1", x, {.filters = filters}));
  v = net.relu(scope + "/relu_1",
               net.conv_norm(scope + "/conv2", scope + "/bn2", v,
                             {.filters = filters, .kernel = 3, .stride = stride, .pad = 1}));
  v = net.conv_norm(scope + "/conv3", scope + "/bn3", v, {.filters = kExpansion * filters});
  return net.relu(scope + "/relu_2", net.add(scope, v, shortcut(net, scope, x, v, stride)));
}

// Everything behind the stem, up to the classifier. `block`: of a scope, what it reads, its
// filters, its stride and the number of its stage.
template <class Block>
Value stages(Network& net, Value v, const std::array<int, kStages>& blocks, const Block& block) {
  std::int64_t filters = v.shape[1];
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    const std::string layer = "layer" + std::to_string(stage + 1);
    for (int i = 0; i < blocks[stage]; ++i) {
      std::string scope = "/" + layer;
      scope.append("/").append(layer).append(".").append(std::to_string(i));
      v = block(scope, v, filters, stage > 0 && i == 0 ? 2 : 1, stage);
    }
    filters *= 2;
  }
  return net.flatten("", net.global_average_pool("/avgpool", v));
}

constexpr std::array<int, kStages> kTwoEach{2, 2, 2, 2};

Value image_stem(Network& net, const ModelRequest& request) {
  const std::int64_t image = request.size.value_or(request.tiny ? 32 : 224);
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = net.conv_norm("/conv1", "/bn1", v,
                    {.filters = request.tiny ? 8 : 64, .kernel = 7, .stride = 2, .pad = 3});
  return net.max_pool("/maxpool", net.relu("/relu", v), {.kernel = 3, .stride = 2, .pad = 1});
}

// Blocks of videos: those of the first stages slide over frames, too.
void video_network(Network& net, const ModelRequest& request, std::size_t stages_over_frames) {
  const std::int64_t frames = request.frames.value_or(16);
  const std::int64_t image = request.size.value_or(request.tiny ? 16 : 112);
  Value v = net.input("input", {request.batch.value_or(1), 3, frames, image, image});
  v = net.conv_norm("/stem/stem.0", "/stem/stem.1", v,
                    {.filters = request.tiny ? 4 : 64,
                     .kernel = {3, 7, 7},
                     .stride = {1, 2, 2},
                     .pad = {1, 3, 3}});
  v = net.relu("/stem/stem.2", v);
  v = stages(net, v, kTwoEach,
             [&](const std::string& scope, const Value& x, std::int64_t filters,
                 std::int64_t stride, std::size_t stage) {
               const Taps taps = stage < stages_over_frames ? Taps{} : within_frames();
               return basic_block(net, scope, kVideoBlock, taps, x, filters, stride);
             });
  net.output(net.linear("/fc", v, request.tiny ? 10 : 400), "output");
}

}  // namespace

void resnet18(Network& net, const ModelRequest& request) {
  Value v = stages(
      net, image_stem(net, request), kTwoEach,
      [&](const std::string& scope, const Value& x, std::int64_t filters, std::int64_t stride,
          std::size_t) { return basic_block(net, scope, kImageBlock, {}, x, filters, stride); });
  net.output(net.linear("/fc", v, request.tiny ? 10 : 1000), "output");
}

void resnet50(Network& net, const ModelRequest& request) {
  const std::array<int, kStages> blocks =
      request.tiny ? std::array<int, kStages>{2, 1, 1, 1} : std::array<int, kStages>{3, 4, 6, 3};
  Value v = stages(
      net, image_stem(net, request), blocks,
      [&](const std::string& scope, const Value& x, std::int64_t filters, std::int64_t stride,
          std::size_t) { return bottleneck(net, scope, x, filters, stride); });
  net.output(net.linear("/fc", v, request.tiny ? 10 : 1000), "output");
}

void resnet3d18(Network& net, const ModelRequest& request) { video_network(net, request, kStages); }

void mc3_18(Network& net, const ModelRequest& request) { video_network(net, request, 1); }

}  // namespace pet::datasets
