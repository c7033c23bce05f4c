// Rules over matrices as files have them, and a small model for them.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "core/onnx/model.h"
#include "core/ops/ops.h"
#include "core/program/substitute.h"
#include "core/rewrite/rewriter.h"
#include "core/search/search.h"
#include "tests/support/weights.h"

namespace pet::test {

inline rules::UsableRule usable(const std::string& text, const std::string& condition = "") {
  const auto file =
      rules::parse_rules(R"({"format": "tensor-rules/1", "rules": [)" + text + "]}", "test");
  INFO((file ? "" : file.error().message));
  REQUIRE(file.ok());
  auto out = rules::usable(file->rules.front(), condition);
  INFO((out ? "" : out.error().message));
  REQUIRE(out.ok());
  return *std::move(out);
}

inline std::string binary(const std::string& op, const std::string& a, const std::string& b) {
  return R"({"op": ")" + op + R"(", "inputs": [)" + a + ", " + b + "]}";
}
inline const std::string kA = R"({"in": "a"})";
inline const std::string kB = R"({"in": "b"})";
inline const std::string kC = R"({"in": "c"})";

// Over three matrices; both programs end with their operator of that number.
inline std::string rule(const std::string& id, const std::string& source, int last_of_source,
                        const std::string& target, int last_of_target) {
  const auto program = [](const std::string& ops, int last) {
    return R"({"ops": [)" + ops + R"(], "outputs": [{"op": )" + std::to_string(last) + "}]}";
  };
  return R"({"id": ")" + id +
         R"(", "inputs": [{"name": "a", "rank": 2}, {"name": "b", "rank": 2},
              {"name": "c", "rank": 2}], "source": )" +
         program(source, last_of_source) + R"(, "target": )" + program(target, last_of_target) +
         "}";
}

// a b + a c = a (b + c): one product instead of two.
inline std::string factored() {
  return rule("factored",
              binary("matmul", kA, kB) + ", " + binary("matmul", kA, kC) + ", " +
                  binary("ewadd", R"({"op": 0})", R"({"op": 1})"),
              2, binary("ewadd", kB, kC) + ", " + binary("matmul", kA, R"({"op": 0})"), 1);
}
// Wrong: the product with c is lost.
inline std::string loses_an_operand() {
  return rule("wrong",
              binary("matmul", kA, kB) + ", " + binary("matmul", kA, kC) + ", " +
                  binary("ewadd", R"({"op": 0})", R"({"op": 1})"),
              2, binary("ewadd", kB, kB) + ", " + binary("matmul", kA, R"({"op": 0})"), 1);
}
inline std::string exchanged() {
  return rule("exchanged", binary("ewadd", kA, kB) + ", " + binary("ewadd", R"({"op": 0})", kC), 1,
              binary("ewadd", kB, kA) + ", " + binary("ewadd", kC, R"({"op": 0})"), 1);
}

// A model of square matrices in which every value has a name, as in a file.
class NamedModel {
 public:
  NodeId input() { return builder_.add_input("x", float_tensor(kShape)); }
  NodeId weight() { return normal_weight(builder_, kShape, rng_); }
  NodeId op(const OpDef& def, std::vector<NodeId> operands) {
    return *builder_.add(def, {}, std::move(operands), "v" + std::to_string(values_++));
  }
  // A place of the rule `factored`, and what no rule knows behind it.
  NodeId place(NodeId x) {
    const NodeId one = op(ops::mat_mul(), {x, weight()});
    const NodeId other = op(ops::mat_mul(), {x, weight()});
    return op(ops::tanh(), {op(ops::add(), {one, other})});
  }
  Model finish(NodeId output, const std::string& path) {
    builder_.add_output(output);
    Model out;
    out.graph = std::move(builder_).build();
    out.path = path;
    return out;
  }

 private:
  inline static const Shape kShape = {24, 24};
  GraphBuilder builder_;
  Rng rng_ = Rng(5);
  std::size_t values_ = 0;
};

// Two places of the same kind, one behind the other.
inline Model two_places() {
  NamedModel m;
  return m.finish(m.place(m.place(m.input())), "two.onnx");
}

// The model's program with a plan in place.
inline Graph made(const Model& model, const Plan& plan) {
  std::vector<Substitute> all;
  for (const Choice& choice : plan.choices)
    all.push_back({&choice.program, choice.inputs, choice.outputs});
  auto whole = with_replaced(model.graph, all);
  REQUIRE(whole.ok());
  return *std::move(whole);
}

}  // namespace pet::test
