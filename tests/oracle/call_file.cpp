#include "tests/oracle/call_file.h"

#include <fstream>
#include <map>
#include <sstream>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/check.h"

namespace pet::test {
namespace {

DType dtype_of(const std::string& name) {
  for (int number = 1; number < 24; ++number) {
    if (to_string(*dtype_from(number)) == name) return *dtype_from(number);
  }
  PET_CHECK(false, "no type " + name);
}

Shape read_shape(std::istringstream& line) {
  std::size_t rank = 0;
  line >> rank;
  Shape shape(rank);
  for (Dim& extent : shape) line >> extent;
  return shape;
}

std::vector<Real> read_numbers(std::istringstream& line, const Shape& shape) {
  std::vector<Real> numbers;
  for (std::string word; line >> word;) numbers.push_back(std::strtold(word.c_str(), nullptr));
  PET_CHECK(numbers.size() == static_cast<std::size_t>(count(shape)),
            "as many numbers as the shape says");
  return numbers;
}

void read_attribute(std::istringstream& line, Attrs& attrs) {
  std::string name;
  std::string kind;
  line >> name >> kind;
  if (kind == "s") {
    std::string text;
    std::getline(line >> std::ws, text);
    attrs.set(name, text);
  } else if (kind == "f") {
    double real = 0;
    line >> real;
    attrs.set(name, real);
  } else {
    Ints list;
    for (std::int64_t i = 0; line >> i;) list.push_back(i);
    attrs.set(name, kind == "i" ? AttrValue{list.at(0)} : AttrValue{list});
  }
}

void read_operand(std::istringstream& line, Call& call) {
  std::string kind;
  line >> kind;
  if (kind == "absent") {
    call.node.operands.emplace_back();
    call.operands.emplace_back();
    return;
  }
  const DType dtype = dtype_of(kind);
  const Shape shape = read_shape(line);
  std::string role;
  line >> role;
  Values values{shape, read_numbers(line, shape)};
  OnnxOperand operand{
      .present = true, .dtype = dtype, .shape = shape, .ints = {}, .floats = {}, .scalar = {}};
  const bool is_integer = dtype == DType::Int64 || dtype == DType::Int32;
  if (role == "constant" && is_integer) operand.ints = Ints(values.data.begin(), values.data.end());
  if (role == "constant" && dtype == DType::Float) {
    operand.floats.emplace(values.data.begin(), values.data.end());
    if (values.data.size() == 1) operand.scalar = operand.floats->front();
  }
  call.node.operands.push_back(std::move(operand));
  call.operands.push_back(std::move(values));
}

// Constants decide what some operators mean.
NodeId leaf(GraphBuilder& builder, std::size_t number, const OnnxOperand& operand) {
  if (operand.floats) {
    return builder.add_constant(std::make_shared<const Tensor>(
        Tensor::of_floats(operand.shape.all(), {operand.floats->begin(), operand.floats->end()})));
  }
  return builder.add_input(std::to_string(number), {operand.dtype, operand.shape.all()});
}

}  // namespace

std::vector<Call> read_calls(const std::filesystem::path& path) {
  std::ifstream file(path);
  PET_CHECK(file.good(), "cannot read " + path.string());
  std::vector<Call> calls;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string what;
    line >> what;
    if (what == "case") {
      line >> calls.emplace_back().name;
    } else if (what == "op") {
      line >> calls.back().node.op_type >> calls.back().node.opset >> calls.back().node.num_outputs;
    } else if (what == "tolerance") {
      line >> calls.back().tolerance;
    } else if (what == "attr") {
      read_attribute(line, calls.back().node.attrs);
    } else if (what == "operand") {
      read_operand(line, calls.back());
    } else if (what == "result") {
      line >> what;
      const Shape shape = read_shape(line);
      calls.back().results.push_back({shape, read_numbers(line, shape)});
    }
  }
  return calls;
}

Result<std::vector<Meant>> meanings(const Call& call) {
  const OpDef* def = ops::find(call.node.op_type);
  if (def == nullptr) return Error{"no such operator", ErrorKind::Unsupported};
  auto imported = import_call(*def, call.node);
  if (!imported) return std::move(imported).error();
  std::vector<Meant> results;
  for (const OnnxImported& one : *imported) {
    GraphBuilder builder;
    std::vector<NodeId> ids;
    std::vector<Values> known;
    for (const OnnxSource& source : one.operands) {
      if (const auto* number = std::get_if<double>(&source)) {
        ids.push_back(builder.add_scalar(static_cast<float>(*number)));
        known.push_back({{}, {static_cast<Real>(*number)}});
      } else {
        const std::size_t i = std::get<std::size_t>(source);
        if (!call.node.has(i)) return Error{"an operand is missing"};
        ids.push_back(leaf(builder, i, call.node.operands[i]));
        known.push_back(call.operands[i]);
      }
    }
    auto added = builder.add(one.op, ids);
    if (!added) return std::move(added).error();
    results.push_back({std::move(builder).build().meaning(*added), std::move(known)});
  }
  return results;
}

}  // namespace pet::test
