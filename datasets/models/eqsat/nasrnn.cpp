#include <array>

#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr int kSteps = 5;

// One step: eight sums of two products, then the tree that the search of architectures found.
Value step(Network& net, const std::string& scope, const Value& x, const Value& state) {
  const std::int64_t hidden = x.shape[1];
  std::array<Value, 8> t;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::string pair = scope + "/pair" + std::to_string(i);
    t[i] = net.add(pair, net.matmul(pair + "/input", x, {{hidden, hidden}}),
                   net.matmul(pair + "/state", state, {{hidden, hidden}}));
  }
  int made = 0;
  const auto next = [&] { return scope + "/tree" + std::to_string(made++); };
  const auto relu = [&](const Value& v) { return net.relu(next(), v); };
  const auto sigmoid = [&](const Value& v) { return net.sigmoid(next(), v); };
  const auto tanh = [&](const Value& v) { return net.tanh(next(), v); };
  const auto add = [&](const Value& a, const Value& b) { return net.add(next(), a, b); };
  const auto multiply = [&](const Value& a, const Value& b) { return net.multiply(next(), a, b); };
  const Value first = add(relu(t[0]), sigmoid(t[3]));
  const Value second = add(sigmoid(t[1]), tanh(t[2]));
  const Value third = multiply(sigmoid(t[4]), tanh(t[5]));
  const Value fourth = multiply(sigmoid(t[6]), relu(t[7]));
  const Value fifth = add(sigmoid(second), tanh(third));
  const Value sixth = multiply(tanh(first), tanh(fourth));
  return tanh(multiply(tanh(fifth), tanh(sixth)));
}

}  // namespace

// Each step has weights of its own.
void eqsat_nasrnn(Network& net, const ModelRequest& request) {
  const Dims shape{request.batch.value_or(1), request.tiny ? 16 : 512};
  std::vector<Value> inputs;
  for (int i = 0; i < kSteps; ++i) inputs.push_back(net.input("input" + std::to_string(i), shape));
  Value state = net.parameter("/state", shape, 1);
  for (int i = 0; i < kSteps; ++i)
    state = step(net, "/step" + std::to_string(i), inputs[static_cast<std::size_t>(i)], state);
  net.output(state, "output");
}

}  // namespace pet::datasets
