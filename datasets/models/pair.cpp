#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {

// Two images an instance: joined side by side they give mutants that are wrong along a seam.
void pair(Network& net, const ModelRequest& request) {
  const std::int64_t channels = request.tiny ? 4 : 64;
  const std::int64_t image = request.size.value_or(12);
  const ConvSpec spec{.filters = channels, .kernel = 3, .pad = 1};
  Value v = net.input("input", {2 * request.batch.value_or(1), channels, image, image});
  v = net.conv("/first", v, spec);
  v = net.relu("/relu", v);
  v = net.conv("/second", v, spec);
  net.output(v, "output");
}

}  // namespace pet::datasets
