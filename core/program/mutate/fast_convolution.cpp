#include "core/program/mutate/fast_convolution.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/ir/copy.h"
#include "core/program/mutate/spread_in_place.h"
#include "core/util/check.h"

namespace pet::mutation {
namespace {

struct ByMatrices {
  Blocks blocks;
  AxisAlgorithm algorithm;
  bool whole = false;  // one tile is the whole axis

  Dim products() const { return blocks.number * algorithm.tiles * algorithm.points(); }
  double amplification() const { return algorithm.tile.amplification(); }
};

// Outputs of a tile that may be worth it: a single one saves nothing unless there are no more.
std::vector<Dim> tile_sizes(const Correlation& along, Dim most_points) {
  std::vector<Dim> out;
  if (along.output == 1) out.push_back(1);
  for (Dim m = 2; m <= std::min(std::max<Dim>(2, along.output), most_points); ++m) out.push_back(m);
  return out;
}

Dim undilated_stride(const Correlation& along) {
  return along.stride / std::gcd(along.stride, along.dilation);
}

// Tiles of an axis that stays where it is.
struct Interleaved {
  Tile tile;
  SlidingProduct inside;  // once for each point

  double products() const { return static_cast<double>(tile.points()) * inside.multiplications(); }
  double amplification() const { return tile.amplification(); }
};

// Without those that another one beats in products and in rounding at once: its tiles are smaller,
// and so are its weights.
template <class Algorithm>
void keep_undominated(std::vector<Algorithm>& algorithms) {
  const auto cost = [](const Algorithm& a) { return std::pair(a.products(), a.amplification()); };
  std::stable_sort(algorithms.begin(), algorithms.end(),
                   [&](const Algorithm& a, const Algorithm& b) { return cost(a) < cost(b); });
  double least = std::numeric_limits<double>::infinity();
  std::erase_if(algorithms, [&](const Algorithm& a) {
    const bool dominated = a.amplification() >= least;
    least = std::min(least, a.amplification());
    return dominated;
  });
}

class Forms {
 public:
  Forms(const SlidingProduct& product, const FastLimits& limits) : p_(product), limits_(limits) {}

  std::vector<FastForm> all() {
    for (std::size_t axis = 0; axis < p_.axes.size(); ++axis) {
      for (const Leftover leftover : {Leftover::Nothing, Leftover::UnitAxis}) {
        if ((leftover == Leftover::UnitAxis) != (p_.axes.size() == 2)) continue;
        direct(axis, leftover);
        before_channels(axis, leftover);
      }
      if (p_.axes.size() < 3) in_place(axis);
    }
    std::stable_sort(out_.begin(), out_.end(), [](const FastForm& a, const FastForm& b) {
      return a.multiplications < b.multiplications;
    });
    return std::move(out_);
  }

  // The forms that leave the layout alone, along the first axis of more than one tap.
  std::vector<FastForm> inside() {
    inside_ = true;
    for (std::size_t axis = 0; axis < p_.axes.size(); ++axis) {
      if (p_.axes[axis].taps > 1) {
        in_place(axis);
        break;
      }
    }
    return std::move(out_);
  }

 private:
  double weight_count(const SlidingProduct& p) const {
    return static_cast<double>(count(p.weight_shape()));
  }

  move::FastConvolution fast(std::size_t axis, move::AxisPlace place, const Tile& tile) const {
    return {.axis = axis + 2,
            .place = place,
            .outputs = static_cast<Dim>(tile.outputs.rows),
            .taps = p_.axes[axis].taps,
            .stride = p_.axes[axis].stride,
            .inside = inside_};
  }

  // An outer form with everything that can stand inside it.
  template <class Build>
  void add(const Move& outer, const SlidingProduct& inside, double around, double amplification,
           const Build& build) {
    const double growth = weight_count(inside) / weight_count(p_);
    std::vector<FastForm> inner = {{{}, inside.multiplications(), 1, 1, emit}};
    if (p_.axes.size() == 3) {
      for (FastForm& form : Forms(inside, limits_).inside()) inner.push_back(std::move(form));
    }
    for (const FastForm& form : inner) {
      if (growth * form.growth > limits_.most_growth ||
          amplification * form.amplification > limits_.most_amplification)
        continue;
      std::vector<Move> moves = {outer};
      moves.insert(moves.end(), form.moves.begin(), form.moves.end());
      out_.push_back({std::move(moves), around + form.multiplications, growth * form.growth,
                      amplification * form.amplification,
                      [build, inner_build = form.build](GraphBuilder& b, const Convolution& c) {
                        return build(b, c, inner_build);
                      }});
    }
  }

  void direct(std::size_t axis, Leftover leftover) {
    const Correlation& along = p_.axes[axis];
    // One tap of an image's axis: nothing but another layout.
    if (along.taps == 1 && p_.axes.size() < 3) return;
    add(move::AxisToBatch{axis + 2}, inside_taps_to_channels(p_, axis, leftover), 0, 1,
        [axis, leftover](GraphBuilder& b, const Convolution& c, const Inner& inner) {
          return taps_to_channels(b, c, axis, leftover, inner);
        });
  }

