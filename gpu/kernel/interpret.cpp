#include "gpu/kernel/interpret.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/util/check.h"
#include "gpu/kernel/index.h"

namespace pet::gpu {
namespace {

struct Step {
  const Expression* e = nullptr;
  std::vector<std::size_t> operands;  // steps before
  IndexExpr offset;                   // of a load, and where it is inside of its buffer
  std::vector<Guard> inside;
};

// An expression as a list of steps.
class Code {
 public:
  Code(const ExpressionRef& root, const std::vector<Shape>& buffers, const Shape& extents) {
    std::map<const Expression*, std::size_t> place;
    for (const Expression* e : in_order(root)) {
      Step step{.e = e, .operands = {}, .offset = {}, .inside = {}};
      for (const ExpressionRef& operand : e->operands)
        step.operands.push_back(place.at(operand.get()));
      if (e->kind == Expression::Kind::Load) {
        const Shape& shape = buffers[static_cast<std::size_t>(e->which)];
        step.offset = offset_of(e->index, shape, extents);
        step.inside = guards_inside(e->index, shape, extents);
      }
      place.emplace(e, steps_.size());
      steps_.push_back(std::move(step));
    }
    values_.resize(steps_.size());
  }

  float value(std::span<const Dim> axes, std::span<const float> locals, Memory& memory) {
    for (std::size_t i = 0; i < steps_.size(); ++i)
      values_[i] = step(steps_[i], axes, locals, memory);
    return values_.back();
  }

 private:
  float step(const Step& step, std::span<const Dim> axes, std::span<const float> locals,
             Memory& memory) const {
    const Expression& e = *step.e;
    switch (e.kind) {
      case Expression::Kind::Number:
        return e.number;
      case Expression::Kind::Local:
        return locals[static_cast<std::size_t>(e.which)];
      case Expression::Kind::Load:
        return all_hold(step.inside, axes) ? memory.read(e.which, step.offset.value(axes)) : 0.0F;
      case Expression::Kind::Table:
        return e.table[static_cast<std::size_t>(e.index.front().value(axes))];
      case Expression::Kind::Guarded:
        return values_[step.operands[all_hold(e.guards, axes) ? 0 : 1]];
      case Expression::Kind::Call:
        break;
    }
    return called(e.operation, step.operands);
  }

  float called(Operation operation, const std::vector<std::size_t>& operands) const;

