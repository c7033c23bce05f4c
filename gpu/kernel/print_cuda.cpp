#include "gpu/kernel/print_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gpu/kernel/index.h"

namespace pet::gpu {
namespace {

constexpr int kThreadsOfABlock = 256;

std::string literal(float x) {
  if (std::isnan(x)) return "pet_nan()";
  if (std::isinf(x)) return x > 0 ? "pet_infinity()" : "(-pet_infinity())";
  std::string text = fmt::format("{:.9g}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return x < 0 || std::signbit(x) ? fmt::format("({}f)", text) : text + "f";
}

// Division in C rounds to zero; where an index may be negative it must round down.
class IndexText {
 public:
  explicit IndexText(std::span<const Dim> extents) : extents_(extents) {}

  std::string operator()(const IndexExpr& e) const {
    std::string out;
    for (const auto& part : e.parts()) {
      const std::string text = part_text(part);
      if (out.empty()) {
        out = text;
      } else {
        out += text.front() == '-' ? " - " + text.substr(1) : " + " + text;
      }
    }
    if (out.empty()) return fmt::format("{}", e.constant());
    if (e.constant() != 0)
      out += fmt::format(" {} {}", e.constant() < 0 ? '-' : '+', std::abs(e.constant()));
    return out;
  }

 private:
  std::string part_text(const IndexExpr::Part& part) const {
    const IndexExpr base = part.axis >= 0 ? v(part.axis) : *part.inner;
    const bool negative = base.bounds(extents_).first < 0;
    std::string text =
        part.axis >= 0 ? fmt::format("v{}", part.axis) : fmt::format("({})", (*this)(base));
    if (part.divisor != 1) text = operation(text, "/", "pet_floor_div", part.divisor, negative);
    if (part.modulus != 0) text = operation(text, "%", "pet_floor_mod", part.modulus, negative);
    if (part.coefficient == 1) return text;
    if (part.coefficient == -1) return "-" + text;
    const bool composed = part.divisor != 1 || part.modulus != 0;
    const std::string inner = composed && !negative ? fmt::format("({})", text) : text;
    return fmt::format("{}{} * {}", part.coefficient < 0 ? "-" : "", std::abs(part.coefficient),
                       inner);
  }

  static std::string operation(const std::string& text, const char* sign, const char* rounding_down,
                               Dim by, bool negative) {
    return negative ? fmt::format("{}({}, Index({}))", rounding_down, text, by)
                    : fmt::format("{} {} {}", text, sign, by);
  }

  std::span<const Dim> extents_;
};

std::string condition(const std::vector<Guard>& guards, std::span<const Dim> extents) {
  const IndexText index(extents);
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " && ") + text; };
  for (const Guard& guard : guards) {
    const std::string text = index(guard.expr);
    const auto [low, high] = guard.expr.bounds(extents);
    if (guard.multiple_of != 0) {
      add(fmt::format("pet_floor_mod(Index({}), Index({})) == 0", text, guard.multiple_of));
      continue;
    }
    if (low < guard.low) add(fmt::format("{} >= {}", text, guard.low));
    if (high >= guard.high) add(fmt::format("{} < {}", text, guard.high));
  }
  return out.empty() ? "true" : out;
}

// Factors by position, which stand before the kernel.
class Tables {
 public:
  explicit Tables(std::string kernel) : kernel_(std::move(kernel)) {}

  std::string name_of(const std::vector<float>& table) {
    auto found = std::ranges::find(tables_, table);
    if (found == tables_.end()) found = tables_.insert(found, table);
    return fmt::format("{}_table{}", kernel_, found - tables_.begin());
  }

  std::string text() {
    std::string out;
    for (const auto& one : tables_) {
      std::vector<std::string> numbers;
      for (const float x : one) numbers.push_back(literal(x));
      out += fmt::format("__device__ const float {}[{}] = {{{}}};\n", name_of(one), one.size(),
                         fmt::join(numbers, ", "));
    }
    return out;
  }

