#include "datasets/models/eqsat/attention.h"
#include "datasets/models/eqsat/eqsat.h"

namespace pet::datasets {

// Each layer multiplies three values that depend on its input, and nothing makes their size one: in
// eight layers any size but one, however close, grows to infinity or fades to zero. With these
// gains it fades within two layers, past the smallest numbers, which take a processor long.
void eqsat_bert(Network& net, const ModelRequest& request) {
  EncoderSizes sizes =
      request.tiny ? EncoderSizes{8, 16, 4, 2, 0} : EncoderSizes{64, 1024, 16, 8, 0};
  const double gain = request.tiny ? 0.5 : 3e-4;
  sizes.tokens *= request.batch.value_or(1);
  Value x = net.relu("", net.input("input", {sizes.tokens, sizes.width}));
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
    x = plain_attention(net, "/layers." + std::to_string(layer), x, sizes, gain);
  net.output(x, "output");
}

// Zhang et al. 2020: 18 layers of width 512 with 8 heads and 2048 hidden features.
void eqsat_tt(Network& net, const ModelRequest& request) {
  EncoderSizes sizes =
      request.tiny ? EncoderSizes{8, 16, 4, 2, 32} : EncoderSizes{64, 512, 8, 18, 2048};
  sizes.tokens *= request.batch.value_or(1);
  const Value x = net.input("input", {sizes.tokens, sizes.width});
  net.output(plain_encoder(net, x, sizes), "output");
}

// Dosovitskiy et al. 2021, Table 1: 12 layers of width 768 with 12 heads and 3072 hidden features.
void eqsat_vit_base(Network& net, const ModelRequest& request) {
  EncoderSizes sizes =
      request.tiny ? EncoderSizes{0, 16, 4, 2, 32} : EncoderSizes{0, 768, 12, 12, 3072};
  const std::int64_t patch = request.tiny ? 4 : 16;
  const std::int64_t image = request.tiny ? 12 : 224;
  const std::int64_t classes = request.tiny ? 10 : 1000;
  const std::int64_t patches = (image / patch) * (image / patch);
  sizes.tokens = patches + 1;
  Value x = net.input("input", {1, 3, image, image});
  x = net.conv("/conv_proj", x, {.filters = sizes.width, .kernel = patch, .stride = patch});
  x = net.reshape("/patches", x, {sizes.width, patches});
  x = net.transpose("/patches", x, {1, 0});
  x = net.concat("/tokens", {net.parameter("/class_token", {1, sizes.width}, 1), x}, 0);
  x = net.add("/positions", x, net.parameter("/pos_embedding", {sizes.tokens, sizes.width}, 0.02));
  x = net.first_row("/class", plain_encoder(net, x, sizes));
  net.output(net.matmul("/head", x, {{sizes.width, classes}}), "output");
}

}  // namespace pet::datasets
