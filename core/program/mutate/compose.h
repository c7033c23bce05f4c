// Two products of which one reads the other, as one: (x·A)·B = x·(A·B).
#pragma once

#include "core/program/mutate/digit_tensor.h"
#include "core/program/mutate/state.h"

namespace pet::mutation {

// nullopt where they cannot be one product of data and a product of their weights.
std::optional<State> composed_state(const Product& first, const Product& second);

// The weight of that product, in the digits of `dims` (the weight's, of the state above). `one`,
// `other`: the weights of the two products.
Result<DigitTensor> compose_weights(GraphBuilder& b, const Composition& both, NodeId one,
                                    NodeId other, const DigitDims& dims,
                                    const std::vector<Dim>& extents);

}  // namespace pet::mutation
