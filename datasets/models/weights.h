// Where the numbers of every weight come from: independent draws that depend on the seed and the
// weight's name alone, so that two forms of one network have the same weights, and a weight stays
// what it is when others come or go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pet::datasets {

class Weights {
 public:
  explicit Weights(std::uint64_t seed) : seed_(seed) {}

  std::vector<float> normal(const std::string& name, std::size_t count, double deviation) const;
  std::vector<float> uniform(const std::string& name, std::size_t count, double low,
                             double high) const;

 private:
  std::uint64_t seed_;
};

}  // namespace pet::datasets
