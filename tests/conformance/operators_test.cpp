// Every operator against every rule that holds for operators. Over 400 lines: one rule after
// another.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/analysis/rearranged.h"
#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/conformance/instances.h"
#include "tests/support/element_types.h"
#include "tests/support/real_values.h"

using namespace pet;
using namespace pet::test;

namespace {

constexpr int kOldestOpset = 9;
constexpr int kNewestOpset = 28;
constexpr int kChanges = 2000;    // of every operator
constexpr Dim kSmallWork = 3000;  // what is evaluated element by element

struct Listed {
  const char* file;
  const OpDef* def;
};

std::vector<Listed> listed() {
  return {
#define OP(name) {#name, &ops::name()},
#include "core/ops/all_ops.def"
#undef OP
  };
}

// Names differ from run to run in nothing but this.
std::uint64_t seed_of(const OpDef& def) {
  std::uint64_t seed = 1;
  for (const char c : def.name) seed = seed * 131 + static_cast<unsigned char>(c);
  return seed;
}

void check_near(const Values& a, const Values& b, double tolerance) {
  REQUIRE(a.shape == b.shape);
  REQUIRE(a.data.size() == b.data.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if (!std::isfinite(a.data[i]) && !std::isfinite(b.data[i])) continue;
    const Real scale = std::max<Real>(1, std::abs(b.data[i]));
    worst = std::max(worst, static_cast<double>(std::abs(a.data[i] - b.data[i]) / scale));
  }
  CHECK(worst <= tolerance);
}

struct Applied {
  std::string function;
  std::vector<double> parameters;
  bool operator==(const Applied&) const = default;
};

std::vector<Applied> applied(const Meaning& meaning) {
  std::vector<Applied> all;
  for (const Application& application : meaning.applications)
    all.push_back({std::string(application.function->name), application.parameters});
  return all;
}

// Everything but which functions are applied, as text.
std::string geometry(const Meaning& meaning) {
  std::string out = to_string(meaning.sum.out);
  const auto add_read = [&](const Access& access) {
    out += "; " + std::to_string(access.operand) + ":";
    for (const IndexExpr& e : access.index) out += " " + to_string(e);
  };
  const auto add_guards = [&](const std::vector<Guard>& guards) {
    for (const Guard& g : guards)
      out += "; " + to_string(g.expr) + to_string(Shape{g.low, g.high, g.multiple_of});
  };
  for (const Application& application : meaning.applications) {
    out += "\nfunction " + to_string(application.out);
    for (const Access& access : application.elements) add_read(access);
    if (!application.window) continue;
    out += " window" + to_string(application.window->extent);
    add_read(application.window->read);
    add_guards(application.window->guards);
  }
  for (const Term& term : meaning.sum.terms) {
    out += "\n" + to_string(term.coef.scale) + to_string(term.reduce);
    for (const AxisTable& table : term.coef.tables) {
      for (const Rational& x : table.values) out += " " + to_string(x);
    }
    add_guards(term.guards);
    for (const Access& access : term.factors) add_read(access);
  }
  return out;
}

std::string everything(const Meaning& meaning) {
  std::string out = geometry(meaning);
  for (const auto& [function, parameters] : applied(meaning)) {
    out += " " + function;
    for (const double x : parameters) out += " " + std::to_string(x);
  }
  return out;
}

// The ONNX node as a file would hold it: our operands are variables, integer lists are constants.
OnnxCall as_call(const OnnxEmitted& emitted, const Sample& sample, int opset) {
  OnnxCall call;
  call.op_type = emitted.op_type;
  call.opset = opset;
  call.attrs = emitted.attrs;
  call.num_outputs = emitted.output + 1;
  for (const auto& operand : emitted.operands) {
    OnnxOperand& read = call.operands.emplace_back();
    read.present = true;
    read.dtype = DType::Float;
    if (const auto* number = std::get_if<std::size_t>(&operand)) {
      const TensorType type = operand_type(sample.operands, sample.elements, *number);
      read.shape = *type.shape;
      read.dtype = type.dtype;
    } else if (const auto* filled = std::get_if<Filled>(&operand)) {
      read.shape = filled->shape;
      if (count(filled->shape) <= kSmallWork)
        read.floats.emplace(static_cast<std::size_t>(count(filled->shape)), filled->value);
    } else if (const auto* tensor = std::get_if<IntTensor>(&operand)) {
      read.ints = tensor->values;
      read.dtype = DType::Int64;
      read.shape = tensor->shape;
    } else {
      read.ints = std::get<Ints>(operand);
      read.dtype = DType::Int64;
      read.shape = Shape{static_cast<Dim>(read.ints->size())};
    }
  }
  return call;
}

Result<OnnxEmitted> written(const Sample& sample, int opset) {
  auto emitted = emit_call(sample.op, sample.operands, opset);
  if (!emitted) return emitted;
  for (const AttrDef& attr : sample.op.def->attrs) {  // the exporter writes no empty list
    const AttrValue* value = emitted->attrs.find(attr.name);
    if (value != nullptr && *value == AttrValue{Ints{}}) emitted->attrs.erase(attr.name);
  }
  return emitted;
}

Result<Op> read_back(const OnnxCall& call) {
  const OpDef* def = ops::find(call.op_type);
  if (def == nullptr) return Error{"no operator " + call.op_type};
  auto imported = import_call(*def, call);
  if (!imported) return std::move(imported).error();
  if (imported->size() != call.num_outputs) return Error{"another number of results"};
  return imported->back().op;
}

bool has_other_than_one(const Op& op, const char* list) {
  return op.attrs.has(list) && std::ranges::any_of(op.ints(list), [](Dim x) { return x != 1; });
}

// What the two oldest operator sets have no node for, and later ones have.
bool is_too_new(const Sample& sample, int opset) {
  const Op& op = sample.op;
  const auto& name = op.def->name;
  if (opset >= 11) return false;
  if (name == "Clip" || name == "CumSum" || name == "Equal" || name == "Resize" || name == "Round")
    return true;
  if (name == "DepthToSpace") return op.text("mode") == "CRD";
  if (name == "Gemm") return sample.operands.size() < 3;
  if (opset >= 10) return false;
  if (name == "ThresholdedRelu") return true;
  if (name == "Slice") return has_other_than_one(op, "steps");
  if (name == "MaxPool" && has_other_than_one(op, "dilations")) return true;
  return (name == "MaxPool" || name == "AveragePool") && op.integer("ceil_mode") != 0;
}

// What an operator set has no node for.
bool is_inexpressible(const Sample& sample, int opset) {
  const Op& op = sample.op;
  const auto& name = op.def->name;
  const auto& in = sample.operands[0];
  if (is_too_new(sample, opset)) return true;
  if (name == "Celu" || name == "Einsum") return opset < 12;
  if (name == "Gelu") return opset < 20;
  if (name == "GreaterOrEqual" || name == "LessOrEqual") return opset < 12;
  if (name == "HardSwish") return opset < 14;
  if (name == "GroupNormalization") return opset < 21;
  if (name == "LayerNormalization") return opset < 17;
  if (name == "Mish") return opset < 18;
  if (name == "RMSNormalization") return opset < 23;
  if (name == "Swish") return opset < 24;
  if (name == "Trilu") return opset < 14;
  if (name == "SpaceToDepth") return opset < 28 && op.text("mode") == "CRD";
  if (name == "AveragePool" && op.ints("dilations") == Ints{2}) return opset < 19;
  if (name == "AveragePool") return opset < 22 && op.integer("ceil_mode") != 0;
  if (name == "Pad") return opset < 19 && op.text("mode") == "wrap";
  if (name == "MaxPool") return opset < 22 && op.ints("pads") == Ints{0, 1};
  if (name == "Reshape") return opset < 14 && op.ints("shape") == Ints{0, 0, 5};
  if ((name == "Softmax" || name == "LogSoftmax") &&
      op.integer("axis") + 1 != static_cast<Dim>(in.size()))
    return (op.integer("to_end") != 0) != (opset < 13);
  return false;
}

std::string expectation(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const bool whole = text.str().find("original") != std::string::npos &&
                     text.str().find("mutant") != std::string::npos;
  const std::string key = "# expect: ";
  if (!whole || text.str().rfind(key, 0) != 0) return "";
  return text.str().substr(key.size(), text.str().find('\n') - key.size());
}

std::vector<Rational> exact_sum(const Meaning& meaning, const std::vector<Values>& operands) {
  std::vector<Rational> out;
  for_each_position({}, meaning.sum.out, [&](std::span<const Dim> o) {
    Rational sum = 0;
    for (const Term& term : meaning.sum.terms) {
      for_each_position({o.begin(), o.end()}, term.reduce, [&](std::span<const Dim> axes) {
        if (!all_hold(term.guards, axes)) return;
        Rational product = term.coef.at(axes);
        for (const Access& factor : term.factors) {
          product *= exact(static_cast<double>(operands[static_cast<std::size_t>(factor.operand)]
                                                   .at(factor.index, axes)
                                                   .value_or(0)));
        }
        sum += product;
      });
    }
    out.push_back(sum);
  });
  return out;
}

}  // namespace

