#include "viz/graph_layout/layered.h"

#include <algorithm>
#include <numeric>

#include "core/util/check.h"

namespace pet::viz {
namespace {

constexpr int kOrderSweeps = 6;
constexpr int kPlaceSweeps = 8;
constexpr std::size_t kMostBends =
    8;  // stand-ins, for each node that there is; longer edges go straight

// Where elements must be to be as near as possible, by least squares, to where they want to be,
// without changing places or coming nearer to each other than `apart` says (isotonic regression by
// pooling neighbours that are in each other's way).
std::vector<double> placed(const std::vector<double>& wanted, const std::vector<double>& apart) {
  struct Pool {
    double sum = 0;
    std::size_t size = 0;
    double mean() const { return sum / static_cast<double>(size); }
  };
  std::vector<Pool> pools;
  double shift = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    shift += apart[i];
    pools.push_back({wanted[i] - shift, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().size += last.size;
    }
  }
  std::vector<double> out;
  shift = 0;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.size; ++i) {
      shift += apart[out.size()];
      out.push_back(pool.mean() + shift);
    }
  }
  return out;
}

// Nodes and stand-ins: where an edge passes a layer it keeps a place there.
struct Cell {
  std::size_t layer = 0;
  double width = 0;
  double height = 0;
  double x = 0;
  double rank = 0;  // within its layer
  std::vector<std::size_t> above, below;
};

class Layering {
 public:
  Layering(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
           const LayoutGaps& gaps)
      : nodes_(nodes), edges_(edges), gaps_(gaps) {}

