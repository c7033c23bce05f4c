// Every operator, every evaluator: they all say the same as the definition read word by word.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "core/eval/evaluate.h"
#include "core/eval/point_eval.h"
#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/element_types.h"
#include "tests/support/exact.h"
#include "tests/support/lanes.h"
#include "tests/support/op_instances.h"

namespace pet {
namespace {

using test::Numbers;
using test::OpInstance;
using test::Values;

constexpr int kInstances = 40;

std::vector<PrimeField> two_primes() {
  KeyStream keys(digest_of("test", "primes"), 0);
  return draw_primes(keys, 2);
}

const Digest kSecret = digest_of("test", "secret");

// Integers that repeat, so that some arguments of functions are equal. In [1, 3] where the
// functions need it.
std::vector<std::vector<Dim>> small_integers(const OpInstance& instance, const Meaning& meaning,
                                             Rng& rng) {
  bool total = true;
  for (const Application& a : meaning.applications)
    total = total && a.function->totality == Totality::Total;
  std::vector<std::vector<Dim>> values;
  for (const TensorType& type : test::operand_types(instance.operands, instance.elements)) {
    values.emplace_back(static_cast<std::size_t>(count(*type.shape)));
    const bool is_truth = type.dtype == DType::Bool;
    for (Dim& x : values.back())
      x = is_truth ? rng.between(0, 1) : total ? rng.between(-2, 2) : rng.between(1, 3);
  }
  return values;
}

void for_each_instance(const std::function<void(const OpInstance&, const Meaning&, Rng&)>& check) {
  for (const OpDef* def : ops::all()) {
    Rng rng(digest_of("instances", def->name).bytes[0]);
    for (int i = 0; i < kInstances; ++i) {
      const auto instance = test::sample_instance(*def, rng);
      if (!instance) FAIL("no sampler for " << def->name << ": tests/support/op_instances.cpp");
      const auto meaning = def->lower(instance->op, instance->operands);
      std::string shapes;
      for (const Shape& shape : instance->operands) shapes += to_string(shape);
      INFO(to_string(instance->op) << " on " << shapes);
      if (!meaning) FAIL(meaning.error().message);
      check(*instance, *meaning, rng);
    }
  }
}

ResidueTensor residues_of(const Shape& shape, const std::vector<Dim>& values,
                          const std::vector<PrimeField>& fields) {
  ResidueTensor out(shape, fields.size());
  for (std::size_t lane = 0; lane < fields.size(); ++lane) {
    for (std::size_t i = 0; i < values.size(); ++i)
      out.lane(lane)[i] = fields[lane].residue(values[i]);
  }
  return out;
}

ResidueTensor evaluate_residues(const OpInstance& instance, const Meaning& meaning,
                                const std::vector<std::vector<Dim>>& values,
                                const std::vector<PrimeField>& fields) {
  std::vector<ResidueTensor> operands;
  for (std::size_t i = 0; i < values.size(); ++i)
    operands.push_back(residues_of(instance.operands[i], values[i], fields));
  std::vector<const ResidueTensor*> pointers;
  for (const auto& operand : operands) pointers.push_back(&operand);
  auto out = ResidueEvaluator(fields, kSecret, 1).evaluate(meaning, pointers);
  REQUIRE(out.ok());
  return *std::move(out);
}

// The same by single points of a graph of one operator, in an order of no meaning.
std::vector<std::uint32_t> evaluate_points(const OpInstance& instance,
                                           const std::vector<std::vector<Dim>>& values,
                                           const PrimeField& field, Rng& rng) {
  GraphBuilder builder;
  std::vector<NodeId> inputs;
  for (std::size_t i = 0; i < instance.operands.size(); ++i) {
    inputs.push_back(builder.add_input(
        std::to_string(i), test::operand_type(instance.operands, instance.elements, i)));
  }
  const auto result = builder.add(instance.op, inputs);
  if (!result) FAIL(result.error().message);
  const Graph graph = std::move(builder).build();
  const Leaves leaves = [&](const Node& leaf) -> LeafElements {
    const auto& of_leaf = values[std::stoul(leaf.input()->name)];
    return [&](Dim flat) { return field.residue(of_leaf[static_cast<std::size_t>(flat)]); };
  };
  PointEvaluator points(graph, field, leaves, kSecret, 10'000'000);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(count(*graph.node(*result).type.shape)));
  std::vector<std::size_t> order(out.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  for (const std::size_t i : order) {
    const auto value = points.value(*result, static_cast<Dim>(i));
    if (!value) FAIL(value.error().message);
    out[i] = *value;
  }
  return out;
}

// For each element the number of the first that equals it.
std::vector<std::size_t> classes(const std::vector<std::uint32_t>& values) {
  std::map<std::uint32_t, std::size_t> first;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back(first.try_emplace(values[i], i).first->second);
  return out;
}

template <class T>
std::vector<T> evaluate_reals(const OpInstance& instance, const Meaning& meaning,
                              const std::vector<std::vector<Dim>>& values) {
  std::vector<LaneTensor<T>> operands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    operands.emplace_back(instance.operands[i], 1);
    std::ranges::transform(values[i], operands.back().values().begin(),
                           [](Dim x) { return static_cast<T>(x); });
  }
  std::vector<const LaneTensor<T>*> pointers;
  for (const auto& operand : operands) pointers.push_back(&operand);
  auto out = RealEvaluator<T>(Signs::Signed, Functions::Computed, 1).evaluate(meaning, pointers);
  REQUIRE(out.ok());
  return test::lane_of(*out, 0);
}

// Where a function is not defined, neither is a number.
template <class T>
bool are_near(T found, T expected, T tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= tolerance * (1 + std::abs(expected));
}

TEST_CASE("Residues of whole tensors and of single points agree for every operator") {
  const auto fields = two_primes();
  for_each_instance([&](const OpInstance& instance, const Meaning& meaning, Rng& rng) {
    const auto values = small_integers(instance, meaning, rng);
    const auto whole = evaluate_residues(instance, meaning, values, fields);
    for (std::size_t lane = 0; lane < fields.size(); ++lane) {
      const auto points = evaluate_points(instance, values, fields[lane], rng);
      // The two draw different functions; what must agree is where their results are equal.
      const auto all = test::lane_of(whole, lane);
      if (is_linear(meaning)) CHECK(points == all);
      CHECK(classes(points) == classes(all));
    }
  });
}

TEST_CASE("Reals of all widths agree with the definition for every operator") {
  for_each_instance([&](const OpInstance& instance, const Meaning& meaning, Rng& rng) {
    const auto values = small_integers(instance, meaning, rng);
    std::vector<Values> operands;
    for (std::size_t i = 0; i < values.size(); ++i) {
      operands.push_back({instance.operands[i], {values[i].begin(), values[i].end()}});
    }
    const Values expected = test::interpret(meaning, operands);
    const auto floats = evaluate_reals<float>(instance, meaning, values);
    const auto narrow = evaluate_reals<double>(instance, meaning, values);
    const auto wide = evaluate_reals<long double>(instance, meaning, values);
    REQUIRE(expected.shape == meaning.sum.out);
    REQUIRE(floats.size() == expected.data.size());
    REQUIRE(narrow.size() == expected.data.size());
    REQUIRE(wide.size() == expected.data.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
      CHECK(are_near<Real>(floats[i], expected.data[i], 1e-5L));
      CHECK(are_near<Real>(narrow[i], expected.data[i], 1e-13L));
      CHECK(are_near<Real>(wide[i], expected.data[i], 1e-15L));
    }
  });
}

TEST_CASE("Reals of many lanes agree with those of each lane alone for every operator") {
  constexpr std::size_t kLanes = 37;
  const RealEvaluator<double> together(Signs::Signed, Functions::Computed, 1, {}, kLanes);
  for_each_instance([&](const OpInstance& instance, const Meaning& meaning, Rng& rng) {
    std::vector<LaneTensor<double>> operands;
    for (const Shape& shape : instance.operands) operands.emplace_back(shape, kLanes);
    std::vector<std::vector<double>> expected;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto values = small_integers(instance, meaning, rng);
      for (std::size_t i = 0; i < values.size(); ++i)
        std::ranges::copy(values[i], operands[i].lane(lane).begin());
      expected.push_back(evaluate_reals<double>(instance, meaning, values));
    }
    std::vector<const LaneTensor<double>*> pointers;
    for (const auto& operand : operands) pointers.push_back(&operand);
    const auto all = together.evaluate(meaning, pointers);
    REQUIRE(all.ok());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto found = test::lane_of(*all, lane);
      REQUIRE(found.size() == expected[lane].size());
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(are_near(found[i], expected[lane][i], 1e-13));
    }
  });
}