TEST_CASE("Every operator has a case that is equivalent and one that is not") {
  for (const Listed& op : listed()) {
    CAPTURE(op.file);
    const std::filesystem::path folder = PET_CASES;
    CHECK(expectation(folder / (std::string(op.file) + ".txt")) == "equivalent");
    const std::string other = expectation(folder / (std::string(op.file) + "_differs.txt"));
    CHECK(!other.empty());
    CHECK(other != "equivalent");
  }
}

TEST_CASE("Every operator has samples, and they are accepted") {
  for (const OpDef* def : ops::all()) {
    CAPTURE(def->name);
    CHECK(!samples(*def).empty());
    for (const Sample& sample : samples(*def)) {
      const auto meaning = accepted(sample);
      REQUIRE(meaning.ok());
      CHECK(structural_fault(*meaning, sample.operands).empty());
    }
  }
}

TEST_CASE("An operator written to ONNX and read again means the same, or is refused") {
  Rng rng(7);
  for (const OpDef* def : ops::all()) {
    for (const Sample& sample : samples(*def)) {
      const auto operands = positive_operands(sample, rng);
      const Values expected = interpret(*accepted(sample), operands);
      for (int opset = kOldestOpset; opset <= kNewestOpset; ++opset) {
        CAPTURE(to_string(sample.op), opset);
        const auto node = written(sample, opset);
        REQUIRE(node.ok() != is_inexpressible(sample, opset));
        if (!node) {
          const auto& message = node.error().message;
          CHECK(node.error().kind == ErrorKind::Unsupported);
          CHECK(message.find(def->name) == 0);
          CHECK(message.find("operator set " + std::to_string(opset) + ": ") != std::string::npos);
          continue;
        }
        const auto back = read_back(as_call(*node, sample, opset));
        REQUIRE(back.ok());
        if (back->def == def)
          CHECK(everything(*accepted({*back, sample.operands, sample.elements})) ==
                everything(*accepted(sample)));
        check_near(interpret(*accepted({*back, sample.operands, sample.elements}), operands),
                   expected, 0);
      }
    }
  }
}

