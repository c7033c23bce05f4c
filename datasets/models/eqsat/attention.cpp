#include "datasets/models/eqsat/attention.h"

#include <cmath>

namespace pet::datasets {
namespace {

// [tokens, width] to [heads, tokens, width / heads], in `order`.
Value by_head(Network& net, const std::string& scope, const Value& x, const EncoderSizes& sizes,
              const std::vector<std::size_t>& order) {
  const Value heads = net.reshape(scope, x, {x.shape[0], sizes.heads, sizes.width / sizes.heads});
  return net.transpose(scope, heads, order);
}

}  // namespace

Value plain_attention(Network& net, const std::string& scope, const Value& x,
                      const EncoderSizes& sizes, double gain) {
  const Dims square{sizes.width, sizes.width};
  const Value query = net.matmul(scope + "/query", x, {square, gain});
  const Value key = net.matmul(scope + "/key", x, {square, gain});
  const Value value = net.matmul(scope + "/value", x, {square});
  const Value scores =
      net.product(scope + "/scores", by_head(net, scope + "/query", query, sizes, {1, 0, 2}),
                  by_head(net, scope + "/key", key, sizes, {1, 2, 0}));
  const Value mixed =
      net.product(scope + "/mix", scores, by_head(net, scope + "/value", value, sizes, {1, 0, 2}));
  const Value joined =
      net.reshape(scope + "/mix", net.transpose(scope + "/mix", mixed, {1, 0, 2}), x.shape);
  return net.matmul(scope + "/output", joined, {square});
}

Value plain_encoder(Network& net, Value x, const EncoderSizes& sizes) {
  const double share = 1 / std::sqrt(static_cast<double>(sizes.layers));
  // Keeps a mixture below what it is added to.
  const double gain =
      share / std::sqrt(static_cast<double>(sizes.tokens * sizes.width / sizes.heads));
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
    const std::string scope = "/layers." + std::to_string(layer);
    x = net.add(scope + "/attention", x,
                plain_attention(net, scope + "/attention", x, sizes, gain));
    Value v = net.matmul(scope + "/linear1", x, {{sizes.width, sizes.hidden}, std::sqrt(2.0)});
    v = net.relu(scope + "/relu", v);
    v = net.matmul(scope + "/linear2", v, {{sizes.hidden, sizes.width}, share});
    x = net.add(scope, x, v);
  }
  return x;
}

}  // namespace pet::datasets
