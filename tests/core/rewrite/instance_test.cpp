#include "core/rewrite/instance.h"

#include <catch2/catch.hpp>

#include "core/rewrite/draw.h"
#include "tests/core/rewrite/rules.h"
#include "tests/support/seeded.h"

using namespace pet;
using namespace pet::rules;

namespace {

// A kernel that a rule makes fits data of any number of groups: at given shapes it is of one.
bool makes_its_kernel(const Rule& rule) {
  const auto makes = [](const RuleProgram& program) {
    return std::ranges::any_of(program.ops,
                               [](const RuleOp& op) { return op.name == "const_iconv"; });
  };
  return makes(rule.source) || makes(rule.target);
}

TEST_CASE("At the shapes that were drawn a rule is built as it was drawn") {
  for (const char* name : {"taso_graph_subst", "tensat_rules", "taso_properties"}) {
    const auto file = read_rules(std::filesystem::path(PET_RULES) / (std::string(name) + ".json"));
    REQUIRE(file.ok());
    test::Seeded rng;
    CAPTURE(name, rng.drawn);
    std::size_t same = 0;
    for (const Rule& rule : file->rules) {
      const auto drawn = draw(rule, rng, {.attempts = 500});
      REQUIRE(drawn.ok());
      if (!drawn->instance || makes_its_kernel(rule)) continue;
      CAPTURE(rule.id);
      auto shapes = drawn->instance->shapes;
      for (const RuleInput& input : rule.inputs) shapes.try_emplace(input.name);  // of rank 0
      const auto at = instance_at(rule, shapes);
      REQUIRE(at.ok());
      REQUIRE(*at);
      CHECK((*at)->source.digest() == drawn->instance->source.digest());
      CHECK((*at)->target.digest() == drawn->instance->target.digest());
      for (std::size_t i = 0; i < drawn->instance->quantities.size(); ++i) {
        CHECK((*at)->quantities[i].name == drawn->instance->quantities[i].name);
        CHECK((*at)->quantities[i].value == drawn->instance->quantities[i].value);
      }
      ++same;
    }
    CHECK(same > file->rules.size() / 2);
  }
}

TEST_CASE("Groups and last windows follow from shapes, and shapes that do not fit are refused") {
  const Rule rule = test::rule_of(R"({"id": "r",
    "inputs": [{"name": "x", "rank": 4}, {"name": "w", "rank": 4}],
    "source": {"ops": [{"op": "conv2d", "inputs": [{"in": "x"}, {"in": "w"}],
      "attrs": {"stride_h": 2, "stride_w": 3, "padding": "VALID"}}], "outputs": [{"op": 0}]},
    "target": {"ops": [{"op": "conv2d", "inputs": [{"in": "x"}, {"in": "w"}],
      "attrs": {"stride_h": 2, "stride_w": 3, "padding": "VALID"}}], "outputs": [{"op": 0}]}})");
  const auto out = [&](const Shape& x, const Shape& w) -> std::optional<Shape> {
    const auto at = instance_at(rule, {{"x", x}, {"w", w}});
    REQUIRE(at.ok());
    if (!*at) return std::nullopt;
    CHECK((*at)->quantities.front().value == x[1] / w[1]);
    return (*at)->source.node((*at)->source.outputs()[0]).type.shape;
  };
  CHECK(out({1, 8, 9, 9}, {4, 2, 3, 3}) == Shape{1, 4, 4, 3});
  CHECK(out({1, 8, 8, 8}, {4, 2, 3, 3}) == Shape{1, 4, 3, 2});
  CHECK_FALSE(out({1, 8, 9, 9}, {4, 3, 3, 3}));  // 8 channels are no groups of 3
  CHECK_FALSE(out({1, 8, 9, 9}, {3, 4, 3, 3}));  // 3 features are no 2 groups
  CHECK_FALSE(out({1, 8, 2, 9}, {4, 8, 3, 3}));  // no window fits
  CHECK_FALSE(out({1, 8, 9}, {4, 8, 3, 3}));     // another rank
}

}  // namespace