TEST_CASE("Without padding, on explicit zeros, an operator means the same or is refused") {
  Rng rng(11);
  int same = 0;
  int refused = 0;
  for (const OpDef* def : ops::all()) {
    if (def->without_padding == nullptr) continue;
    for (const Sample& sample : samples(*def)) {
      if (!sample.op.attrs.has("pads")) {  // no piece of it is such an operator
        CHECK_FALSE(def->without_padding(sample.op, Padding::Explicit));
        continue;
      }
      const Ints& pads = sample.op.ints("pads");
      if (pads.empty()) continue;
      CAPTURE(to_string(sample.op));
      const auto bare = def->without_padding(sample.op, Padding::Explicit);
      if (!bare) {
        ++refused;
        continue;
      }
      const auto operands = positive_operands(sample, rng);
      Ints around(2 * sample.operands[0].size(), 0);
      for (std::size_t i = 0; i < pads.size() / 2; ++i) {
        around[2 + i] = pads[i];
        around[around.size() / 2 + 2 + i] = pads[pads.size() / 2 + i];
      }
      const Op pad = *make_op(ops::pad(), Attrs{{"pads", around}});
      auto padded = operands;
      padded[0] = interpret(*accepted({pad, {sample.operands[0]}}), {operands[0]});
      std::vector<Shape> shapes = sample.operands;
      shapes[0] = padded[0].shape;
      check_near(interpret(*accepted({*bare, shapes}), padded),
                 interpret(*accepted(sample), operands), 0);
      ++same;
    }
  }
  CHECK(same >= 2);
  CHECK(refused >= 2);
}