 private:
  std::string kernel_;
  std::vector<std::vector<float>> tables_;
};

// Statements that compute an expression; what is used more than once gets a name.
class ExpressionText {
 public:
  ExpressionText(const Kernel& kernel, Tables& tables, Shape extents, std::string indent,
                 std::string prefix)
      : kernel_(kernel),
        tables_(tables),
        extents_(std::move(extents)),
        index_(extents_),
        indent_(std::move(indent)),
        prefix_(std::move(prefix)) {}

  // The text of the value; `statements` must stand before it.
  std::string operator()(const ExpressionRef& root, std::string& statements) {
    std::map<const Expression*, int> uses;
    const auto all = in_order(root);
    for (const Expression* e : all) {
      for (const ExpressionRef& operand : e->operands) ++uses[operand.get()];
    }
    std::map<const Expression*, std::string> texts;
    for (const Expression* e : all) {
      std::vector<std::string> operands;
      for (const ExpressionRef& operand : e->operands) operands.push_back(texts.at(operand.get()));
      std::string text = node(*e, operands);
      const bool is_leaf =
          e->kind == Expression::Kind::Number || e->kind == Expression::Kind::Local;
      if (uses[e] > 1 && !is_leaf) {
        const std::string name = fmt::format("{}{}", prefix_, next_++);
        statements += fmt::format("{}const {} {} = {};\n", indent_,
                                  is_condition(*e) ? "bool" : "float", name, text);
        text = name;
      }
      texts[e] = std::move(text);
    }
    return texts.at(root.get());
  }

 private:
  static bool is_condition(const Expression& e) {
    using enum Operation;
    return e.kind == Expression::Kind::Call &&
           (e.operation == Less || e.operation == LessEqual || e.operation == Greater ||
            e.operation == GreaterEqual || e.operation == Equal || e.operation == NotEqual ||
            e.operation == And || e.operation == Or);
  }

  std::string node(const Expression& e, const std::vector<std::string>& operands) const {
    switch (e.kind) {
      case Expression::Kind::Number:
        return literal(e.number);
      case Expression::Kind::Local:
        return fmt::format("t{}", e.which);
      case Expression::Kind::Load:
        return load_text(e);
      case Expression::Kind::Table:
        return table_text(e);
      case Expression::Kind::Guarded:
        return fmt::format("({} ? {} : {})", condition(e.guards, extents_), operands[0],
                           operands[1]);
      case Expression::Kind::Call:
        break;
    }
    return call_text(e, operands);
  }

  std::string load_text(const Expression& e) const {
    const Shape& shape = kernel_.reads[static_cast<std::size_t>(e.which)];
    const auto inside = guards_inside(e.index, shape, extents_);
    std::string text = fmt::format("b{}[{}]", e.which, index_(offset_of(e.index, shape, extents_)));
    if (inside.empty()) return text;
    return fmt::format("({} ? {} : 0.0f)", condition(inside, extents_), text);
  }

  std::string table_text(const Expression& e) const {
    return fmt::format("{}[{}]", tables_.name_of(e.table), index_(e.index.front()));
  }

  static std::string call_text(const Expression& e, const std::vector<std::string>& operands) {
    if (e.operation == Operation::Select)
      return fmt::format("({} ? {} : {})", operands[0], operands[1], operands[2]);
    if (e.operation == Operation::Negate) return fmt::format("(-{})", operands[0]);
    const std::string_view name = spelling_of(e.operation);
    if (is_infix(e.operation))
      return fmt::format("({})", fmt::join(operands, fmt::format(" {} ", name)));
    if (e.operation != Operation::LargerOf && e.operation != Operation::SmallerOf)
      return fmt::format("{}({})", name, fmt::join(operands, ", "));
    std::string out = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i)
      out = fmt::format("pet_{}({}, {})", name, out, operands[i]);
    return out;
  }

