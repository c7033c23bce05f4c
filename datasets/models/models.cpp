#include "datasets/models/models.h"

#include <algorithm>
#include <functional>

#include "core/util/atomic_file.h"
#include "datasets/models/architectures.h"
#include "datasets/models/network.h"

namespace pet::datasets {
namespace {

struct Entry {
  ModelInfo info;
  std::function<void(Network&, const ModelRequest&)> build;
};

std::vector<Entry> all_entries() {
  std::vector<Entry> entries{
      {{"densenet121",
        "DenseNet-121, an image classifier of concatenated features.",
        {{1, 3, 224, 224}}},
       [](Network& net, const ModelRequest& r) {
         densenet121(net, r, TransitionOrder::ConvThenPool);
       }},
      {{"densenet121-yardstick",
        "The same network made faster by hand: its transitions pool before they convolve.",
        {{1, 3, 224, 224}}},
       [](Network& net, const ModelRequest& r) {
         densenet121(net, r, TransitionOrder::PoolThenConv);
       }},
      {{"resnet18", "ResNet-18, an image classifier of residual blocks.", {{1, 3, 224, 224}}},
       resnet18},
  };
  for (ModelInfo& row : operator_rows()) {
    const std::string name = row.name;
    row.name = "operators/" + name;
    entries.push_back({std::move(row), [name](Network& net, const ModelRequest& r) {
                         operator_row(net, r, name);
                       }});
  }
  return entries;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = all_entries();
  return all;
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
  if (request.batch < 1 || request.batch > kMaxBatch) {
    return Error{"batch " + std::to_string(request.batch) + " is not between 1 and " +
                     std::to_string(kMaxBatch),
                 ErrorKind::Usage};
  }
  Network net(request.name + (request.tiny ? " (tiny)" : ""), request.seed, request.fold_batchnorm);
  entry->build(net, request);
  return net.bytes();
}

Status build_model(const ModelRequest& request, const std::filesystem::path& out) {
  const Result<std::string> bytes = model_bytes(request);
  if (!bytes) return bytes.error();
  return write_atomically(
      out, [&](int fd) { return write_all(fd, std::as_bytes(std::span<const char>(*bytes))); });
}

}  // namespace pet::datasets
