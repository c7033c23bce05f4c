// A model as a file and its large weights apart, each known by the digest of its bytes: what is
// sent to a worker, so that a weight travels once however many programs hold it.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/util/result.h"

namespace pet {

struct Skeleton {
  struct Weight {
    std::string digest;  // plain_digest, in hex; the skeleton names it as a file beside it
    std::span<const std::byte> bytes;
  };
  std::string bytes;  // an ONNX file whose large weights are external data
  std::vector<Weight> weights;
  std::shared_ptr<const void> held;  // what they point into
};

Result<Skeleton> skeleton_of(const std::filesystem::path& model);

// An Error where a file refers to anything but digests: whoever was sent it would read what it was
// not sent.
Status check_skeleton(const std::filesystem::path& file);

}  // namespace pet
