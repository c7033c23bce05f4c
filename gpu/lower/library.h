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
  std::string remark = {};  // why some steps are left to others
  NodeId last() const { return steps.empty() ? product.node : steps.back().node; }
};

bool adds_bias(const Library& it);
// A bias lies along what is contiguous in the result.
bool takes_bias(const MatrixProduct& p);

// A product of a program in that form, or none: then `remark` says what the library lacks, where it
// is that.
struct LibraryForm {
  std::optional<Library> library;
  std::string remark = {};
};

// With as many of the steps behind it as the form takes and the library does not refuse; `readers`
// and `taken` as for steps_behind.
LibraryForm library_form(const Graph& graph, NodeId node,
                         const std::vector<std::vector<NodeId>>& readers,
                         const std::vector<char>& taken, const ConvolutionRefusal& refusal);

}  // namespace pet::gpu
