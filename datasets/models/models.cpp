#include "datasets/models/models.h"

#include <algorithm>
#include <functional>

#include "core/util/atomic_file.h"
#include "datasets/models/architectures.h"
#include "datasets/models/eqsat/eqsat.h"
#include "datasets/models/network.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

struct Entry {
  ModelInfo info;
  std::function<std::string(const ModelRequest&)> bytes;
  // The least size and number of frames that a request may ask for; 0 where they are fixed.
  std::int64_t least_size = 0;
  std::int64_t least_frames = 0;
};

// A model of the small set of operators that Network writes.
std::function<std::string(const ModelRequest&)> of_network(
    std::function<void(Network&, const ModelRequest&)> build) {
  return [build = std::move(build)](const ModelRequest& request) {
    Network net(request);
    build(net, request);
    return net.bytes();
  };
}

Entry csrnet_entry(const std::string& name, const std::string& dilations,
                   const std::array<std::int64_t, 6>& values) {
  return {{name,
           "The back end of CSRNet, a crowd counter: dilations " + dilations + ".",
           {{1, 512, 14, 14}}},
          of_network([values](Network& net, const ModelRequest& r) { csrnet(net, r, values); }),
          1};
}

constexpr std::int64_t kLeastDensenet = 32;  // halved five times

std::vector<Entry> all_entries() {
  std::vector<Entry> entries{
      {{"densenet121",
        "DenseNet-121, an image classifier of concatenated features.",
        {{1, 3, 224, 224}}},
       of_network([](Network& net, const ModelRequest& r) {
         densenet121(net, r, TransitionOrder::ConvThenPool);
       }),
       kLeastDensenet},
      {{"densenet121-yardstick",
        "The same network made faster by hand: its transitions pool before they convolve.",
        {{1, 3, 224, 224}}},
       of_network([](Network& net, const ModelRequest& r) {
         densenet121(net, r, TransitionOrder::PoolThenConv);
       }),
       kLeastDensenet},
      {{"resnet18", "ResNet-18, an image classifier of residual blocks.", {{1, 3, 224, 224}}},
       of_network(resnet18),
       1},
      {{"resnet50", "ResNet-50, an image classifier of bottlenecks.", {{1, 3, 224, 224}}},
       of_network(resnet50),
       1},
      {{"resnet3d18",
        "ResNet3D-18, a video classifier of residual blocks (torchvision's r3d_18).",
        {{1, 3, 16, 112, 112}}},
       of_network(resnet3d18),
       1,
       1},
      {{"mc3-18",
        "MC3-18, a video classifier whose later blocks keep to their frame (torchvision's mc3_18).",
        {{1, 3, 16, 112, 112}}},
       of_network(mc3_18),
       1,
       1},
      {{"inception-v3",
        "Inception-v3, an image classifier of parallel branches, at PET's size.",
        {{1, 3, 330, 330}}},
       of_network(inception_v3),
       kLeastInception},
      {{"bert-pet",
        "PET's simplified BERT: 12 layers, no norms, no scaling, ReLU.",
        {{1, 512, 768}}},
       of_network(bert_pet)},
      {{"pair",
        "Two 3x3 convolutions of two images, a Relu between them: small, and has wrong mutants.",
        {{2, 64, 12, 12}}},
       of_network(pair),
       1},
      csrnet_entry("csrnet", "2 (PET's)", {2, 2, 2, 2, 2, 2}),
      csrnet_entry("csrnet-d1", "1", {1, 1, 1, 1, 1, 1}),
      csrnet_entry("csrnet-d2-d4", "2, then 4", {2, 2, 2, 4, 4, 4}),
      csrnet_entry("csrnet-d4", "4", {4, 4, 4, 4, 4, 4}),
      {{"bert-base",
        "BERT-base as PyTorch exports it today: norms and Gelu as operators, the mask read by "
        "pairs.",
        {3, {kOpen, bert_text(false).tokens}}},
       bert_base},
      {{"vit-b16",
        "ViT-B/16, an image classifier, as PyTorch exports it today: norms and Gelu as operators.",
        {{kOpen, 3, vit_image(false).image, vit_image(false).image}}},
       vit_b16},
      {{"gpt2",
        "GPT-2 as PyTorch exports it today: one step without cache, a causal mask by comparisons.",
        {{kOpen, gpt2_text(false).tokens}}},
       gpt2},
      {{"bert-base-2021",
        "BERT-base as PyTorch exported it in 2021: norms and Gelu written out, every size open.",
        {3, {kOpen, kOpen}}},
       bert_base_2021},
      {{"vit-b16-2021",
        "ViT-B/16, an image classifier, as PyTorch exported it in 2021: sizes computed from "
        "images.",
        {{kOpen, 3, vit_image(false).image, vit_image(false).image}}},
       vit_b16_2021},
      {{"vit-b16-2023",
        "The same through the same exporter of PyTorch 2: even the scale of the scores is "
        "computed.",
        {{kOpen, 3, vit_image(false).image, vit_image(false).image}}},
       vit_b16_2023},
      {{"gpt2-2021",
        "GPT-2 as PyTorch exported it in 2021: one step without cache, a causal mask cut to size.",
        {{kOpen, kOpen}}},
       gpt2_2021},
  };
  for (const EqsatModel& model : eqsat_models()) {
    ModelInfo info = model.info;
    info.name = "eqsat/" + info.name;
    entries.push_back({std::move(info), of_network(model.build)});
  }
  for (ModelInfo& row : operator_rows()) {
    const std::string name = row.name;
    row.name = "operators/" + name;
    entries.push_back({std::move(row), of_network([name](Network& net, const ModelRequest& r) {
                         operator_row(net, r, name);
                       })});
  }
  return entries;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = all_entries();
  return all;
}

