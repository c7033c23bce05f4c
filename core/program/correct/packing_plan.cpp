#include "core/program/correct/packing_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/analysis/free_axes.h"

namespace pet {
namespace {

constexpr std::size_t kMostPieces = 64;

// The dimension of the weight that holds the taps of an axis.
int taps_of(const Product& product, std::size_t axis) {
  for (std::size_t d = 0; d < product.weight_dims.size(); ++d) {
    const auto& axes = product.weight_dims[d];
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) return static_cast<int>(d);
  }
  return -1;
}

void add_rest(std::size_t rank, const std::vector<char>& taken, std::vector<std::size_t>& rest) {
  for (std::size_t d = 0; d < rank; ++d)
    if (taken[d] == 0) rest.push_back(d);
}

Result<Dimensions> dimensions_of(const Graph& graph, const Product& product, std::size_t operand) {
  Dimensions out;
  std::vector<char> data(product.data_dims.size(), 0);
  std::vector<char> result(product.result_dims.size(), 0);
  for (const AxisPair& pair : free_axes(graph, product.node, operand)) {
    data[pair.operand] = 1;
    result[pair.output] = 1;
    const auto& axes = product.data_dims[pair.operand];
    if (axes.size() > 1) return Error{"a dimension of several axes"};
    if (axes.empty() || product.axes[axes[0]].role == AxisRole::Batch) {
      out.batch.push_back({pair.operand, pair.output});
      continue;
    }
    out.slides.push_back({pair.operand, pair.output});
    out.windows.push_back(product.axes[axes[0]].slide);
    out.taps.push_back(taps_of(product, axes[0]));
  }
  add_rest(data.size(), data, out.carried_data);
  add_rest(result.size(), result, out.carried_result);
  return out;
}

bool same_leaf(const Node& a, const Node& b) {
  if (a.input() != nullptr && b.input() != nullptr) return a.input()->name == b.input()->name;
  return a.constant() != nullptr && b.constant() != nullptr &&
         a.constant()->digest() == b.constant()->digest();
}

bool same_weights(const Graph& a, const Product& of_a, const Graph& b, const Product& of_b) {
  if (!same_leaf(a.node(of_a.weight), b.node(of_b.weight))) return false;
  if (of_a.bias.has_value() != of_b.bias.has_value()) return false;
  return !of_a.bias || same_leaf(a.node(*of_a.bias), b.node(*of_b.bias));
}

std::optional<std::pair<Product, std::size_t>> main_product(const Graph& original,
                                                            const Product& wanted,
                                                            const Graph& mutant) {
  for (const NodeId id : mutant.ids()) {
    for (std::size_t i = 0; i < mutant.node(id).operands.size(); ++i) {
      if (mutant.node(id).op() == nullptr) continue;
      auto product = read_product(mutant, id, i);
      if (product && same_weights(original, wanted, mutant, *product))
        return std::pair(*std::move(product), i);
    }
  }
  return std::nullopt;
}

// The slides of `main` in the order of `original`: those that the same dimension of the weight
// holds the taps of, or, where there is one tap, the next.
Status match_slides(const Dimensions& original, Dimensions& main) {
  Dimensions sorted = main;
  std::vector<char> used(main.slides.size(), 0);
  for (std::size_t i = 0; i < original.slides.size(); ++i) {
    std::size_t j = 0;
    while (j < used.size() && (used[j] != 0 || main.taps[j] != original.taps[i])) ++j;
    if (j == used.size()) return Error{"an axis that the main operator does not slide along"};
    used[j] = 1;
    sorted.slides[i] = main.slides[j];
    sorted.windows[i] = main.windows[j];
    sorted.taps[i] = main.taps[j];
  }
  if (original.slides.size() != main.slides.size())
    return Error{"the main operator slides along an axis that the original has not"};
  main = std::move(sorted);
  return Done{};
}

Shape extents(const Shape& shape, const std::vector<std::size_t>& dims) {
  Shape out;
  for (const std::size_t d : dims) out.push_back(shape[d]);
  return out;
}

// Fits one more piece in; false, and unchanged, where no window holds it.
bool add_piece(const SharedWeights& shared, std::size_t number, WindowPiece& piece,
               WindowGroup& group) {
  WindowGroup made = group;
  Dim places = count(shared.others);
  made.cells.clear();
  for (std::size_t a = 0; a < shared.pairs.size(); ++a) {
    const Stretch& s = piece.along[a];
    if (group.pieces.empty()) {
      made.counts.push_back(s.count);
      made.before.push_back(s.before);
      made.after.push_back(s.after);
    } else {
      // A shorter one is filled up with zeros.
      const Dim most = std::max(made.counts[a], s.count);
      const auto filled = [&](Dim after, Dim results) {
        return after + (most - results) * shared.pairs[a].main.stride;
      };
      made.before[a] = std::min(made.before[a], s.before);
      made.after[a] = std::min(filled(made.after[a], made.counts[a]), filled(s.after, s.count));
      made.counts[a] = most;
    }
    const auto here = cells(shared.pairs[a], made.counts[a], made.before[a], made.after[a]);
    if (!here) return false;
    made.cells.push_back(*here);
    places *= here->places;
  }
  made.pieces.push_back(number);
  made.items += piece.items;
  made.windows = (made.items + places - 1) / places;
  piece.first = group.items;
  group = std::move(made);
  return true;
}

// Into the group whose windows it adds least to, or one of its own.
void place(const SharedWeights& shared, std::size_t number, PackingPlan& plan) {
  WindowPiece& piece = plan.pieces[number];
  WindowGroup best;
  WindowPiece placed = piece;
  PET_CHECK(add_piece(shared, number, placed, best), "a stretch fits into a window");
  placed.group = plan.groups.size();
  Dim least = best.windows;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    WindowGroup with = plan.groups[g];
    WindowPiece here = piece;
    if (!add_piece(shared, number, here, with)) continue;
    const Dim added = with.windows - plan.groups[g].windows;
    if (added >= least) continue;
    least = added;
    here.group = g;
    placed = std::move(here);
    best = std::move(with);
  }
  if (placed.group == plan.groups.size()) plan.groups.emplace_back();
  plan.groups[placed.group] = std::move(best);
  piece = std::move(placed);
}

