#include "core/program/correct/fused.h"

#include <algorithm>
#include <numeric>

#include "core/ir/copy.h"
#include "core/program/correct/boxes.h"
#include "core/program/correct/packing_plan.h"
#include "core/program/views.h"

namespace pet {
namespace {

// Views one after another; the first that fails ends the chain.
class Views {
 public:
  Views(GraphBuilder& b, NodeId x) : b_(b), x_(x) {}

  Views& reshape(const Shape& shape) {
    if (x_) x_ = views::reshape(b_, *x_, shape);
    return *this;
  }
  Views& transpose(const std::vector<std::size_t>& order) {
    if (x_) x_ = views::transpose(b_, *x_, order);
    return *this;
  }
  Views& slice(std::size_t axis, Dim low, Dim count, Dim step = 1) {
    if (x_) x_ = views::slice(b_, *x_, axis, low, count, step);
    return *this;
  }
  // Positions from `low` on, `count` of them, zeros where there are none.
  Views& window(std::size_t axis, Dim low, Dim count) {
    if (!x_) return *this;
    const Dim extent = (*b_.type(*x_).shape)[axis];
    const Dim begin = std::clamp<Dim>(low, 0, extent);
    const Dim end = std::clamp<Dim>(low + count, begin, extent);
    slice(axis, begin, end - begin);
    if (x_) x_ = views::pad(b_, *x_, axis, begin - low, low + count - end);
    return *this;
  }
  Result<NodeId> result() { return std::move(x_); }

