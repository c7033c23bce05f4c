#include "app/pet-workbench/networks.h"

#include <fmt/format.h>

#include "app/pet-workbench/folders.h"
#include "core/util/printable.h"
#include "datasets/models/models.h"

namespace pet::app {
namespace {

std::vector<viz::NetworkChoice> list() {
  std::vector<viz::NetworkChoice> out;
  for (const auto& model : datasets::list_models()) out.push_back({model.name, model.summary});
  return out;
}

Result<std::filesystem::path> build(const viz::NetworkRequest& request,
                                    const std::stop_token& stop) {
  if (request.folder.empty())
    return Error{"no folder is named where the network is to be written", ErrorKind::Usage};
  std::error_code failed;
  std::filesystem::create_directories(request.folder, failed);
  if (failed)
    return Error{fmt::format("cannot make the folder {}: {}", printable(request.folder.string()),
                             failed.message()),
                 ErrorKind::Tool};
  const auto name = std::filesystem::path(request.name).filename().string();
  auto out = request.folder / fmt::format("{}{}.onnx", name, request.is_tiny ? "_tiny" : "");
  if (auto built = datasets::build_model({.name = request.name, .tiny = request.is_tiny}, out);
      !built)
    return std::move(built).error();
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return out;
}

}  // namespace

viz::NetworkPorts networks() {
  viz::NetworkPorts out{list, {}, build};
  if (const auto cache = cache_folder()) out.folder = *cache / "networks";
  return out;
}

}  // namespace pet::app
