// write_samples FOLDER: every sample of every operator as a file of every operator set, as
// FOLDER/OP_NUMBER_OPSET/model.onnx. Prints one line for each that is refused.
#include <fmt/format.h>

#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "tests/conformance/samples.h"
#include "tests/support/element_types.h"

namespace pet::test {
namespace {

Graph alone(const Sample& sample) {
  GraphBuilder builder;
  std::vector<NodeId> operands;
  for (const TensorType& type : operand_types(sample.operands, sample.elements))
    operands.push_back(builder.add_input(fmt::format("x{}", operands.size()), type));
  builder.add_output(*builder.add(sample.op, std::move(operands)));
  return std::move(builder).build();
}

int write_all(const std::filesystem::path& folder) {
  for (const OpDef* def : ops::all()) {
    std::size_t number = 0;
    for (const Sample& sample : samples(*def)) {
      const Graph program = alone(sample);
      for (int opset = kOldestOpset; opset <= kNewestOpset; ++opset) {
        const auto name = fmt::format("{}_{}_{}", def->name, number, opset);
        std::filesystem::create_directories(folder / name);
        const auto done = write_program(program, opset, folder / name / "model.onnx");
        if (done) continue;
        fmt::print("{}\n", done.error().message);
        if (done.error().kind != ErrorKind::Unsupported) return 1;
        std::filesystem::remove(folder / name);
      }
      ++number;
    }
  }
  return 0;
}

}  // namespace
}  // namespace pet::test

int main(int argc, char** argv) { return argc == 2 ? pet::test::write_all(argv[1]) : 2; }
