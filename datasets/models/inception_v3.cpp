#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

// A convolution, its norm and a rectifier: a module of its own everywhere in this network.
struct Layer {
  std::string name;
  std::int64_t filters = 1;
  PerAxis kernel = 1;
  PerAxis stride = 1;
  PerAxis pad = 0;
};

// Modules Mixed_5b to Mixed_7c, with all channels divided by `divisor`.
class Inception {
 public:
  Inception(Network& net, std::int64_t divisor) : net_(net), divisor_(divisor) {}

  Value layer(const std::string& scope, const Value& x, const Layer& it) {
    const std::string module = scope + "/" + it.name;
    return net_.relu(module, net_.conv_norm(module + "/conv", module + "/bn", x,
                                            {.filters = it.filters / divisor_,
                                             .kernel = it.kernel,
                                             .stride = it.stride,
                                             .pad = it.pad}));
  }

  // Images at 38x38, of the network at 330x330.
  Value a(const std::string& scope, const Value& x, std::int64_t pooled) {
    return net_.concat(scope,
                       {layer(scope, x, {"branch1x1", 64}),
                        branch(scope, x, {{"branch5x5_1", 48}, {"branch5x5_2", 64, 5, 1, 2}}),
                        branch(scope, x,
                               {{"branch3x3dbl_1", 64},
                                {"branch3x3dbl_2", 96, 3, 1, 1},
                                {"branch3x3dbl_3", 96, 3, 1, 1}}),
                        pooled_branch(scope, x, pooled)});
  }
  // From 38x38 to 18x18.
  Value b(const std::string& scope, const Value& x) {
    return net_.concat(scope, {layer(scope, x, {"branch3x3", 384, 3, 2}),
                               branch(scope, x,
                                      {{"branch3x3dbl_1", 64},
                                       {"branch3x3dbl_2", 96, 3, 1, 1},
                                       {"branch3x3dbl_3", 96, 3, 2}}),
                               halved(scope, x)});
  }
  // At 18x18: windows of 7x7 as a row and a column of them.
  Value c(const std::string& scope, const Value& x, std::int64_t inner) {
    return net_.concat(
        scope,
        {layer(scope, x, {"branch1x1", 192}),
         branch(
             scope, x,
             {{"branch7x7_1", inner}, row("branch7x7_2", inner, 7), column("branch7x7_3", 192, 7)}),
         branch(scope, x,
                {{"branch7x7dbl_1", inner},
                 column("branch7x7dbl_2", inner, 7),
                 row("branch7x7dbl_3", inner, 7),
                 column("branch7x7dbl_4", inner, 7),
                 row("branch7x7dbl_5", 192, 7)}),
         pooled_branch(scope, x, 192)});
  }
  // From 18x18 to 8x8.
  Value d(const std::string& scope, const Value& x) {
    return net_.concat(scope, {branch(scope, x, {{"branch3x3_1", 192}, {"branch3x3_2", 320, 3, 2}}),
                               branch(scope, x,
                                      {{"branch7x7x3_1", 192},
                                       row("branch7x7x3_2", 192, 7),
                                       column("branch7x7x3_3", 192, 7),
                                       {"branch7x7x3_4", 192, 3, 2}}),
                               halved(scope, x)});
  }
  // At 8x8: a row and a column of the same, beside each other.
  Value e(const std::string& scope, const Value& x) {
    const Value narrow = layer(scope, x, {"branch3x3_1", 384});
    const Value twice =
        branch(scope, x, {{"branch3x3dbl_1", 448}, {"branch3x3dbl_2", 384, 3, 1, 1}});
    const Value single = net_.concat(scope, {layer(scope, narrow, row("branch3x3_2a", 384, 3)),
                                             layer(scope, narrow, column("branch3x3_2b", 384, 3))});
    const Value doubled =
        net_.concat(scope + "_1", {layer(scope, twice, row("branch3x3dbl_3a", 384, 3)),
                                   layer(scope, twice, column("branch3x3dbl_3b", 384, 3))});
    return net_.concat(scope + "_2", {layer(scope, x, {"branch1x1", 320}), single, doubled,
                                      pooled_branch(scope, x, 192)});
  }

 private:
  static Layer row(const std::string& name, std::int64_t filters, std::int64_t taps) {
    return {name, filters, {1, taps}, 1, {0, taps / 2}};
  }
  static Layer column(const std::string& name, std::int64_t filters, std::int64_t taps) {
    return {name, filters, {taps, 1}, 1, {taps / 2, 0}};
  }
  Value branch(const std::string& scope, Value x, const std::vector<Layer>& layers) {
    for (const Layer& it : layers) x = layer(scope, x, it);
    return x;
  }
  Value pooled_branch(const std::string& scope, const Value& x, std::int64_t filters) {
    const Value pooled = net_.average_pool(scope, x, {.kernel = 3, .stride = 1, .pad = 1});
    return layer(scope, pooled, {"branch_pool", filters});
  }
  Value halved(const std::string& scope, const Value& x) {
    return net_.max_pool(scope, x, {.kernel = 3, .stride = 2});
  }

  Network& net_;
  std::int64_t divisor_;
};

}  // namespace

void inception_v3(Network& net, const ModelRequest& request) {
  const std::int64_t image = request.size.value_or(request.tiny ? kLeastInception : 330);
  Inception make(net, request.tiny ? 16 : 1);
  Value v = net.input("input", {request.batch.value_or(1), 3, image, image});
  v = make.layer("", v, {"Conv2d_1a_3x3", 32, 3, 2});
  v = make.layer("", v, {"Conv2d_2a_3x3", 32, 3});
  v = make.layer("", v, {"Conv2d_2b_3x3", 64, 3, 1, 1});
  v = net.max_pool("/maxpool1", v, {.kernel = 3, .stride = 2});
  v = make.layer("", v, {"Conv2d_3b_1x1", 80});
  v = make.layer("", v, {"Conv2d_4a_3x3", 192, 3});
  v = net.max_pool("/maxpool2", v, {.kernel = 3, .stride = 2});
  v = make.a("/Mixed_5b", v, 32);
  v = make.a("/Mixed_5c", v, 64);
  v = make.a("/Mixed_5d", v, 64);
  v = make.b("/Mixed_6a", v);
  v = make.c("/Mixed_6b", v, 128);
  v = make.c("/Mixed_6c", v, 160);
  v = make.c("/Mixed_6d", v, 160);
  v = make.c("/Mixed_6e", v, 192);
  v = make.d("/Mixed_7a", v);
  v = make.e("/Mixed_7b", v);
  v = make.e("/Mixed_7c", v);
  v = net.flatten("", net.global_average_pool("/avgpool", v));
  net.output(net.linear("/fc", v, request.tiny ? 10 : 1000), "output");
}

}  // namespace pet::datasets
