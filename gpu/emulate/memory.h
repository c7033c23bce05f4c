// The arena of an emulated device, of which every float knows whether it holds something.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu/launch/plan.h"

namespace pet::gpu {

class Arena {
 public:
  explicit Arena(const Plan& plan);

  // Nothing is in it from now on.
  void poison(BufferId id);
  void fill(BufferId id, std::span<const float> values);

  float read(BufferId id, Dim offset);
  void write(BufferId id, Dim offset, float value);

  Dim elements(BufferId id) const { return plan_.buffer(id).elements; }
  // How many of its elements nobody has written.
  Dim unwritten(BufferId id) const;
  std::vector<float> values(BufferId id) const;  // REQUIRES: all are written
  // The first thing that went wrong; empty: nothing.
  const std::string& fault() const { return fault_; }

 private:
  bool check(BufferId id, Dim offset, const char* what);
  std::size_t first(BufferId id) const;

  const Plan& plan_;
  std::vector<float> values_;
  std::vector<char> written_;
  std::string fault_;
};

}  // namespace pet::gpu
