// How fast the arithmetic of the evaluation is: products at the shapes of real layers, and the
// keyed hash.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "core/eval/kernels/keyed_hash.h"
#include "core/eval/kernels/modular_product.h"
#include "core/eval/kernels/real_product.h"
#include "core/util/rng.h"

namespace {

using namespace pet;

const PrimeField kField(kLargestPrime);

struct Shape {
  std::size_t rows, depth, columns;
};

constexpr std::array<Shape, 9> kShapes{{{64, 576, 3136},
                                        {512, 4608, 49},
                                        {128, 256, 784},
                                        {1, 9, 3136},
                                        {1, 4608, 784},
                                        {5, 64, 784},
                                        {64, 576, 3},
                                        {3, 576, 64},
                                        {1000, 512, 1}}};

template <class T>
std::vector<T> random_values(std::size_t count) {
  Rng rng(count);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(rng.below(kField.prime()));
  return values;
}

void report(benchmark::State& state, const Shape& shape) {
  state.counters["MAC/s"] =
      benchmark::Counter(static_cast<double>(shape.rows * shape.depth * shape.columns),
                         benchmark::Counter::kIsIterationInvariantRate);
}

// Operands packed beforehand: the block loop and the micro-kernels.
void packed(benchmark::State& state, Shape shape, InstructionSet set) {
  const auto a = random_values<std::uint32_t>(shape.rows * shape.depth);
  const auto b = random_values<std::uint32_t>(shape.depth * shape.columns);
  std::vector<std::uint32_t> c(shape.rows * shape.columns);
  PackedRows<std::uint32_t> rows(shape.rows, shape.depth);
  pack_a(rows, {a.data(), shape.depth});
  std::vector<PackedColumns<std::uint32_t>> blocks;
  for (std::size_t k = 0; k < shape.depth; k += kBlockDepth) {
    blocks.emplace_back(shape.columns, std::min(kBlockDepth, shape.depth - k));
    pack_b(blocks.back(), {b.data() + k * shape.columns, shape.columns});
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      modular_product(kField, rows, i * kBlockDepth, blocks[i], {c.data(), shape.columns, i > 0},
                      set);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  report(state, shape);
}

template <class T>
void from_memory(benchmark::State& state, Shape shape, InstructionSet set) {
  const auto a = random_values<T>(shape.rows * shape.depth);
  const auto b = random_values<T>(shape.depth * shape.columns);
  std::vector<T> c(shape.rows * shape.columns);
  const StridedMatrix<T> left{a.data(), shape.depth};
  const StridedMatrix<T> right{b.data(), shape.columns};
  const ProductOutput<T> out{c.data(), shape.columns, false};
  for (auto _ : state) {
    if constexpr (std::is_same_v<T, std::uint32_t>)
      modular_product(kField, left, right, shape.rows, shape.depth, shape.columns, out, set);
    else
      real_product<T>(left, right, shape.rows, shape.depth, shape.columns, out, set);
    benchmark::ClobberMemory();
  }
  report(state, shape);
}

constexpr std::size_t kElements = 8192;

void hash_elements(benchmark::State& state, InstructionSet set) {
  constexpr std::size_t kColumns = 5;
  std::vector<std::vector<std::uint32_t>> data(kColumns, random_values<std::uint32_t>(kElements));
  std::vector<const std::uint32_t*> columns;
  for (const auto& column : data) columns.push_back(column.data());
  const HashKey key{digest_of("bench", "key")};
  std::vector<Hash128> digests(kElements);
  for (auto _ : state) {
    digest_columns(key, Hash128{1, 2}, columns, digests, set);
    for (std::size_t i = 0; i < kColumns; ++i) expand(key, digests, i, kField, data[i], set);
    benchmark::ClobberMemory();
  }
  state.counters["s/element"] = benchmark::Counter(
      kElements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void hash_pools(benchmark::State& state, InstructionSet set) {
  constexpr std::size_t kWindow = 9;
  Rng rng(1);
  std::vector<Hash128> rows(kElements * kWindow);
  for (Hash128& value : rows) value = {rng.next(), rng.next()};
  const HashKey key{digest_of("bench", "key")};
  std::vector<Hash128> digests(kElements);
  std::vector<Hash128> work;
  for (auto _ : state) {
    work = rows;
    digest_multiset_rows(key, Hash128{1, 2}, work, kWindow, digests, set);
    benchmark::ClobberMemory();
  }
  state.counters["s/element"] = benchmark::Counter(
      kElements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void residues_of_floats(benchmark::State& state) {
  std::vector<float> values(kElements);
  Rng rng(2);
  for (float& value : values) value = static_cast<float>(rng.normal());
  std::vector<std::uint32_t> out(kElements);
  for (auto _ : state) {
    kField.residues(values, out);
    benchmark::ClobberMemory();
  }
  state.counters["s/element"] = benchmark::Counter(
      kElements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void register_all(InstructionSet set, const std::string& name) {
  if (!supported(set)) return;
  const auto add = [&](const std::string& what, auto function, auto... arguments) {
    benchmark::RegisterBenchmark((what + "/" + name).c_str(), function, arguments..., set);
  };
  for (const Shape& shape : kShapes) {
    const std::string size = std::to_string(shape.rows) + "x" + std::to_string(shape.depth) + "x" +
                             std::to_string(shape.columns);
    add("modular_packed/" + size, packed, shape);
    add("modular_from_memory/" + size, from_memory<std::uint32_t>, shape);
    add("double_from_memory/" + size, from_memory<double>, shape);
  }
  add("hash_5_words_5_expansions", hash_elements);
  add("hash_multiset_of_9", hash_pools);
}

}  // namespace

int main(int argc, char** argv) {
  register_all(InstructionSet::Avx512, "avx512");
  register_all(InstructionSet::Avx2, "avx2");
  register_all(InstructionSet::Portable, "portable");
  benchmark::RegisterBenchmark("residues_of_floats", residues_of_floats);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
