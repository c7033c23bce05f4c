#include "core/onnx/element_types.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/util/check.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::OpSchema;
using ::onnx::TypeProto;

// Bodies of functions are read once for each call: a file whose functions call one another twice as
// often at each level is an attack.
constexpr std::size_t kMostNodesOfFunctions = 100'000;
constexpr std::size_t kDeepest = 100;  // nested graphs and calls, one inside another

// ---- types without shapes

// Nothing where it is open what something is, at any depth.
std::optional<TypeProto> without_shapes(const TypeProto& type) {
  TypeProto out;
  const auto inner = [](const TypeProto& of) { return without_shapes(of); };
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      out.mutable_tensor_type()->set_elem_type(type.tensor_type().elem_type());
      if (type.tensor_type().elem_type() == 0) return std::nullopt;
      return out;
    case TypeProto::kSparseTensorType:
      out.mutable_sparse_tensor_type()->set_elem_type(type.sparse_tensor_type().elem_type());
      if (type.sparse_tensor_type().elem_type() == 0) return std::nullopt;
      return out;
    case TypeProto::kSequenceType: {
      auto elements = inner(type.sequence_type().elem_type());
      if (!elements) return std::nullopt;
      *out.mutable_sequence_type()->mutable_elem_type() = *std::move(elements);
      return out;
    }
    case TypeProto::kOptionalType: {
      auto elements = inner(type.optional_type().elem_type());
      if (!elements) return std::nullopt;
      *out.mutable_optional_type()->mutable_elem_type() = *std::move(elements);
      return out;
    }
    case TypeProto::kMapType: {
      auto values = inner(type.map_type().value_type());
      if (!values || type.map_type().key_type() == 0) return std::nullopt;
      out.mutable_map_type()->set_key_type(type.map_type().key_type());
      *out.mutable_map_type()->mutable_value_type() = *std::move(values);
      return out;
    }
    case TypeProto::kOpaqueType:
      *out.mutable_opaque_type() = type.opaque_type();
      return out;
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return std::nullopt;
}

std::string element_in_words(int number) {
  const auto known = dtype_from(number);
  return known ? std::string(to_string(*known)) : fmt::format("type {}", number);
}

