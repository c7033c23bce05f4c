// One step of a random program in several forms: those that are the same over the reals, and some
// that are not.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/util/rng.h"
#include "tests/support/sketch.h"

namespace pet::fuzz {

using test::Sketch;

// Operands: x, and a y of the same shape.
using Form = std::function<NodeId(Sketch&, NodeId x, NodeId y)>;

struct Step {
  std::string name;
  std::vector<Form> right;  // equal; the plain form first. None: the step does not fit the shape
  std::vector<Form> wrong;  // of the same shape as the right ones
};

enum class Kind {
  Linear,    // sums of products
  Function,  // with element functions or opaque operators
};

struct Family {
  Kind kind;
  bool multiplies;  // raises the degree: only a few of these in a program
  Step (*make)(const Shape& shape, Rng& rng);
};

Step round_trip(const Shape& shape, Rng& rng);
Step transposed(const Shape& shape, Rng& rng);
Step reshaped(const Shape& shape, Rng& rng);
Step sliced(const Shape& shape, Rng& rng);
Step concatenated(const Shape& shape, Rng& rng);
Step padded(const Shape& shape, Rng& rng);

Step gathered(const Shape& shape, Rng& rng);
Step tiled(const Shape& shape, Rng& rng);
Step unit_axes(const Shape& shape, Rng& rng);
Step blocks(const Shape& shape, Rng& rng);
Step bordered(const Shape& shape, Rng& rng);
Step triangles(const Shape& shape, Rng& rng);

Step sums(const Shape& shape, Rng& rng);
Step products(const Shape& shape, Rng& rng);
Step scaled(const Shape& shape, Rng& rng);
Step reduced(const Shape& shape, Rng& rng);
Step quotient(const Shape& shape, Rng& rng);
Step undefined_part(const Shape& shape, Rng& rng);

Step convolution(const Shape& shape, Rng& rng);
Step joined_convolution(const Shape& shape, Rng& rng);
Step pooled_convolution(const Shape& shape, Rng& rng);
Step average_pool(const Shape& shape, Rng& rng);
Step batch_norm(const Shape& shape, Rng& rng);
Step matrix_product(const Shape& shape, Rng& rng);

Step spaced_convolution(const Shape& shape, Rng& rng);
Step grouped_convolution(const Shape& shape, Rng& rng);
Step transposed_convolution(const Shape& shape, Rng& rng);
Step resized(const Shape& shape, Rng& rng);
Step labelled_product(const Shape& shape, Rng& rng);
Step global_mean(const Shape& shape, Rng& rng);

Step pointwise(const Shape& shape, Rng& rng);
Step partial_pointwise(const Shape& shape, Rng& rng);
Step softmax(const Shape& shape, Rng& rng);
Step layer_norm(const Shape& shape, Rng& rng);
Step max_pool(const Shape& shape, Rng& rng);
Step row_function(const Shape& shape, Rng& rng);
Step powers_of_rows(const Shape& shape, Rng& rng);
Step normalization(const Shape& shape, Rng& rng);
Step choice(const Shape& shape, Rng& rng);
Step opaque(const Shape& shape, Rng& rng);

inline const std::vector<Family>& families() {
  static const std::vector<Family> list = {
      {Kind::Linear, false, round_trip},
      {Kind::Linear, false, transposed},
      {Kind::Linear, false, reshaped},
      {Kind::Linear, false, sliced},
      {Kind::Linear, false, concatenated},
      {Kind::Linear, false, padded},
      {Kind::Linear, false, gathered},
      {Kind::Linear, false, tiled},
      {Kind::Linear, false, unit_axes},
      {Kind::Linear, false, blocks},
      {Kind::Linear, false, bordered},
      {Kind::Linear, false, triangles},
      {Kind::Linear, false, sums},
      {Kind::Linear, true, products},
      {Kind::Linear, false, scaled},
      {Kind::Linear, false, reduced},
      {Kind::Linear, true, convolution},
      {Kind::Linear, true, joined_convolution},
      {Kind::Linear, true, pooled_convolution},
      {Kind::Linear, true, spaced_convolution},
      {Kind::Linear, true, grouped_convolution},
      {Kind::Linear, true, transposed_convolution},
      {Kind::Linear, false, resized},
      {Kind::Linear, true, labelled_product},
      {Kind::Linear, false, global_mean},
      {Kind::Linear, false, average_pool},
      {Kind::Linear, true, matrix_product},
      {Kind::Function, false, batch_norm},
      {Kind::Function, true, quotient},
      {Kind::Function, false, undefined_part},
      {Kind::Function, false, pointwise},  // many functions: often
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, pointwise},
      {Kind::Function, false, partial_pointwise},
      {Kind::Function, false, partial_pointwise},
      {Kind::Function, false, partial_pointwise},
      {Kind::Function, false, softmax},
      {Kind::Function, false, layer_norm},
      {Kind::Function, false, max_pool},
      {Kind::Function, false, row_function},
      {Kind::Function, false, row_function},
      {Kind::Function, false, row_function},
      {Kind::Function, false, row_function},
      {Kind::Function, false, row_function},
      {Kind::Linear, true, powers_of_rows},
      {Kind::Linear, true, powers_of_rows},
      {Kind::Function, false, normalization},
      {Kind::Function, false, normalization},
      {Kind::Function, false, normalization},
      {Kind::Function, false, normalization},
      {Kind::Function, true, choice},
      {Kind::Function, true, choice},
      {Kind::Function, true, choice},
      {Kind::Function, false, opaque},
  };
  return list;
}

