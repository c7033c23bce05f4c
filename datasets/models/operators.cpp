#include <algorithm>

#include "core/util/check.h"
#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

// One row of the benchmark, without bias: either convolutions side by side, each of an input of its
// own, or matrix products of one shared input with several weights.
struct Row {
  std::string name;
  std::string summary;
  Dims input;  // of every input, at batch 1
  std::vector<ConvSpec> convs;
  std::vector<Dims> products;
};

constexpr std::int64_t kTinyChannels = 16;  // a tiny row has this many times fewer channels

Row square_conv(std::int64_t channels, std::int64_t image) {
  const std::string size = std::to_string(channels) + "at" + std::to_string(image);
  return {"conv3x3-" + size,
          "One 3x3 convolution of ResNet, " + std::to_string(channels) + " channels on a map of " +
              std::to_string(image) + ".",
          {1, channels, image, image},
          {{.filters = channels, .kernel = 3, .pad = 1}},
          {}};
}

Row dilated_conv(std::int64_t channels, std::int64_t filters) {
  const std::string sizes = std::to_string(channels) + "to" + std::to_string(filters);
  return {"dilated3x3-" + sizes,
          "One 3x3 convolution with dilation 2 of CSRNet, " + std::to_string(channels) + " to " +
              std::to_string(filters) + " channels.",
          {1, channels, 14, 14},
          {{.filters = filters, .kernel = 3, .pad = 2, .dilation = 2}},
          {}};
}

Row conv_pair(const std::string& name, std::int64_t first, std::int64_t second) {
  return {"conv1x1-pair-" + name,
          "Two 1x1 convolutions of two inputs, 768 to " + std::to_string(first) + " and to " +
              std::to_string(second) + " channels.",
          {1, 768, 18, 18},
          {{.filters = first}, {.filters = second}},
          {}};
}

Row grouped_conv(std::int64_t filters) {
  return {"groupconv-" + std::to_string(filters),
          "One 1x1 convolution in two groups, 1536 to " + std::to_string(filters) + " channels.",
          {1, 1536, 18, 18},
          {{.filters = filters, .groups = 2}},
          {}};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"conv5x5",
       "One 5x5 convolution of Inception-v3, 48 to 64 channels.",
       {1, 48, 38, 38},
       {{.filters = 64, .kernel = 5, .pad = 2}},
       {}},
      dilated_conv(512, 256),
      conv_pair("192", 192, 192),
      conv_pair("160", 160, 160),
      conv_pair("mixed", 192, 160),
      grouped_conv(384),
      grouped_conv(320),
      {"matmul-three",
       "Three matrix products of one input, as query, key and value of BERT.",
       {512, 768},
       {},
       {{768, 768}, {768, 768}, {768, 768}}},
      {"matmul-batch3",
       "The same three products as one of batch 3.",
       {3, 512, 768},
       {},
       {{3, 768, 768}}},
      square_conv(64, 56),
      square_conv(128, 28),
      square_conv(256, 14),
      square_conv(512, 7),
      dilated_conv(128, 64),
      dilated_conv(256, 128),
      dilated_conv(512, 512),
  };
  return all;
}

// An odd map stays odd, because what can be cut in two depends on it.
std::int64_t tiny_image(std::int64_t image) { return image % 2 == 0 ? 8 : 7; }

Row shrunk(Row row) {
  for (ConvSpec& conv : row.convs) conv.filters /= kTinyChannels;
  for (Dims& weight : row.products) {
    for (std::size_t axis = weight.size() - 2; axis < weight.size(); ++axis)
      weight[axis] /= kTinyChannels;
  }
  if (row.convs.empty()) {
    for (std::size_t axis = row.input.size() - 2; axis < row.input.size(); ++axis) {
      row.input[axis] /= kTinyChannels;
    }
  } else {
    row.input = {1, row.input[1] / kTinyChannels, tiny_image(row.input[2]),
                 tiny_image(row.input[3])};
  }
  return row;
}

// "input" where there is one, otherwise "input0", "input1", ...
std::string numbered(const std::string& name, std::size_t index, std::size_t count) {
  return count == 1 ? name : name + std::to_string(index);
}

}  // namespace

std::vector<ModelInfo> operator_rows() {
  std::vector<ModelInfo> infos;
  for (const Row& row : rows()) {
    infos.push_back(
        {row.name, row.summary, {std::max<std::size_t>(row.convs.size(), 1), row.input}});
  }
  return infos;
}

void operator_row(Network& net, const ModelRequest& request, const std::string& name) {
  const auto found =
      std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.name == name; });
  PET_CHECK(found != rows().end(), "a row of the operator benchmark");
  Row row = request.tiny ? shrunk(*found) : *found;
  row.input[row.convs.empty() ? row.input.size() - 2 : 0] *=
      request.batch.value_or(1);  // more rows to a product
  for (std::size_t i = 0; i < row.convs.size(); ++i) {
    const Value x = net.input(numbered("input", i, row.convs.size()), row.input);
    const Value y = net.conv(numbered("/conv", i, row.convs.size()), x, row.convs[i]);
    net.output(y, numbered("output", i, row.convs.size()));
  }
  if (row.products.empty()) return;
  const Value x = net.input("input", row.input);
  for (std::size_t i = 0; i < row.products.size(); ++i) {
    const Value y =
        net.matmul(numbered("/matmul", i, row.products.size()), x, {.weight = row.products[i]});
    net.output(y, numbered("output", i, row.products.size()));
  }
}

}  // namespace pet::datasets
