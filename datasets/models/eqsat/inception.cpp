#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

// Convolutions of a row, each with its Relu; `fewer` channels than published by this factor.
class Branches {
 public:
  Branches(Network& net, std::int64_t fewer) : net_(net), fewer_(fewer) {}

  Value conv(const std::string& scope, const Value& x, ConvSpec spec) const {
    spec.filters /= fewer_;
    return net_.conv_relu(scope, x, spec);
  }
  Value row(const std::string& scope, Value x, const std::vector<ConvSpec>& specs) const {
    for (std::size_t i = 0; i < specs.size(); ++i)
      x = conv(scope + "." + std::to_string(i), x, specs[i]);
    return x;
  }
  Value pooled(const std::string& scope, const Value& x, std::int64_t filters) const {
    const Value mean = net_.average_pool(scope, x, {.kernel = 3, .stride = 1, .same = true});
    return conv(scope, mean, {.filters = filters});
  }
  // As pairs of pairs.
  Value joined(const std::string& scope, const std::vector<Value>& four) const {
    const Value front = net_.concat(scope + "/front", {four[0], four[1]});
    const Value back = net_.concat(scope + "/back", {four[2], four[3]});
    return net_.concat(scope, {front, back});
  }

 private:
  Network& net_;
  std::int64_t fewer_;
};

ConvSpec square(std::int64_t filters, std::int64_t kernel) {
  return {.filters = filters, .kernel = kernel, .same = true};
}
ConvSpec wide(std::int64_t filters, std::int64_t taps) {
  return {.filters = filters, .kernel = {1, taps}, .same = true};
}
ConvSpec high(std::int64_t filters, std::int64_t taps) {
  return {.filters = filters, .kernel = {taps, 1}, .same = true};
}
ConvSpec halving(std::int64_t filters) { return {.filters = filters, .kernel = 3, .stride = 2}; }

Value stem(Network& net, const Branches& make, const Value& x) {
  Value v = make.row("/stem.a", x, {halving(32), {.filters = 32, .kernel = 3}, square(64, 3)});
  v = net.max_pool("/stem.b", v, {.kernel = 3});
  v = make.row("/stem.c", v, {square(80, 1), {.filters = 192, .kernel = 3}});
  return net.max_pool("/stem.d", v, {.kernel = 3});
}

Value block_a(const Branches& make, const std::string& scope, const Value& x, std::int64_t pooled) {
  return make.joined(scope,
                     {make.row(scope + "/one", x, {square(64, 1)}),
                      make.row(scope + "/two", x, {square(48, 1), square(64, 5)}),
                      make.row(scope + "/three", x, {square(64, 1), square(96, 3), square(96, 3)}),
                      make.pooled(scope + "/pool", x, pooled)});
}

Value block_b(Network& net, const Branches& make, const Value& x) {
  const Value one = make.row("/b/one", x, {halving(384)});
  const Value two = make.row("/b/two", x, {square(64, 1), square(96, 3), halving(96)});
  const Value three = net.average_pool("/b/pool", x, {.kernel = 3});
  return net.concat("/b", {net.concat("/b/front", {one, two}), three});
}

Value block_c(const Branches& make, const std::string& scope, const Value& x, std::int64_t c) {
  return make.joined(scope,
                     {make.row(scope + "/one", x, {square(192, 1)}),
                      make.row(scope + "/two", x, {square(c, 1), wide(c, 7), high(192, 7)}),
                      make.row(scope + "/three", x,
                               {square(c, 1), high(c, 7), wide(c, 7), high(c, 7), wide(192, 7)}),
                      make.pooled(scope + "/pool", x, 192)});
}

Value block_d(Network& net, const Branches& make, const Value& x) {
  const Value one = make.row("/d/one", x, {square(192, 1), halving(320)});
  const Value two =
      make.row("/d/two", x, {square(192, 1), wide(192, 7), high(192, 7), halving(192)});
  return net.concat("/d", {one, two, net.max_pool("/d/pool", x, {.kernel = 3})});
}

// Two convolutions that share their data, side by side.
Value fork(Network& net, const Branches& make, const std::string& scope, const Value& x) {
  return net.concat(scope, {make.conv(scope + "/wide", x, wide(384, 3)),
                            make.conv(scope + "/high", x, high(384, 3))});
}

Value block_e(Network& net, const Branches& make, const std::string& scope, const Value& x) {
  const Value one = make.row(scope + "/one", x, {square(320, 1)});
  const Value two = fork(net, make, scope + "/two", make.row(scope + "/two", x, {square(384, 1)}));
  const Value three = fork(net, make, scope + "/three",
                           make.row(scope + "/three", x, {square(448, 1), square(384, 3)}));
  const Value most = net.max_pool(scope + "/pool", x, {.kernel = 3, .stride = 1, .same = true});
  const Value four = make.row(scope + "/pool", most, {square(192, 1)});
  return net.concat(scope, {one, two, three, four});
}

}  // namespace

void eqsat_inception(Network& net, const ModelRequest& request) {
  const Branches make(net, request.tiny ? 16 : 1);
  const std::int64_t image = request.tiny ? 75 : 299;
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = stem(net, make, v);
  v = block_a(make, "/a.0", v, 32);
  v = block_a(make, "/a.1", v, 64);
  v = block_a(make, "/a.2", v, 64);
  v = block_b(net, make, v);
  v = block_c(make, "/c.0", v, 128);
  v = block_c(make, "/c.1", v, 160);
  v = block_c(make, "/c.2", v, 160);
  v = block_c(make, "/c.3", v, 192);
  v = block_d(net, make, v);
  v = block_e(net, make, "/e.0", v);
  v = block_e(net, make, "/e.1", v);
  net.output(net.average_pool("/pool", v, {.kernel = v.shape[2], .stride = 1}), "output");
}

}  // namespace pet::datasets