  std::vector<Step> steps_;
  std::vector<float> values_;
};

float larger_of(float a, float b) { return a > b || a != a ? a : b; }
float smaller_of(float a, float b) { return a < b || a != a ? a : b; }

float applied(Operation operation, float a) {
  switch (operation) {
#define FUNCTION(name, operands) PET_UNARY_##operands(name)
#define PET_UNARY_1(name) \
  case Operation::name:   \
    return ::name(a);
#define PET_UNARY_2(name)
#include "gpu/kernel/functions.def"
#undef FUNCTION
#undef PET_UNARY_1
#undef PET_UNARY_2
    case Operation::Negate:
      return -a;
    default:
      return a;  // of one operand, what joins several
  }
}

float applied(Operation operation, float a, float b) {
  switch (operation) {
    case Operation::Add:
      return a + b;
    case Operation::Subtract:
      return a - b;
    case Operation::Multiply:
      return a * b;
    case Operation::Divide:
      return a / b;
    case Operation::Less:
      return a < b ? 1.0F : 0.0F;
    case Operation::LessEqual:
      return a <= b ? 1.0F : 0.0F;
    case Operation::Greater:
      return a > b ? 1.0F : 0.0F;
    case Operation::GreaterEqual:
      return a >= b ? 1.0F : 0.0F;
    case Operation::Equal:
      return a == b ? 1.0F : 0.0F;
    case Operation::NotEqual:
      return a != b ? 1.0F : 0.0F;
    case Operation::And:
      return a != 0 && b != 0 ? 1.0F : 0.0F;
    case Operation::Or:
      return a != 0 || b != 0 ? 1.0F : 0.0F;
    case Operation::LargerOf:
      return larger_of(a, b);
    case Operation::SmallerOf:
      return smaller_of(a, b);
    case Operation::fmaxf:
      return ::fmaxf(a, b);
    case Operation::fminf:
      return ::fminf(a, b);
    case Operation::powf:
      return ::powf(a, b);
    default:
      PET_CHECK(false, "a function of two numbers");
  }
}

float Code::called(Operation operation, const std::vector<std::size_t>& operands) const {
  const float first = values_[operands[0]];
  if (operation == Operation::Select) return values_[operands[first != 0 ? 1 : 2]];
  if (operands.size() == 1) return applied(operation, first);
  float out = first;
  for (std::size_t i = 1; i < operands.size(); ++i)
    out = applied(operation, out, values_[operands[i]]);
  return out;
}

Operation joining(Fold fold) {
  switch (fold) {
    case Fold::Sum:
      return Operation::Add;
    case Fold::Product:
      return Operation::Multiply;
    case Fold::Largest:
      return Operation::LargerOf;
    case Fold::Smallest:
      return Operation::SmallerOf;
  }
  return Operation::Add;
}

// Row-major through a box.
bool step_on(std::span<Dim> axes, std::span<const Dim> extents) {
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (++axes[i] < extents[i]) return true;
    axes[i] = 0;
  }
  return false;
}

class Interpreter {
 public:
  Interpreter(const Kernel& kernel, Memory& memory)
      : kernel_(kernel),
        memory_(memory),
        value_(kernel.value, kernel.reads, kernel.positions()),
        place_(offset_of(kernel.place, kernel.result, kernel.positions())) {
    for (const FoldStep& fold : kernel.folds) {
      elements_.emplace_back(fold.element, kernel.reads, kernel.extents(fold));
      results_.emplace_back(fold.result, kernel.reads, kernel.rows);
    }
    locals_.resize(kernel.folds.size());
  }

  void run() {
    if (count(kernel_.result) == 0) return;
    std::vector<Dim> row(kernel_.rows.size(), 0);
    do {
      for (std::size_t k = 0; k < kernel_.folds.size(); ++k) {
        locals_[k] = fold(k, row);
        locals_[k] = results_[k].value(row, locals_, memory_);
      }
      write_row(row);
    } while (step_on(row, kernel_.rows));
  }

 private:
  // Every thread folds its own elements, and halves of the threads are joined.
  float fold(std::size_t k, const std::vector<Dim>& row) {
    const FoldStep& fold = kernel_.folds[k];
    const auto threads = static_cast<std::size_t>(kernel_.threads);
    std::vector<float> partial(threads, neutral(fold.fold));
    std::vector<Dim> axes = row;
    axes.resize(row.size() + fold.extent.size(), 0);
    const std::span<Dim> own(axes.begin() + static_cast<std::ptrdiff_t>(row.size()), axes.end());
    const Operation join = joining(fold.fold);
    std::size_t thread = 0;
    do {
      partial[thread] = applied(join, partial[thread], elements_[k].value(axes, locals_, memory_));
      thread = (thread + 1) % threads;
    } while (step_on(own, fold.extent));
    for (std::size_t half = threads / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i)
        partial[i] = applied(join, partial[i], partial[i + half]);
    }
    return partial[0];
  }

  void write_row(const std::vector<Dim>& row) {
    std::vector<Dim> axes = row;
    axes.resize(row.size() + kernel_.within.size(), 0);
    const std::span<Dim> own(axes.begin() + static_cast<std::ptrdiff_t>(row.size()), axes.end());
    do memory_.write(place_.value(axes), value_.value(axes, locals_, memory_));
    while (step_on(own, kernel_.within));
  }

  const Kernel& kernel_;
  Memory& memory_;
  Code value_;
  IndexExpr place_;
  std::vector<Code> elements_, results_;
  std::vector<float> locals_;
};

}  // namespace

void interpret(const Kernel& kernel, Memory& memory) { Interpreter(kernel, memory).run(); }

}  // namespace pet::gpu