// REQUIRES: without_shapes() made it
std::string in_words(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return element_in_words(type.tensor_type().elem_type());
    case TypeProto::kSparseTensorType:
      return "sparse " + element_in_words(type.sparse_tensor_type().elem_type());
    case TypeProto::kSequenceType:
      return "a sequence of " + in_words(type.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return "an optional " + in_words(type.optional_type().elem_type());
    case TypeProto::kMapType:
      return fmt::format("a map from {} to {}", element_in_words(type.map_type().key_type()),
                         in_words(type.map_type().value_type()));
    case TypeProto::kOpaqueType:
      return fmt::format("an opaque {}::{}", printable_whole(type.opaque_type().domain()),
                         printable_whole(type.opaque_type().name()));
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return "?";
}

// What is open in one may be anything in the other.
bool are_equal(const std::optional<TypeProto>& a, const std::optional<TypeProto>& b) {
  return !a || !b || in_words(*a) == in_words(*b);
}

// ---- the standard's rules

struct Rules {
  const OpSchema* schema = nullptr;  // nullptr: nothing is known of the operator
  // Of the very operator set. Of a newer one than the library knows the last one that it knows:
  // then only what is said by type variables counts ("as its first operand"), which later versions
  // widen and do not turn round.
  bool is_of_that_set = false;
};

Rules rules_of(const NodeProto& node, const OpsetTable& opsets) {
  const std::string domain = plain_domain(node.domain());
  const auto imported = opsets.find(domain);
  if (imported == opsets.end()) return {};
  const auto& known = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = known.find(domain);
  if (range == known.end()) return {};
  const bool is_known = imported->second <= range->second.second;
  const int version = is_known ? static_cast<int>(imported->second) : range->second.second;
  return {::onnx::OpSchemaRegistry::Schema(node.op_type(), version, domain), is_known};
}

const OpSchema::FormalParameter* formal(const std::vector<OpSchema::FormalParameter>& all, int at) {
  if (all.empty()) return nullptr;
  const auto place = static_cast<std::size_t>(at);
  const OpSchema::FormalParameter& last = all.back();
  if (place >= all.size() && last.GetOption() != OpSchema::Variadic) return nullptr;
  return &all[std::min(place, all.size() - 1)];
}

bool is_variable(const OpSchema& schema, const std::string& name) {
  for (const auto& variable : schema.typeConstraintParams())
    if (variable.type_param_str == name) return true;
  return false;
}

using Types = std::vector<std::optional<TypeProto>>;  // of operands or results, by place

// By type variables that operands bind.
Types by_variables(const OpSchema& schema, const NodeProto& node, const Types& operands) {
  std::map<std::string, std::optional<TypeProto>> bound;
  for (int i = 0; i < node.input_size(); ++i) {
    const auto& type = operands[static_cast<std::size_t>(i)];
    const auto* what = formal(schema.inputs(), i);
    if (!type || what == nullptr || !is_variable(schema, what->GetTypeStr())) continue;
    if (what->GetOption() == OpSchema::Variadic && !what->GetIsHomogeneous()) continue;
    const auto [known, is_new] = bound.emplace(what->GetTypeStr(), type);
    if (!is_new && !are_equal(known->second, type)) known->second.reset();  // no such node
  }
  Types out(static_cast<std::size_t>(node.output_size()));
  for (int i = 0; i < node.output_size(); ++i) {
    const auto* what = formal(schema.outputs(), i);
    if (what == nullptr) continue;
    if (what->GetOption() == OpSchema::Variadic && !what->GetIsHomogeneous()) continue;
    if (const auto known = bound.find(what->GetTypeStr()); known != bound.end())
      out[static_cast<std::size_t>(i)] = known->second;
  }
  return out;
}

// A nested graph, as the rules of its node ask for it.
class NestedGraph final : public ::onnx::GraphInferencer {
 public:
  NestedGraph(std::function<Types(const Types&)> read) : read_(std::move(read)) {}
  std::vector<const TypeProto*> doInferencing(
      const std::vector<const TypeProto*>& inputs,
      const std::vector<const ::onnx::TensorProto*>& /*numbers*/) override {
    Types given;
    for (const TypeProto* one : inputs)
      given.push_back(one == nullptr ? std::nullopt : without_shapes(*one));
    results_ = read_(given);
    std::vector<const TypeProto*> out;
    for (const auto& one : results_) out.push_back(one ? &*one : &kOpen);
    return out;
  }

 private:
  static inline const TypeProto kOpen;
  std::function<Types(const Types&)> read_;
  Types results_;
};

// A node, as its rules ask for it.
class NodeContext final : public ::onnx::InferenceContext {
 public:
  NodeContext(const NodeProto& node, const Types& operands,
              std::function<Types(const GraphProto&, const Types&)> read)
      : operands_(operands), results_(static_cast<std::size_t>(node.output_size())) {
    for (const auto& attribute : node.attribute()) {
      attributes_[attribute.name()] = &attribute;
      if (!attribute.has_g()) continue;
      const GraphProto* graph = &attribute.g();
      nested_.emplace(attribute.name(), NestedGraph([read, graph](const Types& given) {
                        return read(*graph, given);
                      }));
    }
  }
  Types results() const {
    Types out;
    for (const TypeProto& one : results_) out.push_back(without_shapes(one));
    return out;
  }

  const ::onnx::AttributeProto* getAttribute(const std::string& name) const override {
    const auto at = attributes_.find(name);
    return at == attributes_.end() ? nullptr : at->second;
  }
  std::size_t getNumInputs() const override { return operands_.size(); }
  const TypeProto* getInputType(std::size_t at) const override {
    const auto& type = operands_.at(at);
    return type ? &*type : nullptr;
  }
  const ::onnx::TensorProto* getInputData(std::size_t) const override { return nullptr; }
  std::size_t getNumOutputs() const override { return results_.size(); }
  TypeProto* getOutputType(std::size_t at) override { return &results_.at(at); }
  ::onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    const auto at = nested_.find(name);
    return at == nested_.end() ? nullptr : &at->second;
  }
  const ::onnx::SparseTensorProto* getInputSparseData(std::size_t) const override {
    return nullptr;
  }
  const ::onnx::TensorShapeProto* getSymbolicInput(std::size_t) const override { return nullptr; }

 private:
  const Types& operands_;
  std::vector<TypeProto> results_;
  std::map<std::string, const ::onnx::AttributeProto*> attributes_;
  std::map<std::string, NestedGraph> nested_;
};

// ---- reading a file