Status check_extent(const std::string& model, const std::string& what,
                    const std::optional<std::int64_t>& extent, std::int64_t least) {
  if (!extent) return Done{};
  if (least == 0) return Error{"the " + what + " of '" + model + "' is fixed", ErrorKind::Usage};
  if (*extent >= least && *extent <= kMaxExtent) return Done{};
  return Error{what + " " + std::to_string(*extent) + " is not between " + std::to_string(least) +
                   " and " + std::to_string(kMaxExtent),
               ErrorKind::Usage};
}

}  // namespace

std::vector<ModelInfo> list_models() {
  std::vector<ModelInfo> infos;
  for (const Entry& entry : entries()) infos.push_back(entry.info);
  return infos;
}

std::vector<std::string> models_named(std::string_view name) {
  const std::string group = std::string(name) + "/";
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.info.name == name || entry.info.name.starts_with(group))
      names.push_back(entry.info.name);
  }
  return names;
}

Result<std::string> model_bytes(const ModelRequest& request) {
  const auto entry = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& e) { return e.info.name == request.name; });
  if (entry == entries().end())
    return Error{"no model is called '" + request.name + "'", ErrorKind::Usage};
  if (request.batch && (*request.batch < 1 || *request.batch > kMaxBatch)) {
    return Error{"batch " + std::to_string(*request.batch) + " is not between 1 and " +
                     std::to_string(kMaxBatch),
                 ErrorKind::Usage};
  }
  if (auto fits = check_extent(request.name, "size", request.size, entry->least_size); !fits)
    return std::move(fits).error();
  if (auto fits =
          check_extent(request.name, "number of frames", request.frames, entry->least_frames);
      !fits)
    return std::move(fits).error();
  return entry->bytes(request);
}

Status build_model(const ModelRequest& request, const std::filesystem::path& out) {
  const Result<std::string> bytes = model_bytes(request);
  if (!bytes) return bytes.error();
  return write_atomically(
      out, [&](int fd) { return write_all(fd, std::as_bytes(std::span<const char>(*bytes))); });
}

}  // namespace pet::datasets