// ---- parts that several steps use ----

template <class T>
const T& any_of(const std::vector<T>& list, Rng& rng) {
  return list[rng.below(list.size())];
}

inline NodeId add(Sketch& s, NodeId a, NodeId b) { return s.op("Add", {a, b}); }
inline NodeId sub(Sketch& s, NodeId a, NodeId b) { return s.op("Sub", {a, b}); }
inline NodeId mul(Sketch& s, NodeId a, NodeId b) { return s.op("Mul", {a, b}); }
inline NodeId times(Sketch& s, NodeId a, float factor) { return mul(s, a, s.scalar(factor)); }

// Of rank 1 to 4.
inline Shape random_shape(Rng& rng, Dim longest_axis, Dim least_elements, Dim most_elements) {
  for (;;) {
    Shape shape;
    const Dim rank = rng.between(1, 4);
    for (Dim i = 0; i < rank; ++i) shape.push_back(rng.between(1, longest_axis));
    if (count(shape) >= least_elements && count(shape) <= most_elements) return shape;
  }
}

inline std::size_t any_axis(const Shape& shape, Rng& rng) { return rng.below(shape.size()); }

// A function of one value that permutes elements, and its inverse.
struct Turn {
  std::function<NodeId(Sketch&, NodeId)> there;
  std::function<NodeId(Sketch&, NodeId)> back;
};
Turn random_turn(const Shape& shape, Rng& rng);

// Weights of `shape` drawn at random: half of them from few values, so that some are equal or zero.
std::vector<float> random_weights(const Shape& shape, Rng& rng);
NodeId weights(Sketch& s, const Shape& shape, const std::vector<float>& values);

NodeId reversed(Sketch& s, NodeId x, std::size_t axis);
NodeId crop(Sketch& s, NodeId x, std::size_t axis, Dim begin, Dim end);  // by a negative pad
NodeId pad(Sketch& s, NodeId x, std::size_t axis, Dim begin, Dim end);
Shape random_factors(Dim size, Rng& rng);  // a shape of that many elements
Ints random_permutation(std::size_t rank, Rng& rng);
Ints inverse(const Ints& permutation);

// f on every piece of x along an axis, put together again.
template <class F>
NodeId in_pieces(Sketch& s, NodeId x, std::size_t axis, Dim cut, F&& f) {
  const Dim extent = s.shape(x)[axis];
  const NodeId first = f(s.slice(x, axis, 0, cut));
  return s.concat({first, f(s.slice(x, axis, cut, extent))}, axis);
}

}  // namespace pet::fuzz
