// Inputs that somebody keeps beside a model, as ONNX's own test data are kept: input_0.pb,
// input_1.pb, ... in a folder, or in its subfolders test_data_set_0, test_data_set_1, ...; or as
// numpy.savez writes them, in archives of that folder with an array for each input, by its name.
#pragma once

#include <filesystem>
#include <vector>

#include "core/onnx/model.h"

namespace pet {

// One value for each input of the model that has no default, in its order.
using InputSet = std::vector<Tensor>;

// Every set of the folder. An Error where there is none, or a value is no tensor of the input's
// type and shape.
Result<std::vector<InputSet>> read_input_data(const Model& model,
                                              const std::filesystem::path& folder);

}  // namespace pet
