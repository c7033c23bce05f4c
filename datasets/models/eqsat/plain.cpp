// The two networks of convolutions in a row.
#include <array>

#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

Value fire(Network& net, const std::string& scope, const Value& x, std::int64_t squeeze,
           std::int64_t expand) {
  const Value v = net.conv_relu(scope + "/squeeze", x, {.filters = squeeze});
  return net.concat(scope, {net.conv_relu(scope + "/expand1x1", v, {.filters = expand}),
                            net.conv_relu(scope + "/expand3x3", v,
                                          {.filters = expand, .kernel = 3, .same = true})});
}

struct Fires {
  std::int64_t squeeze, expand;
};

constexpr std::array<Fires, 4> kFires{{{16, 64}, {32, 128}, {48, 192}, {64, 256}}};

struct Row {
  std::int64_t filters;
  int convolutions;
};

constexpr std::array<Row, 5> kRows{{{64, 2}, {128, 2}, {256, 4}, {512, 4}, {512, 4}}};

}  // namespace

void eqsat_squeezenet(Network& net, const ModelRequest& request) {
  const std::int64_t fewer = request.tiny ? 8 : 1;
  const std::int64_t image = request.tiny ? 47 : 224;
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = net.conv_relu("/stem", v, {.filters = 64 / fewer, .kernel = 3, .stride = 2});
  for (std::size_t i = 0; i < kFires.size(); ++i) {
    const std::string scope = "/fire" + std::to_string(i);
    if (i < 3) v = net.max_pool(scope, v, {.kernel = 3});
    for (const char* which : {".0", ".1"})
      v = fire(net, scope + which, v, kFires[i].squeeze / fewer, kFires[i].expand / fewer);
  }
  v = net.conv_relu("/classifier", v, {.filters = request.tiny ? 10 : 1000});
  net.output(net.average_pool("/pool", v, {.kernel = v.shape[2], .stride = 1}), "output");
}

void eqsat_vgg19(Network& net, const ModelRequest& request) {
  const std::int64_t fewer = request.tiny ? 32 : 1;
  const std::int64_t image = request.tiny ? 32 : 224;
  const std::int64_t batch = request.batch.value_or(1);
  Value v = net.input("input", {batch, 3, image, image});
  for (std::size_t row = 0; row < kRows.size(); ++row) {
    const std::string scope = "/row" + std::to_string(row);
    for (int i = 0; i < kRows[row].convolutions; ++i)
      v = net.conv_relu(scope + "." + std::to_string(i), v,
                        {.filters = kRows[row].filters / fewer, .kernel = 3, .same = true});
    v = net.max_pool(scope, v, {});
  }
  v = net.reshape("/flat", v, {batch, v.shape[1] * v.shape[2] * v.shape[3]});
  for (const char* scope : {"/head0", "/head1"}) {
    v = net.relu(scope, net.matmul_transposed(scope, v, request.tiny ? 32 : 4096));
    v = net.dropout(scope, v);
  }
  net.output(net.matmul_transposed("/head2", v, request.tiny ? 10 : 1000), "output");
}

}  // namespace pet::datasets
