// How large each element of a tensor is.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/eval/alike.h"
#include "core/eval/lane_tensor.h"

namespace pet {

// Kept where positions differ alone: inputs all count alike, and so do most sums of them.
class Sizes {
 public:
  Sizes() : Sizes(unread({})) {}
  Sizes(const Shape& shape, double everywhere);
  // One lane.
  explicit Sizes(LaneTensor<double> of_elements);
  // An element for each class along each axis: of the shape alike.classes().
  Sizes(Alike alike, LaneTensor<double> of_classes);
  // Of a tensor that nobody reads.
  static Sizes unread(const Shape& shape);

  const Shape& shape() const { return alike_.shape(); }
  // Nothing where they differ, or where there is none.
  std::optional<double> everywhere() const;
  const Alike& alike() const { return alike_; }
  const LaneTensor<double>& of_classes() const { return *of_classes_; }
  LaneTensor<double> of_elements() const;
  // What is kept, without a copy where nobody else has it.
  LaneTensor<double> take() &&;
  // The same positions alike, with other sizes. REQUIRES: of the same shape
  Sizes with(LaneTensor<double> of_classes) const { return {alike_, std::move(of_classes)}; }

 private:
  Alike alike_;
  std::shared_ptr<LaneTensor<double>> of_classes_;  // never written while others have it
};

// Operands as an evaluator reads them.
class WrittenOut {
 public:
  // REQUIRES: these outlive it
  explicit WrittenOut(const std::vector<const Sizes*>& operands);

  const std::vector<const LaneTensor<double>*>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<LaneTensor<double>>> held_;
  std::vector<const LaneTensor<double>*> all_;
};

// visit(a, b) of every two elements at one place, once for all that are alike in both.
// REQUIRES: as many elements
void for_each_pair(const Sizes& a, const Sizes& b,
                   const std::function<void(double, double)>& visit);

}  // namespace pet
