// What values are is what the standard's rules make them: a file that declares something else is
// refused, and what nobody can check is part of what the nodes compute.
#include <catch2/catch.hpp>

#include "core/onnx/model.h"
#include "tests/support/onnx_builder.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
using Attr = ::onnx::AttributeProto;

namespace {

constexpr int kFloat = 1, kInt64 = 7, kBool = 9, kDouble = 11;

Result<Model> read(const OnnxBuilder& builder) {
  const ScratchFolder folder;
  return read_model(builder.save(folder / "m.onnx"));
}

std::string refusal(const OnnxBuilder& builder) {
  const auto model = read(builder);
  if (model) return "it is read";
  CHECK(model.error().kind == ErrorKind::Malformed);
  const std::string& words = model.error().message;
  return words.substr(words.find(": ") + 2);
}

std::string content(const OnnxBuilder& builder, const std::string& name) {
  const auto model = read(builder);
  INFO((model ? "" : model.error().message));
  REQUIRE(model.ok());
  return model->graph.node(model->values.at(name)).op()->text("content");
}

void be_sequence(::onnx::ValueInfoProto& value, const std::string& name, int of) {
  value.set_name(name);
  value.mutable_type()
      ->mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->set_elem_type(of);
}

// s, a sequence of parts of x, is an output.
OnnxBuilder parts(int declared, std::int64_t opset = 17) {
  OnnxBuilder b(opset);
  b.input("x", {4});
  b.node("SplitToSequence", {"x"}, {"s"});
  be_sequence(*b.graph().add_output(), "s", declared);
  return b;
}

// y is x negated or made positive, by a condition; an inner value is declared.
OnnxBuilder branches(int declared, const std::string& op = "Neg", const std::string& domain = "") {
  OnnxBuilder b;
  if (!domain.empty()) b.model.add_opset_import()->set_domain(domain);
  b.input("x", {4});
  b.input("c", {}, kBool);
  auto& node = b.node("If", {"c"}, {"y"});
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& graph = *OnnxBuilder::attribute(node, name, Attr::GRAPH).mutable_g();
    graph.set_name(name);
    auto& first = *graph.add_node();
    first.set_op_type(op);
    first.set_domain(domain);
    first.add_input("x");
    first.add_output(std::string(name) + "_inner");
    auto& second = *graph.add_node();
    second.set_op_type(domain.empty() ? "Identity" : op);
    second.set_domain(domain);
    second.add_input(std::string(name) + "_inner");
    second.add_output(std::string(name) + "_out");
    OnnxBuilder::declare(*graph.add_value_info(), std::string(name) + "_inner", {4}, declared);
    OnnxBuilder::declare(*graph.add_output(), std::string(name) + "_out", {4}, kFloat);
  }
  b.output("y", {4});
  return b;
}

TEST_CASE("The result of a node without a meaning is what the rules make it") {
  const auto best = [](int declared) {
    OnnxBuilder b;
    b.input("x", {2, 4});
    b.node("ArgMax", {"x"}, {"best"});
    b.node("Cast", {"best"}, {"y"}).add_attribute()->set_name("to");
    auto& to = *b.graph().mutable_node(1)->mutable_attribute(0);
    to.set_type(Attr::INT);
    to.set_i(kFloat);
    b.value_info("best", {1, 4}, declared);
    b.output("y", {1, 4});
    return b;
  };
  CHECK(refusal(best(kFloat)) == "value 'best': declared as float, but it is int64");
  CHECK(read(best(kInt64)).ok());
}

TEST_CASE("Sequences are known by their elements") {
  CHECK(refusal(parts(kDouble)) ==
        "value 's': declared as a sequence of double, but it is a sequence of float");
  CHECK(read(parts(kFloat)).ok());
}

TEST_CASE("Optional results and values inside of nested graphs are checked as well") {
  OnnxBuilder b;
  b.input("x", {4});
  b.node("Dropout", {"x"}, {"y", "mask"});
  b.value_info("mask", {4}, kFloat);
  b.output("y", {4});
  CHECK(refusal(b) == "value 'mask': declared as float, but it is bool");
  CHECK(refusal(branches(kDouble)) ==
        "value 'then_branch_inner': declared as double, but it is float");
  CHECK(read(branches(kFloat)).ok());
}

