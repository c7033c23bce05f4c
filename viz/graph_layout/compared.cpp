#include "viz/graph_layout/compared.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace pet::viz {
namespace {

constexpr std::size_t kShortestRun = 3;  // shorter ones are not folded
constexpr std::size_t kMostKinds = 3;    // of operators of a run that are said

std::string title_of(const Node& node) {
  if (node.constant() != nullptr) return "constant";
  return node.op() != nullptr ? node.op()->def->name : node.name;
}

DrawnNode::Kind kind_of(const Graph& program, NodeId id) {
  const Node& node = program.node(id);
  if (node.op() == nullptr) return DrawnNode::Kind::Input;
  return program.has_meaning(id) ? DrawnNode::Kind::Other : DrawnNode::Kind::Opaque;
}

// "Relu 8, Conv 7, Add 3 and 2 more"
std::string operators_of(const Graph& program, const std::vector<NodeId>& nodes) {
  std::map<std::string, std::size_t> counts;
  for (const NodeId id : nodes) ++counts[title_of(program.node(id))];
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, std::greater(), &std::pair<std::string, std::size_t>::second);
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMostKinds); ++i)
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", all[i].first, all[i].second);
  if (all.size() > kMostKinds) out += fmt::format(" and {} more", all.size() - kMostKinds);
  return out;
}

// Nodes of one operator in both halves of a change: they are drawn at one place.
std::vector<NodePair> alike_in(const Change& change, const Graph& here, const Graph& there) {
  std::map<std::string, std::vector<NodeId>> by_title;
  for (const NodeId id : change.there) by_title[title_of(there.node(id))].push_back(id);
  std::map<std::string, std::size_t> used;
  std::vector<NodePair> out;
  for (const NodeId id : change.here) {
    const std::string title = title_of(here.node(id));
    std::size_t& next = used[title];
    if (next < by_title[title].size()) out.emplace_back(id, by_title[title][next++]);
  }
  return out;
}

class Cells {
 public:
  Cells(const Graph& here, const Graph& there, const Counterparts& counterparts)
      : here_(here), there_(there), changes_(counterparts.changes) {
    std::vector<NodePair> loose;
    place_here_.resize(here.nodes().size());
    place_there_.resize(there.nodes().size());
    std::vector<std::optional<std::size_t>> change_here(here.nodes().size()),
        change_there(there.nodes().size());
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      for (const NodeId id : changes_[i].here) change_here[id.index()] = i;
      for (const NodeId id : changes_[i].there) change_there[id.index()] = i;
      for (const NodePair& pair : alike_in(changes_[i], here, there)) loose.push_back(pair);
    }
    for (const JointEntry& entry : joint_order(here, there, counterparts.unchanged, loose))
      add(entry, change_here, change_there);
    connect(here_, place_here_);
    connect(there_, place_there_);
  }

  std::vector<ComparedCell> folded(const FoldRuns& fold) {
    if (cells_.empty()) return {};
    const auto runs = runs_of();
    std::vector<ComparedCell> out;
    std::map<std::size_t, std::size_t> folded;  // runs: their places in `out`
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      ComparedCell cell = std::move(cells_[i]);
      const auto& run = runs[i];
      if (!run) {
        out.push_back(std::move(cell));
        continue;
      }
      cell.run = first_of_run_.at(*run);
      if (!fold.all || fold.opened.contains(*cell.run)) {
        out.push_back(std::move(cell));
        continue;
      }
      const auto [at, is_new] = folded.try_emplace(*run, out.size());
      if (is_new) {
        out.push_back(std::move(cell));
      } else {
        out[at->second].here.push_back(cell.here.front());
        out[at->second].there.push_back(cell.there.front());
      }
    }
    return out;
  }

 private:
  void add(const JointEntry& entry, const std::vector<std::optional<std::size_t>>& change_here,
           const std::vector<std::optional<std::size_t>>& change_there) {
    ComparedCell cell;
    if (entry.here) cell.change = change_here[entry.here->index()];
    if (entry.there && !cell.change) cell.change = change_there[entry.there->index()];
    const bool is_constant = !cell.change && !(entry.here && entry.there);
    if (is_constant) return;
    if (entry.here) {
      cell.here.push_back(*entry.here);
      place_here_[entry.here->index()] = cells_.size();
    }
    if (entry.there) {
      cell.there.push_back(*entry.there);
      place_there_[entry.there->index()] = cells_.size();
    }
    cells_.push_back(std::move(cell));
    reads_.emplace_back();
  }

  void connect(const Graph& program, const std::vector<std::optional<std::size_t>>& place) {
    for (const NodeId id : program.ids()) {
      const auto& to = place[id.index()];
      if (!to) continue;
      for (const NodeId operand : program.node(id).operands)
        if (const auto& from = place[operand.index()]) reads_[*to].push_back(*from);
    }
  }

  // Unchanged, and so is all beside it.
  std::vector<char> may_be_folded() const {
    std::vector<char> out;
    for (const ComparedCell& cell : cells_) out.push_back(cell.change ? 0 : 1);
    const std::vector<char> unchanged = out;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      for (const std::size_t from : reads_[i]) {
        if (unchanged[from] == 0) out[i] = 0;
        if (unchanged[i] == 0) out[from] = 0;
      }
    }
    return out;
  }

  // By cell. Levels grow along every edge that does not stay inside a run: so no way that leaves a
  // run comes back, and runs can be drawn as single nodes.
  std::vector<std::optional<std::size_t>> runs_of() {
    const auto folds = may_be_folded();
    std::vector<std::size_t> level(cells_.size(), 0), parent(cells_.size()), size(cells_.size(), 0);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](std::size_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      for (const std::size_t from : reads_[i])
        level[i] = std::max(level[i], level[from] + (folds[i] != 0 && folds[from] != 0 ? 0u : 1u));
      if (folds[i] == 0) continue;
      for (const std::size_t from : reads_[i]) {
        if (folds[from] == 0 || level[from] != level[i]) continue;
        const std::size_t a = root(from), b = root(i);
        parent[std::max(a, b)] = std::min(a, b);
      }
    }
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (folds[i] != 0) ++size[root(i)];
    std::vector<std::optional<std::size_t>> out(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (folds[i] == 0 || size[root(i)] < kShortestRun) continue;
      out[i] = root(i);
      first_of_run_.try_emplace(root(i), cells_[i].here.front());
    }
    return out;
  }

  const Graph& here_;
  const Graph& there_;
  const std::vector<Change>& changes_;
  std::vector<ComparedCell> cells_;              // in order: whatever one reads comes before
  std::vector<std::vector<std::size_t>> reads_;  // by cell, in either program
  std::vector<std::optional<std::size_t>> place_here_, place_there_;  // by node
  std::map<std::size_t, NodeId> first_of_run_;
};

