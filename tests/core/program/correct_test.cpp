#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/correct/corrections.h"
#include "core/program/correct/fused.h"
#include "core/program/correct/windows.h"
#include "core/program/mutate/generator.h"
#include "tests/support/seeded.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::test;

namespace {

// A convolution over as many axes as `kernel` has; its weight is an input, and so a free variable.
Graph conv(const Shape& x, Dim filters, const Shape& kernel, Attrs attrs) {
  GraphBuilder b;
  Shape weight{filters, x[1] / (attrs.find("group") != nullptr ? attrs.integer("group") : 1)};
  weight.insert(weight.end(), kernel.begin(), kernel.end());
  const NodeId in = b.add_input("in0", float_tensor(x));
  const NodeId w = b.add_input("in1", float_tensor(weight));
  b.add_output(*b.add(ops::conv(), std::move(attrs), {in, w}));
  return std::move(b).build();
}

Graph square(const Shape& x, Dim taps, Dim pad, Dim stride = 1, Dim dilation = 1) {
  return conv(x, 4, {taps, taps},
              {{"pads", Ints{pad, pad, pad, pad}},
               {"strides", Ints{stride, stride}},
               {"dilations", Ints{dilation, dilation}}});
}

struct Wrong {
  Mutant mutant;
  Region where;
};

// Those that so many moves lead to and that are equal in part.
std::vector<Wrong> partial_mutants(const Graph& program, std::size_t moves = 1,
                                   std::size_t most = SIZE_MAX) {
  std::vector<Wrong> out;
  MutantGenerator generator(program, {.moves = moves});
  while (out.size() < most) {
    auto mutant = generator.next();
    if (!mutant) break;
    const Verdict verdict = BitmapChecker().check(program, mutant->program, {});
    if (verdict.outcome == Outcome::Partial)
      out.push_back({*std::move(mutant), verdict.outputs[0].wrong});
  }
  return out;
}

const Wrong& named(const std::vector<Wrong>& all, const std::string& how) {
  for (const Wrong& w : all)
    if (in_words(w.mutant.moves) == how) return w;
  FAIL("no mutant that is wrong somewhere is called " << how);
  return all.front();
}

bool is_right(const Graph& program, const Graph& corrected) {
  return BitmapChecker().check(program, corrected, {}).outcome == Outcome::Equivalent;
}

std::size_t products(const Graph& program) {
  std::size_t out = 0;
  for (const Node& node : program.nodes())
    out += node.op() != nullptr && node.op()->def == &ops::conv() ? 1U : 0U;
  return out;
}

// What is repaired by one operator has no more products than before, and is right everywhere.
Result<Graph> fuse(const Graph& program, const Wrong& wrong) {
  INFO(in_words(wrong.mutant.moves) << " of\n" << to_string(program));
  auto corrected = fuse_correction(program, wrong.mutant.program, wrong.where);
  if (corrected) {
    CHECK(products(*corrected) == products(wrong.mutant.program));
    CHECK(is_right(program, *corrected));
  }
  return corrected;
}

// How many of the mutants that are wrong somewhere are repaired so.
std::size_t fuse_all(const Graph& program, std::size_t moves = 1) {
  std::size_t fused = 0;
  for (const Wrong& wrong : partial_mutants(program, moves))
    fused += fuse(program, wrong) ? 1U : 0U;
  return fused;
}

// Of the axes that the convolutions slide along.
Dim shortest_slide(const Graph& program) {
  Dim out = std::numeric_limits<Dim>::max();
  for (const Node& node : program.nodes()) {
    if (node.op() == nullptr || node.op()->def != &ops::conv()) continue;
    const Shape& data = *program.node(node.operands[0]).type.shape;
    out = std::min(out, *std::min_element(data.begin() + 2, data.end()));
  }
  return out;
}

struct Fusing {
  std::size_t partial = 0;
  std::size_t sure = 0;  // of these: of one move, and with room
  std::size_t fused = 0;
  std::size_t short_windows = 0;
  std::size_t other_weights = 0;

  // `room`: positions of an axis that one result needs, apart from the operator's own padding.
  // There are two refusals. An axis that was cut may be shorter than that, which the message says.
  // And where taps have become channels besides, no operator reads the weight as the original does,
  // so that windows of the original's data mean nothing to it; that takes a second move, because
  // such a move alone is exact.
  void add(const Graph& program, const Wrong& wrong, Dim room) {
    INFO(in_words(wrong.mutant.moves) << " of\n" << to_string(program));
    const auto corrected = fuse(program, wrong);
    const bool single = wrong.mutant.moves.size() == 1;
    const bool has_room = shortest_slide(wrong.mutant.program) >= room;
    ++partial;
    sure += single && has_room ? 1U : 0U;
    if (corrected) {
      ++fused;
      return;
    }
    const std::string& why = corrected.error().message;
    INFO(why);
    if (why == "no operator of the mutant has the weights as they are") {
      ++other_weights;
      CHECK_FALSE(single);
      return;
    }
    ++short_windows;
    CHECK(why.ends_with(" positions is too short for one result"));
    CHECK_FALSE(has_room);
  }
};

}  // namespace

