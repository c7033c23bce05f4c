// What the generator does to the axes that a product slides along.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/core/program/mutants.h"
#include "tests/support/seeded.h"
#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::test;

namespace {

// How a kernel stands along one axis.
struct Along {
  Dim data = 1;
  Dim taps = 1;
  Dim stride = 1;
  Dim before = 0;
  Dim after = 0;

  Dim results() const { return (data + before + after - taps) / stride + 1; }
  // From the first to the last tap that meets data in some position of the kernel.
  Dim useful_taps() const {
    std::set<Dim> met;
    for (Dim o = 0; o < results(); ++o) {
      for (Dim x = 0; x < data; ++x) met.insert(x + before - o * stride);
    }
    met.erase(met.begin(), met.lower_bound(0));
    met.erase(met.lower_bound(taps), met.end());
    return met.empty() ? 0 : *met.rbegin() - *met.begin() + 1;
  }
};

// One of which some tap meets data; `idle`: and taps at an end that do not.
Along draw_along(Rng& rng, bool idle) {
  for (;;) {
    const Dim taps = 2 * rng.between(1, 2) + 1;
    const Along out{.data = rng.between(1, idle ? 3 : 6),
                    .taps = taps,
                    .stride = rng.between(1, 2),
                    .before = rng.between(0, taps - 1),
                    .after = rng.between(0, taps - 1)};
    if (out.data + out.before + out.after < taps || out.useful_taps() == 0) continue;
    if (idle == (out.useful_taps() < taps)) return out;
  }
}

Graph conv_along(const std::vector<Along>& axes) {
  Shape data{1, 2};
  Shape weight{3, 2};
  Ints strides;
  Ints pads(2 * axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    data.push_back(axes[i].data);
    weight.push_back(axes[i].taps);
    strides.push_back(axes[i].stride);
    pads[i] = axes[i].before;
    pads[axes.size() + i] = axes[i].after;
  }
  return convs({data}, {weight}, {{"strides", strides}, {"pads", pads}});
}

const std::string kWithoutIdle = " without the taps that meet only padding";

}  // namespace

TEST_CASE("Phases of a dilation laid in a row are wrong at their seams alone, as images nowhere") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim h = 2 * rng.between(3, 8);
  const Dim w = 2 * rng.between(3, 8);
  const Graph program = convs({{rng.between(1, 2), 3, h, w}}, {{4, 3, 3, 3}},
                              {{"pads", Ints{2, 2, 2, 2}}, {"dilations", Ints{2, 2}}});
  CHECK(find(program, "phases of axis 2 by 2 in a row").wrong_share(2, h));
  CHECK(find(program, "phases of axis 3 by 2 in a row").wrong_share(2, w));
  const Found both =
      find(program, "phases of axis 2 by 2 in a row, phases of axis 3 by 2 in a row");
  CHECK(both.wrong_share(2 * h + 2 * w - 4, h * w));
  CHECK(both.node("Conv").op()->attrs.find("dilations")->index() == 1);
  CHECK(both.node("Conv").op()->ints("dilations").empty());
  CHECK(right(find(program, "phases of axis 2 by 2 as images")));
  CHECK(right(find(program, "phases of axis 2 by 2 as images, phases of axis 3 by 2 as images")));
}

TEST_CASE("A tile that divides an axis is among the fast convolutions along it") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim tile = rng.between(2, 8);
  const Dim h = tile * rng.between(2, 3);
  CAPTURE(tile, h);
  Sketch s;
  const NodeId x = s.input("in0", {1, 3, h, 3});
  const Graph program = std::move(s).finish(
      {s.op("Conv", {{"pads", Ints{1, 1, 1, 1}}}, {x, s.ramp({4, 3, 3, 3}, 0.125f)})});
  const std::string size = std::to_string(tile);
  CHECK(right(find(program, "fast convolution, axis 2 before the channels, tiles of " + size)));
  CHECK(right(find(program, "fast convolution along axis 2 in place, tiles of " + size)));
}

TEST_CASE("A dilation of four becomes one of two, or of one") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim h = 4 * rng.between(2, 5);
  const Graph program = convs({{1, 2, h, h}}, {{3, 2, 3, 3}},
                              {{"pads", Ints{4, 4, 4, 4}}, {"dilations", Ints{4, 4}}});
  CHECK(find(program, "phases of axis 2 by 2 in a row").wrong_share(4, h));
  CHECK(find(program, "phases of axis 2 by 4 in a row").wrong_share(6, h));
  CHECK(right(find(program, "phases of axis 2 by 4 as images")));
}

TEST_CASE("A kernel of one frame: frames become images, or are joined along the height") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim frames = 2 * rng.between(2, 5);
  const Dim h = rng.between(4, 9);
  const Graph program = convs({{rng.between(1, 2), 3, frames, h, 6}}, {{4, 3, 1, 3, 3}},
                              {{"pads", Ints{0, 1, 1, 0, 1, 1}}});
  const Found flat = find(program, "with only sliding dimensions");
  CHECK(right(flat));
  CHECK(flat.data_shape("Conv").size() == 4);
  CHECK(find(program, "join 2 of axis 2 along axis 3").wrong_share(1, h));
  CHECK(right(find(program, "join 2 of axis 2 along axis 3 with a halo")));
  CHECK(find(program, "join 2 of axis 2 along axis 3, with only sliding dimensions")
            .wrong_share(1, h));
}