  const Kernel& kernel_;
  Tables& tables_;
  Shape extents_;
  IndexText index_;
  std::string indent_;
  std::string prefix_;
  int next_ = 0;
};

std::string joined(Fold fold, const std::string& a, const std::string& b) {
  switch (fold) {
    case Fold::Sum:
      return fmt::format("{} + {}", a, b);
    case Fold::Product:
      return fmt::format("{} * {}", a, b);
    case Fold::Largest:
      return fmt::format("pet_larger_of({}, {})", a, b);
    case Fold::Smallest:
      return fmt::format("pet_smaller_of({}, {})", a, b);
  }
  return "";
}

class KernelText {
 public:
  KernelText(const Kernel& kernel, const std::string& name)
      : kernel_(kernel), name_(name), tables_(name) {}

  std::string print() {
    out_ = fmt::format("extern \"C\" __global__ void {}(", name_);
    for (std::size_t b = 0; b < kernel_.reads.size(); ++b)
      out_ += fmt::format("const float* b{}, ", b);
    out_ += "float* out) {\n";
    out_ += fmt::format("  typedef {} Index;\n", needs_64_bits() ? "long long" : "int");
    kernel_.is_by_rows() ? by_rows() : by_positions();
    return tables_.text() + out_ + "}\n";
  }

 private:
  bool needs_64_bits() const {
    constexpr Dim kMost = std::numeric_limits<std::int32_t>::max() / 2;
    return count(kernel_.result) > kMost ||
           std::ranges::any_of(kernel_.reads, [](const Shape& s) { return count(s) > kMost; }) ||
           std::ranges::any_of(kernel_.folds,
                               [](const FoldStep& f) { return count(f.extent) > kMost; });
  }

  // The axes numbered from `first` on, of a row-major number.
  void digits(const std::string& number, const Shape& extents, std::size_t first,
              const std::string& indent) {
    const auto strides = row_major_strides(extents);
    for (std::size_t i = 0; i < extents.size(); ++i) {
      std::string digit = extents[i] == 1 ? "0" : number;
      if (extents[i] != 1 && strides[i] != 1) digit += fmt::format(" / {}", strides[i]);
      if (extents[i] != 1 && i != 0) digit += fmt::format(" % {}", extents[i]);
      out_ +=
          fmt::format("{}const Index v{} = {}; (void)v{};\n", indent, first + i, digit, first + i);
    }
  }

  void by_positions() {
    out_ += fmt::format("  const Index i = Index(blockIdx.x) * {} + Index(threadIdx.x);\n",
                        kThreadsOfABlock);
    out_ += fmt::format("  if (i >= {}) return;\n", count(kernel_.rows));
    digits("i", kernel_.rows, 0, "  ");
    for (std::size_t k = 0; k < kernel_.folds.size(); ++k) serial_fold(k);
    store("  ");
  }

  void serial_fold(std::size_t k) {
    const FoldStep& fold = kernel_.folds[k];
    out_ += fmt::format("  float t{} = {};\n", k, literal(neutral(fold.fold)));
    std::string indent = "  ";
    for (std::size_t i = 0; i < fold.extent.size(); ++i) {
      const std::size_t axis = kernel_.rows.size() + i;
      out_ += fmt::format("{}for (Index v{} = 0; v{} < {}; ++v{})", indent, axis, axis,
                          fold.extent[i], axis);
      out_ += i + 1 < fold.extent.size() ? "\n" : " {\n";
      indent += "  ";
    }
    if (fold.extent.empty()) out_ += "  {\n", indent += "  ";
    accumulate(k, fmt::format("t{}", k), indent);
    out_ += indent.substr(2) + "}\n";
    finish(k);
  }

  void accumulate(std::size_t k, const std::string& into, const std::string& indent) {
    const FoldStep& fold = kernel_.folds[k];
    ExpressionText text(kernel_, tables_, kernel_.extents(fold), indent, fmt::format("f{}_", k));
    std::string statements;
    const std::string element = text(fold.element, statements);
    out_ += statements;
    out_ += fmt::format("{}{} = {};\n", indent, into, joined(fold.fold, into, element));
  }