namespace {

Values transposed(const Values& values, const AxisOrder& order) {
  const Op op = *make_op(ops::transpose(), Attrs{{"perm", Ints(order.begin(), order.end())}});
  return interpret(*accepted({op, {values.shape}}), {values});
}

}  // namespace

TEST_CASE("In another order of axes an operator yields its result in that order") {
  Rng rng(12);
  std::set<const OpDef*> seen;
  for (const OpDef* def : ops::all()) {
    if (def->lower == nullptr) continue;
    for (const Sample& sample : samples(*def)) {
      const auto meaning = accepted(sample);
      if (!meaning || work(*meaning, sample.operands) > kSmallWork) continue;
      CAPTURE(to_string(sample.op));
      GraphBuilder b;
      std::vector<NodeId> inputs;
      for (const TensorType& type : operand_types(sample.operands, sample.elements))
        inputs.push_back(b.add_input(std::to_string(inputs.size()), type));
      const auto made = b.add(sample.op, inputs);
      REQUIRE(made.ok());
      const Graph graph = std::move(b).build();
      AxisOrder order = identity_order(meaning->sum.out.size());
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
      const auto op = rearranged(graph, *made, order);
      if (!op) continue;
      auto operands = positive_operands(sample, rng);
      const Values expected = transposed(interpret(*meaning, operands), order);
      std::vector<Shape> shapes;
      for (Values& operand : operands) {
        if (operand.data.size() != 1) {  // a single number is the same in every order
          Shape full(order.size() - operand.shape.size(), 1);
          full.insert(full.end(), operand.shape.begin(), operand.shape.end());
          operand = transposed({full, operand.data}, order);
        }
        shapes.push_back(operand.shape);
      }
      check_near(interpret(*accepted({*op, shapes, sample.elements}), operands), expected, 1e-12);
      seen.insert(def);
    }
  }
  for (const OpDef* def : ops::all()) {
    CAPTURE(def->name);
    if (def->rearranged != nullptr) CHECK(seen.contains(def));
  }
  CHECK(seen.size() >= 20);
}

TEST_CASE("Wrong and hostile instances are errors, and what is accepted is sound") {
  for (const OpDef* def : ops::all()) {
    Rng rng(seed_of(*def));
    const auto bases = samples(*def);
    int taken = 0;
    for (int i = 0; i < kChanges; ++i) {
      const Sample sample = changed(bases[rng.below(bases.size())], rng, Change::Anything);
      CAPTURE(to_string(sample.op), sample.operands);
      const auto meaning = accepted(sample);
      if (!meaning) {
        REQUIRE(!meaning.error().message.empty());
        continue;
      }
      REQUIRE(structural_fault(*meaning, sample.operands) == "");
      if (work(*meaning, sample.operands) > kSmallWork) continue;
      ++taken;
      const auto operands = positive_operands(sample, rng);
      const auto fast = evaluate_fast(*meaning, operands);
      REQUIRE(fast.ok());
      check_near(*fast, interpret(*meaning, operands), 1e-9);
    }
    CAPTURE(def->name);
    CHECK(taken > kChanges / 100);
  }
}

