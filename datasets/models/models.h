// The models that the workbench is measured on, made on the spot: their structure is built here and
// their weights are drawn from a seed, so that nothing has to be downloaded and two machines work
// on the same file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/util/result.h"

namespace pet::datasets {

struct ModelRequest {
  std::string name;            // one of list_models()
  bool tiny = false;           // the same structure with few channels and small images, below 1 MB
  bool fold_batchnorm = true;  // fold a batch norm into the convolution right in front of it
  // 1 to kMaxBatch. Where not set: open in the transformers that are written as exported, 1 in
  // every other model.
  std::optional<std::int64_t> batch = std::nullopt;
  // Frames of a video, and height and width of every image; the model's own where not set. Usage
  // errors where the model has no such freedom.
  std::optional<std::int64_t> frames = std::nullopt;
  std::optional<std::int64_t> size = std::nullopt;
  std::uint64_t seed = 1;  // of the weights; each is drawn from (seed, its name) alone
};

inline constexpr std::int64_t kMaxBatch = 65536;
inline constexpr std::int64_t kMaxExtent = 4096;  // of frames and size

inline constexpr std::int64_t kOpen = -1;  // stands for an extent that a file leaves open

struct ModelInfo {
  std::string name;
  std::string summary;                            // one sentence
  std::vector<std::vector<std::int64_t>> inputs;  // shapes at full size; kOpen where not fixed
};

std::vector<ModelInfo> list_models();

// The names that `name` stands for: itself, or all of a group ("operators" for every
// "operators/..."), in the order of list_models(); empty if there is none.
std::vector<std::string> models_named(std::string_view name);

// The model as the bytes of an .onnx file: the same request gives the same bytes.
Result<std::string> model_bytes(const ModelRequest& request);

// Writes model_bytes() to `out`: first beside it, then renamed, so that no half-written file is
// left.
Status build_model(const ModelRequest& request, const std::filesystem::path& out);

}  // namespace pet::datasets