struct Scope {
  const Scope* outer = nullptr;
  std::map<std::string, std::optional<TypeProto>> types = {};
  const std::optional<TypeProto>* find(const std::string& name) const {
    for (const Scope* at = this; at != nullptr; at = at->outer)
      if (const auto known = at->types.find(name); known != at->types.end()) return &known->second;
    return nullptr;
  }
};

class Pass {
 public:
  Pass(const ParsedFile& file) {
    for (const auto& function : file.proto.functions())
      functions_.emplace(key_of(function.domain(), function.name(), overload_of(function)),
                         &function);
  }

  Result<UncheckedTypes> run(const GraphProto& graph, const OpsetTable& opsets) && {
    read_graph(graph, nullptr, opsets, {});
    if (error_) return *std::move(error_);
    return std::move(unchecked_);
  }

 private:
  using Key = std::string;
  static Key key_of(const std::string& domain, const std::string& name,
                    const std::string& overload) {
    return plain_domain(domain) + '\0' + name + '\0' + overload;
  }
  static std::string overload_of(const ::onnx::FunctionProto& function) {
    return unknown_text(function, 13).value_or("");
  }

  // What is declared there would be neither checked nor told of.
  void give_up(const char* why) {
    if (!error_) error_ = Error{why, ErrorKind::Unsupported};
  }
  struct Level {
    explicit Level(Pass& of) : pass(of) {
      if (++pass.depth_ > kDeepest) pass.give_up("graphs and calls are nested too deeply");
    }
    ~Level() { --pass.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Pass& pass;
  };

  void fail(std::string why) {
    if (!error_) error_ = Error{std::move(why)};
  }

  // What the graph declares, by name: of the value inside, which an input or an output is as well.
  std::map<std::string, TypeProto> declared_by(const GraphProto& graph) {
    std::map<std::string, TypeProto> out;
    for (const auto* list : {&graph.input(), &graph.output(), &graph.value_info()}) {
      for (const auto& value : *list) {
        const auto type = without_shapes(value.type());
        if (!type) continue;
        const auto [known, is_new] = out.emplace(value.name(), *type);
        if (!is_new && in_words(known->second) != in_words(*type))
          fail(fmt::format("value '{}': declared as {} and as {}", printable(value.name()),
                           in_words(known->second), in_words(*type)));
      }
    }
    return out;
  }

  // Types of its results.
  Types read_graph(const GraphProto& graph, const Scope* outer, const OpsetTable& opsets,
                   const Types& given) {
    const Level level(*this);
    if (error_) return {};
    const auto declared = declared_by(graph);
    Scope scope{outer};
    for (const auto& tensor : graph.initializer()) {
      TypeProto type;
      type.mutable_tensor_type()->set_elem_type(tensor.data_type());
      define(scope, declared, graph, tensor.name(), without_shapes(type));
    }
    for (int i = 0; i < graph.input_size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const std::string& name = graph.input(i).name();
      if (scope.types.contains(name)) continue;  // has a default
      // A nested graph gets what it is handed; what a main graph's inputs are the file alone says.
      auto type = place < given.size() ? given[place] : std::nullopt;
      if (outer == nullptr) type = without_shapes(graph.input(i).type());
      define(scope, declared, graph, name, std::move(type));
    }
    for (const NodeProto& node : graph.node()) {
      if (error_) return {};
      Types results = read_node(node, scope, opsets);
      for (int k = 0; k < node.output_size(); ++k)
        define(scope, declared, graph, node.output(k), results[static_cast<std::size_t>(k)]);
    }
    Types out;
    for (const auto& output : graph.output()) {
      const auto* known = scope.find(output.name());
      out.push_back(known == nullptr ? std::nullopt : *known);
      if (known == nullptr) continue;
      // It may be a value of a graph around this one.
      const auto said = without_shapes(output.type());
      if (!are_equal(said, *known)) contradict(output.name(), *said, **known);
    }
    return out;
  }

  void contradict(const std::string& name, const TypeProto& declared, const TypeProto& is) {
    fail(fmt::format("value '{}': declared as {}, but it is {}", printable(name),
                     in_words(declared), in_words(is)));
  }

