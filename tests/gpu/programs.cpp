#include "tests/gpu/programs.h"

#include <algorithm>
#include <filesystem>

#include "core/ir/builder.h"
#include "core/onnx/text.h"
#include "core/ops/ops.h"
#include "core/util/check.h"
#include "tests/conformance/samples.h"

namespace pet::test {

std::vector<Program> programs_of_cases(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Program> out;
  for (const auto& file : files) {
    auto read = read_case(file);
    PET_CHECK(read.ok(), "a case can be read");
    const std::string name = file.stem().string();
    out.push_back({name + " original", read->original.graph});
    out.push_back({name + " mutant", read->mutant.graph});
  }
  return out;
}

std::vector<Program> programs_of_samples() {
  std::vector<Program> out;
  const std::vector<const OpDef*> defs = {
#define OP(name) &ops::name(),
#include "core/ops/all_ops.def"
#undef OP
  };
  for (const OpDef* def : defs) {
    for (const Sample& sample : samples(*def)) {
      GraphBuilder builder;
      std::vector<NodeId> operands;
      for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const DType type = i < sample.elements.size() ? sample.elements[i] : DType::Float;
        operands.push_back(builder.add_input("x" + std::to_string(i), {type, sample.operands[i]}));
      }
      const auto node = builder.add(sample.op, operands);
      if (!node) continue;
      builder.add_output(*node);
      out.push_back({to_string(sample.op), std::move(builder).build()});
    }
  }
  return out;
}

}  // namespace pet::test
