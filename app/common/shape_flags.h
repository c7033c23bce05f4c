// How every command that reads a model is told to read it: the sizes of what a file leaves open
// (--shape, --batch) and its operator set (--opset).
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/common/opset_flag.h"
#include "core/onnx/model.h"

namespace pet::app {

struct ShapeFlags {
  std::vector<std::string> shapes;
  std::optional<Dim> batch;
  OpsetFlag opset{};
};

// `group`: under which heading --help lists them.
void add_shape_flags(CLI::App& command, ShapeFlags& flags, const std::string& group = {});

// {"batch=2", "input:1=3"} -> sizes by the names of dimensions; {"tokens=1,128"} -> all extents of
// an input.
Result<ReadOptions> parse_shapes(const ShapeFlags& flags);

// A size for a dimension or an input that no file has is a mistake in the name.
Status check_shapes(const ReadOptions& asked, std::span<const Model* const> models);

// A file read at those sizes and of that operator set; says what is stale in it. The model may lie
// where `flags` keep it.
Result<Model> read_at_shapes(const std::string& file, const ShapeFlags& flags);

// "batch = 2, x:1 = 3"
std::string fixed_sizes(const std::map<std::string, Dim>& sizes);

}  // namespace pet::app
