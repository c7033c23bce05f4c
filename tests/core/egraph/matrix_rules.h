// Rules about products and sums of matrices, right ones all.
#pragma once

#include <string>

#include "tests/core/rewrite/rules.h"

namespace pet::test {

inline std::string binary(const std::string& op, const std::string& a, const std::string& b) {
  return R"({"op": ")" + op + R"(", "inputs": [)" + a + ", " + b + "]}";
}
inline std::string in(const std::string& name) { return R"({"in": ")" + name + R"("})"; }
inline std::string at(int op) { return R"({"op": )" + std::to_string(op) + "}"; }

// Over three matrices; both programs end with their operator of that number.
inline rules::UsableRule matrix_rule(const std::string& id, const std::string& source,
                                     int last_of_source, const std::string& target,
                                     int last_of_target) {
  const auto program = [](const std::string& ops, int last) {
    return R"({"ops": [)" + ops + R"(], "outputs": [)" + at(last) + "]}";
  };
  auto usable = rules::usable(
      test::rule_of(R"({"id": ")" + id +
                    R"(", "inputs": [{"name": "a", "rank": 2}, {"name": "b", "rank": 2},
                        {"name": "c", "rank": 2}], "source": )" +
                    program(source, last_of_source) + R"(, "target": )" +
                    program(target, last_of_target) + "}"),
      "");
  REQUIRE(usable.ok());
  return *std::move(usable);
}
inline rules::UsableRule factored() {
  return matrix_rule("factored",
                     binary("matmul", in("a"), in("b")) + ", " +
                         binary("matmul", in("a"), in("c")) + ", " + binary("ewadd", at(0), at(1)),
                     2, binary("ewadd", in("b"), in("c")) + ", " + binary("matmul", in("a"), at(0)),
                     1);
}
inline rules::UsableRule associated() {
  return matrix_rule(
      "associated", binary("matmul", in("a"), in("b")) + ", " + binary("matmul", at(0), in("c")), 1,
      binary("matmul", in("b"), in("c")) + ", " + binary("matmul", in("a"), at(0)), 1);
}
// Two products that share their data, as one: the results are slices of it.
inline rules::UsableRule merged() {
  const std::string text = R"({"id": "merged", "inputs": [{"name": "a", "rank": 2},
      {"name": "b", "rank": 2}, {"name": "c", "rank": 2}],
    "source": {"ops": [)" + binary("matmul", in("a"), in("b")) +
                           ", " + binary("matmul", in("a"), in("c")) + R"(],
      "outputs": [{"op": 0}, {"op": 1}]},
    "target": {"ops": [{"op": "concat", "inputs": [{"in": "b"}, {"in": "c"}],
        "attrs": {"axis": 1}}, {"op": "matmul", "inputs": [{"in": "a"}, {"op": 0}]},
      {"op": "split", "inputs": [{"op": 1}],
        "attrs": {"num_outputs": 2, "axis": 1}}],
      "outputs": [{"op": 2, "out": 0}, {"op": 2, "out": 1}]}})";
  auto usable = rules::usable(test::rule_of(text), "");
  INFO((usable ? "" : usable.error().message));
  REQUIRE(usable.ok());
  return *std::move(usable);
}

inline rules::UsableRule back() {
  return matrix_rule(
      "back", binary("matmul", in("b"), in("c")) + ", " + binary("matmul", in("a"), at(0)), 1,
      binary("matmul", in("a"), in("b")) + ", " + binary("matmul", at(0), in("c")), 1);
}
inline rules::UsableRule exchanged() {
  return matrix_rule("exchanged",
                     binary("ewadd", in("a"), in("b")) + ", " + binary("ewadd", at(0), in("c")), 1,
                     binary("ewadd", in("b"), in("a")) + ", " + binary("ewadd", in("c"), at(0)), 1);
}
// a (b + c) = a b + a c: what factored() undoes.
inline rules::UsableRule summed_again() {
  return matrix_rule("summed",
                     binary("ewadd", in("b"), in("c")) + ", " + binary("matmul", in("a"), at(0)), 1,
                     binary("matmul", in("a"), in("b")) + ", " +
                         binary("matmul", in("a"), in("c")) + ", " + binary("ewadd", at(0), at(1)),
                     2);
}

}  // namespace pet::test