// One of both programs, drawn in the cells.
class SidePicture {
 public:
  SidePicture(const Graph& program, const std::vector<ComparedCell>& cells,
              std::vector<NodeId> ComparedCell::*nodes, std::vector<NodeId> ComparedCell::*others)
      : program_(program), cells_(cells), nodes_(nodes), others_(others) {}

  FoldedGraph run(const Graph& other, const std::vector<std::string>& badges) {
    place_.resize(program_.nodes().size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      for (const NodeId id : cells_[i].*nodes_) place_[id.index()] = i;
      out_.nodes.push_back(drawn(i, other, badges));
      out_.nodes.back().id = fmt::format("cell:{}", i);
    }
    for (const NodeId id : program_.ids())
      for (const NodeId operand : program_.node(id).operands) connect(operand, id);
    return std::move(out_);
  }

 private:
  DrawnNode drawn(std::size_t number, const Graph& other,
                  const std::vector<std::string>& badges) const {
    const ComparedCell& cell = cells_[number];
    const auto& nodes = cell.*nodes_;
    if (nodes.empty())
      return {
          DrawnNode::Kind::Slot,
          {},
          "not here",
          fmt::format("{}: only on the other side", title_of(other.node((cell.*others_).front()))),
          {},
          {}};
    if (cell.is_run())
      return {DrawnNode::Kind::Set,          {},    fmt::format("{} unchanged nodes", nodes.size()),
              operators_of(program_, nodes), nodes, {}};
    const NodeId id = nodes.front();
    DrawnNode out{kind_of(program_, id),       {},    title_of(program_.node(id)),
                  shape_of(program_.node(id)), nodes, {}};
    if (cell.change) {
      out.border = Role::Changed;
      out.badge = badges[*cell.change];
    }
    return out;
  }

  void connect(NodeId from, NodeId to) {
    const auto &first = place_[from.index()], &last = place_[to.index()];
    if (!first || !last || *first == *last) return;
    if (!known_.insert({*first, *last, from.index()}).second) return;
    out_.edges.push_back({*first, *last});
    const Node& value = program_.node(from);
    out_.words.push_back(
        {shape_of(value), fmt::format("{}\n{}", value.name, pet::to_string(value.type))});
  }

