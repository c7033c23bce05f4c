// A tensor cut into boxes until of each something is known: whoever looks at a box takes it, or
// says what has to be known more narrowly first. Where an axis turns out to be several digits, all
// begins anew in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/box.h"
#include "core/util/result.h"
#include "verify/region/narrowing.h"

namespace pet::region {

// A range was cut in two.
struct Cut {
  std::size_t digit = 0;
  Dim at = 0;  // where the second part begins
  Cause cause;
  std::size_t program = 0;    // whose operators the cause names: 0 or 1, by whoever cuts
  std::vector<Range> inside;  // the box that was cut
};

// A digit fell into two.
struct DigitSplit {
  std::size_t axis = 0;
  Dim inner = 0;  // extent of the inner one
  Cause cause;
  std::size_t program = 0;
};

class Cutting {
 public:
  Cutting(const Shape& shape, std::size_t most_boxes);

  // The box to look at; nothing: all were looked at. An Error: there are too many.
  Result<std::optional<std::vector<Range>>> next();
  enum class Goes {
    On,
    Anew  // what was taken so far is void
  };
  // Of the box that next() handed out last.
  Result<Goes> cut(const std::vector<Range>& box, const Narrow& why, std::size_t program);

  const DigitBasis& basis() const { return basis_; }
  const std::vector<Cut>& cuts() const { return cuts_; }
  const std::vector<DigitSplit>& splits() const { return splits_; }
  // By axis of the tensor, in digits.
  std::vector<Affine> coordinates() const { return coordinates_in(basis_); }
  static std::vector<Affine> coordinates_in(const DigitBasis& basis);

 private:
  void begin();
  bool refine(const Narrow& why, std::size_t program);

  const std::size_t most_boxes_;
  DigitBasis basis_;
  std::vector<std::vector<Range>> open_;
  std::size_t taken_ = 0;
  std::size_t begun_ = 0;
  std::vector<Cut> cuts_;
  std::vector<DigitSplit> splits_;
};

}  // namespace pet::region
