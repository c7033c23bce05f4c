// A product with all that a library does at once.
#pragma once

#include <variant>

#include "gpu/lower/epilogue.h"
#include "gpu/lower/product_forms.h"

namespace pet::gpu {

// A product with what is done to it before it is written, in the form that a library takes.
struct Library {
  std::variant<Convolution, MatrixProduct> form;
  Product product;
  std::vector<EpilogueStep> steps;
  NodeId last() const { return steps.empty() ? product.node : steps.back().node; }
};

bool adds_bias(const Library& it);
// A bias lies along what is contiguous in the result.
bool takes_bias(const MatrixProduct& p);

// With as many of the steps behind it as the form takes; `readers` and `taken` as for steps_behind.
// nullopt: no library has a form for it.
std::optional<Library> library_form(const Graph& graph, NodeId node,
                                    const std::vector<std::vector<NodeId>>& readers,
                                    const std::vector<char>& taken);

}  // namespace pet::gpu