  const Graph& program_;
  const std::vector<ComparedCell>& cells_;
  std::vector<NodeId> ComparedCell::*nodes_;
  std::vector<NodeId> ComparedCell::*others_;
  std::vector<std::optional<std::size_t>> place_;  // by node
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> known_;
  FoldedGraph out_;
};

// What stands in the corner of a changed node.
std::vector<std::string> badges_of(const std::vector<Change>& changes, bool is_here) {
  std::vector<std::string> out;
  for (const Change& one : changes) {
    const bool is_replaced = !one.here.empty() && !one.there.empty();
    out.emplace_back(is_replaced ? "≠" : is_here ? "−" : "+");
  }
  return out;
}

}  // namespace

ComparedGraph compared(const Graph& here, const Graph& there, const Counterparts& counterparts,
                       const FoldRuns& fold) {
  ComparedGraph out;
  out.cells = Cells(here, there, counterparts).folded(fold);
  out.here = SidePicture(here, out.cells, &ComparedCell::here, &ComparedCell::there)
                 .run(there, badges_of(counterparts.changes, true));
  out.there = SidePicture(there, out.cells, &ComparedCell::there, &ComparedCell::here)
                  .run(here, badges_of(counterparts.changes, false));
  return out;
}

ComparedDrawing drawing_of(const ComparedGraph& graph) {
  std::vector<LayoutNode> sizes;
  for (std::size_t i = 0; i < graph.cells.size(); ++i) {
    LayoutNode size;
    for (const FoldedGraph* side : {&graph.here, &graph.there}) {
      if (side->nodes[i].kind == DrawnNode::Kind::Slot) continue;
      const LayoutNode own = size_of(side->nodes[i]);
      size = {std::max(size.width, own.width), std::max(size.height, own.height)};
    }
    sizes.push_back(size);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
  std::vector<LayoutEdge> edges;
  for (const FoldedGraph* side : {&graph.here, &graph.there})
    for (const LayoutEdge& edge : side->edges)
      if (numbers.try_emplace({edge.from, edge.to}, edges.size()).second) edges.push_back(edge);
  const Layout layout = layered_layout(sizes, edges);
  const auto drawn = [&](const FoldedGraph& side) {
    Layout own{layout.centres, {}, layout.width, layout.height};
    for (const LayoutEdge& edge : side.edges)
      own.routes.push_back(layout.routes[numbers.at({edge.from, edge.to})]);
    return drawing_in(side, sizes, own);
  };
  GraphDrawing here = drawn(graph.here);
  return {std::move(here.scene), drawn(graph.there).scene, std::move(here.places)};
}

namespace {

constexpr double kTitle = 28;  // height of a line with a title
constexpr double kBetween = 24;

void append(Scene& out, const Scene& picture, Point by) {
  const auto moved = [&](Point p) { return Point{p.x + by.x, p.y + by.y}; };
  for (Item item : picture.items) {
    std::visit(
        [&](auto& shape) {
          using Shape = std::remove_cvref_t<decltype(shape)>;
          if constexpr (std::is_same_v<Shape, Segment>) {
            shape.from = moved(shape.from);
            shape.to = moved(shape.to);
          } else if constexpr (std::is_same_v<Shape, Label>) {
            shape.at = moved(shape.at);
          } else {
            shape.at.x += by.x;
            shape.at.y += by.y;
          }
        },
        item.shape);
    out.items.push_back(std::move(item));
  }
}

}  // namespace

Scene side_by_side(const Scene& here, const std::string& title_here, const Scene& there,
                   const std::string& title_there) {
  Scene out;
  if (here.items.empty() && there.items.empty()) return out;
  const double second = here.width + kBetween;
  out.width = second + there.width;
  out.height = kTitle + std::max(here.height, there.height);
  out.items.push_back({Label{{16, 20}, title_here, Align::Left, Role::Text, 13}});
  out.items.push_back({Label{{second + 16, 20}, title_there, Align::Left, Role::Text, 13}});
  out.items.push_back({Segment{
      {here.width + kBetween / 2, 0}, {here.width + kBetween / 2, out.height}, Role::Frame}});
  append(out, here, {0, kTitle});
  append(out, there, {second, kTitle});
  return out;
}

}  // namespace pet::viz
