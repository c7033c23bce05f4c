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
        is_copy_(plan.tables.empty() && plan.scale == 1 && plan.reads.size() == 1 &&
                 plan.reads[0].operand != kOne) {}

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
      E* out = out_.lane(lane).data() + line.out_base;
      if (line.out_steps == nullptr) {
        *out = sum_onto(*out, line, lane);
        continue;
      }
      products(line, lane, plan_.reads.size());
      const auto& steps = *line.out_steps;
      for (std::size_t i = 0; i < line.length; ++i)
        out[steps[i]] = ring_.add(lane, out[steps[i]], values_[i]);
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

  // The last multiplication and the sum are one where they can be: a ring may save steps there.
  E sum_onto(E sum, const Line& line, std::size_t lane) {
    const std::size_t reads = plan_.reads.size();
    const bool are_multiplied =
        reads > 0 && !has_inner_table(line) && plan_.reads.back().operand != kOne;
    if (!are_multiplied) {
      products(line, lane, reads);
      for (const E x : values_) sum = ring_.add(lane, sum, x);
      return sum;
    }
    products(line, lane, reads - 1);
    const auto& source = operands_[static_cast<std::size_t>(plan_.reads.back().operand)];
    return ring_.add_products(lane, sum, values_, source->lane(lane), line.reads.back());
  }

  bool has_inner_table(const Line& line) const {
    return std::ranges::any_of(plan_.tables, [&](const auto& table) {
      return static_cast<std::size_t>(table.axis) == line.inner;
    });
  }

  // Of the scale, the tables and the first `reads` reads.
  void products(const Line& line, std::size_t lane, std::size_t reads) {
    E scale = coef_.scale[lane];
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      const auto loop = static_cast<std::size_t>(plan_.tables[t].axis);
      if (loop != line.inner)
        scale =
            ring_.mul(lane, scale, coef_.tables[lane][t][static_cast<std::size_t>(line.at[loop])]);
    }
    // Nothing is multiplied by 1.
    const bool is_unit = scale == E{1} && reads > 0 && plan_.reads[0].operand != kOne;
    if (!is_unit) std::fill(values_.begin(), values_.end(), scale);
    for (std::size_t r = 0; r < reads; ++r) {
      const auto& offsets = line.reads[r];
      if (plan_.reads[r].operand == kOne) {
        for (std::size_t i = 0; i < line.length; ++i)
          values_[i] = offsets[i] < 0 ? E{0} : values_[i];
        continue;
      }
      const auto& source = operands_[static_cast<std::size_t>(plan_.reads[r].operand)]->lane(lane);
      if (r == 0 && is_unit) {
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
  bool is_copy_;
  std::vector<E> values_;
};

}  // namespace pet
