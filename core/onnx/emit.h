// Internal: nodes of a program as ONNX nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet::onnx_io {

// In a text for people opaque nodes and constants without plain bytes appear by their description.
enum class Purpose { File, Text };

// Where emitted nodes go and what is already there.
struct Sheet {
  Purpose purpose = Purpose::File;
  int opset = 0;
  bool constants_as_nodes = false;  // old files cannot hold an initialiser that is no input
  bool nameless = false;            // constants get names of our own, whatever theirs are
  bool keeps_names = false;  // nodes and what they yield are called as in the program, where that
                             // is free
  std::set<std::string> names;                   // taken, of values and of nodes
  std::map<Digest, std::string> constants;       // by content
  std::deque<::onnx::TensorProto> initialisers;  // new ones
  std::deque<::onnx::NodeProto> nodes;           // new ones, in topological order

  // A name that nobody has: `wanted` itself, or with a number. Takes it.
  std::string fresh(const std::string& wanted);
  std::string constant(const Tensor& tensor, const std::string& wanted);
};

// Adds what the program's outputs need. Inputs are read, outputs are made under the given names.
Status emit(const Graph& program, std::span<const std::string> inputs,
            std::span<const std::string> outputs, const std::string& base, Sheet& sheet);

void set_attribute(::onnx::NodeProto& node, const std::string& name, const AttrValue& value);
void fill_type(::onnx::ValueInfoProto& value, const std::string& name, const TensorType& type);

}  // namespace pet::onnx_io
