#include "core/onnx/element_types.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/onnx/element_rules.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TypeProto;

// Bodies of functions are read once for each call: a file whose functions call one another twice as
// often at each level is an attack.
constexpr std::size_t kMostNodesOfFunctions = 100'000;
constexpr std::size_t kDeepest = 100;  // nested graphs and calls, one inside another

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
    for (const std::string& name : node.input()) {
      const auto* type = name.empty() ? nullptr : scope.find(name);
      operands.push_back(type == nullptr ? std::nullopt : *type);
    }
    std::set<const GraphProto*> read;
    const auto read_nested = [&](const GraphProto& graph, const Types& given) {
      read.insert(&graph);
      return read_graph(graph, &scope, opsets, given);
    };
    Types out = results_of(node, operands, opsets, read_nested);
    // What no rule asked for has declarations all the same.
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g() && !read.contains(&attribute.g()))
        read_graph(attribute.g(), &scope, opsets, {});
      for (const GraphProto& graph : attribute.graphs()) read_graph(graph, &scope, opsets, {});
    }
    out.resize(static_cast<std::size_t>(node.output_size()));
    return out;
  }

  Types results_of(const NodeProto& node, const Types& operands, const OpsetTable& opsets,
                   const ReadNested& read_nested) {
    const auto function =
        functions_.find(key_of(node.domain(), node.op_type(), unknown_text(node, 8).value_or("")));
    if (function != functions_.end()) return read_call(node, *function->second, operands);
    return results_by_rules(node, opsets, operands, read_nested);
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
