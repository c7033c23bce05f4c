// Rules that stand for many: what they are at a form, where they then fit, and how they are
// written.
#include "core/rewrite/form.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/rewrite/normal_form.h"
#include "core/rewrite/rule_sets.h"
#include "tests/core/rewrite/rules.h"
#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::rules;
using test::Sketch;

namespace {

using Attributes = std::vector<std::pair<std::string, Ints>>;

// Two convolutions of one value that slide alike.
Graph two_convolutions(const Shape& data, const Shape& kernel, const Attributes& how) {
  Sketch s;
  Attrs attrs;
  for (const auto& [name, values] : how) attrs.set(name, values);
  const NodeId x = s.input("x", data);
  const NodeId one = s.op("Conv", attrs, {x, s.ramp(kernel)});
  Shape more = kernel;
  more[0] += 2;
  const NodeId other = s.op("Conv", attrs, {x, s.ramp(more)});
  return std::move(s).finish({s.op("Relu", {one}), s.op("Tanh", {other})});
}

// How often the rule, at the forms that stand in the program, fits there; each time the program
// with it is equal to the program.
std::size_t fits_of(const Rule& rule, const Graph& program, const std::string& condition) {
  const auto normal = normal_form(program);
  REQUIRE(normal.ok());
  std::size_t out = 0;
  for (const Rule& one : with_forms({rule}, normal->program)) {
    Rewriter rewriter = test::rewriter_of(one, condition);
    for (const Match& match : rewriter.matches(normal->program)) {
      const auto decided = rewriter.decide(normal->program, match);
      if (decided.fit != Fit::Fits) continue;
      const auto made = Rewriter::applied(normal->program, match, *decided.instance);
      REQUIRE(made.ok());
      BitmapChecker engine;
      ProofOptions options;
      options.bind_weights = true;
      CHECK(engine.check(program, *made, options).outcome == Outcome::Equivalent);
      ++out;
    }
  }
  return out;
}

const std::string kOneGroup = "input_7[1] / input_10[1] = 1";

}  // namespace

TEST_CASE("A merge of convolutions fits however they slide, once it stands for all") {
  const Rule narrow = test::published("taso_graph_subst", "taso-pb-127");
  const auto general = generalised(narrow);
  REQUIRE(general);
  CHECK(general->any_geometry);
  struct Slid {
    Shape data, kernel;
    Attributes how;
  };
  for (const Slid& slid :
       {Slid{{1, 4, 8, 8}, {3, 4, 3, 3}, {{"strides", {2, 2}}, {"pads", {1, 1, 1, 1}}}},
        Slid{{1, 4, 8, 8}, {3, 4, 3, 3}, {{"strides", {2, 2}}, {"pads", {0, 0, 1, 1}}}},
        Slid{{1, 4, 8, 8}, {3, 4, 3, 3}, {{"dilations", {2, 2}}, {"pads", {2, 2, 2, 2}}}},
        Slid{{1, 4, 8, 8}, {3, 4, 3, 3}, {}},
        Slid{{1, 4, 9}, {3, 4, 3}, {{"strides", {2}}, {"pads", {1, 1}}}},
        Slid{{1, 2, 5, 5, 5}, {3, 2, 3, 3, 3}, {{"pads", {1, 1, 1, 1, 1, 1}}}}}) {
    const Graph program = two_convolutions(slid.data, slid.kernel, slid.how);
    CAPTURE(to_string(program));
    CHECK(forms_in(program).size() == 1);
    CHECK(fits_of(narrow, program, kOneGroup) == 0);
    CHECK(fits_of(*general, program, kOneGroup) == 2);
  }
}

TEST_CASE("What slides as the narrow rule says needs no form") {
  const Graph program = two_convolutions({1, 4, 8, 8}, {3, 4, 3, 3}, {{"pads", {1, 1, 1, 1}}});
  CHECK(forms_in(program).empty());
  CHECK(fits_of(test::published("taso_graph_subst", "taso-pb-127"), program, kOneGroup) == 2);
}

TEST_CASE("A merge of products fits values with axes in front, which their weights lack") {
  const auto set = read_rule_set(std::string(PET_RULES) + "/taso_graph_subst.json");
  REQUIRE(set.ok());
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4});
  const NodeId one = s.op("MatMul", {x, s.ramp({4, 5})});
  const NodeId other = s.op("MatMul", {x, s.ramp({4, 6})});
  const Graph program = std::move(s).finish({s.op("Relu", {one}), s.op("Tanh", {other})});
  CHECK(forms_in(program) == std::vector<RuleForm>{{std::nullopt, 1}});
  std::size_t fits = 0;
  for (const Rule& rule : set->file.rules) {
    const bool merges = rule.source.ops.size() == 2 && rule.source.outputs.size() == 2 &&
                        std::ranges::all_of(rule.source.ops, [](const RuleOp& op) {
                          return op.name == "matmul" && op.text("activation", "NONE") == "NONE";
                        });
    if (!merges) continue;
    CAPTURE(rule.id);
    const auto general = generalised(rule);
    if (!general) continue;
    fits += fits_of(*general, program, "");
  }
  CHECK(fits > 0);
}