TEST_CASE("Joined images are repaired in the batch of the one convolution that runs") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = 2 * rng.between(3, 8);
  const Graph program = square({4, 3, size, size}, 3, 1);
  const auto wrong = partial_mutants(program);
  for (const char* how : {"join 2 of axis 0 along axis 2", "join 2 of axis 0 along axis 3"}) {
    const Wrong& joined = named(wrong, how);
    const auto corrected = fuse_correction(program, joined.mutant.program, joined.where);
    INFO(how << (corrected ? "" : ": " + corrected.error().message));
    REQUIRE(corrected.ok());
    CHECK(products(*corrected) == 1);
    CHECK(is_right(program, *corrected));
  }
}

TEST_CASE("Seams of several images share a window") {
  const Graph program = square({8, 3, 12, 12}, 3, 1);
  const auto wrong = partial_mutants(program);
  const Wrong& joined = named(wrong, "join 2 of axis 0 along axis 3");
  const auto corrected = fuse_correction(program, joined.mutant.program, joined.where);
  REQUIRE(corrected.ok());
  for (const NodeId id : corrected->ids()) {
    const Op* op = corrected->node(id).op();
    if (op == nullptr || op->def != &ops::conv()) continue;
    // Eight seams of three columns in one window of 24.
    CHECK((*corrected->node(id).type.shape)[0] == 4 + 1);
  }
}

TEST_CASE("A cut image is repaired in the batch of the one convolution that runs") {
  const Graph program = square({1, 3, 14, 14}, 3, 1);
  const auto wrong = partial_mutants(program);
  for (const char* how : {"cut axis 2 in 2", "cut axis 3 in 2"}) {
    const Wrong& cut = named(wrong, how);
    const auto corrected = fuse_correction(program, cut.mutant.program, cut.where);
    INFO(how << (corrected ? "" : ": " + corrected.error().message));
    REQUIRE(corrected.ok());
    CHECK(products(*corrected) == 1);
    CHECK(is_right(program, *corrected));
  }
}

TEST_CASE("Phases of a dilated convolution are repaired where they are packed along its axes") {
  // C1, C2 and C3 of the paper's packings; C3 is Figure 3.
  CHECK(fuse_all(square({1, 3, 14, 14}, 3, 2, 1, 2), 2) >= 3);
  CHECK(fuse_all(square({2, 3, 14, 14}, 3, 2, 1, 2)) >= 2);
}

TEST_CASE("Strides, groups, and one or three axes are repaired likewise") {
  CHECK(fuse_all(square({4, 3, 8, 8}, 3, 1, 2)) >= 1);
  CHECK(fuse_all(conv({2, 4, 8, 8}, 4, {3, 3}, {{"pads", Ints{1, 1, 1, 1}}, {"group", 2}})) >= 2);
  CHECK(fuse_all(conv({2, 3, 12}, 4, {5}, {{"pads", Ints{2, 2}}})) >= 2);
  CHECK(fuse_all(conv({1, 2, 4, 6, 6}, 3, {3, 3, 3}, {{"pads", Ints{1, 1, 1, 1, 1, 1}}})) >= 2);
}

TEST_CASE("Random convolutions are repaired in the batch wherever their axes have room for it") {
  Seeded rng;
  CAPTURE(rng.drawn);
  Fusing all;
  for (int i = 0; i < 12; ++i) {
    const Dim taps = rng.between(1, 2) * 2 + 1;
    const Dim dilation = rng.between(1, 2);
    const Dim stride = rng.between(1, 2);
    const Dim reach = dilation * (taps - 1) + 1;
    const Dim pad = rng.between(0, reach / 2);
    const Dim size = 2 * rng.between(std::max<Dim>(4, (reach + 1) / 2), 8);
    const Graph program =
        square({rng.between(1, 4), rng.between(1, 3), size, size}, taps, pad, stride, dilation);
    for (const Wrong& wrong : partial_mutants(program, 2, 8))
      all.add(program, wrong, reach + floor_mod(-pad, stride));
  }
  CAPTURE(all.partial, all.sure, all.fused, all.short_windows, all.other_weights);
  CHECK(all.sure > 0);
}

