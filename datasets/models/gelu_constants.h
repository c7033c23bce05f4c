// The constants of Gelu in both of its forms, as PyTorch writes them: the floats nearest to the
// reals. Its form by Tanh (Hendrycks and Gimpel 2016) adds a share of the cube.
#pragma once

namespace pet::datasets {

inline constexpr float kRootOfTwo = 1.41421356237309504880F;
inline constexpr float kRootOfTwoByPi = 0.79788456080286535588F;
inline constexpr float kCubeShare = 0.044715F;

}  // namespace pet::datasets
