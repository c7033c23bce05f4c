#include "datasets/models/models.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/pet/commands.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct ModelsOptions {
  datasets::ModelRequest request;
  std::string out;
  bool keep_batchnorm = false;
};

std::string words(const std::vector<std::int64_t>& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) {
    extents += extents.empty() ? "" : ", ";
    extents += extent == datasets::kOpen ? "?" : std::to_string(extent);
  }
  return "[" + extents + "]";
}

int list() {
  for (const auto& model : datasets::list_models()) {
    std::string inputs;
    for (const auto& shape : model.inputs) inputs += (inputs.empty() ? "" : " ") + words(shape);
    fmt::print("{:<32} {:<24} {}\n", model.name, inputs, model.summary);
  }
  return kDone;
}

// A group of models (operators) is built into a folder, one file each.
int build(ModelsOptions options) {
  const auto names = datasets::models_named(options.request.name);
  if (names.empty()) {
    return fail({fmt::format("no model is called {}; `pet models list` names them",
                             printable(options.request.name)),
                 ErrorKind::Usage});
  }
  options.request.fold_batchnorm = !options.keep_batchnorm;
  for (const std::string& name : names) {
    options.request.name = name;
    std::filesystem::path path = options.out;
    if (names.size() > 1) path /= std::filesystem::path(name).filename().string() + ".onnx";
    std::error_code failed;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
    if (failed) {
      return fail(
          {fmt::format("cannot write {}: cannot make the folder {}: {}", printable(path.string()),
                       printable(path.parent_path().string()), failed.message()),
           ErrorKind::Tool});
    }
    if (auto status = datasets::build_model(options.request, path); !status)
      return fail(status.error());
    fmt::print("{}\n", printable(path.string()));
  }
  return kDone;
}

}  // namespace

Command add_models(CLI::App& parent) {
  auto* models = parent.add_subcommand("models", "networks with seeded weights, to try things on");
  models->require_subcommand(1);
  models->add_subcommand("list", "their names");
  auto* make = models->add_subcommand(
      "build", "write one as ONNX (a group such as `operators` into a folder)");
  auto options = std::make_shared<ModelsOptions>();
  make->add_option("name", options->request.name, "as `pet models list` prints it")->required();
  make->add_option("-o,--output", options->out, "the file to write")->required();
  make->add_flag("--tiny", options->request.tiny,
                 "the same structure with few channels and small images");
  make->add_flag("--keep-batchnorm", options->keep_batchnorm,
                 "do not fold batch normalisation into convolutions");
  make->add_option("--batch", options->request.batch,
                   "images or texts at once, where not 1 or open");
  make->add_option("--frames", options->request.frames, "of a video model, instead of its own");
  make->add_option("--size", options->request.size,
                   "height and width of an image model, instead of its own");
  make->add_option("--seed", options->request.seed, "of the weights")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  return [models, options] { return models->got_subcommand("list") ? list() : build(*options); };
}

}  // namespace pet::app