TEST_CASE("Taps in time become summed convolutions without it, or channels") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim taps = rng.between(2, 4);
  const Dim frames = rng.between(taps, 7);
  const Dim stride = rng.between(1, 2);
  const Graph program = convs({{1, 3, frames, 6, 5}}, {{4, 3, taps, 3, 3}},
                              {{"pads", Ints{1, 1, 1, 1, 1, 1}}, {"strides", Ints{stride, 1, 1}}});
  const Found apart =
      find(program, "taps of axis 2 as products, summed, with only sliding dimensions");
  CHECK(right(apart));
  CHECK(apart.count("Conv") == static_cast<std::size_t>(taps));
  CHECK(apart.data_shape("Conv").size() == 4);
  const Found channels = find(program, "taps of axis 2 to channels, with only sliding dimensions");
  CHECK(right(channels));
  CHECK(channels.count("Conv") == 1);
  CHECK(channels.data_shape("Conv")[1] == 3 * taps);
}

TEST_CASE("A kernel in time alone slides over two dimensions, one of them all pixels") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim h = rng.between(2, 6);
  const Graph program =
      convs({{1, 3, 6, h, 4}}, {{4, 3, 3, 1, 1}}, {{"pads", Ints{1, 0, 0, 1, 0, 0}}});
  const Found merged = find(program, "with what does not slide as one dimension");
  CHECK(right(merged));
  CHECK(merged.data_shape("Conv") == Shape{1, 3, 6, h * 4});
}

TEST_CASE("A convolution of one dimension becomes one of two, and back") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim length = rng.between(5, 20);
  const Dim groups = rng.between(1, 2);
  const Graph one =
      convs({{2, 4, length}}, {{6, 4 / groups, 3}}, {{"pads", Ints{1, 1}}, {"group", groups}});
  const Found two = find(one, "with a unit dimension in front");
  CHECK(right(two));
  CHECK(two.data_shape("Conv") == Shape{2, 4, 1, length});
  const Graph row = convs({{2, 4, 1, length}}, {{6, 4 / groups, 1, 3}},
                          {{"pads", Ints{0, 1, 0, 1}}, {"group", groups}});
  MutantGenerator generator(row);
  bool found = false;
  while (auto mutant = generator.next()) {
    const auto& nodes = mutant->program.nodes();
    found = found || std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
              return node.op() != nullptr && node.op()->def->name == "Conv" &&
                     node.type.shape->size() == 3;
            });
  }
  CHECK(found);
}

TEST_CASE("Channels lie along an axis, an end is padded, dimensions are exchanged: all exact") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim h = 2 * rng.between(2, 5) + 1;
  const Graph program = convs({{1, 4, h, 6}}, {{4, 4, 3, 3}}, {{"pads", Ints{1, 1, 1, 1}}});
  const Found along = find(program, "2 channels along axis 2");
  CHECK(right(along));
  CHECK(along.data_shape("Conv") == Shape{1, 2, 2 * h, 6});
  CHECK(along.node("Conv").op()->ints("strides") == Ints{2, 1});
  CHECK(right(find(program, "2 channels along axis 3")));
  const Found padded = find(program, "1 zero behind axis 2");
  CHECK(right(padded));
  CHECK(padded.data_shape("Conv")[2] == h + 1);
  const Graph seven = convs({{1, 3, h, h + 1}}, {{4, 3, 1, 7}}, {{"pads", Ints{0, 3, 0, 3}}});
  const Found turned = find(seven, "with dimensions 0 and 1 exchanged");
  CHECK(right(turned));
  CHECK(turned.data_shape("Conv") == Shape{1, 3, h + 1, h});
}

TEST_CASE("A window that is as long as its step is a product over channels") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim p = rng.between(2, 4);
  const Graph program = convs({{2, 3, 3 * p, 2 * p}}, {{5, 3, p, p}}, {{"strides", Ints{p, p}}});
  const std::string how = "phases of axis 2 by " + std::to_string(p) +
                          " to channels, phases of axis 3 by " + std::to_string(p) +
                          " to channels, as data times weight";
  const Found product = find(program, how);
  CHECK(right(product));
  CHECK(product.count("Conv") == 0);
}

TEST_CASE("Taps that meet only padding are left out of the weight, wherever the kernel stands") {
  Seeded rng;
  CAPTURE(rng.drawn);
  for (const std::size_t rank : {2U, 3U}) {
    for (int i = 0; i < 8; ++i) {
      std::vector<Along> axes(rank);
      for (Along& axis : axes) axis = draw_along(rng, false);
      const auto idle = static_cast<std::size_t>(rng.below(rank));
      axes[idle] = draw_along(rng, true);
      const Graph program = conv_along(axes);
      INFO(to_string(program));
      const Found fewer = find(program, "axis " + std::to_string(2 + idle) + kWithoutIdle);
      CHECK(right(fewer));
      INFO(to_string(fewer.program));
      Dim taps = 1;
      for (const Along& axis : axes) taps *= axis.useful_taps();
      CHECK(count(fewer.operand_shape("Conv", 1)) == 3 * 2 * taps);
    }
  }
}

TEST_CASE("A convolution whose outer taps all meet data keeps its taps") {
  Seeded rng;
  CAPTURE(rng.drawn);
  for (const std::size_t rank : {2U, 3U}) {
    std::vector<Along> axes(rank);
    for (Along& axis : axes) axis = draw_along(rng, false);
    const Graph program = conv_along(axes);
    INFO(to_string(program));
    std::size_t mutants = 0;
    MutantGenerator generator(program, {.moves = 1});
    while (auto mutant = generator.next()) {
      INFO(in_words(mutant->moves));
      CHECK(in_words(mutant->moves).find(kWithoutIdle) == std::string::npos);
      ++mutants;
    }
    CHECK(mutants > 0);
  }
}
