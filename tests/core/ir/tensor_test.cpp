// What is known of a constant's elements from one walk over them.
#include "core/ir/tensor.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/util/rng.h"

namespace pet {
namespace {

std::vector<float> numbers(std::size_t size) {
  Rng rng(3);
  std::vector<float> out(size);
  for (float& x : out) x = static_cast<float>(rng.normal());
  return out;
}

// Certificates and caches hold it.
TEST_CASE("A tensor's digest is that of its type, its extents and its bytes, however large it is") {
  for (const Dim extent : {0, 1, 8191, 8192, 8193, 100'000}) {
    const auto size = static_cast<std::size_t>(extent);
    const std::vector<float> values = numbers(size);
    const Digest expected = Digester("tensor")
                                .add(static_cast<std::uint64_t>(DType::Float))
                                .add(std::uint64_t{1})
                                .add(static_cast<std::uint64_t>(size))
                                .add(std::as_bytes(std::span(values)))
                                .finish();
    CHECK(Tensor::of_floats({extent}, values).digest() == expected);
  }
}

TEST_CASE("What is infinite or no number is found wherever it stands") {
  constexpr std::size_t kSize = 20'001;
  CHECK(Tensor::of_floats({kSize}, numbers(kSize)).all_finite());
  CHECK(Tensor::of_floats({0}, {}).all_finite());
  for (const float wrong : {INFINITY, -INFINITY, NAN}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{8191}, std::size_t{8192}, kSize - 1}) {
      std::vector<float> values = numbers(kSize);
      values[at] = wrong;
      CHECK_FALSE(Tensor::of_floats({kSize}, values).all_finite());
    }
  }
}

}  // namespace
}  // namespace pet