void add_pieces(const std::vector<std::vector<std::vector<Stretch>>>& box, std::size_t slide,
                WindowPiece& piece, std::vector<WindowPiece>& out) {
  if (slide == box.size()) {
    out.push_back(piece);
    return;
  }
  for (const auto& phase : box[slide]) {
    for (const Stretch& s : phase) {
      piece.along.push_back(s);
      add_pieces(box, slide + 1, piece, out);
      piece.along.pop_back();
    }
  }
}

}  // namespace

Result<SharedWeights> share_weights(const Graph& original, const Graph& mutant) {
  const NodeId last = original.outputs()[0];
  SharedWeights out;
  if (original.outputs().size() != 1 || mutant.outputs().size() != 1)
    return Error{"a program with several outputs"};
  const auto product = read_product(original, last);
  if (!product) return Error{"the original does not end with a product of data and weights"};
  out.original = *product;
  const auto main = main_product(original, *product, mutant);
  if (!main) return Error{"no operator of the mutant has the weights as they are"};
  out.main = main->first.node;
  out.operand = main->second;
  const auto& operands = original.node(last).operands;
  const auto operand = std::find(operands.begin(), operands.end(), product->data);
  auto of_original =
      dimensions_of(original, *product, static_cast<std::size_t>(operand - operands.begin()));
  if (!of_original) return std::move(of_original).error();
  auto of_main = dimensions_of(mutant, main->first, out.operand);
  if (!of_main) return std::move(of_main).error();
  if (of_main->batch.empty()) return Error{"the main operator has no batch"};
  if (auto status = match_slides(*of_original, *of_main); !status) return std::move(status).error();
  const Shape& data = *original.node(product->data).type.shape;
  const Shape& result = *original.node(last).type.shape;
  const Shape& main_data = *mutant.node(main->first.data).type.shape;
  const Shape& main_result = *mutant.node(out.main).type.shape;
  if (extents(data, of_original->carried_data) != extents(main_data, of_main->carried_data) ||
      extents(result, of_original->carried_result) != extents(main_result, of_main->carried_result))
    return Error{"the main operator has other channels"};
  for (std::size_t a = 0; a < of_original->slides.size(); ++a) {
    out.pairs.push_back({of_original->windows[a], of_main->windows[a],
                         data[of_original->slides[a].data], main_data[of_main->slides[a].data],
                         main_result[of_main->slides[a].result]});
  }
  for (std::size_t i = 1; i < of_main->batch.size(); ++i)
    out.others.push_back(main_data[of_main->batch[i].data]);
  out.of_original = *std::move(of_original);
  out.of_main = *std::move(of_main);
  return out;
}

Result<PackingPlan> plan_packing(const SharedWeights& shared,
                                 const std::vector<std::vector<Progression>>& boxes) {
  PackingPlan plan;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    plan.boxes.emplace_back();
    for (std::size_t a = 0; a < shared.pairs.size(); ++a) {
      auto along = stretches(shared.pairs[a], boxes[i][shared.of_original.slides[a].result]);
      if (!along) return std::move(along).error();
      plan.boxes.back().push_back(*std::move(along));
    }
    WindowPiece piece{.box = i, .along = {}};
    for (const auto& batch : shared.of_original.batch) piece.items *= boxes[i][batch.result].count;
    add_pieces(plan.boxes.back(), 0, piece, plan.pieces);
    if (plan.pieces.size() > kMostPieces)
      return Error{fmt::format("more than {} pieces in windows", kMostPieces)};
  }
  for (std::size_t p = 0; p < plan.pieces.size(); ++p) place(shared, p, plan);
  return plan;
}

}  // namespace pet
