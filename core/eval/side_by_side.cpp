#include "core/eval/side_by_side.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/eval/loops.h"

namespace pet {
namespace {

constexpr std::size_t kEnoughLanes = 16;
// Of all terms: where products are larger packed ones are faster, and threads share them.
constexpr std::size_t kMostPoints = 1 << 12;

// The elements of a tensor one after the other, each with all of its lanes.
template <class T>
class Elements {
 public:
  Elements(std::size_t size, std::size_t lanes) : lanes_(lanes), values_(size * lanes) {}
  explicit Elements(const LaneTensor<T>& from) : Elements(from.size(), from.lanes()) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const T* source = from.lane(lane).data();
      T* to = values_.data() + lane;
      for (std::size_t i = 0; i < from.size(); ++i) to[i * lanes_] = source[i];
    }
  }

  T* at(Dim element) { return values_.data() + static_cast<std::size_t>(element) * lanes_; }
  const T* at(Dim element) const {
    return values_.data() + static_cast<std::size_t>(element) * lanes_;
  }

  LaneTensor<T> as_lanes(const Shape& shape) const {
    LaneTensor<T> out(shape, lanes_);
    const T* source = values_.data();
    T* to = out.values().data();
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t lane = 0; lane < lanes_; ++lane) to[lane * out.size() + i] = *source++;
    }
    return out;
  }

 private:
  std::size_t lanes_;
  std::vector<T> values_;
};

template <class T>
class SumRun {
 public:
  SumRun(const RealRing<T>& ring, const MeaningCode& code,
         std::span<const LaneTensor<T>* const> operands)
      : ring_(ring),
        code_(code),
        operands_(operands),
        out_(static_cast<std::size_t>(count(code.meaning().sum.out)), ring.lanes()) {}

  LaneTensor<T> run() {
    for (const TermCode& term : code_.terms()) add(term.plan);
    return out_.as_lanes(code_.meaning().sum.out);
  }

 private:
  const Elements<T>* elements_of(int operand) {
    const auto number = static_cast<std::size_t>(operand);
    return &known_.try_emplace(number, *operands_[number]).first->second;
  }

  T constant(const Rational& x) const { return *ring_.constant(0, x); }

  void add(const TermPlan& plan) {
    const T scale = constant(plan.scale);
    std::vector<std::vector<T>> tables;
    for (const AxisTable& table : plan.tables) {
      tables.emplace_back();
      for (const Rational& x : table.values) tables.back().push_back(constant(x));
    }
    std::vector<const Elements<T>*> sources;
    for (const ReadPlan& read : plan.reads)
      sources.push_back(read.operand == kOne ? nullptr : elements_of(read.operand));
    for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
      for (std::size_t i = 0; i < line.length; ++i) {
        T factor = scale;
        for (std::size_t t = 0; t < tables.size(); ++t) {
          const auto loop = static_cast<std::size_t>(plan.tables[t].axis);
          factor *= tables[t][loop == line.inner ? i : static_cast<std::size_t>(line.at[loop])];
        }
        bool is_outside = false;
        factors_.clear();
        for (std::size_t r = 0; r < sources.size(); ++r) {
          const Dim offset = line.reads[r][i];
          is_outside = is_outside || offset < 0;
          if (offset >= 0 && sources[r] != nullptr) factors_.push_back(sources[r]->at(offset));
        }
        // Where one is read outside its operand there is a zero, of which the others may be any
        // multiple that is a number.
        if (is_outside && factors_.empty()) continue;
        const Dim step = line.out_steps == nullptr ? 0 : (*line.out_steps)[i];
        add_product(is_outside ? 0 : factor, out_.at(line.out_base + step));
      }
    });
  }

  // out += factor · factors
  void add_product(T factor, T* out) {
    const std::size_t lanes = ring_.lanes();
    if (factors_.empty()) {
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor;
    } else if (factors_.size() == 1) {
      const T* a = factors_[0];
      if (factor == 1) {
        for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += a[lane];
      } else {
        for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor * a[lane];
      }
    } else if (factors_.size() == 2) {
      const T* a = factors_[0];
      const T* b = factors_[1];
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor * a[lane] * b[lane];
    } else {
      product_.assign(lanes, factor);
      for (const T* x : factors_) {
        for (std::size_t lane = 0; lane < lanes; ++lane) product_[lane] *= x[lane];
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += product_[lane];
    }
  }

  const RealRing<T>& ring_;
  const MeaningCode& code_;
  std::span<const LaneTensor<T>* const> operands_;
  Elements<T> out_;
  std::map<std::size_t, Elements<T>> known_;  // by operand, of those that are read
  std::vector<const T*> factors_;             // of one point
  std::vector<T> product_;
};

// Adds what one read yields, as it is: nothing is multiplied.
bool only_adds(const TermCode& term) {
  const TermPlan& plan = term.plan;
  return plan.reads.size() == 1 && plan.reads[0].operand != kOne && plan.tables.empty() &&
         plan.scale == 1;
}

// Where nothing is multiplied lanes need not lie side by side: it is enough to find out once what
// is read where.
template <class T>
LaneTensor<T> added(const MeaningCode& code, std::span<const LaneTensor<T>* const> operands,
                    std::size_t lanes) {
  struct Read {
    std::size_t from, to;
  };
  LaneTensor<T> out(code.meaning().sum.out, lanes);
  std::vector<Read> reads;
  for (const TermCode& term : code.terms()) {
    reads.clear();
    for_each_line(term.plan, 0, line_count(term.plan), [&](const Line& line) {
      for (std::size_t i = 0; i < line.length; ++i) {
        const Dim step = line.out_steps == nullptr ? 0 : (*line.out_steps)[i];
        if (line.reads[0][i] >= 0)
          reads.push_back({static_cast<std::size_t>(line.reads[0][i]),
                           static_cast<std::size_t>(line.out_base + step)});
      }
    });
    const auto& operand = *operands[static_cast<std::size_t>(term.plan.reads[0].operand)];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto from = operand.lane(lane);
      const auto to = out.lane(lane);
      for (const Read& read : reads) to[read.to] += from[read.from];
    }
  }
  return out;
}

}  // namespace

bool suits_side_by_side(const MeaningCode& code, std::size_t lanes) {
  if (lanes < kEnoughLanes) return false;
  std::size_t points = 0;
  for (const TermCode& term : code.terms()) {
    points += static_cast<std::size_t>(count(term.plan.extents));
    if (points > kMostPoints) return false;
  }
  return true;
}

template <class T>
LaneTensor<T> sum_side_by_side(const RealRing<T>& ring, const MeaningCode& code,
                               std::span<const LaneTensor<T>* const> operands) {
  if (std::ranges::all_of(code.terms(), only_adds)) return added(code, operands, ring.lanes());
  return SumRun<T>(ring, code, operands).run();
}

template LaneTensor<float> sum_side_by_side(const RealRing<float>&, const MeaningCode&,
                                            std::span<const LaneTensor<float>* const>);
template LaneTensor<double> sum_side_by_side(const RealRing<double>&, const MeaningCode&,
                                             std::span<const LaneTensor<double>* const>);
template LaneTensor<long double> sum_side_by_side(const RealRing<long double>&, const MeaningCode&,
                                                  std::span<const LaneTensor<long double>* const>);

}  // namespace pet
