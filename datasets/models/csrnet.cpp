#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

constexpr std::array<std::int64_t, 6> kFilters{512, 512, 512, 256, 128, 64};
constexpr std::int64_t kChannels = 512;
constexpr std::int64_t kTinyChannels = 32;  // a tiny back end has this many times fewer channels

}  // namespace

void csrnet(Network& net, const ModelRequest& request,
            const std::array<std::int64_t, 6>& dilations) {
  const std::int64_t fewer = request.tiny ? kTinyChannels : 1;
  const std::int64_t image = request.size.value_or(14);
  Value v = net.input("input", {request.batch.value_or(1), kChannels / fewer, image, image});
  for (std::size_t i = 0; i < kFilters.size(); ++i) {
    // A sequence of modules: convolutions at even places, each followed by its ReLU.
    const std::string scope = "/backend/backend.";
    v = net.conv(scope + std::to_string(2 * i), v,
                 {.filters = kFilters[i] / fewer,
                  .kernel = 3,
                  .pad = dilations[i],
                  .dilation = dilations[i]});
    v = net.relu(scope + std::to_string(2 * i + 1), v);
  }
  net.output(v, "output");
}

}  // namespace pet::datasets
