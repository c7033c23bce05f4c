#include "core/eval/live_nest.h"

#include <bit>
#include <map>

namespace pet {
namespace {

std::size_t stride_of(const LoopExtents& extents, LoopSet loops, std::size_t loop) {
  std::size_t stride = 1;
  for (std::size_t l = loop + 1; l < extents.size(); ++l)
    stride *= (loops & loop_set(l)) != 0 ? extents[l] : 1;
  return stride;
}

// Some points of some loops, which become one loop.
class Selection {
 public:
  Selection(const LoopExtents& extents, const Column<char>& alive)
      : from_(extents),
        gone_(alive.loops),
        place_(static_cast<std::size_t>(std::countr_zero(gone_))) {
    kept_.resize(static_cast<std::size_t>(std::popcount(gone_)));
    std::vector<Dim> at(kept_.size(), 0);
    std::vector<Dim> ends;
    for (std::size_t l = 0; l < from_.size(); ++l) {
      if ((gone_ & loop_set(l)) != 0) ends.push_back(static_cast<Dim>(from_[l]));
    }
    for (const char is_alive : alive.values) {
      for (std::size_t l = 0; is_alive && l < at.size(); ++l) kept_[l].push_back(at[l]);
      for (std::size_t l = at.size(); l > 0 && ++at[l - 1] == ends[l - 1]; --l) at[l - 1] = 0;
    }
    for (std::size_t l = 0; l < from_.size(); ++l) {
      if (l == place_) to_.push_back(kept_.front().size());
      if ((gone_ & loop_set(l)) == 0) to_.push_back(from_[l]);
    }
  }

  const LoopExtents& extents() const { return to_; }

  template <class T>
  std::shared_ptr<const Column<T>> of(const std::shared_ptr<const Column<T>>& column) {
    if ((column->loops & gone_) == 0) {
      const LoopSet loops = renumbered(column->loops);
      return loops == column->loops ? column : shared(Column<T>{loops, column->values});
    }
    const Column<Dim>& offsets = offsets_of(column->loops);
    return shared(mapped<T>(
        offsets, [&](Dim offset) { return column->values[static_cast<std::size_t>(offset)]; }));
  }

 private:
  LoopSet renumbered(LoopSet loops) const {
    LoopSet out = (loops & gone_) != 0 ? loop_set(place_) : LoopSet{0};
    for (std::size_t l = 0; l < from_.size(); ++l) {
      if ((loops & ~gone_ & loop_set(l)) == 0) continue;
      const auto before = static_cast<std::size_t>(std::popcount(gone_ & (loop_set(l) - 1)));
      out |= loop_set(l - before + (l > place_ ? 1 : 0));
    }
    return out;
  }

  // Where the elements of a column over these loops were.
  const Column<Dim>& offsets_of(LoopSet loops) {
    const auto [found, is_new] = offsets_.try_emplace(loops);
    if (!is_new) return found->second;
    ColumnSum sum(to_);
    for (std::size_t l = 0, joined = 0; l < from_.size(); ++l) {
      const bool is_gone = (gone_ & loop_set(l)) != 0;
      if ((loops & loop_set(l)) != 0) {
        const auto stride = static_cast<Dim>(stride_of(from_, loops, l));
        if (is_gone) {
          sum.add({loop_set(place_), kept_[joined]}, stride);
        } else {
          const LoopSet to = renumbered(loop_set(l));
          sum.add(*counting(to_, static_cast<std::size_t>(std::countr_zero(to))), stride);
        }
      }
      joined += is_gone ? 1 : 0;
    }
    found->second = std::move(sum).finish();
    return found->second;
  }

  const LoopExtents from_;
  LoopExtents to_;
  LoopSet gone_;
  std::size_t place_;
  std::vector<std::vector<Dim>> kept_;  // of each loop that becomes part of the one, where
  std::map<LoopSet, Column<Dim>> offsets_;
};

}  // namespace

void LiveNest::remember_origins() {
  if (origins_.size() == remembered_) return;
  first_extents_ = extents_;
  for (std::size_t l = 0; l < remembered_; ++l) origins_.push_back(counting(extents_, l));
}

bool LiveNest::keep(const Column<char>& alive) {
  if (std::find(alive.values.begin(), alive.values.end(), char{1}) == alive.values.end())
    return false;
  remember_origins();
  for (std::size_t l = 0; l < origins_.size(); ++l) {
    if ((origins_[l]->loops & alive.loops) != 0) restricted_ |= loop_set(l);
  }
  Selection selection(extents_, alive);
  for (auto* columns : {&axes, &index, &origins_}) {
    for (Indices& column : *columns) column = selection.of(column);
  }
  for (Residues& column : values) column = selection.of(column);
  extents_ = selection.extents();
  return true;
}

Residues LiveNest::spread(const Residues& column) const {
  if (origins_.empty()) return column;
  LoopSet loops = restricted_;
  for (std::size_t l = 0; l < origins_.size(); ++l) {
    if ((origins_[l]->loops & column->loops) != 0) loops |= loop_set(l);
  }
  ColumnSum sum(extents_);
  std::size_t stride = 1;
  for (std::size_t l = origins_.size(); l-- > 0;) {
    if ((loops & loop_set(l)) == 0) continue;
    sum.add(*origins_[l], static_cast<Dim>(stride));
    stride *= first_extents_[l];
  }
  const Column<Dim> to = std::move(sum).finish();
  Column<std::uint32_t> out{loops, std::vector<std::uint32_t>(stride, 0)};
  const PairWalk walk(extents_, to.loops, column->loops);
  walk.for_each_run([&](std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < walk.run(); ++k) {
      const auto offset = static_cast<std::size_t>(to.values[i + k * walk.step_a()]);
      out.values[offset] = column->values[j + k * walk.step_b()];
    }
  });
  return shared(std::move(out));
}

}  // namespace pet
