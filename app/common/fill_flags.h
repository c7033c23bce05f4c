// What is drawn for the inputs of a model, as commands that run it take it: --fill.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/onnx/input_ranges.h"

namespace pet::app {

void add_fill_flag(CLI::App& command, std::vector<std::string>& flags);

// {"tokens=0..30521"} -> by the input's name.
Result<std::map<std::string, ValueRange>> parse_fill(const std::vector<std::string>& flags);

// A range for an input that no model has, or in which an input of integers finds none, is a
// mistake.
Status check_fill(const std::map<std::string, ValueRange>& fill,
                  std::span<const Model* const> models);

}  // namespace pet::app
