#include "viz/geometry/splits_scene.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/onnx/text.h"

namespace pet::viz {
namespace {

Graph chain(std::size_t length) {
  std::string text = "(float[1, 2, 20] X, float[2, 2, 3] W) => (float[1, 2, 20] Y) {\n";
  std::string last = "X";
  for (std::size_t i = 0; i < length; ++i) {
    const std::string next = i + 1 == length ? "Y" : "t" + std::to_string(i);
    text += "  " + next + " = Conv<pads=[1, 1]>(" + last + ", W)\n";
    last = next;
  }
  text += "}\n";
  auto file = parse_case("# test\noriginal " + text + "mutant " + text, "test");
  REQUIRE(file.ok());
  return file->original.graph;
}

// Of two convolutions, as an inspector tells it: t0 is cut at 1, Y at 1 and 2.
InspectedSplits splits_of(const Graph& graph) {
  const auto node = [&](const std::string& name) {
    for (const NodeId id : graph.ids())
      if (graph.node(id).name == name) return id;
    FAIL("no " << name);
    return NodeId();
  };
  std::vector<InspectedValue> values;
  for (const NodeId id : graph.ids()) {
    InspectedValue& value = values.emplace_back();
    value.basis = DigitBasis::plain(*graph.node(id).type.shape);
    value.boxes = 1;
  }
  const NodeId t = node("t0"), y = node("Y");
  const auto border = [&](NodeId by, NodeId of) {
    return InspectedCause{InspectedCause::Kind::Border, ProgramSide::Original, by, of};
  };
  values[t.index()].boxes = 2;
  values[t.index()].cuts = {{2, 1, {border(t, node("X"))}, {}}};
  values[y.index()].boxes = 3;
  values[y.index()].cuts = {{2, 1, {border(y, t)}, {}},
                            {2, 2, {border(t, node("X"))}, {{t, 2, 1}}}};
  return {values, values};
}

ValueOfPair value_named(const SplitsOfPair& pair, const std::string& name) {
  for (const ValueOfPair& value : values_shown(pair))
    if (pair.program(value.side).node(value.node).name == name) return value;
  FAIL("no " << name);
  return {};
}

TEST_CASE("Values are those that an output needs, and a cut is traced back to where it begins") {
  const Graph graph = chain(2);
  const InspectedSplits splits = splits_of(graph);
  const SplitsOfPair pair{graph, graph, splits};
  CHECK(values_shown(pair).size() == 4);
  const ValueOfPair y = value_named(pair, "Y"), t = value_named(pair, "t0");
  CHECK(traced(pair, {y, 2, 2}) == std::vector<CutOfValue>{{t, 2, 1}, {y, 2, 2}});
  CHECK(cut_in_words(pair, {y, 2, 2}) ==
        "Y is cut along axis 2 between 1 and 2\nt0 (Conv) reads X beyond its border\n"
        "comes from t0, axis 2 between 0 and 1");
}

TEST_CASE(
    "The strip draws every value with its cuts, and lines only where one comes from another") {
  const Graph graph = chain(2);
  const InspectedSplits splits = splits_of(graph);
  const SplitsOfPair pair{graph, graph, splits};
  const Scene scene = splits_scene(pair, std::nullopt, {});
  std::set<std::string> cuts;
  std::size_t lines = 0;
  for (const Item& item : scene.items) {
    if (item.id.starts_with("cut:")) cuts.insert(item.id);
    if (std::holds_alternative<Segment>(item.shape)) ++lines;
    if (const auto* area = std::get_if<Area>(&item.shape))
      CHECK((area->at.x >= 0 && area->at.right() <= scene.width &&
             area->at.bottom() <= scene.height));
  }
  CHECK(cuts.size() == 6);
  CHECK(lines == 2);
  for (const std::string& id : cuts) {
    const auto cut = cut_of(id);
    REQUIRE(cut);
    CHECK(value_of(id_of(cut->value)) == cut->value);
  }
  for (const char* id : {"", "cut:", "cut:o:", "cut:x:1:2:3", "cut:o:1:2", "value:o:z", "box:1"})
    CHECK_FALSE(cut_of(id));
}

TEST_CASE("The output of both tells which program cuts where, and what is not equal is hatched") {
  const Graph graph = chain(2);
  InspectedSplits splits = splits_of(graph);
  const SplitsOfPair pair{graph, graph, splits};
  const ValueOfPair y = value_named(pair, "Y");
  splits.mutant[y.node.index()].cuts.pop_back();
  InspectedOutput output{"another name", DigitBasis::plain({1, 2, 20}), {}, {}, {}};
  output.boxes = {{{{0, 0, 0}, {1, 2, 1}}, Sameness::Equal},
                  {{{0, 0, 1}, {1, 2, 2}}, Sameness::Different},
                  {{{0, 0, 2}, {1, 2, 20}}, Sameness::Equal}};
  output.cuts = {{2, 1, {}, {}}, {2, 2, {}, {}}};
  std::set<std::string> words;
  std::size_t hatches = 0;
  for (const Item& item : splits_scene(pair, OutputOfPair{0, output}, {}).items) {
    if (const auto* label = std::get_if<Label>(&item.shape)) words.insert(label->text);
    const auto* line = std::get_if<Segment>(&item.shape);
    if (line != nullptr && line->role == Role::Wrong) ++hatches;
  }
  CHECK(words.contains("o m"));
  CHECK(words.contains("o"));
  CHECK_FALSE(words.contains("m"));
  CHECK(hatches > 3);
}

TEST_CASE("What is not known is dotted with its reason, and of too many values it says how many") {
  const Graph graph = chain(2);
  InspectedSplits splits = splits_of(graph);
  for (InspectedValue& value : splits.mutant) value.reason = "too many terms to write out";
  const SplitsOfPair pair{graph, graph, splits};
  SplitsDrawing how;
  how.most_values = 1;
  std::set<std::string> words;
  std::size_t dots = 0;
  for (const Item& item : splits_scene(pair, std::nullopt, how).items) {
    if (const auto* label = std::get_if<Label>(&item.shape)) words.insert(label->text);
    const auto* line = std::get_if<Segment>(&item.shape);
    if (line != nullptr && line->role == Role::Unknown) ++dots;
  }
  CHECK(words.contains("unknown: too many terms to write out"));
  CHECK(words.contains("mutant: the last 1 of 2 operators"));
  CHECK(dots > 10);
}

TEST_CASE("Of a ruler with more cuts than are drawn it says of how many, and of no other") {
  const Graph graph = chain(2);
  InspectedSplits splits = splits_of(graph);
  const ValueOfPair y = value_named({graph, graph, splits}, "Y");
  auto& cuts = splits.original[y.node.index()].cuts;
  cuts.clear();
  for (Dim at = 1; at < 20; ++at) cuts.push_back({2, at, {}, {}});
  SplitsDrawing how;
  const auto words = [&](std::size_t most) {
    how.most_intervals = most;
    std::set<std::string> out;
    for (const Item& item : splits_scene({graph, graph, splits}, std::nullopt, how).items)
      if (const auto* label = std::get_if<Label>(&item.shape)) out.insert(label->text);
    return out;
  };
  CHECK(std::ranges::any_of(
      words(8), [](const std::string& text) { return text.ends_with(": 7 of 19 cuts"); }));
  for (const std::size_t most : {20u, 32u})
    for (const std::string& text : words(most)) CHECK_FALSE(text.ends_with(" cuts"));
}

TEST_CASE("A cut in digits is there in plain axes where all of its places are cut") {
  InspectedValue plain;
  plain.basis = {{{12}}};
  plain.cuts = {{0, 1, {}, {}}, {0, 7, {}, {}}};
  CHECK(cuts_there(plain, {{{2, 6}}}, 1, 1) == true);   // 1 and 7
  CHECK(cuts_there(plain, {{{2, 6}}}, 0, 1) == false);  // 6
  CHECK(cuts_there(plain, {{{12}}}, 0, 7) == true);
  InspectedValue digits;
  digits.basis = {{{2, 6}}};
  digits.cuts = {{1, 1, {}, {}}};
  CHECK(cuts_there(digits, {{{12}}}, 0, 7) == true);
  CHECK(cuts_there(digits, {{{12}}}, 0, 6) == true);  // the digit begins anew
  CHECK(cuts_there(digits, {{{12}}}, 0, 3) == false);
}

}  // namespace
}  // namespace pet::viz
