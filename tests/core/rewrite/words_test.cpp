// Rules in words, and which of them a program can ever meet.
#include <catch2/catch.hpp>

#include "core/rewrite/expression_digest.h"
#include "core/rewrite/reachable.h"
#include "core/rewrite/rule_sets.h"
#include "core/rewrite/rule_words.h"
#include "tests/core/rewrite/rules.h"
#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::rules;
using test::Sketch;

namespace {

TEST_CASE("A rule in words has both sides, and is never endless") {
  CHECK(in_words(test::published("taso_graph_subst", "taso-pb-000")) ==
        "matmul<activation=NONE>(matmul<activation=NONE>(input_1, input_4), input_5) => "
        "matmul<activation=NONE>(input_1, matmul<activation=NONE>(input_4, input_5))");
  std::string doubling = R"({"op": "ewadd", "inputs": [{"in": "a"}, {"in": "a"}]})";
  for (int i = 0; i < 60; ++i) {
    const std::string before = R"({"op": )" + std::to_string(i) + "}";
    doubling += R"(, {"op": "ewadd", "inputs": [)" + before + ", " + before + "]}";
  }
  const std::string program = R"({"ops": [)" + doubling + R"(], "outputs": [{"op": 60}]})";
  CHECK(in_words(test::rule_of(R"({"id": "r", "inputs": [{"name": "a", "rank": 1}], "source": )" +
                               program + R"(, "target": )" + program + "}"))
            .size() < 1000);
}

TEST_CASE("Rules are reachable through what other rules bring about, and no others") {
  Sketch s;
  const NodeId x = s.input("x", {4, 4});
  const Graph program = std::move(s).finish({s.op("Relu", {s.op("MatMul", {x, x})})});
  const Rule on_products = test::published("taso_graph_subst", "taso-pb-000");
  const Rule on_sums = test::published("taso_graph_subst", "taso-pb-057");
  const Rule to_sums = test::rule_of(R"({"id": "to sums", "inputs": [{"name": "a", "rank": 2}],
    "source": {"ops": [{"op": "relu", "inputs": [{"in": "a"}]}], "outputs": [{"op": 0}]},
    "target": {"ops": [{"op": "ewadd", "inputs": [{"in": "a"}, {"in": "a"}]}], "outputs": [{"op": 0}]}})");
  INFO(in_words(on_sums));
  CHECK(reachable({&on_products, &on_sums}, program) == std::vector<const Rule*>{&on_products});
  CHECK(reachable({&on_products, &to_sums}, program).size() == 2);
}

TEST_CASE("Expressions are the same whatever the order of nodes and of operands that commute") {
  const auto sum = [](bool exchanged, bool other) {
    Sketch s;
    const NodeId x = s.input("x", {3, 3});
    const NodeId y = s.input("y", {3, 3});
    const NodeId first = s.op(exchanged ? "Relu" : "Tanh", {exchanged ? x : y});
    const NodeId second = s.op(exchanged ? "Tanh" : "Relu", {exchanged ? y : x});
    const NodeId relu = exchanged ? first : second;
    const NodeId tanh = exchanged ? second : first;
    const NodeId out = other ? s.op("MatMul", {exchanged ? tanh : relu, exchanged ? relu : tanh})
                             : s.op("Add", {exchanged ? tanh : relu, exchanged ? relu : tanh});
    return std::move(s).finish({out});
  };
  CHECK(expression_digest(sum(false, false)) == expression_digest(sum(true, false)));
  CHECK(expression_digest(sum(false, true)) != expression_digest(sum(true, true)));
  CHECK(expression_digest(sum(false, false)) != expression_digest(sum(false, true)));
}

TEST_CASE("The digest of a rule knows what its programs are") {
  const Rule rule = test::published("taso_graph_subst", "taso-pb-127");
  Rule other = rule;
  CHECK(digest_of(rule) == digest_of(other));
  other.target.ops.back().attrs["axis"] = Dim{2};
  CHECK(digest_of(rule) != digest_of(other));
  CHECK_FALSE(read_rule_set("/nowhere.json").ok());
  CHECK(read_rule_set("own").ok());
}

}  // namespace
