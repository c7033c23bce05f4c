// What a kernel computes at one position, as data: a directed graph of floats whose leaves read
// buffers. Everything is evaluated, both sides of a choice too; a read outside of its buffer yields
// 0, so that this harms nothing.
//
// Nodes are shared: what is used twice is one node, computed once.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/meaning.h"

namespace pet::gpu {

// Arithmetic and choices as C writes them; the functions of functions.def; the larger and the
// smaller one of all operands, where what is no number stays none.
enum class Operation {
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Select,  // operand 0 ? operand 1 : operand 2
  LargerOf,
  SmallerOf,
#define FUNCTION(name, operands) name,
#include "gpu/kernel/functions.def"
#undef FUNCTION
};

struct Expression;
using ExpressionRef = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind {
    Number,
    Local,    // the result of the kernel's fold of that number
    Load,     // an element of a buffer
    Table,    // numbers[at]
    Guarded,  // operand 0 where all guards hold, operand 1 elsewhere
    Call      // of `operation`
  };
  Kind kind = Kind::Number;
  float number = 0;
  int which = 0;                 // local, or buffer of the kernel
  std::vector<IndexExpr> index;  // of a load by dimension; of a table one
  std::vector<float> table;
  std::vector<Guard> guards;
  Operation operation = Operation::Add;
  std::vector<ExpressionRef> operands;
  int depth = 1;  // of the graph below
};

ExpressionRef number(float value);
ExpressionRef local(int which);
ExpressionRef load(int buffer, std::vector<IndexExpr> index);
ExpressionRef table(std::vector<float> values, IndexExpr at);
ExpressionRef guarded(std::vector<Guard> guards, ExpressionRef inside, ExpressionRef outside);
// Of numbers alone: comparisons and choices are made at once.
ExpressionRef call(Operation operation, std::vector<ExpressionRef> operands);

// Makes equal nodes one.
class Sharing {
 public:
  ExpressionRef shared(const ExpressionRef& root);

 private:
  std::map<std::string, ExpressionRef> known_;  // by what they are
};

bool is_number(const ExpressionRef& e, float value);

// Every node reachable from there, each once, operands before those who use them.
std::vector<const Expression*> in_order(const ExpressionRef& root);

// The same where each axis is what stands for it.
ExpressionRef at(const ExpressionRef& root, std::span<const IndexExpr> axes);
// The same where buffer b is called by_buffer[b].
ExpressionRef with_buffers(const ExpressionRef& root, std::span<const int> by_buffer);
// The same where local k is called k + first.
ExpressionRef with_locals_from(const ExpressionRef& root, int first);

// How many of its nodes are no numbers: what a thread does.
std::size_t work_of(const ExpressionRef& root);

// As C writes it.
std::string_view spelling_of(Operation operation);
bool is_infix(Operation operation);

std::string to_string(const ExpressionRef& root);

}  // namespace pet::gpu