  void define(Scope& scope, const std::map<std::string, TypeProto>& declared,
              const GraphProto& graph, const std::string& name, std::optional<TypeProto> type) {
    if (name.empty()) return;
    const auto said = declared.find(name);
    if (said != declared.end()) {
      if (type && in_words(*type) != in_words(said->second)) contradict(name, said->second, *type);
      if (!type) unchecked_[&graph].emplace(name, in_words(said->second));
      type = said->second;
    }
    scope.types[name] = std::move(type);
  }

  Types read_node(const NodeProto& node, const Scope& scope, const OpsetTable& opsets) {
    Types operands;
    bool is_known = true;
    for (const std::string& name : node.input()) {
      const auto* type = name.empty() ? nullptr : scope.find(name);
      operands.push_back(type == nullptr ? std::nullopt : *type);
      is_known = is_known && (name.empty() || operands.back());
    }
    std::set<const GraphProto*> read;
    const auto read_nested = [&](const GraphProto& graph, const Types& given) {
      read.insert(&graph);
      return read_graph(graph, &scope, opsets, given);
    };
    Types out = results_of(node, operands, is_known, opsets, read_nested);
    // What no rule asked for has declarations all the same.
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g() && !read.contains(&attribute.g()))
        read_graph(attribute.g(), &scope, opsets, {});
      for (const GraphProto& graph : attribute.graphs()) read_graph(graph, &scope, opsets, {});
    }
    out.resize(static_cast<std::size_t>(node.output_size()));
    return out;
  }

  Types results_of(const NodeProto& node, const Types& operands, bool is_known,
                   const OpsetTable& opsets,
                   const std::function<Types(const GraphProto&, const Types&)>& read_nested) {
    const auto function =
        functions_.find(key_of(node.domain(), node.op_type(), unknown_text(node, 8).value_or("")));
    if (function != functions_.end()) return read_call(node, *function->second, operands);
    const Rules rules = rules_of(node, opsets);
    if (rules.schema == nullptr) return {};
    // Attributes of a call stand elsewhere.
    for (const auto& attribute : node.attribute())
      if (!attribute.ref_attr_name().empty()) return {};
    Types out;
    // The library says what it does not like by throwing; whether a node is one of its operator set
    // is asked elsewhere.
    try {
      out = by_variables(*rules.schema, node, operands);
      if (!rules.is_of_that_set || !is_known) return out;
      rules.schema->Verify(node);
      NodeContext context(node, operands, read_nested);
      rules.schema->GetTypeAndShapeInferenceFunction()(context);
      const Types told = context.results();
      for (std::size_t i = 0; i < told.size(); ++i)
        if (told[i]) out[i] = told[i];
    } catch (const CheckFailed&) {
      throw;
    } catch (const std::exception&) {
      return out;
    }
    return out;
  }

  Types read_call(const NodeProto& node, const ::onnx::FunctionProto& function,
                  const Types& operands) {
    const auto opsets = opset_table(function.opset_import());
    // One that calls itself is refused where it is read as a whole.
    if (!opsets || !open_.insert(&function).second) return {};
    const Level level(*this);
    Scope scope;
    for (int i = 0; i < function.input_size(); ++i)
      scope.types[function.input(i)] = static_cast<std::size_t>(i) < operands.size()
                                           ? operands[static_cast<std::size_t>(i)]
                                           : std::nullopt;
    for (const NodeProto& inner : function.node()) {
      if (++nodes_of_functions_ > kMostNodesOfFunctions)
        give_up("its functions call one another too often");
      if (error_) break;
      const Types results = read_node(inner, scope, *opsets);
      for (int k = 0; k < inner.output_size(); ++k)
        scope.types[inner.output(k)] = results[static_cast<std::size_t>(k)];
    }
    open_.erase(&function);
    Types out;
    for (int k = 0; k < node.output_size(); ++k) {
      const auto* type = k < function.output_size() ? scope.find(function.output(k)) : nullptr;
      out.push_back(type == nullptr ? std::nullopt : *type);
    }
    return out;
  }

  std::map<Key, const ::onnx::FunctionProto*> functions_;
  UncheckedTypes unchecked_;
  std::optional<Error> error_;
  std::size_t nodes_of_functions_ = 0;
  std::size_t depth_ = 0;
  std::set<const ::onnx::FunctionProto*> open_;  // that are being read
};

}  // namespace

Result<UncheckedTypes> check_types(const ParsedFile& file, const OpsetTable& opsets) {
  return Pass(file).run(file.proto.graph(), opsets);
}

}  // namespace pet::onnx_io
