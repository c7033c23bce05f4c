#include "gpu/lower/library.h"

#include <algorithm>

#include "gpu/launch/plan.h"

namespace pet::gpu {

bool adds_bias(const Library& it) {
  return it.product.bias || std::ranges::find(it.steps, EpilogueStep::Kind::Bias,
                                              &EpilogueStep::kind) != it.steps.end();
}

bool takes_bias(const MatrixProduct& p) { return p.result.strides[2] == 1; }

namespace {

// With views for all that is added, as the library is asked.
Convolution with_steps(Convolution c, const Library& it) {
  if (adds_bias(it)) c.bias = View{{}, {c.result.extents[1]}, {1}};
  for (const EpilogueStep& step : it.steps) {
    if (step.kind == EpilogueStep::Kind::Relu) c.relu = true;
    if (step.kind == EpilogueStep::Kind::Residual) c.residual = c.result;
  }
  return c;
}

}  // namespace

LibraryForm library_form(const Graph& graph, NodeId node,
                         const std::vector<std::vector<NodeId>>& readers,
                         const std::vector<char>& taken, const ConvolutionRefusal& refusal) {
  auto product = read_product(graph, node);
  if (!product) return {};
  const auto matrix = as_matrix_product(*product, row_major(graph, *product));
  const auto convolution = as_convolution(graph, *product);
  if (!matrix && !convolution) return {};
  Library out{{}, *product, steps_behind(graph, *product, readers, taken)};
  for (;; out.steps.pop_back()) {
    if (matrix && (!adds_bias(out) || takes_bias(*matrix))) {
      out.form = *matrix;
      return {out};
    }
    if (convolution && (!adds_bias(out) || feature_dimension(*product))) {
      const Convolution asked = with_steps(*convolution, out);
      const auto why = refusal ? refusal(asked) : std::nullopt;
      out.form = *convolution;
      if (!why) return {out};
      if (out.remark.empty())
        out.remark = in_words(Launch{.what = asked, .nodes = {}}) + ": " + *why;
    }
    if (out.steps.empty()) return {std::nullopt, out.remark};
  }
}

}  // namespace pet::gpu
