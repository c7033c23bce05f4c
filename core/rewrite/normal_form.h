// The form in which programs are rewritten, and back. Files say in many ways what rules know in
// one: a bias inside of a convolution, Gemm with its factors and transpositions, Sum of many,
// pieces of a Split. In the normal form a bias is an Add behind the convolution, Gemm is a MatMul
// of transposed and multiplied weights and an Add, Sum is one Add after another, and a piece is a
// Slice.
//
// There and back a program is what it was, node for node: the way back writes what a file had
// wherever its value still is made in the same way, and puts a bias that was rewritten into its
// convolution again.
#pragma once

#include <map>

#include "core/ir/graph.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet::rules {

// A node of the file that has another form here.
struct FileNode {
  Op op;
  std::string name;
  std::vector<Digest> operands;  // what it reads: a named value, or what that is made of
};

struct NormalForm {
  Graph program;
  std::map<Digest, FileNode> file_nodes;  // by what stands for it, down to values that have a name
};

// Values keep their names; what only the normal form has is called nothing.
Result<NormalForm> normal_form(const Graph& program);

// Of what rules made of a normal form's program.
Result<Graph> written_form(const Graph& rewritten, const NormalForm& of);

}  // namespace pet::rules
