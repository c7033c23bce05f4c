// What a file holds, by digests: so that somebody who has the file can tell that it is this one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/onnx/model.h"

namespace pet {

// An initialiser of the main graph. Null: of a type that has no plain bytes.
struct StoredTensor {
  std::string name;
  std::shared_ptr<const Tensor> tensor;
};

struct StoredFile {
  std::string location;  // as the model writes it
  Digest digest;         // BLAKE2b of its bytes
};

struct Inventory {
  Digest file;                        // BLAKE2b of the model's own bytes
  std::vector<StoredFile> external;   // in the order in which tensors first name them
  std::vector<StoredTensor> tensors;  // in the file's order
};

// Where the external data lies that the model reads.
std::vector<std::filesystem::path> external_files(const Model& model);

// Of the file and of the external data that its tensors refer to.
std::uintmax_t stored_bytes(const Model& model);

// What a model that is read from there would have as its digest: a look at whether it still is the
// one that was read.
Result<Digest> digest_of_model(const std::filesystem::path& path);

// Reads the file again. An Error where it is not the one any more that the model was read from.
Result<Inventory> inventory_of(const Model& model);

}  // namespace pet