  // Whole tiles, and blocks of them where the axis is too long for one constant matrix.
  std::vector<ByMatrices> by_matrices(const Correlation& along) const {
    std::vector<ByMatrices> out;
    for (const Dim m : tile_sizes(along, limits_.most_points)) {
      auto tile = toom_cook_tile(m, along.taps, undilated_stride(along));
      const auto cut = blocks(along, m, limits_.longest_axis);
      if (!tile || !cut || cut->number > limits_.most_blocks) continue;
      out.push_back({*cut, tiled(cut->each, *std::move(tile))});
    }
    if (auto whole = exchanged_roles(along)) out.push_back({{1, along}, *std::move(whole), true});
    std::erase_if(out, [&](const ByMatrices& n) {
      return n.algorithm.points() > limits_.most_points ||
             n.products() >= along.output * along.taps ||
             n.amplification() > limits_.most_amplification;
    });
    keep_undominated(out);
    return out;
  }

  void before_channels(std::size_t axis, Leftover leftover) {
    const Correlation& along = p_.axes[axis];
    if (along.taps == 1) return;
    for (ByMatrices& n : by_matrices(along)) {
      const SlidingProduct inside = inside_before_channels(
          p_, axis, n.blocks.number * n.algorithm.tiles, n.algorithm.points(), leftover);
      const double spread = static_cast<double>(n.algorithm.tiles * n.algorithm.points());
      const double around = spread * (static_cast<double>(count(p_.data_shape())) +
                                      static_cast<double>(count(p_.result_shape())));
      const double amplification = n.amplification();
      move::FastConvolution made = fast(axis, move::AxisPlace::BeforeChannels, n.algorithm.tile);
      made.blocks = n.blocks.number;
      made.whole = n.whole;
      add(made, inside, around, amplification,
          [axis, leftover, blocks = n.blocks, algorithm = std::move(n.algorithm)](
              GraphBuilder& b, const Convolution& c, const Inner& inner) {
            return spread_before_channels(b, c, axis, blocks, algorithm, leftover, inner);
          });
    }
  }

  void in_place(std::size_t axis) {
    const Correlation& along = p_.axes[axis];
    if (along.taps == 1) return;
    for (Interleaved& found : interleaved(axis)) {
      const auto points = static_cast<double>(found.tile.points());
      const double around = points * static_cast<double>(found.tile.data.columns) *
                            static_cast<double>(count(found.inside.data_shape()));
      out_.push_back({{fast(axis, move::AxisPlace::Unmoved, found.tile)},
                      around + found.products(),
                      points / static_cast<double>(along.taps),
                      found.amplification(),
                      [axis, tile = std::move(found.tile)](GraphBuilder& b, const Convolution& c) {
                        return spread_in_place(b, c, axis, tile, emit);
                      }});
    }
  }

  std::vector<Interleaved> interleaved(std::size_t axis) const {
    const Correlation& along = p_.axes[axis];
    std::vector<Interleaved> out;
    for (const Dim m : tile_sizes(along, limits_.most_points)) {
      auto tile = toom_cook_tile(m, along.taps, undilated_stride(along));
      if (!tile || tile->points() > limits_.most_points || tile->points() >= m * along.taps ||
          static_cast<double>(tile->points()) >
              limits_.most_growth * static_cast<double>(along.taps) ||
          tile->amplification() > limits_.most_amplification)
        continue;
      SlidingProduct inside = inside_in_place(p_, axis, *tile);
      out.push_back({*std::move(tile), std::move(inside)});
    }
    keep_undominated(out);
    return out;
  }

  const SlidingProduct& p_;
  const FastLimits& limits_;
  bool inside_ = false;  // of another form
  std::vector<FastForm> out_;
};

}  // namespace

std::vector<FastForm> fast_forms(const SlidingProduct& product, const FastLimits& limits) {
  return Forms(product, limits).all();
}

std::vector<Mutant> fast_convolutions_within(const Graph& subprogram, const FastLimits& limits) {
  std::vector<Mutant> out;
  const NodeId node = subprogram.outputs()[0];
  const auto& operands = subprogram.node(node).operands;
  const auto is_leaf = [&](NodeId id) { return subprogram.node(id).op() == nullptr; };
  if (is_leaf(node) || !subprogram.has_meaning(node) ||
      !std::all_of(operands.begin(), operands.end(), is_leaf))
    return out;
  const auto product = read_product(subprogram, node);
  if (!product || subprogram.node(product->weight).constant() == nullptr) return out;
  const auto sliding = sliding_product(*product);
  if (!sliding) return out;
  for (const FastForm& form : fast_forms(*sliding, limits)) {
    GraphBuilder b;
    GraphCopy leaves(subprogram, b);
    auto done = leaves.make_inputs();
    for (const NodeId id : operands)
      if (done) done = leaves.make(id);
    PET_CHECK(done.ok(), "a leaf is copied as it is");
    Convolution convolution{*sliding, leaves.at(product->data),
                            TapWeights::plain(leaves.at(product->weight), sliding->axes.size()),
                            std::nullopt};
    if (product->bias) convolution.bias = leaves.at(*product->bias);
    const auto result = form.build(b, convolution);
    if (!result) continue;
    b.add_output(*result);
    out.push_back({std::move(b).build(), form.moves});
  }
  return out;
}

std::vector<Mutant> fast_convolutions(const Graph& subprogram) {
  return fast_convolutions_within(subprogram, FastLimits{});
}

}  // namespace pet::mutation
