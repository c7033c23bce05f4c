#include "core/onnx/text.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

constexpr const char* kPrograms = R"(
original (float[1,2,4,4] X) => (float[1,2,4,4] Y) <float[2,2,1,1] K = {1, 2.5, -3e-2, 0}, int64[2] s = {2, -1}> {
  T = Conv<pads=[0,0,0,0]>(X, K)
  R = Reshape(T, s)
  Y = Relu(T)
}
mutant (float[1,2,4,4] X) => (float[1,2,4,4] Y) {
  Y = Relu(X)
}
)";

}  // namespace

TEST_CASE("A_case_has_headers_and_two_programs") {
  const auto read = parse_case(
      std::string("# expect: partial wrong=[0,1)\n# free words: here\n# opset: 13\n") + kPrograms,
      "c");
  REQUIRE(read.ok());
  CHECK(read->headers ==
        std::map<std::string, std::string>{{"expect", "partial wrong=[0,1)"}, {"opset", "13"}});
  CHECK(read->original.opset() == 13);
  const Graph& graph = read->original.graph;
  CHECK(graph.node(graph.outputs()[0]).op()->def == &ops::relu());
  CHECK(graph.node(read->original.values.at("R")).type == float_tensor({2, 16}));
  CHECK(graph.node(read->original.values.at("K")).constant()->floats()[2] == -3e-2F);
  CHECK(read->mutant.inputs[0].name == "X");
}

TEST_CASE("What_a_case_cannot_say_is_an_error") {
  const std::string text = kPrograms;
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return parse_case(changed, "file.txt");
  };
  const auto unknown = replaced("Relu(T)", "Hardmax(T)");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == ErrorKind::Unsupported);
  CHECK(unknown.error().message.find("original: file.txt: node") != std::string::npos);
  CHECK_FALSE(replaced("mutant", "other").ok());
  CHECK_FALSE(replaced("2.5", "1e999").ok());
  CHECK_FALSE(replaced("Relu(X)", "Relu(Z)").ok());
  CHECK_FALSE(parse_case(text + text, "file.txt").ok());
  CHECK_FALSE(parse_case("# opset: x\n" + text, "file.txt").ok());
  for (const char* header : {"# opset: 12 13 14\n", "# opset:\n", "# opset: 12,13\n",
                             "# opset: 13 x\n", "# operators: some\n"}) {
    INFO(header);
    CHECK_FALSE(parse_case(header + text, "file.txt").ok());
  }
  CHECK_FALSE(parse_case("", "file.txt").ok());
}

TEST_CASE("Both_programs_of_a_case_have_an_operator_set_of_their_own_where_it_says_so") {
  const auto read = parse_case(std::string("# opset: 13  18\n") + kPrograms, "c");
  REQUIRE(read.ok());
  CHECK(read->original.opset() == 13);
  CHECK(read->mutant.opset() == 18);
}

TEST_CASE("A_case_of_any_operators_leaves_those_opaque_that_we_do_not_know") {
  std::string text = kPrograms;
  text.replace(text.find("Relu(T)"), 7, "Hardmax(T)");
  const auto read = parse_case("# operators: any\n" + text, "c");
  REQUIRE(read.ok());
  CHECK(read->original.opaque.size() == 1);
  CHECK(read->mutant.opaque.empty());
}

TEST_CASE("A_printed_program_reads_back_as_itself") {
  const auto read = parse_case(kPrograms, "c");
  REQUIRE(read.ok());
  const auto again = parse_case(
      to_text(read->original.graph, "original") + to_text(read->mutant.graph, "mutant"), "again");
  INFO(to_text(read->original.graph, "original"));
  REQUIRE(again.ok());
  CHECK(to_text(again->original.graph, "original") == to_text(read->original.graph, "original"));
  CHECK(again->mutant.graph.digest() == read->mutant.graph.digest());
}

TEST_CASE("Large_constants_and_opaque_nodes_are_printed_by_their_digest") {
  GraphBuilder builder;
  const NodeId x = builder.add_input("a/b c", float_tensor({100}));
  const Tensor big = Tensor::of_floats({100}, std::vector<float>(100, 1.5F));
  const NodeId c = builder.add_constant(std::make_shared<const Tensor>(big), "w");
  const NodeId sum = *builder.add(ops::add(), {}, {x, c});
  builder.add_output(
      builder.add_opaque("::Foo output 0", digest_of("t", "t"), {sum}, {DType::Undefined, {}}));
  const auto text = to_text(std::move(builder).build(), "p");
  INFO(text);
  CHECK(text.find("# w is the constant " + big.digest().hex()) != std::string::npos);
  CHECK(text.find("float[100] a_b_c") != std::string::npos);
  CHECK(text.find("Opaque <content = ") != std::string::npos);
}

namespace {

Graph gathered(bool twice) {
  GraphBuilder b;
  const NodeId x = b.add_input("a/b", float_tensor({3, 40}));
  const NodeId y = b.add_input("original", float_tensor({3, 40}));
  std::vector<float> weights(120);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.1F * static_cast<float>(i);
  const NodeId w = b.add_constant(
      std::make_shared<const Tensor>(Tensor::of_floats({3, 40}, std::move(weights))), "w");
  NodeId sum = *b.add(ops::add(), {}, {x, w});
  if (twice) sum = *b.add(ops::add(), {}, {sum, sum});
  const Attrs attrs{
      {"axis", std::int64_t{0}}, {"indices", Ints{2, 0, 1, 1}}, {"shape", Ints{2, 2}}};
  b.add_output(*b.add(ops::gather(), attrs, {sum}));
  b.add_output(y);
  return std::move(b).build();
}

}  // namespace

TEST_CASE("A_pair_is_written_as_a_case_that_reads_back") {
  const auto text = to_case_text(gathered(false), gathered(true));
  REQUIRE(text.ok());
  INFO(*text);
  const auto read = parse_case(*text, "c");
  REQUIRE(read.ok());
  for (const Model* program : {&read->original, &read->mutant}) {
    CHECK(program->inputs[0].name == "a_b");
    CHECK(program->inputs[1].name == "original_1");
    CHECK(program->outputs[0].name == "y0");
    CHECK(program->outputs[0].type == float_tensor({2, 2, 40}));
    CHECK(program->outputs[1].name == "y1");
  }
  const Graph& graph = read->original.graph;
  const NodeId w = read->original.values.at("w");
  CHECK(graph.node(w).constant()->floats()[119] == 0.1F * 119.0F);
  const auto again = to_case_text(graph, read->mutant.graph);
  REQUIRE(again.ok());
  const auto read_again = parse_case(*again, "again");
  REQUIRE(read_again.ok());
  CHECK(read_again->original.graph.digest() == graph.digest());
  CHECK(read_again->mutant.graph.digest() == read->mutant.graph.digest());
}

TEST_CASE("A_case_is_of_the_first_operator_set_that_has_its_operators") {
  GraphBuilder builder;
  builder.add_output(*builder.add(ops::gelu(), {}, {builder.add_input("x", float_tensor({2}))}));
  const Graph program = std::move(builder).build();
  const auto text = to_case_text(program, program);
  REQUIRE(text.ok());
  CHECK(text->starts_with("# opset: 20\n"));
  CHECK(parse_case(*text, "c").ok());
}

TEST_CASE("What_a_case_has_no_words_for_is_not_written") {
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({2}));
  builder.add_output(
      builder.add_opaque("::Foo output 0", digest_of("t", "t"), {x}, {DType::Undefined, {}}));
  const Graph program = std::move(builder).build();
  const auto text = to_case_text(program, program);
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().kind == ErrorKind::Unsupported);
}
