// A program in size symbols: the meanings of its operators with every number in them as an affine
// function of the symbols. It is read off a few of its instances, which is sound for operators
// that say of themselves that their meanings are affine in sizes (OpDef::affine_in_sizes), and is
// held against further instances all the same, sizes of 1 among them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verify/all_sizes/family.h"

namespace pet::all_sizes {

// Variables of a term or an element function: the symbols, then the axes as IndexExpr numbers them.
struct SizedRead {
  int operand = 0;
  std::vector<Affine> index;
};

// With what the axes stand at put in.
Affine put_in(const Affine& e, std::span<const Affine> axes, std::size_t symbols);

struct SizedTerm {
  Rational weight;
  std::vector<Affine> reduce;         // extents
  std::vector<Affine> at_least_zero;  // guards
  std::vector<SizedRead> factors;
};

struct SizedApplication {
  const ElementFunction* function = nullptr;
  std::vector<double> parameters;
  std::vector<Affine> out;
  std::vector<SizedRead> elements;
};

struct SizedNode {
  std::string leaf;              // of an input or a constant tensor: which
  std::optional<Rational> fill;  // of a constant of one value: that one
  std::vector<NodeId> operands;
  std::vector<Affine> shape;
  std::vector<SizedApplication> applications;
  std::vector<SizedTerm> terms;
};

struct SizedProgram {
  std::vector<SizedNode> nodes;
  std::vector<NodeId> outputs;

  const SizedNode& node(NodeId id) const { return nodes[id.index()]; }
};

// Instances at known sizes: at a base, at the base with each symbol one larger, and elsewhere.
// REQUIRES: every size of the base is at least 2
struct Instances {
  std::vector<SizeValues> sizes;
  std::vector<const Graph*> graphs;
};

// What constants of more than one element are: the numbers that they hold, or tensors of which
// nothing more is known than that two of the same bits are the same (theory: section 6a).
enum class Constants { Numbers, Symbols };

// An Error: they are no instances of one program that we can write in symbols.
Result<SizedProgram> sized_program(const Instances& instances, Constants constants);

}  // namespace pet::all_sizes
