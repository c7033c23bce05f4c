// Small files whose constants follow from the constants of another file.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/ir/builder.h"
#include "core/onnx/weight_programs.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/weights.h"

namespace pet::testing {

inline const std::vector<float> kWeights = {1.5F, -0.7F, 2.3F, 0.1F, -1.9F, 3.7F};
inline const std::vector<float> kOthers = {0.3F, 1.7F, -2.9F, 0.9F, 1.1F, -0.2F};

inline NodeId constant(GraphBuilder& b, const std::vector<float>& values) {
  return b.add_constant(test::float_constant({2, 3}, values));
}

// y[2,3] = x[2,3] * w, w a constant of the given values.
inline OnnxBuilder scaled(const std::vector<float>& values) {
  OnnxBuilder b;
  b.input("x", {2, 3});
  b.output("y", {2, 3});
  b.floats("w", {2, 3}, values);
  b.node("Mul", {"x", "w"}, {"y"});
  return b;
}

inline Model read(const OnnxBuilder& file) {
  const ScratchFolder folder;
  auto model = read_model(file.save(folder / "m.onnx"));
  INFO((model ? "" : model.error().message));
  REQUIRE(model.ok());
  return *std::move(model);
}

inline void set_metadata(OnnxBuilder& b, const std::string& value) {
  auto* entry = b.model.add_metadata_props();
  entry->set_key(std::string(kWeightProgramsKey));
  entry->set_value(value);
}

}  // namespace pet::testing