  Layout run() {
    make_cells();
    make_bends();
    make_layers();
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) order(sweep % 2 == 0);
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) place(sweep % 2 == 0);
    return result();
  }

 private:
  // The layer of a node is the length of the longest path to it.
  void make_cells() {
    for (const LayoutNode& node : nodes_)
      cells_.push_back({0, node.width, node.height, 0, 0, {}, {}});
    std::vector<std::vector<std::size_t>> next(nodes_.size());
    std::vector<std::size_t> waits(nodes_.size(), 0);
    for (const LayoutEdge& edge : edges_) {
      next[edge.from].push_back(edge.to);
      ++waits[edge.to];
    }
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (waits[i] == 0) ready.push_back(i);
    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
      for (const std::size_t to : next[ready[done]]) {
        cells_[to].layer = std::max(cells_[to].layer, cells_[ready[done]].layer + 1);
        if (--waits[to] == 0) ready.push_back(to);
      }
    }
    PET_CHECK(done == nodes_.size(), "the edges make no cycle");
    // What nothing comes before stands right above what reads it first.
    std::vector<char> is_read_into(nodes_.size(), 0);
    for (const LayoutEdge& edge : edges_) is_read_into[edge.to] = 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_read_into[i] != 0 || next[i].empty()) continue;
      const std::size_t first =
          *std::ranges::min_element(next[i], {}, [&](std::size_t to) { return cells_[to].layer; });
      cells_[i].layer = cells_[first].layer - 1;
    }
  }

  void link(std::size_t above, std::size_t below) {
    cells_[above].below.push_back(below);
    cells_[below].above.push_back(above);
  }

  void make_bends() {
    bends_.resize(edges_.size());
    std::size_t left = kMostBends * nodes_.size();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto [from, to] = edges_[e];
      const std::size_t first = cells_[from].layer + 1, last = cells_[to].layer;
      if (last - first > left) {
        link(from, to);
        continue;
      }
      left -= last - first;
      std::size_t above = from;
      for (std::size_t layer = first; layer < last; ++layer) {
        cells_.push_back({layer, 0, 0, 0, 0, {}, {}});
        bends_[e].push_back(cells_.size() - 1);
        link(above, cells_.size() - 1);
        above = cells_.size() - 1;
      }
      link(above, to);
    }
  }

  void make_layers() {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].layer >= layers_.size()) layers_.resize(cells_[i].layer + 1);
      cells_[i].rank = static_cast<double>(layers_[cells_[i].layer].size());
      layers_[cells_[i].layer].push_back(i);
    }
  }

  // Layer after layer, down or up: each cell to the mean of its neighbours behind it.
  void order(bool is_down) {
    for_each_layer(is_down, [&](std::vector<std::size_t>& layer) {
      std::vector<std::pair<double, std::size_t>> wanted;
      for (const std::size_t cell : layer)
        wanted.emplace_back(
            mean(cell, is_down, cells_[cell].rank, [&](std::size_t i) { return cells_[i].rank; }),
            cell);
      std::ranges::stable_sort(wanted, {}, &std::pair<double, std::size_t>::first);
      for (std::size_t i = 0; i < layer.size(); ++i) {
        layer[i] = wanted[i].second;
        cells_[layer[i]].rank = static_cast<double>(i);
      }
    });
  }

  void place(bool is_down) {
    for_each_layer(is_down, [&](std::vector<std::size_t>& layer) {
      std::vector<double> wanted, apart;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const Cell& cell = cells_[layer[i]];
        wanted.push_back(
            mean(layer[i], is_down, cell.x, [&](std::size_t j) { return cells_[j].x; }));
        apart.push_back(
            i == 0 ? 0 : (cells_[layer[i - 1]].width + cell.width) / 2 + gaps_.between_nodes);
      }
      const auto xs = placed(wanted, apart);
      for (std::size_t i = 0; i < layer.size(); ++i) cells_[layer[i]].x = xs[i];
    });
  }

  void for_each_layer(bool is_down, auto&& look) {
    if (is_down) {
      for (auto& layer : layers_) look(layer);
    } else {
      for (auto it = layers_.rbegin(); it != layers_.rend(); ++it) look(*it);
    }
  }

  double mean(std::size_t cell, bool is_down, double otherwise, auto&& of) const {
    const auto& others = is_down ? cells_[cell].above : cells_[cell].below;
    if (others.empty()) return otherwise;
    double sum = 0;
    for (const std::size_t other : others) sum += of(other);
    return sum / static_cast<double>(others.size());
  }

  Layout result() {
    double left = 0, right = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      left = i == 0 ? cells_[i].x - cells_[i].width / 2
                    : std::min(left, cells_[i].x - cells_[i].width / 2);
      right = i == 0 ? cells_[i].x + cells_[i].width / 2
                     : std::max(right, cells_[i].x + cells_[i].width / 2);
    }
    std::vector<double> middles;
    double y = 0;
    for (const auto& layer : layers_) {
      double height = 0;
      for (const std::size_t cell : layer) height = std::max(height, cells_[cell].height);
      middles.push_back(y + height / 2);
      y += height + gaps_.between_layers;
    }
    Layout out;
    out.width = right - left;
    out.height = std::max(0.0, y - gaps_.between_layers);
    const auto centre = [&](std::size_t cell) {
      return Point{cells_[cell].x - left, middles[cells_[cell].layer]};
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) out.centres.push_back(centre(i));
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto [from, to] = edges_[e];
      auto& route = out.routes.emplace_back();
      route.push_back({centre(from).x, centre(from).y + nodes_[from].height / 2});
      for (const std::size_t bend : bends_[e]) route.push_back(centre(bend));
      route.push_back({centre(to).x, centre(to).y - nodes_[to].height / 2});
    }
    return out;
  }

  const std::vector<LayoutNode>& nodes_;
  const std::vector<LayoutEdge>& edges_;
  const LayoutGaps& gaps_;
  std::vector<Cell> cells_;                      // the nodes first
  std::vector<std::vector<std::size_t>> bends_;  // by edge: its stand-ins, from above
  std::vector<std::vector<std::size_t>> layers_;
};

}  // namespace

Layout layered_layout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                      const LayoutGaps& gaps) {
  return Layering(nodes, edges, gaps).run();
}

}  // namespace pet::viz