TEST_CASE("A hostile ONNX node is an error, or an operator that is accepted or refused") {
  for (const OpDef* def : ops::all()) {
    Rng rng(seed_of(*def) + 1);
    const auto bases = samples(*def);
    for (int i = 0; i < kChanges; ++i) {
      const Sample base = bases[rng.below(bases.size())];
      Sample sample = changed(base, rng, Change::Anything);
      const int opset = static_cast<int>(rng.between(11, 28));
      const auto node = written(sample, opset);
      if (!node) {
        REQUIRE(!node.error().message.empty());
        continue;
      }
      OnnxCall call = as_call(*node, sample, opset);
      call.num_outputs = rng.below(8) == 0 ? static_cast<std::size_t>(rng.between(0, 4)) : 1;
      if (!call.operands.empty() && rng.below(8) == 0)
        call.operands[rng.below(call.operands.size())] = OnnxOperand();
      if (!call.operands.empty() && rng.below(8) == 0) call.operands.pop_back();
      if (rng.below(8) == 0) call.attrs.set("axis", std::string("one"));
      CAPTURE(to_string(sample.op), opset);
      const OpDef* reader = ops::find(call.op_type);
      if (reader->from_onnx == nullptr) continue;
      const auto imported = reader->from_onnx(call);
      if (!imported) {
        REQUIRE(!imported.error().message.empty());
      } else {
        for (const OnnxImported& one : *imported) REQUIRE(make_op(*one.op.def, one.op.attrs).ok());
      }
    }
  }
}

TEST_CASE("Geometry changes no function that is applied, and no parameter") {
  for (const OpDef* def : ops::all()) {
    Rng rng(seed_of(*def) + 2);
    for (const Sample& base : samples(*def)) {
      const auto before = applied(*accepted(base));
      for (int i = 0; i < 200; ++i) {
        const auto after = accepted(changed(base, rng, Change::Geometry));
        if (!after || applied(*after).empty() || before.empty())
          continue;  // a window of one element
        REQUIRE(applied(*after) == before);
      }
    }
  }
}

TEST_CASE("A parameter changes a function that is applied and nothing that is read") {
  for (const OpDef* def : ops::all()) {
    for (const AttrDef& attr : def->attrs) {
      if (attr.role != AttrRole::Parameter) continue;
      CAPTURE(def->name, attr.name);
      for (const Sample& base : samples(*def)) {
        int changes = 0;
        for (const AttrValue& value :
             std::vector<AttrValue>{0.125, 0.75, std::string("none"), std::string("tanh"),
                                    std::int64_t{6}, std::int64_t{9}}) {
          Sample other = base;
          other.op.attrs.set(attr.name, value);
          if (other.op == base.op) continue;
          const auto meaning = accepted(other);
          if (!meaning) continue;
          ++changes;
          CHECK(applied(*meaning) != applied(*accepted(base)));
          CHECK(geometry(*meaning) == geometry(*accepted(base)));
        }
        CHECK(changes > 0);
      }
    }
  }
}

namespace {

constexpr double kNumbers[] = {1, 2, -1, 0.5, 3, 0};

// Of the sample with one element for operand `place`; nothing where it takes no such.
std::optional<Sample> with_number(Sample sample, std::size_t place) {
  if (count(sample.operands[place]) != 1) sample.operands[place] = {};
  if (!accepted(sample)) return std::nullopt;
  return sample;
}

template <class T>
std::shared_ptr<const Tensor> one_element(const TensorType& type, double number) {
  const auto held = std::make_shared<const T>(static_cast<T>(number));
  return std::make_shared<const Tensor>(type, std::as_bytes(std::span(held.get(), 1)), held);
}

std::shared_ptr<const Tensor> constant_of(const TensorType& type, double number) {
  const double x = as_element(type.dtype, number);
  if (type.dtype == DType::Int64) return one_element<std::int64_t>(type, x);
  if (type.dtype == DType::Bool) return one_element<std::uint8_t>(type, x);
  return one_element<float>(type, x);
}

// What a graph makes of it that has this constant there, and inputs elsewhere.
Meaning with_constant(const Sample& sample, std::size_t place, double number) {
  GraphBuilder b;
  std::vector<NodeId> operands;
  for (std::size_t i = 0; i < sample.operands.size(); ++i) {
    const TensorType type = operand_type(sample.operands, sample.elements, i);
    operands.push_back(i == place ? b.add_constant(constant_of(type, number))
                                  : b.add_input(std::to_string(i), type));
  }
  const auto node = b.add(sample.op, operands);
  REQUIRE(node.ok());
  return std::move(b).build().meaning(*node);
}

}  // namespace

