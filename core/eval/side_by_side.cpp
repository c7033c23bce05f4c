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
class Elements {
 public:
  Elements(std::size_t size, std::size_t lanes) : lanes_(lanes), values_(size * lanes) {}
  explicit Elements(const LaneTensor<double>& from) : Elements(from.size(), from.lanes()) {
    const double* source = from.values().data();
    double* to = values_.data();
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t lane = 0; lane < lanes_; ++lane) *to++ = source[lane * from.size() + i];
    }
  }

  double* at(Dim element) { return values_.data() + static_cast<std::size_t>(element) * lanes_; }
  const double* at(Dim element) const {
    return values_.data() + static_cast<std::size_t>(element) * lanes_;
  }

  LaneTensor<double> as_lanes(const Shape& shape) const {
    LaneTensor<double> out(shape, lanes_);
    const double* source = values_.data();
    double* to = out.values().data();
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t lane = 0; lane < lanes_; ++lane) to[lane * out.size() + i] = *source++;
    }
    return out;
  }

 private:
  std::size_t lanes_;
  std::vector<double> values_;
};

class SumRun {
 public:
  SumRun(const RealRing<double>& ring, const MeaningCode& code,
         std::span<const LaneTensor<double>* const> operands)
      : ring_(ring),
        code_(code),
        operands_(operands),
        out_(static_cast<std::size_t>(count(code.meaning().sum.out)), ring.lanes()) {}

  LaneTensor<double> run() {
    for (const TermCode& term : code_.terms()) add(term.plan);
    return out_.as_lanes(code_.meaning().sum.out);
  }

 private:
  const Elements* elements_of(int operand) {
    const auto number = static_cast<std::size_t>(operand);
    return &known_.try_emplace(number, *operands_[number]).first->second;
  }

  double constant(const Rational& x) const { return *ring_.constant(0, x); }

  void add(const TermPlan& plan) {
    const double scale = constant(plan.scale);
    std::vector<std::vector<double>> tables;
    for (const AxisTable& table : plan.tables) {
      tables.emplace_back();
      for (const Rational& x : table.values) tables.back().push_back(constant(x));
    }
    std::vector<const Elements*> sources;
    for (const ReadPlan& read : plan.reads)
      sources.push_back(read.operand == kOne ? nullptr : elements_of(read.operand));
    for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
      for (std::size_t i = 0; i < line.length; ++i) {
        double factor = scale;
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
  void add_product(double factor, double* out) {
    const std::size_t lanes = ring_.lanes();
    if (factors_.empty()) {
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor;
    } else if (factors_.size() == 1) {
      const double* a = factors_[0];
      if (factor == 1) {
        for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += a[lane];
      } else {
        for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor * a[lane];
      }
    } else if (factors_.size() == 2) {
      const double* a = factors_[0];
      const double* b = factors_[1];
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += factor * a[lane] * b[lane];
    } else {
      product_.assign(lanes, factor);
      for (const double* x : factors_) {
        for (std::size_t lane = 0; lane < lanes; ++lane) product_[lane] *= x[lane];
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] += product_[lane];
    }
  }

  const RealRing<double>& ring_;
  const MeaningCode& code_;
  std::span<const LaneTensor<double>* const> operands_;
  Elements out_;
  std::map<std::size_t, Elements> known_;  // by operand, of those that are read
  std::vector<const double*> factors_;     // of one point
  std::vector<double> product_;
};

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

LaneTensor<double> sum_side_by_side(const RealRing<double>& ring, const MeaningCode& code,
                                    std::span<const LaneTensor<double>* const> operands) {
  return SumRun(ring, code, operands).run();
}

}  // namespace pet