TEST_CASE("Residues are those of the exact rational results for every linear operator") {
  const auto fields = two_primes();
  int linear = 0;
  for_each_instance([&](const OpInstance& instance, const Meaning& meaning, Rng& rng) {
    if (!is_linear(meaning)) return;
    ++linear;
    const auto values = small_integers(instance, meaning, rng);
    std::vector<Numbers<Rational>> operands;
    for (std::size_t i = 0; i < values.size(); ++i) {
      operands.push_back({instance.operands[i], {}});
      for (const Dim x : values[i]) operands.back().data.push_back(ratio(x, 1));
    }
    const auto exact = test::evaluate_exactly<Rational>(meaning.sum, operands,
                                                        [](const Rational& x) { return x; });
    const auto whole = evaluate_residues(instance, meaning, values, fields);
    for (std::size_t lane = 0; lane < fields.size(); ++lane) {
      std::vector<std::uint32_t> expected;
      for (const Rational& x : exact.data) expected.push_back(*fields[lane].residue(x));
      CHECK(test::lane_of(whole, lane) == expected);
    }
  });
  CHECK(linear >= 20 * kInstances);
}

TEST_CASE(
    "Element functions with one name are one function, with a value and, for windows, a row") {
  std::map<std::string_view, const ElementFunction*> known;
  for_each_instance([&](const OpInstance&, const Meaning& meaning, Rng&) {
    for (const Application& application : meaning.applications) {
      CHECK(known.try_emplace(application.function->name, application.function).first->second ==
            application.function);
      CHECK(application.function->value != nullptr);
      CHECK((application.function->row != nullptr) == application.window.has_value());
    }
  });
}

TEST_CASE("Shapes inferred for every operator are those of its meaning") {
  for_each_instance([&](const OpInstance& instance, const Meaning& meaning, Rng&) {
    GraphBuilder builder;
    std::vector<NodeId> inputs;
    for (std::size_t i = 0; i < instance.operands.size(); ++i) {
      inputs.push_back(builder.add_input(
          std::to_string(i), test::operand_type(instance.operands, instance.elements, i)));
    }
    const auto result = builder.add(instance.op, inputs);
    REQUIRE(result.ok());
    CHECK(*builder.type(*result).shape == meaning.sum.out);
    for (const Term& term : meaning.sum.terms) {
      for (const Access& access : term.factors) {
        const auto operand = static_cast<std::size_t>(access.operand);
        const Shape& shape = operand < instance.operands.size()
                                 ? instance.operands[operand]
                                 : meaning.applications.at(operand - instance.operands.size()).out;
        CHECK(access.index.size() == shape.size());
      }
    }
  });
}

}  // namespace
}  // namespace pet
