// One line of a term's loops after the other, added to a tensor: the road of every term that is no
// contraction.
#pragma once

#include <algorithm>
#include <span>

#include "core/eval/loops.h"
#include "core/eval/product_side.h"
#include "core/eval/ring.h"

namespace pet {

template <class Ring>
using TensorOf = LaneTensor<typename Ring::Element>;

// Scale and tables of a term in the ring: value[lane][table][position].
template <class E>
struct RingCoef {
  std::vector<E> scale;
  std::vector<std::vector<std::vector<E>>> tables;
};

template <class Ring>
class LoopRun {
  using E = typename Ring::Element;

 public:
  LoopRun(const Ring& ring, const TermPlan& plan, const RingCoef<E>& coef,
          std::span<const TensorOf<Ring>* const> operands, TensorOf<Ring>& out)
      : ring_(ring),
        plan_(plan),
        coef_(coef),
        operands_(operands),
        out_(out),
        is_unit_(plan.tables.empty() && plan.scale == 1),
        is_copy_(is_unit_ && plan.reads.size() == 1 && plan.reads[0].operand != kOne) {}

  void operator()(const Line& line) {
    values_.resize(line.length);
    const bool runs = is_copy_ && line.out_steps != nullptr && line.length > 0 &&
                      is_run(line.reads[0].data(), line.length) &&
                      is_run(line.out_steps->data(), line.length);
    for (std::size_t lane = 0; lane < ring_.lanes(); ++lane) {
      if (is_copy_ && line.out_steps != nullptr) {
        copy(line, lane, runs);
        continue;
      }
      products(line, lane);
      E* out = out_.lane(lane).data() + line.out_base;
      if (line.out_steps == nullptr) {
        for (const E x : values_) *out = ring_.add(lane, *out, x);
      } else {
        const auto& steps = *line.out_steps;
        for (std::size_t i = 0; i < line.length; ++i)
          out[steps[i]] = ring_.add(lane, out[steps[i]], values_[i]);
      }
    }
  }

 private:
  // `runs`: both sides lie side by side.
  void copy(const Line& line, std::size_t lane, bool runs) {
    const E* source =
        operands_[static_cast<std::size_t>(plan_.reads[0].operand)]->lane(lane).data();
    E* out = out_.lane(lane).data() + line.out_base;
    const auto& offsets = line.reads[0];
    if (runs) {
      source += offsets[0];
      for (std::size_t i = 0; i < line.length; ++i) out[i] = ring_.add(lane, out[i], source[i]);
      return;
    }
    const auto& steps = *line.out_steps;
    for (std::size_t i = 0; i < line.length; ++i) {
      if (offsets[i] >= 0) out[steps[i]] = ring_.add(lane, out[steps[i]], source[offsets[i]]);
    }
  }

  void products(const Line& line, std::size_t lane) {
    E scale = coef_.scale[lane];
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      const auto loop = static_cast<std::size_t>(plan_.tables[t].axis);
      if (loop != line.inner)
        scale =
            ring_.mul(lane, scale, coef_.tables[lane][t][static_cast<std::size_t>(line.at[loop])]);
    }
    std::fill(values_.begin(), values_.end(), scale);
    for (std::size_t r = 0; r < plan_.reads.size(); ++r) {
      const auto& offsets = line.reads[r];
      if (plan_.reads[r].operand == kOne) {
        for (std::size_t i = 0; i < line.length; ++i)
          values_[i] = offsets[i] < 0 ? E{0} : values_[i];
        continue;
      }
      const auto& source = operands_[static_cast<std::size_t>(plan_.reads[r].operand)]->lane(lane);
      if (r == 0 && is_unit_) {
        for (std::size_t i = 0; i < line.length; ++i) {
          values_[i] = offsets[i] < 0 ? E{0} : source[static_cast<std::size_t>(offsets[i])];
        }
        continue;
      }
      for (std::size_t i = 0; i < line.length; ++i) {
        values_[i] = offsets[i] < 0 ? E{0}
                                    : ring_.mul(lane, values_[i],
                                                source[static_cast<std::size_t>(offsets[i])]);
      }
    }
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      if (static_cast<std::size_t>(plan_.tables[t].axis) != line.inner) continue;
      for (std::size_t i = 0; i < line.length; ++i)
        values_[i] = ring_.mul(lane, values_[i], coef_.tables[lane][t][i]);
    }
  }

  const Ring& ring_;
  const TermPlan& plan_;
  const RingCoef<E>& coef_;
  std::span<const TensorOf<Ring>* const> operands_;
  TensorOf<Ring>& out_;
  bool is_unit_;  // nothing but reads are multiplied
  bool is_copy_;
  std::vector<E> values_;
};

}  // namespace pet