TEST_CASE("Constants decide what an operator means where its definition says so, and only there") {
  for (const OpDef* def : ops::all()) {
    const auto declared = def->by_numbers ? def->by_numbers->operands : std::vector<std::size_t>{};
    std::set<std::size_t> decided;
    for (const Sample& base : samples(*def)) {
      for (std::size_t place = 0; place < base.operands.size(); ++place) {
        const auto sample = with_number(base, place);
        if (!sample) continue;
        CAPTURE(to_string(sample->op), place);
        const Meaning without = *accepted(*sample);
        for (const double number : kNumbers) {
          KnownNumbers numbers(sample->operands.size());
          numbers[place] = exact(number);
          const Meaning with = *meaning_of(sample->op, sample->operands, numbers);
          CHECK(with.sum.out == without.sum.out);
          CHECK(everything(with_constant(*sample, place, number)) == everything(with));
          if (everything(with) != everything(without)) decided.insert(place);
        }
      }
    }
    CAPTURE(def->name);
    CHECK(decided == std::set<std::size_t>(declared.begin(), declared.end()));
  }
}

TEST_CASE("A window declared a multiset does not care about the order of its elements") {
  Rng rng(5);
  int windows = 0;
  for (const OpDef* def : ops::all()) {
    for (const Sample& base : samples(*def)) {
      const auto meaning = accepted(base);
      for (const Application& application : meaning->applications) {
        if (!application.window || application.window->symmetry != Symmetry::Multiset) continue;
        ++windows;
        CAPTURE(application.function->name);
        for (int i = 0; i < 50; ++i) {
          std::vector<Real> row;
          for (auto n = rng.between(1, 9); n > 0; --n)
            row.push_back(static_cast<Real>(rng.normal()));
          const RowState before = application.function->row(application.parameters, row);
          for (std::size_t k = row.size(); k > 1; --k) std::swap(row[k - 1], row[rng.below(k)]);
          const RowState after = application.function->row(application.parameters, row);
          CHECK(static_cast<double>(after.first) ==
                Approx(static_cast<double>(before.first)).margin(1e-12));
          CHECK(static_cast<double>(after.second) ==
                Approx(static_cast<double>(before.second)).margin(1e-12));
        }
      }
    }
  }
  CHECK(windows >= 4);
}

TEST_CASE("Of what is no number no function makes one") {
  constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
  for (const OpDef* def : ops::all()) {
    for (const Sample& sample : samples(*def)) {
      const auto meaning = accepted(sample);
      for (const Application& application : meaning->applications) {
        CAPTURE(application.function->name);
        const std::vector<Real> elements(application.elements.size(), kNone);
        const std::vector<Real> row(3, kNone);
        const RowState state = application.window
                                   ? application.function->row(application.parameters, row)
                                   : RowState{};
        CHECK(std::isnan(application.function->value(application.parameters, state, elements)));
      }
    }
  }
}

TEST_CASE("Residues are those of the exact rational results") {
  const std::vector<PrimeField> fields = {PrimeField(kSmallestPrime), PrimeField(kLargestPrime)};
  const ResidueEvaluator evaluator(fields, digest_of("test", "secret"), 1);
  int linear = 0;
  for (const OpDef* def : ops::all()) {
    Rng rng(seed_of(*def) + 3);
    for (const Sample& base : samples(*def)) {
      const auto meaning = accepted(base);
      if (!is_linear(*meaning)) continue;
      ++linear;
      CAPTURE(to_string(base.op));
      const auto operands = positive_operands(base, rng);
      std::vector<ResidueTensor> tensors;
      for (const Values& values : operands) {
        tensors.emplace_back(values.shape, fields.size());
        for (std::size_t lane = 0; lane < fields.size(); ++lane) {
          std::ranges::transform(values.data, tensors.back().lane(lane).begin(),
                                 [](Real x) { return static_cast<std::uint32_t>(x); });
        }
      }
      std::vector<const ResidueTensor*> pointers;
      for (const auto& tensor : tensors) pointers.push_back(&tensor);
      const auto residues = evaluator.evaluate(*meaning, pointers);
      REQUIRE(residues.ok());
      const auto expected = exact_sum(*meaning, operands);
      for (std::size_t lane = 0; lane < fields.size(); ++lane) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
          CHECK(residues->lane(lane)[i] == fields[lane].residue(expected[i]));
        }
      }
    }
  }
  CHECK(linear > 25);
}
