#include <cmath>

#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

struct Sizes {
  std::int64_t tokens, width, heads, layers;
};

constexpr Sizes kFull{512, 768, 12, 12};
constexpr Sizes kTiny{8, 24, 3, 2};

// [batch, tokens, width] to [batch, heads, tokens, width / heads], the last three in `order`.
Value by_head(Network& net, const std::string& scope, const Value& x, const Sizes& sizes,
              const std::vector<std::size_t>& order) {
  const Value heads =
      net.reshape(scope, x, {x.shape[0], sizes.tokens, sizes.heads, sizes.width / sizes.heads});
  return net.transpose(scope, heads, order);
}

// Scores are not scaled after the product, hence smaller queries and keys.
Value attention(Network& net, const std::string& scope, const Value& x, const Sizes& sizes) {
  const Dims square{sizes.width, sizes.width};
  const std::int64_t head = sizes.width / sizes.heads;
  const double gain = std::pow(static_cast<double>(head), -0.25);
  const Value query = net.matmul(scope + "/query", x, {square, gain});
  const Value key = net.matmul(scope + "/key", x, {square, gain});
  const Value value = net.matmul(scope + "/value", x, {square});
  const Value scores =
      net.product(scope + "/scores", by_head(net, scope + "/query", query, sizes, {0, 2, 1, 3}),
                  by_head(net, scope + "/key", key, sizes, {0, 2, 3, 1}));
  const Value mixed = net.product(scope + "/mix", net.softmax(scope, scores),
                                  by_head(net, scope + "/value", value, sizes, {0, 2, 1, 3}));
  return net.reshape(scope + "/mix", net.transpose(scope + "/mix", mixed, {0, 2, 1, 3}), x.shape);
}

}  // namespace

void bert_pet(Network& net, const ModelRequest& request) {
  const Sizes& sizes = request.tiny ? kTiny : kFull;
  const Dims square{sizes.width, sizes.width};
  // What the layers add to one another stays of the size of one.
  const double share = 1 / std::sqrt(static_cast<double>(sizes.layers));
  Value x = net.input("input", {request.batch.value_or(1), sizes.tokens, sizes.width});
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
    const std::string scope = "/layers." + std::to_string(layer);
    Value v = attention(net, scope + "/attention", x, sizes);
    v = net.relu(scope + "/relu", net.matmul_bias(scope + "/linear1", v, {square, std::sqrt(2.0)}));
    v = net.relu(scope + "/relu_1", net.matmul_bias(scope + "/linear2", v, {square, share}));
    x = net.add(scope, x, v);
  }
  net.output(x, "output");
}

}  // namespace pet::datasets
