// Programs read at single positions of their outputs, modulo one random prime. What they have in
// common is drawn once for all of them: inputs by name, the weights of an original by content.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/eval/linear_points.h"
#include "core/eval/point_eval.h"
#include "core/util/result.h"
#include "core/util/rng.h"

namespace pet {

struct DrawnLeaves {
  DrawnLeaves(const Graph& program, Rng& rng);

  const Graph original;  // a copy: leaves refer to it
  PrimeField field;
  Digest secret;
  Leaves leaves;
};

// The values of one program. Element functions need the evaluator that knows them, which is slow.
class PointReader {
 public:
  PointReader(const PointReader&) = delete;  // elements that are computed refer to it
  PointReader& operator=(const PointReader&) = delete;
  // REQUIRES: both outlive this. An Error comes of more than `most_steps` products.
  PointReader(const DrawnLeaves& drawn, const Graph& program, std::uint64_t most_steps);

  Result<std::uint32_t> value(std::size_t output, Dim position);
  // Many at once, for linear programs alone.
  Result<std::vector<std::uint32_t>> values(std::size_t output, std::span<const Dim> positions);

 private:
  LeafElements computed(NodeId id);

  const Graph& program_;
  PointEvaluator slow_;
  std::optional<LinearPoints> fast_;
  std::optional<Error> error_;
};

}  // namespace pet
