// A program run with rounding errors that are drawn: Monte Carlo arithmetic (D. S. Parker, 1997),
// so small that results depend on them linearly. What they make of a result, over several runs,
// says how large its errors are; that errors cancel which are the same ones, too.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/eval/lane_tensor.h"
#include "core/eval/meaning_code.h"
#include "core/util/digest.h"
#include "core/util/result.h"
#include "core/util/zeroed_array.h"
#include "verify/rounding/drawing.h"

namespace pet {

// Of the elements of one value, row-major, in units of one rounding of a number of size 1.
struct DrawnErrors {
  ZeroedArray<double> values;
  // Root of the mean square over the runs; not finite where the value is not.
  ZeroedArray<double> errors;
};

// Runs one program on draw after draw. What follows from constants alone is drawn once for all of
// them, as far as the memory goes that is set aside for it.
class NoisyProgram {
 public:
  // `wanted`: by node. REQUIRES: program, seed and stop outlive this
  NoisyProgram(const GraphCode& program, std::vector<char> wanted, const Digest& seed,
               std::size_t threads, const std::stop_token& stop);

  // All `draws` at once, which takes so many times the memory of one. Visits the wanted nodes in
  // order, with their errors by draw; those behind operators without a meaning of ours have no
  // values and are not visited. Yields by draw whether every number on the way was finite, and
  // within the floats.
  using Visit = std::function<Status(NodeId, std::vector<DrawnErrors>)>;
  Result<std::vector<bool>> run(std::span<const Draw> draws, const Visit& visit);

  // What follows from constants alone, of one draw: null where it is to be computed.
  struct Settled {
    std::vector<std::shared_ptr<const LaneTensor<double>>> values;  // by node
    std::vector<char> is_constant;  // by node: it follows from no input
    std::vector<char> may_be_kept;  // and what reads it does
    std::size_t numbers = 0;        // in all of them
    bool finite = true;             // as run() has it
  };

 private:
  const GraphCode& program_;
  std::vector<char> wanted_;
  const Digest& seed_;
  std::size_t threads_;
  const std::stop_token& stop_;
  Settled settled_;
};

}  // namespace pet
