// The paths that `pet optimize` is given, looked at before any work is put into them.
#pragma once

#include "app/pet/optimize.h"
#include "core/onnx/model.h"
#include "core/util/result.h"

namespace pet::app {

// Nothing that is there is lost, and nothing that is found has nowhere to go.
Status check_paths(const OptimizeOptions& options);

// The same of what the model refers to: its weights in files of their own, and inputs that are
// given for it.
Status keep_what_is_read(const Model& model, const OptimizeOptions& options);

// Where the certificate goes; empty: nowhere.
std::string certificate_path(const OptimizeOptions& options);

}  // namespace pet::app