 private:
  GraphBuilder& b_;
  Result<NodeId> x_;
};

void append_to(Shape& shape, const Shape& more) {
  shape.insert(shape.end(), more.begin(), more.end());
}

// By new place the old one: the inverse of listing, for each old axis, where it goes.
std::vector<std::size_t> inverse(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

class FusedCorrection {
 public:
  FusedCorrection(const Graph& original, const Graph& mutant, const Region& wrong,
                  CorrectionRoles& roles)
      : original_(original), mutant_(mutant), wrong_(wrong), roles_(roles) {}

  Result<Graph> build() {
    auto shared = share_weights(original_, mutant_);
    if (!shared) return std::move(shared).error();
    shared_ = *std::move(shared);
    auto boxes = regular_boxes(wrong_);
    if (!boxes) return std::move(boxes).error();
    boxes_ = *std::move(boxes);
    for (const Box& box : boxes_) positions_.push_back(positions(wrong_.basis, box));
    auto plan = plan_packing(shared_, positions_);
    if (!plan) return std::move(plan).error();
    plan_ = *std::move(plan);
    const auto& data = mutant_.node(mutant_.node(shared_.main).operands[shared_.operand]);
    const auto& result = mutant_.node(shared_.main);
    room_ = in_order(*data.type.shape, data_order(shared_.of_main));
    results_ = in_order(*result.type.shape, result_order(shared_.of_main));
    return copy();
  }

 private:
  // Axes in the order that windows are handled in: the batch that they are added to, what is
  // carried, the slides, other batches.
  static std::vector<std::size_t> order_of(const Dimensions& d, bool result) {
    const auto pick = [&](const Dimensions::Along& a) { return result ? a.result : a.data; };
    std::vector<std::size_t> out{pick(d.batch[0])};
    const auto& carried = result ? d.carried_result : d.carried_data;
    out.insert(out.end(), carried.begin(), carried.end());
    for (const auto& slide : d.slides) out.push_back(pick(slide));
    for (std::size_t i = 1; i < d.batch.size(); ++i) out.push_back(pick(d.batch[i]));
    return out;
  }
  static std::vector<std::size_t> data_order(const Dimensions& d) { return order_of(d, false); }
  static std::vector<std::size_t> result_order(const Dimensions& d) { return order_of(d, true); }
  static Shape in_order(const Shape& shape, const std::vector<std::size_t>& order) {
    Shape out;
    for (const std::size_t d : order) out.push_back(shape[d]);
    return out;
  }
  // The original's batches in front, then what is carried, then the slides.
  static std::vector<std::size_t> items_first(const Dimensions& d, bool result) {
    const auto pick = [&](const Dimensions::Along& a) { return result ? a.result : a.data; };
    std::vector<std::size_t> out;
    for (const auto& batch : d.batch) out.push_back(pick(batch));
    const auto& carried = result ? d.carried_result : d.carried_data;
    out.insert(out.end(), carried.begin(), carried.end());
    for (const auto& slide : d.slides) out.push_back(pick(slide));
    return out;
  }
  std::size_t carried_data() const { return shared_.of_original.carried_data.size(); }
  std::size_t carried_result() const { return shared_.of_original.carried_result.size(); }

  // Cells along the slides, and along the other batches, where every position is one.
  std::vector<Cells> cells_of(const WindowGroup& group) const {
    std::vector<Cells> out = group.cells;
    for (const Dim extent : shared_.others) out.push_back({.places = extent});
    return out;
  }

  Result<Graph> copy() {
    PieceBuilder pieces(b_, original_, copy_inputs(b_, original_));
    const auto instead = [&](NodeId id) -> Result<Instead> {
      if (id != shared_.main) return Instead(AsItIs{});
      return Instead(MadeOf{mutant_.node(id).operands, [&](std::vector<NodeId> operands) {
                              return run_main(std::move(operands), pieces);
                            }});
    };
    const auto name = [&](NodeId id) {
      return mutant_.node(id).op() != nullptr ? std::string() : mutant_.node(id).name;
    };
    GraphCopy copy(mutant_, b_, {.instead = instead, .name = name});
    if (auto done = copy.make_kept(); !done) return std::move(done).error();
    roles_.mark(b_, {CorrectionRole::Mutant, {}});
    return finish(copy.at(mutant_.outputs()[0]));
  }

  Result<Graph> finish(NodeId result) {
    const Shape shape = *b_.type(result).shape;
    auto x = views::reshape(b_, result, wrong_.basis.flat());
    std::size_t piece = 0;
    for (std::size_t i = 0; x && i < boxes_.size(); ++i) {
      auto patch = assemble(i, 0, piece);
      if (!patch) return std::move(patch).error();
      patch = as_original(i, *patch);
      if (!patch) return std::move(patch).error();
      x = paste(b_, *x, boxes_[i], *patch);
      roles_.mark(b_, {CorrectionRole::Pasted, i});
    }
    if (x) x = views::reshape(b_, *x, shape);
    if (!x) return std::move(x).error();
    roles_.mark(b_, {CorrectionRole::Pasted, {}});
    b_.add_output(*x);
    return std::move(b_).build();
  }

  // The operator on the mutant's data and the windows; its result for the mutant.
  Result<NodeId> run_main(std::vector<NodeId> operands, PieceBuilder& pieces) {
    roles_.mark(b_, {CorrectionRole::Mutant, {}});
    std::vector<NodeId> parts{operands[shared_.operand]};
    for (const WindowGroup& group : plan_.groups) {
      auto windows = windows_of(group, pieces);
      if (!windows) return windows;
      parts.push_back(*windows);
    }
    auto joined = views::concat(b_, parts, shared_.of_main.batch[0].data);
    if (!joined) return joined;
    operands[shared_.operand] = *joined;
    roles_.mark(b_, {CorrectionRole::Gathered, {}});
    auto all = b_.add(*mutant_.node(shared_.main).op(), std::move(operands));
    roles_.mark(b_, {CorrectionRole::Shared, {}});
    if (!all) return all;
    const std::size_t axis = shared_.of_main.batch[0].result;
    Dim low = results_[0];
    for (const WindowGroup& group : plan_.groups) {
      auto items = items_of(group, *all, low);
      if (!items) return items;
      computed_.push_back(*items);
      low += group.windows;
    }
    auto own = views::slice(b_, *all, axis, 0, results_[0]);
    roles_.mark(b_, {CorrectionRole::Pasted, {}});
    return own;
  }

  // What one piece reads: [items, carried…, slides…], every slide as long as the group's largest.
  Result<NodeId> data_of(const WindowPiece& piece, const WindowGroup& group, PieceBuilder& pieces) {
    const Dimensions& dims = shared_.of_original;
    const Shape& shape = *original_.node(shared_.original.data).type.shape;
    std::vector<Progression> where;
    for (const Dim extent : shape) where.push_back({0, extent, 1});
    for (const auto& batch : dims.batch) where[batch.data] = positions_[piece.box][batch.result];
    Shape merged{piece.items};
    append_to(merged, in_order(shape, dims.carried_data));
    for (std::size_t a = 0; a < piece.along.size(); ++a) {
      const Stretch& s = piece.along[a];
      const Dim inside = s.reads - s.before - s.after;
      if (inside < 1) return Error{"a piece that reads nothing but padding"};
      where[dims.slides[a].data] = {s.low + s.before * s.step, inside, s.step};
      merged.push_back(inside);
    }
    const auto x = pieces.piece(shared_.original.data, where);
    if (!x) return x.error();
    Views out(b_, *x);
    out.transpose(items_first(dims, false)).reshape(merged);
    for (std::size_t a = 0; a < piece.along.size(); ++a) {
      out.window(1 + carried_data() + a, -piece.along[a].before,
                 reads_of(shared_.pairs[a].main, group.counts[a]));
    }
    return out.result();
  }

  Result<NodeId> windows_of(const WindowGroup& group, PieceBuilder& pieces) {
    std::vector<NodeId> parts;
    for (const std::size_t p : group.pieces) {
      auto part = data_of(plan_.pieces[p], group, pieces);
      if (!part) return part;
      parts.push_back(*part);
    }
    const auto joined = views::concat(b_, parts, 0);
    if (!joined) return joined.error();
    const auto cells = cells_of(group);
    const std::size_t carried = carried_data();
    const Shape channels(room_.begin() + 1,
                         room_.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    Dim places = 1;
    for (const Cells& c : cells) places *= c.places;
    Shape apart{group.windows};
    Shape merged{group.windows};
    for (const Cells& c : cells) apart.push_back(c.places);
    append_to(apart, channels);
    append_to(merged, channels);
    std::vector<std::size_t> order{0};
    for (std::size_t k = 0; k < carried; ++k) order.push_back(1 + cells.size() + k);
    Views out(b_, *joined);
    out.window(0, 0, group.windows * places);
    if (cells.size() > group.cells.size()) {
      Shape with_others = *b_.type(*joined).shape;
      with_others[0] = group.windows * places;
      with_others.resize(1 + carried + cells.size(), 1);
      out.reshape(with_others);
    }
    for (std::size_t a = 0; a < cells.size(); ++a) {
      out.window(1 + carried + a, 0, cells[a].cell);
      apart.push_back(cells[a].cell);
      merged.push_back(cells[a].places * cells[a].cell);
      order.push_back(1 + a);
      order.push_back(1 + cells.size() + carried + a);
    }
    out.reshape(apart).transpose(order).reshape(merged);
    for (std::size_t a = 0; a < cells.size(); ++a) {
      const std::size_t axis = 1 + carried + a;
      out.window(axis, -cells[a].start, room_[axis]);
    }
    out.transpose(inverse(data_order(shared_.of_main)));
    return out.result();
  }

  // The results of a group's pieces: [items, carried…, slides…, other batches…].
  Result<NodeId> items_of(const WindowGroup& group, NodeId all, Dim low) {
    const auto cells = cells_of(group);
    const std::size_t carried = carried_result();
    Views out(b_, all);
    out.slice(shared_.of_main.batch[0].result, low, group.windows)
        .transpose(result_order(shared_.of_main));
    Shape apart{group.windows};
    Shape items{group.windows};
    std::vector<std::size_t> order{0};
    std::vector<std::size_t> inner;
    for (std::size_t k = 0; k < carried; ++k) {
      apart.push_back(results_[1 + k]);
      items.push_back(results_[1 + k]);
      inner.push_back(1 + k);
    }
    for (std::size_t a = 0; a < cells.size(); ++a) {
      const Cells& c = cells[a];
      out.window(1 + carried + a, c.first, c.places * c.results);
      apart.push_back(c.places);
      apart.push_back(c.results);
      items[0] *= c.places;
      items.push_back(c.results);
      order.push_back(1 + carried + 2 * a);
      inner.push_back(2 + carried + 2 * a);
    }
    order.insert(order.end(), inner.begin(), inner.end());
    out.reshape(apart).transpose(order).reshape(items).slice(0, 0, group.items);
    return out.result();
  }

  // The results of the pieces of a box from one slide on, as [items, carried…, slides…]; pieces are
  // taken in the order of the plan.
  Result<NodeId> assemble(std::size_t box, std::size_t slide, std::size_t& piece) {
    if (slide == shared_.pairs.size()) return result_of(plan_.pieces[piece++]);
    const std::size_t axis = 1 + carried_result() + slide;
    const auto& phases = plan_.boxes[box][slide];
    const auto counted = [](const std::vector<Stretch>& phase) {
      return std::accumulate(phase.begin(), phase.end(), Dim{0},
                             [](Dim sum, const Stretch& s) { return sum + s.count; });
    };
    const Dim longest = counted(phases.front());
    Dim total = 0;
    std::vector<NodeId> turns;
    Shape with_turns;
    for (const auto& phase : phases) {
      std::vector<NodeId> parts;
      for (std::size_t i = 0; i < phase.size(); ++i) {
        auto part = assemble(box, slide + 1, piece);
        if (!part) return part;
        parts.push_back(*part);
      }
      auto x = views::concat(b_, parts, axis);
      if (!x || phases.size() == 1) return x;
      total += counted(phase);
      Views turn(b_, *x);
      with_turns = *b_.type(*x).shape;
      with_turns[axis] = longest;
      with_turns.insert(with_turns.begin() + static_cast<std::ptrdiff_t>(axis) + 1, 1);
      x = turn.window(axis, 0, longest).reshape(with_turns).result();
      if (!x) return x;
      turns.push_back(*x);
    }
    auto x = views::concat(b_, turns, axis + 1);
    if (!x) return x;
    with_turns[axis] = longest * static_cast<Dim>(phases.size());
    with_turns.erase(with_turns.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    return Views(b_, *x).reshape(with_turns).slice(axis, 0, total).result();
  }

  Result<NodeId> result_of(const WindowPiece& piece) {
    Views out(b_, computed_[piece.group]);
    const Shape shape = *b_.type(computed_[piece.group]).shape;
    Shape wanted{piece.items};
    out.slice(0, piece.first, piece.items);
    for (std::size_t k = 0; k < carried_result(); ++k) wanted.push_back(shape[1 + k]);
    for (std::size_t a = 0; a < piece.along.size(); ++a) {
      out.slice(1 + carried_result() + a, 0, piece.along[a].count);
      wanted.push_back(piece.along[a].count);
    }
    return out.reshape(wanted).result();
  }

  // A box's result in the original's order of axes, with the channels that are wrong.
  Result<NodeId> as_original(std::size_t box, NodeId x) {
    const Dimensions& dims = shared_.of_original;
    const auto order = items_first(dims, true);
    Shape apart;
    for (const auto& batch : dims.batch) apart.push_back(positions_[box][batch.result].count);
    const Shape& shape = *b_.type(x).shape;
    apart.insert(apart.end(), shape.begin() + 1, shape.end());
    Views out(b_, x);
    out.reshape(apart).transpose(inverse(order));
    for (const std::size_t d : dims.carried_result) {
      const Progression& p = positions_[box][d];
      out.slice(d, p.low, p.count, p.step);
    }
    return out.result();
  }

  const Graph& original_;
  const Graph& mutant_;
  const Region& wrong_;
  CorrectionRoles& roles_;
  SharedWeights shared_;
  std::vector<Box> boxes_;
  std::vector<std::vector<Progression>> positions_;  // by box, by axis of the result
  PackingPlan plan_;
  Shape room_;     // of the main operator's data, in data_order
  Shape results_;  // of its result, in result_order
  GraphBuilder b_;
  std::vector<NodeId> computed_;  // by group
};

}  // namespace

Result<Graph> fuse_correction(const Graph& original, const Graph& mutant, const Region& wrong,
                              CorrectionRoles* roles) {
  CorrectionRoles unasked;
  return FusedCorrection(original, mutant, wrong, roles == nullptr ? unasked : *roles).build();
}

}  // namespace pet
