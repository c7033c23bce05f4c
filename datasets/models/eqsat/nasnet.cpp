#include <utility>

#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr int kStages = 3;
constexpr int kCells = 5;  // normal ones of a stage

// What a cell makes of the two before it, both brought to its number of features.
class Cell {
 public:
  Cell(Network& net, std::string scope, const Value& previous, const Value& current,
       std::int64_t filters)
      : net_(net), scope_(std::move(scope)), filters_(filters) {
    current_ = squeezed("/current", current);
    previous_ = previous.shape[2] == current.shape[2] ? squeezed("/previous", previous)
                                                      : halved("/previous", previous);
  }

  Value normal() {
    const Value& p = previous_;
    const Value& c = current_;
    return joined({sum(separable(c, 3, 1), c), sum(separable(p, 3, 1), separable(c, 3, 1)),
                   sum(mean(c, 1), p), sum(mean(p, 1), mean(p, 1)),
                   sum(separable(p, 3, 1), separable(p, 3, 1))});
  }
  Value reduction() {
    const Value& p = previous_;
    const Value& c = current_;
    const Value first = sum(separable(p, 7, 2), separable(c, 5, 2));
    const Value second = sum(most(c), separable(p, 7, 2));
    return joined({first, second, sum(mean(c, 2), separable(p, 5, 2)),
                   sum(most(c), separable(first, 3, 1)), sum(mean(first, 1), second)});
  }

 private:
  std::string next(const std::string& what) {
    return scope_ + "/" + what + std::to_string(made_++);
  }
  Value squeezed(const std::string& part, const Value& x) {
    return net_.conv_relu(scope_ + part, x, {.filters = filters_});
  }
  Value halved(const std::string& part, const Value& x) {
    const ConvSpec spec{.filters = filters_, .kernel = 3, .stride = 2, .same = true};
    return net_.conv_relu(scope_ + part, x, spec);
  }
  Value separable(const Value& x, std::int64_t kernel, std::int64_t stride) {
    const std::string scope = next("separable");
    const Value depthwise = net_.conv(scope + "/depthwise", x,
                                      {.filters = x.shape[1],
                                       .kernel = kernel,
                                       .stride = stride,
                                       .groups = x.shape[1],
                                       .same = true});
    return net_.conv(scope + "/pointwise", depthwise, {.filters = filters_});
  }
  Value mean(const Value& x, std::int64_t stride) {
    return net_.average_pool(next("mean"), x, {.kernel = 3, .stride = stride, .same = true});
  }
  Value most(const Value& x) { return net_.max_pool(next("most"), x, {.kernel = 3, .same = true}); }
  Value sum(const Value& a, const Value& b) { return net_.add(next("sum"), a, b); }
  Value joined(const std::vector<Value>& sums) { return net_.concat(scope_, sums); }

  Network& net_;
  std::string scope_;
  std::int64_t filters_;
  Value previous_, current_;
  int made_ = 0;
};

}  // namespace

void eqsat_nasnet(Network& net, const ModelRequest& request) {
  std::int64_t filters = request.tiny ? 4 : 128;
  const std::int64_t image = request.tiny ? 32 : 224;
  Value x = net.input("input", {request.batch.value_or(1), 3, image, image});
  x = net.conv_relu("/stem", x,
                    {.filters = request.tiny ? 4 : 64, .kernel = 7, .stride = 2, .same = true});
  x = net.max_pool("/stem", x, {.kernel = 3, .same = true});
  for (int stage = 0; stage < kStages; ++stage) {
    const std::string scope = "/stage" + std::to_string(stage);
    Value previous = x;
    Value current = x;
    for (int cell = 0; cell < kCells; ++cell) {
      Value made =
          Cell(net, scope + ".normal" + std::to_string(cell), previous, current, filters).normal();
      previous = std::exchange(current, std::move(made));
    }
    filters *= 2;
    x = Cell(net, scope + ".reduction", previous, current, filters).reduction();
  }
  net.output(x, "output");
}

}  // namespace pet::datasets
