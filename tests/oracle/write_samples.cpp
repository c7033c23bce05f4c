// write_samples FOLDER: every sample of every operator as a file of every operator set, as
// FOLDER/OP_NUMBER_OPSET/model.onnx. Prints one line for each that is refused.
// write_samples FOLDER NUMBER SEED: so many random ones instead, of which none is refused: samples
// with attributes and extents changed, of operator sets drawn at random.
#include <fmt/format.h>

#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "tests/conformance/instances.h"
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

// Something that a definition accepts and a test has time for.
std::optional<Sample> random_sample(Rng& rng) {
  constexpr Dim kMostWork = 20'000;
  const auto& all = ops::all();
  const std::vector<Sample> bases = samples(*all[rng.below(all.size())]);
  const Sample sample = changed(bases[rng.below(bases.size())], rng, Change::Anything);
  const auto meaning = accepted(sample);
  if (!meaning || work(*meaning, sample.operands) > kMostWork) return std::nullopt;
  return sample;
}

int write_random(const std::filesystem::path& folder, std::size_t number, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t i = 0; i < number;) {
    const auto sample = random_sample(rng);
    const int opset = static_cast<int>(rng.between(kOldestOpset, kNewestOpset));
    if (!sample) continue;
    const auto name = fmt::format("{}_{}_{}", sample->op.def->name, i, opset);
    std::filesystem::create_directories(folder / name);
    if (write_program(alone(*sample), opset, folder / name / "model.onnx")) {
      ++i;
    } else {
      std::filesystem::remove(folder / name);
    }
  }
  return 0;
}

}  // namespace
}  // namespace pet::test

int main(int argc, char** argv) {
  if (argc == 2) return pet::test::write_all(argv[1]);
  if (argc == 4) return pet::test::write_random(argv[1], std::stoul(argv[2]), std::stoull(argv[3]));
  return 2;
}