TEST_CASE("A wrong region that lacks a row is not repaired, and the second check says so") {
  const Graph program = square({2, 3, 8, 8}, 3, 1);
  const auto all = partial_mutants(program);
  const Wrong& cut = named(all, "cut axis 2 in 2");
  REQUIRE(cut.where.volume() == 2 * 4 * 2 * 8);  // rows 3 and 4
  const Region lacking{DigitBasis::plain({2, 4, 8, 8}), {{{0, 0, 3, 0}, {2, 4, 4, 8}}}};
  for (const Correction& way : corrections(program, cut.mutant.program, lacking)) {
    INFO(to_string(way.way));
    REQUIRE(way.program.ok());
    const Verdict again = BitmapChecker().check(program, *way.program, {});
    CHECK(again.outcome == Outcome::Partial);
    CHECK(again.outputs[0].wrong.volume() == 2 * 4 * 8);  // row 4
  }
}

TEST_CASE("Every node of a corrected program says what it is there for") {
  const Graph program = square({4, 3, 12, 12}, 3, 1);
  const auto all = partial_mutants(program);
  const Wrong& joined = named(all, "join 2 of axis 0 along axis 3");
  const auto ways = corrections(program, joined.mutant.program, joined.where);
  REQUIRE(ways.size() == 2);
  for (const Correction& way : ways) {
    INFO(to_string(way.way));
    REQUIRE(way.program.ok());
    REQUIRE(way.roles.size() == way.program->nodes().size());
    CHECK(way.repairs.volume() == joined.where.volume());
    std::map<CorrectionRole, std::size_t> convolutions;
    std::set<std::size_t> boxes;
    for (const NodeId id : way.program->ids()) {
      const NodeRole& role = way.roles[id.index()];
      if (role.role == CorrectionRole::Recomputed) boxes.insert(*role.box);
      const Op* op = way.program->node(id).op();
      if (op != nullptr && op->def == &ops::conv()) ++convolutions[role.role];
    }
    if (way.way == CorrectionWay::Recomputing) {
      CHECK(convolutions[CorrectionRole::Mutant] == 1);
      CHECK(convolutions[CorrectionRole::Recomputed] == way.repairs.boxes.size());
      CHECK(boxes.size() == way.repairs.boxes.size());
    } else {
      CHECK(convolutions == std::map<CorrectionRole, std::size_t>{{CorrectionRole::Shared, 1}});
    }
  }
}

TEST_CASE("An operator with other weights cannot take in the wrong boxes") {
  const Graph program = square({2, 3, 8, 8}, 3, 1);
  const Graph other = conv({2, 3, 8, 8}, 4, {5, 5}, {{"pads", Ints{2, 2, 2, 2}}});
  const Region region{DigitBasis::plain({2, 4, 8, 8}), {{{0, 0, 0, 0}, {2, 4, 1, 8}}}};
  const auto corrected = fuse_correction(program, other, region);
  REQUIRE_FALSE(corrected.ok());
  CHECK(corrected.error().message == "an axis with another number of taps");
  GraphBuilder b;
  const NodeId x = b.add_input("in0", float_tensor({2, 4, 8, 8}));
  b.add_output(*b.add(ops::relu(), {}, {x}));
  const auto none = fuse_correction(program, std::move(b).build(), region);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message == "no operator of the mutant has the weights as they are");
}

TEST_CASE("Stretches of a window lie beyond the operator's own padding and do not overlap") {
  const SlidePair pair{{3, 1, 1, 1, 1}, {3, 1, 1, 1, 1}, 56, 112, 112};
  const auto along = stretches(pair, {55, 1, 1});
  REQUIRE(along.ok());
  REQUIRE(along->size() == 1);
  const Stretch& s = along->front().front();
  CHECK(s.low == 54);
  CHECK(s.reads == 3);
  CHECK(s.after == 1);
  const auto laid = cells(pair, 1, s.before, s.after);
  REQUIRE(laid.has_value());
  CHECK(laid->first == 1);
  CHECK(laid->start == 0);
  CHECK(laid->cell == 3);
  CHECK(laid->places == 37);
  // As long as the whole window: its zeros are the operator's padding.
  const SlidePair same{{3, 1, 1, 1, 1}, {3, 1, 1, 1, 1}, 56, 56, 56};
  const auto whole = cells(same, 56, 1, 1);
  REQUIRE(whole.has_value());
  CHECK(whole->first == 0);
  CHECK(whole->start == -1);
  CHECK_FALSE(cells(same, 56, 0, 1).has_value());
}
