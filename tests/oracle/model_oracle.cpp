// Reads every model of a folder (node_cases.py --models) as any other file, evaluates the program
// over the reals and compares with the results that lie beside it. Lists what is left opaque with
// the reason. Exit code 0: everything that is interpreted agrees. --emulated: in floats, as
// launches on an emulated GPU.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/onnx/model.h"
#include "core/onnx/parsed_file.h"
#include "gpu/emulate/device.h"
#include "gpu/lower/lower.h"
#include "tests/support/real_values.h"

namespace pet::test {
namespace {

namespace fs = std::filesystem;

constexpr Real kTolerance = 1e-4L;          // relative to the element
constexpr Real kRoundingOfLargest = 1e-5L;  // relative to the largest one: what cancellation leaves

template <class T>
std::vector<Real> elements_of(const Tensor& tensor) {
  std::vector<Real> out(tensor.bytes().size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T element;
    std::memcpy(&element, tensor.bytes().data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Real>(element);
  }
  return out;
}

Result<Values> values_of(const Tensor& tensor) {
  const auto with = [&](std::vector<Real> data) { return Values{tensor.shape(), std::move(data)}; };
  switch (tensor.type().dtype) {
    case DType::Float:
      return with(elements_of<float>(tensor));
    case DType::Double:
      return with(elements_of<double>(tensor));
    case DType::Int64:
      return with(elements_of<std::int64_t>(tensor));
    case DType::Int32:
      return with(elements_of<std::int32_t>(tensor));
    case DType::Int16:
      return with(elements_of<std::int16_t>(tensor));
    case DType::Int8:
      return with(elements_of<std::int8_t>(tensor));
    case DType::UInt64:
      return with(elements_of<std::uint64_t>(tensor));
    case DType::UInt32:
      return with(elements_of<std::uint32_t>(tensor));
    case DType::UInt16:
      return with(elements_of<std::uint16_t>(tensor));
    case DType::UInt8:
    case DType::Bool:
      return with(elements_of<std::uint8_t>(tensor));
    default:
      return Error{
          fmt::format("elements of type {} are not evaluated", to_string(tensor.type().dtype)),
          ErrorKind::Unsupported};
  }
}

// A tensor file of the case: its name in the model and its elements.
Result<std::pair<std::string, Values>> read_values(const fs::path& path, const Model& model) {
  ::onnx::TensorProto proto;
  std::ifstream file(path, std::ios::binary);
  if (!proto.ParseFromIstream(&file))
    return Error{fmt::format("{} holds no tensor", path.filename().string())};
  const auto tensor = onnx_io::read_tensor(proto, model.file);
  if (!tensor) return tensor.error();
  auto values = values_of(**tensor);
  if (!values) return std::move(values).error();
  return std::pair{proto.name(), *std::move(values)};
}

Result<std::map<std::string, Values>> read_all(const fs::path& folder, const std::string& kind,
                                               const Model& model) {
  std::map<std::string, Values> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(kind)) continue;
    auto values = read_values(entry.path(), model);
    if (!values) return std::move(values).error();
    out.insert(*std::move(values));
  }
  return out;
}

Result<std::vector<Values>> evaluate(const Model& model,
                                     const std::map<std::string, Values>& inputs) {
  std::map<NodeId, Values> known;
  for (const ModelInput& input : model.inputs) {
    const auto given = inputs.find(input.name);
    if (given == inputs.end()) return Error{"no value for the input " + input.name};
    known[input.id] = given->second;
  }
  for (const NodeId id : model.graph.ids()) {
    const Node& node = model.graph.node(id);
    if (known.contains(id)) continue;
    if (const Tensor* tensor = node.constant()) {
      auto values = values_of(*tensor);
      if (!values) return std::move(values).error();
      known[id] = *std::move(values);
      continue;
    }
    if (!model.graph.has_meaning(id)) return Error{"a node without meaning that nobody noted"};
    std::vector<Values> operands;
    for (const NodeId operand : node.operands) operands.push_back(known.at(operand));
    auto result = evaluate_fast(model.graph.meaning(id), operands);
    if (!result) return std::move(result).error();
    known[id] = *std::move(result);
  }
  std::vector<Values> out;
  for (const ModelOutput& output : model.outputs) out.push_back(known.at(output.id));
  return out;
}

// The same in floats, as launches for a GPU on the device that is emulated.
Result<std::vector<Values>> emulate(const Model& model,
                                    const std::map<std::string, Values>& inputs) {
  const auto plan = gpu::lower(model.graph);
  if (!plan) return plan.error();
  std::vector<std::vector<float>> given;
  for (const NodeId id : model.graph.inputs()) {
    const auto& input = *std::ranges::find(model.inputs, id, &ModelInput::id);
    const auto found = inputs.find(input.name);
    if (found == inputs.end()) return Error{"no value for the input " + input.name};
    auto& values = given.emplace_back();
    if (plan->buffer(plan->inputs[given.size() - 1]).elements == 0) continue;
    for (const Real x : found->second.data) values.push_back(static_cast<float>(x));
  }
  const std::vector<std::span<const float>> spans(given.begin(), given.end());
  auto outputs = gpu::emulate(*plan, spans);
  if (!outputs) return std::move(outputs).error();
  std::vector<Values> out;
  for (std::size_t i = 0; i < outputs->size(); ++i)
    out.push_back({*model.outputs[i].type.shape, {(*outputs)[i].begin(), (*outputs)[i].end()}});
  return out;
}

using Evaluate = Result<std::vector<Values>> (*)(const Model&,
                                                 const std::map<std::string, Values>&);

// Some expected results were typed in with four digits: half of the last one is rounding.
bool has_few_digits(const Values& values) {
  return std::ranges::all_of(values.data, [](Real x) {
    const Real digits = x * 1e4L;
    return !std::isfinite(x) || std::abs(digits - std::round(digits)) <= 1e-6L * std::abs(digits);
  });
}

// Whether something in it is not defined everywhere: there runtimes make what they like of it.
bool may_be_undefined(const Model& model) {
  return std::ranges::any_of(model.graph.ids(), [&](NodeId id) {
    return model.graph.has_meaning(id) &&
           std::ranges::any_of(model.graph.meaning(id).applications, [](const Application& a) {
             return a.function->totality == Totality::Partial;
           });
  });
}

std::string difference(const Values& ours, const Values& theirs, bool may_be_undefined) {
  if (ours.shape != theirs.shape)
    return fmt::format("shape {} instead of {}", to_string(ours.shape), to_string(theirs.shape));
  Real largest = 0;
  for (const Real x : theirs.data) {
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
  const Real typed = has_few_digits(theirs) ? 0.5e-4L : 0;
  for (std::size_t i = 0; i < theirs.data.size(); ++i) {
    if (!std::isfinite(theirs.data[i])) continue;  // not covered: our meaning is over the reals
    if (std::isnan(ours.data[i]) && may_be_undefined) continue;
    const Real allowed =
        kTolerance * std::abs(theirs.data[i]) + kRoundingOfLargest * largest + typed;
    if (!(std::abs(ours.data[i] - theirs.data[i]) <= allowed)) {
      return fmt::format("element {} is {} instead of {}", i, static_cast<double>(ours.data[i]),
                         static_cast<double>(theirs.data[i]));
    }
  }
  return "";
}

// "" where all outputs agree. An Error of kind Unsupported: opaque, with the reason.
Result<std::string> judge(const fs::path& folder, Evaluate compute,
                          std::set<std::string>& operators) {
  const auto model = read_model(folder / "model.onnx");
  if (!model) return model.error();
  std::string reasons;
  for (const OpaqueNote& note : model->opaque)
    reasons += (reasons.empty() ? "" : "; ") + note.reason;
  if (!reasons.empty()) return Error{reasons, ErrorKind::Unsupported};
  const fs::path data = folder / "test_data_set_0";
  const auto inputs = read_all(data, "input_", *model);
  if (!inputs) return inputs.error();
  const auto expected = read_all(data, "output_", *model);
  if (!expected) return expected.error();
  const auto ours = compute(*model, *inputs);
  if (!ours) return ours.error();
  for (std::size_t i = 0; i < ours->size(); ++i) {
    const std::string& name = model->outputs[i].name;
    const auto theirs = expected->find(name);
    if (theirs == expected->end()) return Error{"no expected value of " + name};
    const std::string what = difference((*ours)[i], theirs->second, may_be_undefined(*model));
    if (!what.empty()) return fmt::format("{}: {}", name, what);
  }
  operators.insert(model->file_nodes.at(0).op_type);
  return std::string();
}

int judge_all(const fs::path& folder, Evaluate compute) {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(folder)) cases.push_back(entry.path());
  std::ranges::sort(cases);
  std::size_t agreed = 0;
  std::size_t failed = 0;
  std::vector<std::string> opaque;
  std::set<std::string> operators;
  for (const fs::path& path : cases) {
    const std::string name = path.filename().string();
    const auto what = judge(path, compute, operators);
    if (!what && what.error().kind == ErrorKind::Unsupported) {
      opaque.push_back(fmt::format("{}: {}", name, what.error().message));
    } else if (what && what->empty()) {
      ++agreed;
    } else {
      ++failed;
      fmt::print("FAILED {}: {}\n", name, what ? *what : what.error().message);
    }
  }
  fmt::print("opaque, with the reason:\n");
  for (const auto& line : opaque) fmt::print("  {}\n", line);
  fmt::print("{} agree, {} fail, {} opaque ({} operators agree)\n", agreed, failed, opaque.size(),
             operators.size());
  return failed == 0 && agreed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace pet::test

int main(int argc, char** argv) {
  using namespace pet::test;  // NOLINT: of this program
  const bool emulated = argc == 3 && std::string(argv[2]) == "--emulated";
  if (argc != 2 && !emulated) {
    fmt::print(stderr, "usage: model_oracle FOLDER [--emulated]\n");
    return 2;
  }
  return judge_all(argv[1], emulated ? emulate : evaluate);
}
