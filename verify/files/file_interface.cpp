#include "verify/files/file_interface.h"

#include <fmt/format.h>

#include <map>

#include "core/util/printable.h"

namespace pet {
namespace {

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

std::string type_of(const ModelInput& input) {
  return input.other_type.empty() ? to_string(input.type) : printable(input.other_type);
}

std::string input_mismatch(const ModelInput& a, const ModelInput& b) {
  if (a.type != b.type || a.other_type != b.other_type) {
    return fmt::format("input {} is {} in the first program and {} in the second", quoted(a.name),
                       type_of(a), type_of(b));
  }
  if ((a.standard == nullptr) != (b.standard == nullptr)) {
    return fmt::format("input {} has a default value in the {} program only", quoted(a.name),
                       a.standard ? "first" : "second");
  }
  if (a.standard && a.standard->digest() != b.standard->digest()) {
    return fmt::format("input {} has another default value in the second program", quoted(a.name));
  }
  return {};
}

std::string inputs_mismatch(const std::vector<ModelInput>& original,
                            const std::vector<ModelInput>& mutant) {
  std::map<std::string, const ModelInput*> named;
  for (const ModelInput& input : mutant) named[input.name] = &input;
  for (const ModelInput& input : original) {
    const auto it = named.find(input.name);
    if (it == named.end())
      return fmt::format("input {} is missing in the second program", quoted(input.name));
    if (auto mismatch = input_mismatch(input, *it->second); !mismatch.empty()) return mismatch;
    named.erase(it);
  }
  if (named.empty()) return {};
  return fmt::format("input {} is missing in the first program", quoted(named.begin()->first));
}

std::string outputs_mismatch(const ModelOutput& a, const ModelOutput& b, std::size_t number,
                             OutputMatch outputs) {
  if (outputs == OutputMatch::ByName && a.name != b.name) {
    return fmt::format("output {} is {} in the first program and {} in the second", number,
                       quoted(a.name), quoted(b.name));
  }
  // Where we infer nothing, all there is to compare is what the files say.
  const bool inferred = a.type.shape && b.type.shape;
  const TensorType& x = inferred ? a.type : a.declared;
  const TensorType& y = inferred ? b.type : b.declared;
  const bool both_shapes = x.shape && y.shape;
  if (x.dtype == y.dtype && (!both_shapes || x.shape == y.shape)) return {};
  return fmt::format("output {} is {} in the first program and {} in the second", quoted(a.name),
                     to_string(x), to_string(y));
}

}  // namespace

std::string interface_mismatch(const Model& original, const Model& mutant, OutputMatch outputs) {
  if (auto mismatch = inputs_mismatch(original.inputs, mutant.inputs); !mismatch.empty())
    return mismatch;
  if (original.outputs.size() != mutant.outputs.size()) {
    return fmt::format("{} outputs in the first program and {} in the second",
                       original.outputs.size(), mutant.outputs.size());
  }
  for (std::size_t i = 0; i < original.outputs.size(); ++i) {
    auto mismatch = outputs_mismatch(original.outputs[i], mutant.outputs[i], i, outputs);
    if (!mismatch.empty()) return mismatch;
  }
  return {};
}

}  // namespace pet
