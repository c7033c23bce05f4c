// Pairs of files: a program, and one whose constants were folded by weight programs that it
// carries. Some as the tool writes them, some tampered with.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/onnx/model.h"
#include "core/onnx/weight_programs.h"
#include "core/util/rng.h"
#include "tests/fuzz/pair.h"

namespace pet::fuzz {

struct FilePair {
  std::string trick;  // empty: as the tool writes it
  Graph original;
  Graph file;
  WeightPrograms programs;
  std::shared_ptr<const Tensor>
      standard;          // of the last input of both, where a caller need not give it
  std::size_t left = 0;  // constants that stay computed
};

Result<FilePair> folded(const Pair& pair);

inline constexpr std::size_t kTricks = 9;

// One of the ways in which `honest` may be wrong; nothing where it does not apply. `other`:
// programs of another file.
std::optional<FilePair> tampered(const FilePair& honest, const WeightPrograms& other, Rng& rng);

// Written and read back.
struct Models {
  Model original;
  Model file;
};
Result<Models> written(const FilePair& pair);

// The weight programs as a program of constants: operands of `original` in place. Nothing where it
// has not got one.
std::optional<Graph> bound(const WeightPrograms& programs, const Graph& original);

}  // namespace pet::fuzz