  void finish(std::size_t k) {
    const FoldStep& fold = kernel_.folds[k];
    if (fold.result->kind == Expression::Kind::Local && fold.result->which == static_cast<int>(k))
      return;
    ExpressionText text(kernel_, tables_, kernel_.rows, "  ", fmt::format("r{}_", k));
    std::string statements;
    const std::string result = text(fold.result, statements);
    out_ += statements + fmt::format("  t{} = {};\n", k, result);
  }

  void store(const std::string& indent) {
    const Shape positions = kernel_.positions();
    ExpressionText text(kernel_, tables_, positions, indent, "e");
    std::string statements;
    const std::string value = text(kernel_.value, statements);
    out_ += statements;
    out_ += fmt::format("{}out[{}] = {};\n", indent,
                        IndexText(positions)(offset_of(kernel_.place, kernel_.result, positions)),
                        value);
  }

  void by_rows() {
    out_ += fmt::format("  __shared__ float shared[{}];\n", kernel_.threads);
    out_ += "  const Index row = Index(blockIdx.x);\n  const Index thread = Index(threadIdx.x);\n";
    digits("row", kernel_.rows, 0, "  ");
    out_ += "  (void)row;\n";
    for (std::size_t k = 0; k < kernel_.folds.size(); ++k) shared_fold(k);
    out_ += fmt::format("  for (Index i = thread; i < {}; i += {}) {{\n", count(kernel_.within),
                        kernel_.threads);
    digits("i", kernel_.within, kernel_.rows.size(), "    ");
    store("    ");
    out_ += "  }\n";
  }

  void shared_fold(std::size_t k) {
    const FoldStep& fold = kernel_.folds[k];
    out_ += fmt::format("  float t{} = {};\n", k, literal(neutral(fold.fold)));
    out_ += fmt::format("  for (Index i = thread; i < {}; i += {}) {{\n", count(fold.extent),
                        kernel_.threads);
    digits("i", fold.extent, kernel_.rows.size(), "    ");
    accumulate(k, fmt::format("t{}", k), "    ");
    out_ += "  }\n";
    out_ += fmt::format("  shared[thread] = t{};\n  __syncthreads();\n", k);
    out_ += fmt::format("  for (int half = {}; half > 0; half /= 2) {{\n", kernel_.threads / 2);
    out_ += fmt::format("    if (thread < half) shared[thread] = {};\n    __syncthreads();\n  }}\n",
                        joined(fold.fold, "shared[thread]", "shared[thread + half]"));
    out_ += fmt::format("  t{} = shared[0];\n  __syncthreads();\n", k);
    finish(k);
  }

  const Kernel& kernel_;
  const std::string& name_;
  Tables tables_;
  std::string out_;
};

}  // namespace

Launch1D shape_of_launch(const Kernel& kernel) {
  const Dim rows = count(kernel.rows);
  if (kernel.is_by_rows()) return {rows, kernel.threads};
  return {(rows + kThreadsOfABlock - 1) / kThreadsOfABlock, kThreadsOfABlock};
}

std::string cuda_prelude() {
  return R"(// generated
__device__ inline float pet_larger_of(float a, float b) { return a > b || a != a ? a : b; }
__device__ inline float pet_smaller_of(float a, float b) { return a < b || a != a ? a : b; }
__device__ inline float pet_nan() { return __int_as_float(0x7fffffff); }
__device__ inline float pet_infinity() { return __int_as_float(0x7f800000); }
template <class T> __device__ inline T pet_floor_div(T a, T b) { return a / b - (a % b < 0 ? 1 : 0); }
template <class T> __device__ inline T pet_floor_mod(T a, T b) { return a % b + (a % b < 0 ? b : 0); }
)";
}

std::string print_cuda(const Kernel& kernel, const std::string& name) {
  return KernelText(kernel, name).print();
}

}  // namespace pet::gpu
