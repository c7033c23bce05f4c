#include "tests/conformance/samples.h"

#include "core/ops/ops.h"
#include "core/util/check.h"
#include "tests/support/element_types.h"

namespace pet::test {
namespace {

struct Line {
  const char* name;
  Attrs attrs;
  std::vector<Shape> operands;
};

using I = std::int64_t;

std::vector<Line> windowed() {
  return {
      {"AveragePool", {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}}, {{1, 2, 5}}},
      {"AveragePool",
       {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}, {"count_include_pad", I{1}}},
       {{1, 2, 5}}},
      {"AveragePool", {{"kernel_shape", Ints{2}}, {"dilations", Ints{2}}}, {{1, 2, 5}}},
      {"AveragePool",
       {{"kernel_shape", Ints{2, 3}},
        {"strides", Ints{2, 1}},
        {"ceil_mode", I{1}},
        {"count_include_pad", I{1}},
        {"pads", Ints{0, 1, 1, 1}}},
       {{2, 1, 4, 5}}},
      {"MaxPool",
       {{"kernel_shape", Ints{2}}, {"dilations", Ints{2}}, {"pads", Ints{1, 0}}},
       {{1, 2, 5}}},
      {"MaxPool",
       {{"kernel_shape", Ints{3, 2}}, {"strides", Ints{2, 2}}, {"ceil_mode", I{1}}},
       {{1, 1, 4, 5}}},
      {"MaxPool",
       {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}, {"ceil_mode", I{1}}, {"pads", Ints{0, 1}}},
       {{1, 1, 4}}},
      {"Conv", {{"pads", Ints{1, 0}}, {"strides", Ints{2}}}, {{1, 2, 5}, {3, 2, 3}, {3}}},
      {"Conv", {{"group", I{2}}, {"dilations", Ints{1, 2}}}, {{1, 4, 3, 4}, {2, 2, 2, 2}}},
      {"ConvTranspose",
       {{"strides", Ints{2}}, {"pads", Ints{1, 0}}, {"output_padding", Ints{1}}},
       {{2, 2, 3}, {2, 3, 3}, {3}}},
      {"ConvTranspose",
       {{"group", I{2}}, {"strides", Ints{2, 3}}, {"dilations", Ints{4, 2}}},
       {{1, 4, 2, 2}, {4, 1, 2, 3}}},
      {"ConvTranspose",
       {{"kernel_shape", Ints{1, 2, 2}}, {"pads", Ints{0, 0, 1, 0, 0, 1}}},
       {{1, 2, 1, 2, 3}, {2, 1, 1, 2, 2}}},
      {"GlobalAveragePool", {}, {{2, 3, 2, 2}}},
      {"BatchNormalization", {}, {{2, 3, 2}, {3}, {3}, {3}, {3}}},
      {"Softmax", {{"axis", I{1}}}, {{2, 3, 2}}},
      {"Softmax", {{"axis", I{1}}, {"to_end", I{1}}}, {{2, 3, 2}}},
      {"Softmax", {{"axis", I{1}}}, {{2, 3}}},
      {"LayerNormalization", {{"axis", I{1}}}, {{2, 3, 2}, {3, 2}, {2}}},
      {"LayerNormalization",
       {{"axis", I{1}}, {"result", std::string("inverse_deviation")}},
       {{2, 3, 2}}},
      {"ReduceMean", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
      {"ReduceMean", {{"axes", Ints{}}}, {{2, 3}}},
      {"ReduceSum", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceSum", {{"axes", Ints{}}}, {{2, 3}}},
      {"GlobalMaxPool", {}, {{2, 3, 2, 2}}},
      {"InstanceNormalization", {}, {{2, 3, 2, 2}, {3}, {3}}},
      {"GroupNormalization", {{"num_groups", I{2}}}, {{2, 4, 3}, {4}, {4}}},
      {"RMSNormalization", {{"axis", I{1}}}, {{2, 3, 2}, {3, 1}}},
      {"MeanVarianceNormalization", {{"axes", Ints{0, 2}}}, {{2, 3, 2}}},
      {"LRN", {{"alpha_by_size", 0.25}, {"size", I{3}}}, {{1, 5, 2, 2}}},
      {"LogSoftmax", {{"axis", I{1}}}, {{2, 3, 2}}},
      {"LogSoftmax", {{"axis", I{1}}, {"to_end", I{1}}}, {{2, 3, 2}}},
      {"ReduceMax", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceMax", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
      {"ReduceMax", {{"axes", Ints{0, 1}}, {"keepdims", I{0}}}, {{1, 1, 3}}},
      {"ReduceMin", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceMin", {{"axes", Ints{}}}, {{2, 3}}},
      {"ReduceProd", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
      {"ReduceProd", {{"axes", Ints{1}}}, {{2, 9}}},
      {"ReduceL1", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceL1", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
      {"ReduceL2", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceL2", {{"axes", Ints{}}}, {{}}},
      {"ReduceSumSquare", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceSumSquare", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
      {"ReduceLogSum", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceLogSumExp", {{"axes", Ints{1}}}, {{2, 3, 2}}},
      {"ReduceLogSumExp", {{"axes", Ints{0, 2}}, {"keepdims", I{0}}}, {{2, 3, 2}}},
  };
}

std::vector<Line> arithmetic() {
  return {
      {"Add", {}, {{2, 1, 3}, {4, 1}}},
      {"Sub", {}, {{2, 3}, {3}}},
      {"Mul", {}, {{3}, {2, 3}}},
      {"Neg", {}, {{2, 3}}},
      {"Sum", {}, {{2, 3}, {3}, {2, 1}}},
      {"Sum", {}, {{2}}},
      {"Div", {}, {{2, 3}, {2, 1}}},
      {"Pow", {}, {{2, 3}, {}}},
      {"Mean", {}, {{2, 3}, {3}, {2, 1}}},
      {"MatMul", {}, {{2, 1, 3, 4}, {5, 4, 2}}},
      {"MatMul", {}, {{4}, {3, 4, 2}}},
      {"MatMul", {}, {{2, 4}, {4}}},
      {"Gemm", {{"alpha", 0.5}, {"beta", 2.0}, {"transA", I{1}}}, {{3, 2}, {3, 4}, {4}}},
      {"Gemm", {{"transB", I{1}}}, {{2, 3}, {4, 3}}},
      {"Einsum", {{"equation", std::string("bij,bjk->bik")}}, {{2, 3, 4}, {2, 4, 2}}},
      {"Einsum", {{"equation", std::string("ij,ij")}}, {{2, 3}, {2, 3}}},
      {"Einsum", {{"equation", std::string("i,j->ji")}}, {{2}, {3}}},
      {"Einsum", {{"equation", std::string("iji->ij")}}, {{2, 3, 2}}},
      {"Einsum", {{"equation", std::string("...ij,...jk->...ik")}}, {{2, 1, 3, 4}, {2, 1, 4, 2}}},
      {"Clip", {}, {{2, 3}, {}, {1}}},
      {"Abs", {}, {{2, 3}}},
      {"Elu", {{"alpha", 0.75}}, {{2, 3}}},
      {"Erf", {}, {{2, 3}}},
      {"Exp", {}, {{2, 3}}},
      {"Gelu", {}, {{2, 3}}},
      {"Gelu", {{"approximate", std::string("tanh")}}, {{2, 3}}},
      {"HardSigmoid", {{"alpha", 0.25}, {"beta", 0.375}}, {{2, 3}}},
      {"HardSwish", {}, {{2, 3}}},
      {"LeakyRelu", {{"alpha", 0.25}}, {{2, 3}}},
      {"Log", {}, {{2, 3}}},
      {"Max", {}, {{2, 3}, {3}, {2, 1}}},
      {"Max", {}, {{2, 3}}},
      {"Min", {}, {{3}, {2, 3}}},
      {"PRelu", {}, {{2, 3}, {2, 1}}},
      {"Reciprocal", {}, {{2, 3}}},
      {"Relu", {}, {{2, 3}}},
      {"Sigmoid", {}, {{2, 3}}},
      {"Softplus", {}, {{2, 3}}},
      {"Sqrt", {}, {{2, 3}}},
      {"Tanh", {}, {{}}},
  };
}

std::vector<Line> functions() {
  return {
      {"Sign", {}, {{2, 3}}},
      {"Floor", {}, {{2, 3}}},
      {"Ceil", {}, {{2, 3}}},
      {"Round", {}, {{2, 3}}},
      {"Sin", {}, {{2, 3}}},
      {"Cos", {}, {{2, 3}}},
      {"Tan", {}, {{2, 3}}},
      {"Asin", {}, {{2, 3}}},
      {"Acos", {}, {{2, 3}}},
      {"Atan", {}, {{2, 3}}},
      {"Sinh", {}, {{2, 3}}},
      {"Cosh", {}, {{2, 3}}},
      {"Asinh", {}, {{2, 3}}},
      {"Acosh", {}, {{2, 3}}},
      {"Atanh", {}, {{2, 3}}},
      {"Softsign", {}, {{2, 3}}},
      {"Mish", {}, {{2, 3}}},
      {"Celu", {{"alpha", 0.25}}, {{2, 3}}},
      {"Selu", {{"alpha", 0.25}, {"gamma", 1.5}}, {{2, 3}}},
      {"ThresholdedRelu", {{"alpha", 2.5}}, {{2, 3}}},
      {"Shrink", {{"bias", 0.5}, {"lambd", 2.5}}, {{2, 3}}},
      {"Swish", {{"alpha", 0.25}}, {{2, 3}}},
  };
}

std::vector<Line> layout() {
  return {
      {"Concat", {{"axis", I{1}}}, {{2, 1, 2}, {2, 3, 2}, {2, 0, 2}}},
      {"DepthToSpace", {{"blocksize", I{2}}}, {{1, 8, 2, 3}}},
      {"DepthToSpace", {{"blocksize", I{2}}, {"mode", std::string("CRD")}}, {{1, 8, 2, 3}}},
      {"SpaceToDepth", {{"blocksize", I{2}}}, {{1, 2, 4, 2}}},
      {"SpaceToDepth", {{"blocksize", I{2}}, {"mode", std::string("CRD")}}, {{1, 2, 4, 2}}},
      {"Expand", {{"shape", Ints{2, 3, 4}}}, {{3, 1}}},
      {"Flatten", {{"axis", I{2}}}, {{2, 3, 2}}},
      {"Flatten", {{"axis", I{0}}}, {{2, 3}}},
      {"Gather",
       {{"axis", I{1}}, {"indices", Ints{0, 2, 4, 1, 1}}, {"shape", Ints{5}}},
       {{2, 5, 2}}},
      {"Gather", {{"axis", I{-1}}, {"indices", Ints{2}}, {"shape", Ints{}}}, {{2, 3}}},
      {"Gather", {{"indices", Ints{0, 1, 2, 3, 2, 1}}, {"shape", Ints{2, 3}}}, {{4, 2}}},
      {"Identity", {}, {{2, 3}}},
      {"Pad", {{"pads", Ints{1, -1, 0, 2}}}, {{2, 3}}},
      {"Pad", {{"mode", std::string("edge")}, {"pads", Ints{0, 1, 2, 0}}}, {{2, 3}}},
      {"Pad", {{"mode", std::string("reflect")}, {"pads", Ints{1, 2, 0, 1}}}, {{2, 3}}},
      {"Pad", {{"mode", std::string("wrap")}, {"pads", Ints{1, 2, 0, 1}}}, {{2, 3}}},
      {"Resize", {{"sizes", Ints{1, 2, 4, 3}}}, {{1, 2, 2, 5}}},
      {"Resize",
       {{"sizes", Ints{1, 1, 4, 6}},
        {"coordinate_transformation_mode", std::string("asymmetric")},
        {"nearest_mode", std::string("floor")}},
       {{1, 1, 2, 2}}},
      {"Resize", {{"mode", std::string("linear")}, {"sizes", Ints{1, 2, 6, 2}}}, {{1, 2, 3, 4}}},
      {"Resize",
       {{"mode", std::string("linear")},
        {"coordinate_transformation_mode", std::string("align_corners")},
        {"sizes", Ints{5, 1}}},
       {{3, 4}}},
      {"Reshape", {{"shape", Ints{4, 6}}}, {{2, 3, 4}}},
      {"Reshape", {{"shape", Ints{6, 4}}}, {{4, 6}}},
      {"Reshape", {{"shape", Ints{3, 0}}}, {{0, 3}}},
      {"Reshape", {{"shape", Ints{0, 5, 0}}}, {{0, 3, 0}}},
      {"Reshape", {{"shape", Ints{0, 0, 5}}}, {{2, 0, 5}}},
      {"Slice",
       {{"axes", Ints{0, 2}},
        {"starts", Ints{1, 3}},
        {"ends", Ints{3, -1}},
        {"steps", Ints{1, -2}}},
       {{3, 2, 4}}},
      {"Slice",
       {{"axes", Ints{1}}, {"starts", Ints{0}}, {"ends", Ints{5}}, {"steps", Ints{2}}},
       {{2, 6}}},
      {"Split", {{"axis", I{1}}, {"begin", I{1}}, {"end", I{3}}}, {{2, 4}}},
      {"Squeeze", {{"axes", Ints{0, 2}}}, {{1, 3, 1, 1}}},
      {"Squeeze", {{"axes", Ints{}}}, {{1, 3}}},
      {"Tile", {{"repeats", Ints{2, 1, 3}}}, {{2, 3, 2}}},
      {"Tile", {{"repeats", Ints{0, 2}}}, {{2, 0}}},
      {"Transpose", {{"perm", Ints{2, 0, 1}}}, {{2, 3, 4}}},
      {"Trilu", {}, {{2, 3, 4}}},
      {"Trilu", {{"k", I{-1}}, {"upper", I{0}}}, {{4, 3}}},
      {"Trilu", {{"k", I{9}}}, {{3, 2}}},
      {"Dropout", {}, {{2, 3}}},
      {"CumSum", {{"axis", I{1}}}, {{2, 3, 2}}},
      {"CumSum", {{"axis", I{-1}}, {"exclusive", I{1}}, {"reverse", I{1}}}, {{2, 4}}},
      {"Unsqueeze", {{"axes", Ints{0, 2}}}, {{2, 3}}},
      {"Unsqueeze", {{"axes", Ints{}}}, {{2, 3}}},
  };
}

std::vector<Line> choices() {
  return {
      {"Where", {}, {{2, 3}, {3}, {2, 1}}},
      {"Where", {}, {{}, {2, 3}, {}}},
      {"Cast", {{"to", I{1}}}, {{2, 3}}},
      {"Cast", {{"to", I{6}}}, {{2, 3}}},
      {"Cast", {{"to", I{7}}}, {{2, 3}}},
      {"Cast", {{"to", I{9}}}, {{2, 3}}},
      {"Equal", {}, {{2, 3}, {3}}},
      {"Greater", {}, {{2, 3}, {2, 1}}},
      {"Less", {}, {{3}, {2, 3}}},
      {"GreaterOrEqual", {}, {{2, 3}, {3}}},
      {"LessOrEqual", {}, {{2, 3}, {}}},
      {"And", {}, {{2, 3}, {3}}},
      {"Or", {}, {{2, 1}, {3}}},
      {"Xor", {}, {{2, 3}, {2, 3}}},
      {"Not", {}, {{2, 3}}},
      {"IsNaN", {}, {{2, 3}}},
  };
}

}  // namespace

std::vector<Sample> samples(const OpDef& def) {
  std::vector<Sample> out;
  for (const auto& lines : {windowed(), arithmetic(), functions(), layout(), choices()}) {
    for (const Line& line : lines) {
      if (line.name != def.name) continue;
      auto op = make_op(def, line.attrs);
      PET_CHECK(op.ok(), "a sample is well formed");
      for (const auto& elements : element_types(*op, line.operands))
        out.push_back({*op, line.operands, elements});
    }
  }
  return out;
}

}  // namespace pet::test
