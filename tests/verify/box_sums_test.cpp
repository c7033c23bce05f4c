// Where values of one program fall into boxes, what they are in each, and that the boxes of a pair
// come from those of its two programs.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "core/onnx/text.h"
#include "verify/inspect/region_inspector.h"

using namespace pet;

namespace {

CaseFile parsed(const std::string& text) {
  auto file = parse_case(text, "test");
  REQUIRE(file.ok());
  return *std::move(file);
}

CaseFile case_of(const std::string& name) {
  auto file = read_case(std::filesystem::path(PET_CASES) / "mutants" / (name + ".txt"));
  REQUIRE(file.ok());
  return *std::move(file);
}

// A convolution beside itself, of [1, 2, 8, 10] with a kernel of 3x3.
CaseFile convolution() {
  const std::string types = "(float[1, 2, 8, 10] X, float[4, 2, 3, 3] W) => (float[1, 4, 8, 10] Y)";
  const std::string body = " {\n  Y = Conv<pads=[1, 1, 1, 1]>(X, W)\n}\n";
  return parsed("# test\noriginal " + types + body + "mutant " + types + body);
}

InspectedSums sums_of(const CaseFile& pair, ProgramSide side, const std::string& name) {
  const Graph& graph = (side == ProgramSide::Original ? pair.original : pair.mutant).graph;
  for (const NodeId id : graph.ids()) {
    if (graph.node(id).name != name) continue;
    auto out = RegionInspector().sums(pair.original.graph, pair.mutant.graph, side, id, {});
    REQUIRE(out.ok());
    return *std::move(out);
  }
  FAIL("there is no value " << name);
  return {};
}

InspectedSplits splits_of(const CaseFile& pair) {
  auto out = RegionInspector().splits(pair.original.graph, pair.mutant.graph, {});
  REQUIRE(out.ok());
  return *std::move(out);
}

const InspectedValue& value_of(const std::vector<InspectedValue>& all, const Graph& graph,
                               const std::string& name) {
  for (const NodeId id : graph.ids())
    if (graph.node(id).name == name) return all[id.index()];
  FAIL("there is no value " << name);
  return all.front();
}

std::set<std::pair<std::size_t, Dim>> places(const InspectedValue& value) {
  std::set<std::pair<std::size_t, Dim>> out;
  for (const InspectedCut& cut : value.cuts) out.insert({cut.digit, cut.at});
  return out;
}

// By position, the number of the box that it lies in, row-major in the axes.
std::vector<int> numbered(const InspectedSums& sums) {
  std::vector<int> out(static_cast<std::size_t>(count(sums.basis.flat())), -1);
  const Shape strides = row_major_strides(sums.basis.flat());
  for (std::size_t b = 0; b < sums.parts.size(); ++b) {
    const Box& box = sums.parts[b].box;
    Shape at = box.low;
    for (bool more = box.volume() > 0; more;) {
      std::size_t flat = 0;
      for (std::size_t d = 0; d < at.size(); ++d)
        flat += static_cast<std::size_t>(at[d] * strides[d]);
      out[flat] = static_cast<int>(b);
      more = false;
      for (std::size_t d = at.size(); d-- > 0 && !more;) {
        more = ++at[d] < box.high[d];
        if (!more) at[d] = box.low[d];
      }
    }
  }
  return out;
}

TEST_CASE("A 3x3 convolution with padding 1 has nine boxes, each with the taps that it reads") {
  const InspectedSums sums = sums_of(convolution(), ProgramSide::Original, "Y");
  CHECK(sums.basis.flat() == Shape{1, 4, 8, 10});
  REQUIRE(sums.parts.size() == 9);
  const Shape extents = sums.basis.flat();
  for (const InspectedSums::Part& part : sums.parts) {
    // Of the kernel's rows the first is outside at the top, the last at the bottom; columns alike.
    std::set<std::pair<Dim, Dim>> taps, offsets;
    for (const InspectedTerm& term : part.terms) {
      REQUIRE(term.factors.size() == 2);
      CHECK(term.coefficient == "1");
      REQUIRE(term.sums.size() == 1);
      CHECK(term.sums[0] == std::pair<Dim, Dim>(0, 2));  // both channels
      for (const InspectedTerm::Factor& factor : term.factors) {
        auto& here = factor.value == "W" ? taps : offsets;
        here.insert({factor.index[2].constant, factor.index[3].constant});
        using Digits = std::vector<std::pair<std::size_t, Dim>>;
        CHECK(factor.index[2].of_digits == (factor.value == "W" ? Digits{} : Digits{{2, 1}}));
        CHECK(factor.index[3].of_digits == (factor.value == "W" ? Digits{} : Digits{{3, 1}}));
      }
    }
    std::set<std::pair<Dim, Dim>> expected_taps, expected_offsets;
    for (Dim y = -1; y <= 1; ++y) {
      for (Dim x = -1; x <= 1; ++x) {
        const bool is_in_rows = part.box.low[2] + y >= 0 && part.box.high[2] + y <= extents[2];
        const bool is_in_columns = part.box.low[3] + x >= 0 && part.box.high[3] + x <= extents[3];
        if (!is_in_rows || !is_in_columns) continue;
        expected_taps.insert({y + 1, x + 1});
        expected_offsets.insert({y, x});
      }
    }
    CHECK(taps == expected_taps);
    CHECK(offsets == expected_offsets);
  }
}

TEST_CASE("A value is cut where its operator reads over a border, and says so") {
  const CaseFile pair = convolution();
  const InspectedSplits splits = splits_of(pair);
  const Graph& graph = pair.original.graph;
  const InspectedValue& y = value_of(splits.original, graph, "Y");
  CHECK(y.boxes == 9);
  CHECK(places(y) == std::set<std::pair<std::size_t, Dim>>{{2, 1}, {2, 7}, {3, 1}, {3, 9}});
  for (const InspectedCut& cut : y.cuts) {
    REQUIRE(cut.causes.size() == 1);
    CHECK(cut.causes[0].kind == InspectedCause::Kind::Border);
    CHECK(graph.node(cut.causes[0].by).name == "Y");
    CHECK(graph.node(cut.causes[0].value).name == "X");
    CHECK(cut.sources.empty());
  }
  CHECK(value_of(splits.original, graph, "X").boxes == 1);
}

TEST_CASE("Through a second convolution a cut comes from those that its kernel reaches") {
  const std::string types = "(float[1, 2, 20] X, float[2, 2, 3] W) => (float[1, 2, 20] Y)";
  const std::string body = " {\n  t = Conv<pads=[1, 1]>(X, W)\n  Y = Conv<pads=[1, 1]>(t, W)\n}\n";
  const CaseFile pair = parsed("# test\noriginal " + types + body + "mutant " + types + body);
  const InspectedSplits splits = splits_of(pair);
  const Graph& graph = pair.original.graph;
  const InspectedValue& y = value_of(splits.original, graph, "Y");
  CHECK(places(y) == std::set<std::pair<std::size_t, Dim>>{{2, 1}, {2, 2}, {2, 18}, {2, 19}});
  std::map<Dim, std::set<Dim>> from;
  for (const InspectedCut& cut : y.cuts)
    for (const auto& source : cut.sources) {
      CHECK(graph.node(source.value).name == "t");
      from[cut.at].insert(source.at);
    }
  // Tap r reads t at y + r - 1: it steps over the cut at 1 where y + r - 1 = 1.
  CHECK(from == std::map<Dim, std::set<Dim>>{{1, {1}}, {2, {1}}, {18, {19}}, {19, {19}}});
}

TEST_CASE("Figure 1: the joined images are cut at every seam, the original at its borders") {
  const CaseFile pair = case_of("figure_1");
  const InspectedSplits splits = splits_of(pair);
  const InspectedValue& original = value_of(splits.original, pair.original.graph, "Y");
  CHECK(original.boxes == 9);
  const Graph& mutant = pair.mutant.graph;
  const InspectedValue& joined = value_of(splits.mutant, mutant, "t4");
  CHECK(joined.basis.flat() == Shape{8, 2, 2, 56, 56});
  REQUIRE(joined.digits.size() == 1);
  CHECK(joined.digits[0].cause.kind == InspectedCause::Kind::Digit);
  CHECK(mutant.node(joined.digits[0].cause.by).name == "t3");
  CHECK(places(joined) ==
        std::set<std::pair<std::size_t, Dim>>{{2, 1}, {3, 1}, {3, 55}, {4, 1}, {4, 55}});
  // What only moves elements hands every cut on.
  const InspectedValue& moved = value_of(splits.mutant, mutant, "t5");
  for (const InspectedCut& cut : moved.cuts) {
    REQUIRE(cut.sources.size() == 1);
    CHECK(mutant.node(cut.sources[0].value).name == "t4");
    CHECK(cut.sources[0].at == cut.at);
  }
  const auto both = RegionInspector().sums(pair.original.graph, mutant, std::size_t{0}, {});
  REQUIRE(both.ok());
  CHECK(both->basis.flat() == Shape{8, 2, 2, 56, 56});
  for (const InspectedSums::Part& part : both->parts) CHECK(part.reason.empty());
}

// Neighbours of which one is wrong and the other is not lie in two boxes of one of the programs.
void check_wrong_region_is_cut_by_programs(const CaseFile& pair) {
  const Graph& original = pair.original.graph;
  const Graph& mutant = pair.mutant.graph;
  const auto seen = RegionInspector().boxes(original, mutant, {});
  REQUIRE(seen.ok());
  for (std::size_t o = 0; o < seen->size(); ++o) {
    const InspectedOutput& output = (*seen)[o];
    REQUIRE(output.reason.empty());
    const auto first =
        RegionInspector().sums(original, mutant, ProgramSide::Original, original.outputs()[o], {});
    const auto second =
        RegionInspector().sums(original, mutant, ProgramSide::Mutant, mutant.outputs()[o], {});
    REQUIRE((first.ok() && second.ok()));
    REQUIRE((first->reason.empty() && second->reason.empty()));
    const auto ours = numbered(*first), theirs = numbered(*second);
    const std::vector<char> wrong = output.wrong.points();
    const Shape shape = output.basis.shape(), strides = row_major_strides(shape);
    std::size_t uncut = 0;
    for (std::size_t at = 0; at < wrong.size(); ++at) {
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const auto stride = static_cast<std::size_t>(strides[axis]);
        if (static_cast<Dim>(at / stride) % shape[axis] + 1 == shape[axis]) continue;
        const std::size_t next = at + stride;
        if (wrong[at] == wrong[next]) continue;
        if (ours[at] == ours[next] && theirs[at] == theirs[next]) ++uncut;
      }
    }
    CHECK(uncut == 0);
  }
}

TEST_CASE("Whatever bounds a wrong region is a cut of one of the two programs") {
  std::size_t pairs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PET_CASES) / "mutants")) {
    INFO(entry.path().string());
    const auto file = read_case(entry.path());
    REQUIRE(file.ok());
    // Of another shape there is nothing to look at.
    if (!RegionInspector().boxes(file->original.graph, file->mutant.graph, {})) continue;
    check_wrong_region_is_cut_by_programs(*file);
    const InspectedSplits splits = splits_of(*file);
    for (const auto* values : {&splits.original, &splits.mutant})
      for (const InspectedValue& value : *values)
        CHECK((value.reason.empty() || value.reason == "a constant" ||
               value.reason == "its elements are no floating-point numbers"));
    ++pairs;
  }
  CHECK(pairs == 25);  // one mutant has an output of another shape
}

}  // namespace
