// The text of an element function (core/ir/meaning.h) as an expression.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/util/result.h"
#include "gpu/kernel/expression.h"

namespace pet::gpu {

// What the words of a text stand for.
struct Words {
  std::vector<ExpressionRef> elements;  // x0, x1, ...; of a fold's element its x is the first
  std::span<const double> parameters;   // p0, ...
  std::vector<ExpressionRef> row;       // r0, r1
  ExpressionRef folded;                 // r
  ExpressionRef count;                  // n
};

// An Error where the text is none, or has a word that stands for nothing.
Result<ExpressionRef> read_function_text(std::string_view text, const Words& words);

}  // namespace pet::gpu