TEST_CASE("Two declarations of a value agree") {
  OnnxBuilder b = pet::testing::conv_relu();
  b.node("ArgMax", {"x"}, {"u"});
  b.value_info("u", {}, kInt64);
  b.value_info("u", {}, kFloat);
  CHECK(refusal(b) == "value 'u': declared as int64 and as float");
}

TEST_CASE("What a call of a function yields is what its body makes of what it is handed") {
  const auto called = [](int declared) {
    OnnxBuilder b;
    b.input("x", {4}, kDouble);
    b.function("turn", "mine", "Neg");
    b.node("turn", {"x"}, {"u"}, "mine");
    b.node("ArgMax", {"u"}, {"y"});
    b.value_info("u", {4}, declared);
    b.output("y", {1}, kInt64);
    return b;
  };
  CHECK(refusal(called(kFloat)) == "value 'u': declared as float, but it is double");
  CHECK(read(called(kDouble)).ok());
}

TEST_CASE("Of operator sets that the library does not know yet type variables tell") {
  const auto sorted = [](int declared) {
    OnnxBuilder b(24);
    b.input("x", {4});
    b.integers("k", {2});
    b.node("TopK", {"x", "k"}, {"y", "at"});
    b.value_info("y", {2}, declared);
    b.output("at", {2}, kInt64);
    return b;
  };
  CHECK(refusal(sorted(kDouble)) == "value 'y': declared as double, but it is float");
  CHECK(read(sorted(kFloat)).ok());
  // A sequence of what, no variable tells: it is part of the node.
  CHECK(content(parts(kDouble, 24), "s") != content(parts(kFloat, 24), "s"));
}

TEST_CASE("What nobody can check is part of what a node is") {
  const auto unknown = [](std::optional<int> declared) {
    OnnxBuilder b;
    b.model.add_opset_import()->set_domain("acme");
    b.input("x", {4});
    b.node("Do", {"x"}, {"u"}, "acme");
    b.node("Identity", {"u"}, {"y"});
    if (declared) b.value_info("u", {4}, *declared);
    b.output("y", {4}, declared.value_or(kFloat));
    return b;
  };
  CHECK(content(unknown(kFloat), "u") == content(unknown(kFloat), "u"));
  CHECK(content(unknown(kFloat), "u") != content(unknown(kDouble), "u"));
  CHECK(content(branches(kFloat, "Do", "acme"), "y") !=
        content(branches(kDouble, "Do", "acme"), "y"));
}

TEST_CASE("A rule that finds its node odd tells nothing, and nothing breaks") {
  OnnxBuilder b;
  b.input("x", {4});
  b.node("If", {"x"}, {"y"});
  b.node("SequenceAt", {"x"}, {"z"});
  b.node("Scan", {}, {"w"});
  for (const char* name : {"y", "z", "w"}) b.output(name, {4});
  CHECK(read(b).ok());
}

// Of a singular field that is written twice the last one counts, as for everybody who knows it.
TEST_CASE("A function is called by the overload that is written last") {
  const auto call = [](const std::string& first, const std::string& second) {
    OnnxBuilder b;
    for (const auto& [name, op] : {std::pair("a", "Neg"), std::pair("b", "Abs")}) {
      auto& f =
          name == std::string("a") ? b.function("turn", "mine", op) : *b.model.add_functions();
      if (name == std::string("b")) {
        f = b.model.functions(0);
        f.mutable_node(0)->set_op_type(op);
        f.GetReflection()->MutableUnknownFields(&f)->Clear();
      }
      f.GetReflection()->MutableUnknownFields(&f)->AddLengthDelimited(13)->assign(name);
    }
    b.input("x", {4});
    auto& node = b.node("turn", {"x"}, {"y"}, "mine");
    auto* fields = node.GetReflection()->MutableUnknownFields(&node);
    if (!first.empty()) fields->AddLengthDelimited(8)->assign(first);
    fields->AddLengthDelimited(8)->assign(second);
    b.output("y", {4});
    return content(b, "y");
  };
  CHECK(call("", "a") != call("", "b"));
  CHECK(call("a", "b") != call("b", "a"));
  CHECK(call("a", "b") != call("a", "a"));
}

}  // namespace
