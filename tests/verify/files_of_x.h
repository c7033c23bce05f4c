// Pairs of small files and what is said of them.
#pragma once

#include <catch2/catch.hpp>

#include "tests/support/onnx_builder.h"
#include "verify/files/file_proof.h"

namespace pet::testing::files {

inline Result<Model> read(const OnnxBuilder& file, const ReadOptions& reading = {}) {
  const ScratchFolder folder;
  return read_model(file.save(folder / "m.onnx"), reading);
}

inline FileVerdict prove(const OnnxBuilder& a, const OnnxBuilder& b,
                         const FileProofOptions& options = {}, const ReadOptions& reading = {}) {
  const auto original = read(a, reading);
  const auto mutant = read(b, reading);
  INFO((original ? "" : original.error().message) << (mutant ? "" : mutant.error().message));
  REQUIRE(original);
  REQUIRE(mutant);
  return prove_files(*original, *mutant, options);
}

// y[2,3] from x[2,3]; `fill` adds what is between.
template <class Fill>
OnnxBuilder of_x(Fill&& fill, std::int64_t ir = 8) {
  OnnxBuilder b(17, ir);
  b.input("x", {2, 3});
  b.output("y", {2, 3});
  fill(b);
  return b;
}

}  // namespace pet::testing::files
