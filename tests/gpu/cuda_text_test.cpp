// The text of kernels: compiled by this machine's compiler it computes what the interpreter does,
// bit by bit.
#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "gpu/kernel/interpret.h"
#include "gpu/kernel/print_cuda.h"
#include "gpu/lower/lower.h"
#include "tests/fuzz/pair.h"
#include "tests/gpu/programs.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seeded.h"

namespace pet::test {
namespace {

using gpu::Kernel;

class Kernels {
 public:
  void add(const Graph& graph) {
    const auto plan = gpu::lower(graph);
    if (!plan) return;
    for (const gpu::Launch& launch : plan->launches) {
      if (const auto* one = std::get_if<gpu::KernelLaunch>(&launch.what))
        all_.emplace(print_cuda(one->kernel, "kernel"), one->kernel);
    }
  }
  std::vector<Kernel> list() const {
    std::vector<Kernel> out;
    for (const auto& [text, kernel] : all_) out.push_back(kernel);
    return out;
  }

 private:
  std::map<std::string, Kernel> all_;  // by text: each once
};

std::string name_of(std::size_t number) { return fmt::format("k{}", number); }

// Calls the kernel for all of its blocks.
std::string wrapper(const Kernel& kernel, std::size_t number) {
  const auto shape = gpu::shape_of_launch(kernel);
  std::string operands;
  for (std::size_t b = 0; b < kernel.reads.size(); ++b) operands += fmt::format("b[{}], ", b);
  return fmt::format(
      "extern \"C\" void run_{}(const float* const* b, float* out) {{\n"
      "  (void)b;\n  run({}LL, {}, {}, [&] {{ {}({}out); }});\n}}\n",
      name_of(number), shape.blocks, shape.threads, kernel.is_by_rows(), name_of(number), operands);
}

using Entry = void (*)(const float* const*, float*);

class Compiled {
 public:
  explicit Compiled(const std::vector<Kernel>& kernels) {
    const auto source = folder_ / "kernels.cpp";
    std::ofstream out(source);
    out << "#include \"gpu/kernel/dialect.h\"\n" << gpu::cuda_prelude();
    for (std::size_t i = 0; i < kernels.size(); ++i)
      out << print_cuda(kernels[i], name_of(i)) << wrapper(kernels[i], i);
    out.close();
    const auto library = folder_ / "kernels.so";
    const std::string command = fmt::format(
        "{} -std=c++20 -O1 -w -fno-builtin -ffp-contract=off -shared -fPIC -I {} {} -o {}",
        PET_COMPILER, PET_SOURCE_DIR, source.string(), library.string());
    REQUIRE(std::system(command.c_str()) == 0);
    handle_ = dlopen(library.c_str(), RTLD_NOW);
    REQUIRE(handle_ != nullptr);
  }
  ~Compiled() { dlclose(handle_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  Entry entry(std::size_t number) const {
    return reinterpret_cast<Entry>(dlsym(handle_, ("run_" + name_of(number)).c_str()));
  }

 private:
  testing::ScratchFolder folder_;
  void* handle_ = nullptr;
};

class Vectors final : public gpu::Memory {
 public:
  Vectors(const Numbers& buffers, std::size_t result) : buffers_(buffers), result_(result, 0) {}
  float read(int buffer, Dim offset) override {
    return buffers_[static_cast<std::size_t>(buffer)].at(static_cast<std::size_t>(offset));
  }
  void write(Dim offset, float value) override {
    result_.at(static_cast<std::size_t>(offset)) = value;
  }
  const std::vector<float>& result() const { return result_; }

 private:
  const Numbers& buffers_;
  std::vector<float> result_;
};

// Both no number, or the same bits.
std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same =
        std::isnan(a[i]) ? std::isnan(b[i])
                         : std::bit_cast<std::uint32_t>(a[i]) == std::bit_cast<std::uint32_t>(b[i]);
    out += same ? 0 : 1;
  }
  return out;
}

std::vector<Kernel> kernels_of_all_programs() {
  Kernels all;
  for (const Program& program : programs_of_samples()) all.add(program.graph);
  for (const Program& program : programs_of_cases(PET_CASES "/ops")) all.add(program.graph);
  for (const Program& program : programs_of_cases(PET_CASES "/mutants")) all.add(program.graph);
  for (std::uint64_t seed = 1; seed <= PET_RANDOM_PROGRAMS; ++seed)
    all.add(fuzz::random_pair(seed).mutant);
  return all.list();
}

TEST_CASE("The text of every kernel computes what the interpreter does, bit by bit") {
  Seeded rng(5);
  const auto kernels = kernels_of_all_programs();
  CHECK(kernels.size() > 300);
  const Compiled compiled(kernels);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel& kernel = kernels[i];
    Numbers buffers;
    std::vector<const float*> pointers;
    for (const Shape& shape : kernel.reads) {
      auto& values = buffers.emplace_back(static_cast<std::size_t>(count(shape)));
      for (float& x : values) x = static_cast<float>(rng.normal());
    }
    for (const auto& values : buffers) pointers.push_back(values.data());
    Vectors memory(buffers, static_cast<std::size_t>(count(kernel.result)));
    interpret(kernel, memory);
    std::vector<float> result(memory.result().size(), 0);
    compiled.entry(i)(pointers.data(), result.data());
    INFO(print_cuda(kernel, name_of(i)));
    CHECK(differing(memory.result(), result) == 0);
  }
}

}  // namespace
}  // namespace pet::test