TEST_CASE("Biases are merged with their convolutions and products") {
  const auto own = read_rule_set(std::string(PET_RULES) + "/own.json");
  REQUIRE(own.ok());
  const auto convolutions = rule_called(own->file.rules, "own-convs-with-bias-share-data");
  const auto products = rule_called(own->file.rules, "own-matmuls-with-bias-share-data");
  REQUIRE((convolutions && products));
  Sketch s;
  const NodeId x = s.input("x", {1, 4, 8, 8});
  const Attrs strided = {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}};
  const NodeId one = s.op("Conv", strided, {x, s.ramp({3, 4, 3, 3}), s.ramp({3})});
  const NodeId other = s.op("Conv", strided, {x, s.ramp({5, 4, 3, 3}), s.ramp({5})});
  CHECK(fits_of(*convolutions, std::move(s).finish({s.op("Relu", {one}), s.op("Tanh", {other})}),
                "x[1] / w1[1] = 1") == 2);
  Sketch t;
  const NodeId y = t.input("y", {2, 3, 4});
  const NodeId first = t.op("Add", {t.op("MatMul", {y, t.ramp({4, 5})}), t.ramp({5})});
  const NodeId second = t.op("Add", {t.ramp({6}), t.op("MatMul", {y, t.ramp({4, 6})})});
  CHECK(fits_of(*products, std::move(t).finish({t.op("Relu", {first}), t.op("Tanh", {second})}),
                "") == 2);
}

TEST_CASE("A form is called by a name that leads back to it") {
  for (const RuleForm& form : sample_forms()) CHECK(parse_form(to_string(form)) == form);
  for (const char* text :
       {"", "leading=0", "leading=9", "leading=1,2", "leading=1;", "strides=1;pads=0,0",
        "strides=;pads=0,0;dilations=1", "strides=-1;pads=0,0;dilations=1",
        "strides=1;pads=0,0;dilations=1;more"})
    CHECK_FALSE(parse_form(text));
  const auto general = generalised(test::published("taso_graph_subst", "taso-pb-127"));
  const RuleForm form{Geometry{{2, 2}, {1, 1, 1, 1}, {1, 1}}, 0};
  const auto one = at_form(*general, form);
  REQUIRE(one);
  CHECK(one->id == "taso-pb-127@strides=2,2;pads=1,1,1,1;dilations=1,1");
  const auto found = rule_called({*general}, one->id);
  REQUIRE(found);
  CHECK(digest_of(*found) == digest_of(*one));
  CHECK_FALSE(rule_called({*general}, "taso-pb-127@leading=1"));
  CHECK_FALSE(at_form(test::published("taso_graph_subst", "taso-pb-127"), form));
}

TEST_CASE("A file of format 2 says what was read of one") {
  const auto own = read_rule_set(std::string(PET_RULES) + "/own.json");
  REQUIRE(own.ok());
  RuleFile file = own->file;
  file.rules[0].condition = "w[2] = 1 and w[3] = 1";
  const auto again = parse_rules(rules_text(file, "here", "ours"), "again");
  INFO((again ? "" : again.error().message));
  REQUIRE(again.ok());
  REQUIRE(again->rules.size() == file.rules.size());
  for (std::size_t i = 0; i < file.rules.size(); ++i)
    CHECK(digest_of(again->rules[i]) == digest_of(file.rules[i]));
  CHECK(again->statuses == file.statuses);
}

TEST_CASE("What only format 2 may say is nothing in format 1, and nonsense is refused") {
  const auto read = [](const std::string& format, const std::string& more) {
    return parse_rules(R"({"format": ")" + format + R"(", "rules": [{"id": "r", )" + more +
                           R"("inputs": [{"name": "x", "rank": 2}],
              "source": {"ops": [], "outputs": [{"in": "x"}]},
              "target": {"ops": [], "outputs": [{"in": "x"}]}}]})",
                       "test");
  };
  REQUIRE(read("tensor-rules/1", R"("geometry": 7, "condition": 3, )").ok());
  CHECK_FALSE(read("tensor-rules/1", R"("geometry": true, )")->rules[0].any_geometry);
  CHECK_FALSE(read("tensor-rules/2", R"("geometry": 7, )").ok());
  CHECK_FALSE(read("tensor-rules/2", R"("condition": 3, )").ok());
  CHECK_FALSE(read("tensor-rules/3", "").ok());
}
