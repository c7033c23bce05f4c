// Internal: what an opaque node computes, as a digest. Two nodes with equal digests on equal
// operands compute the same values: operator, version of its domain, attributes with tensors by
// content, nested graphs with the outer values they capture as further operands, bodies of
// model-local functions. A node that may give different values each time, or that nobody has
// defined for us, is flagged: it equals only itself.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

using OpsetTable = std::map<std::string, std::int64_t>;

// "ai.onnx" is another way to write the default domain.
std::string plain_domain(const std::string& domain);
Result<OpsetTable> opset_table(
    const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports);

// Types that are declared and that nobody can check (element_types.h): a runtime may believe them,
// so they are part of what nodes compute. By graph, by name of the value, in words that are equal
// for equal types.
using UncheckedTypes = std::map<const ::onnx::GraphProto*, std::map<std::string, std::string>>;

// A text field that this version of the ONNX messages does not know yet. Of one that is written
// several times the last counts, as for every reader that knows it.
std::optional<std::string> unknown_text(const google::protobuf::Message& message, int field);

struct NodeContent {
  Digest digest;
  std::vector<std::string>
      captured;  // outer values that nested graphs read, in the order of their first use
  std::optional<std::string> only_itself;  // why no other node equals this one
  bool nested = false;                     // holds a graph or calls a model-local function
  std::set<std::string> inner;             // names that nested graphs give to values of their own
  std::optional<std::string> hidden;       // one of them that hides another of them
};

class ContentDigester {
 public:
  // Refuses functions that stand twice or hide an operator that we know.
  static Result<ContentDigester> of_file(std::shared_ptr<const ParsedFile> file, OpsetTable opsets,
                                         UncheckedTypes unchecked);

  Result<NodeContent> of_node(const ::onnx::NodeProto& node);
  // What the main graph declares of a result, where nobody can check it; empty: nothing.
  std::string unchecked(const std::string& result) const;
  // Of the file, that the node calls; null: it calls none.
  const ::onnx::FunctionProto* function_of(const ::onnx::NodeProto& node) const {
    const auto function = functions_.find(key_of(node));
    return function == functions_.end() ? nullptr : function->second.proto;
  }

 private:
  using FunctionKey = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
  struct Function {
    const ::onnx::FunctionProto* proto = nullptr;
    std::optional<Digest> digest;
    std::optional<std::string> only_itself;
    std::optional<std::string> hidden;
  };
  // The names that nested graphs around a node define. Outermost: nothing (a main graph's names are
  // captured), or a function's own names.
  struct Scope {
    const Scope* outer = nullptr;
    std::set<std::string> names;
    bool has(const std::string& name) const {
      return names.contains(name) || (outer != nullptr && outer->has(name));
    }
  };
  struct Walk {
    Digester& digester;
    const OpsetTable& opsets;
    NodeContent& content;
    bool in_function = false;
    std::map<std::string, std::size_t> places{};  // of captured names
  };

  static FunctionKey key_of(const ::onnx::NodeProto& node);
  Status add_operator(Walk& walk, const ::onnx::NodeProto& node);
  Status add_attribute(Walk& walk, const ::onnx::AttributeProto& attribute, const Scope* scope);
  Status add_value(Walk& walk, const ::onnx::AttributeProto& attribute, const Scope* scope);
  Status add_attributes(Walk& walk, const ::onnx::NodeProto& node, const Scope* scope);
  Status add_tensor(Walk& walk, const ::onnx::TensorProto& tensor);
  Status add_sparse(Walk& walk, const ::onnx::SparseTensorProto& sparse);
  Status add_graph(Walk& walk, const ::onnx::GraphProto& graph, const Scope* outer);
  Status add_nested_node(Walk& walk, const ::onnx::NodeProto& node, const Scope& scope);
  static void define(Walk& walk, const std::string& name, Scope& scope);
  Status add_read(Walk& walk, const std::string& name, const Scope& scope);
  Result<const Function*> function_content(const FunctionKey& key);

  std::shared_ptr<const ParsedFile> file_;
  OpsetTable opsets_;
  UncheckedTypes unchecked_;
  std::map<FunctionKey, Function> functions_;
  std::set<FunctionKey> open_;  // functions whose bodies are being read
};

}  // namespace pet::onnx_io
