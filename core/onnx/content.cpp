// Over 400 lines: one walk through everything that a node may hold.
#include "core/onnx/content.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/ops/ops.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

constexpr std::size_t kDeepestCall = 64;

// Fields of newer versions of the format.
constexpr int kNodeOverload = 8;
constexpr int kNodeMetadata = 9;
constexpr int kFunctionDefaults = 11;  // of attributes
constexpr int kFunctionOverload = 13;
constexpr int kFunctionMetadata = 14;
constexpr int kGraphMetadata = 16;
constexpr int kTensorMetadata = 16;

// Everything in a message that we cannot name, except what is only for people.
void add_unknown(Digester& digester, const google::protobuf::Message& message, int for_people = 0) {
  google::protobuf::UnknownFieldSet rest;
  rest.MergeFrom(message.GetReflection()->GetUnknownFields(message));
  if (for_people != 0) rest.DeleteByNumber(for_people);
  std::string bytes;
  rest.SerializeToString(&bytes);
  digester.add(bytes);
}

bool is_random(const ::onnx::NodeProto& node, std::int64_t version) {
  constexpr std::array<std::string_view, 6> kRandom = {"RandomNormal",  "RandomNormalLike",
                                                       "RandomUniform", "RandomUniformLike",
                                                       "Multinomial",   "Bernoulli"};
  if (std::find(kRandom.begin(), kRandom.end(), node.op_type()) != kRandom.end()) return true;
  // Since version 12 a third operand switches training on.
  return node.op_type() == "Dropout" && version >= 12 && node.input_size() > 2 &&
         !node.input(2).empty();
}

void add_opsets(Digester& digester, const OpsetTable& opsets) {
  digester.add(std::uint64_t{opsets.size()});
  for (const auto& [domain, version] : opsets)
    digester.add(domain).add(static_cast<std::uint64_t>(version));
}

// What a default holds is part of the function by its bytes; what these refer to, in other files or
// by name, is not.
Status check_defaults(const ::onnx::FunctionProto& function) {
  const auto& unknown = function.GetReflection()->GetUnknownFields(function);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    if (field.number() != kFunctionDefaults) continue;
    ::onnx::AttributeProto attribute;
    const bool is_plain = field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
                          attribute.ParseFromString(field.length_delimited()) &&
                          !attribute.has_t() && !attribute.has_g() &&
                          !attribute.has_sparse_tensor() && attribute.tensors_size() == 0 &&
                          attribute.graphs_size() == 0 && attribute.sparse_tensors_size() == 0 &&
                          attribute.GetReflection()->GetUnknownFields(attribute).empty();
    if (is_plain) continue;
    return Error{fmt::format("the default of attribute '{}' is a tensor or a graph, which is not "
                             "read there",
                             printable(attribute.name())),
                 ErrorKind::Unsupported};
  }
  return Done{};
}

void add_count(Digester& digester, int count) { digester.add(static_cast<std::uint64_t>(count)); }

// Whether it holds a value of another type than it says, beside its own or in its place: runtimes
// refuse that.
bool holds_another_kind(const ::onnx::AttributeProto& attribute) {
  using Proto = ::onnx::AttributeProto;
  const std::array<std::pair<Proto::AttributeType, bool>, 14> held = {{
      {Proto::FLOAT, attribute.has_f()},
      {Proto::INT, attribute.has_i()},
      {Proto::STRING, attribute.has_s()},
      {Proto::TENSOR, attribute.has_t()},
      {Proto::GRAPH, attribute.has_g()},
      {Proto::SPARSE_TENSOR, attribute.has_sparse_tensor()},
      {Proto::TYPE_PROTO, attribute.has_tp()},
      {Proto::FLOATS, attribute.floats_size() > 0},
      {Proto::INTS, attribute.ints_size() > 0},
      {Proto::STRINGS, attribute.strings_size() > 0},
      {Proto::TENSORS, attribute.tensors_size() > 0},
      {Proto::GRAPHS, attribute.graphs_size() > 0},
      {Proto::SPARSE_TENSORS, attribute.sparse_tensors_size() > 0},
      {Proto::TYPE_PROTOS, attribute.type_protos_size() > 0},
  }};
  return std::ranges::any_of(
      held, [&](const auto& kind) { return kind.second && kind.first != attribute.type(); });
}

}  // namespace

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Result<OpsetTable> opset_table(
    const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports) {
  OpsetTable table;
  for (const auto& entry : imports) {
    const auto [it, is_new] = table.emplace(plain_domain(entry.domain()), entry.version());
    if (!is_new && it->second != entry.version()) {
      return Error{
          fmt::format("domain '{}' is imported in two versions", printable(entry.domain()))};
    }
  }
  return table;
}

std::optional<std::string> unknown_text(const google::protobuf::Message& message, int field) {
  const auto& unknown = message.GetReflection()->GetUnknownFields(message);
  std::optional<std::string> out;
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& f = unknown.field(i);
    if (f.number() == field && f.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      out = f.length_delimited();
  }
  return out;
}

Result<ContentDigester> ContentDigester::of_file(std::shared_ptr<const ParsedFile> file,
                                                 OpsetTable opsets, UncheckedTypes unchecked) {
  ContentDigester out;
  for (const auto& function : file->proto.functions()) {
    const std::string domain = plain_domain(function.domain());
    const auto where = printable(domain + "::" + function.name());
    const bool hides =
        domain.empty() && (ops::find(function.name()) != nullptr ||
                           ::onnx::OpSchemaRegistry::Schema(function.name(), "") != nullptr);
    if (hides) return Error{fmt::format("function {} hides an operator of that name", where)};
    const FunctionKey key{domain, function.name(),
                          unknown_text(function, kFunctionOverload).value_or("")};
    if (!out.functions_.emplace(key, Function{&function, {}, {}, {}}).second) {
      return Error{fmt::format("function {} stands twice", where)};
    }
  }
  out.file_ = std::move(file);
  out.opsets_ = std::move(opsets);
  out.unchecked_ = std::move(unchecked);
  return out;
}

ContentDigester::FunctionKey ContentDigester::key_of(const ::onnx::NodeProto& node) {
  return {plain_domain(node.domain()), node.op_type(),
          unknown_text(node, kNodeOverload).value_or("")};
}

std::string ContentDigester::unchecked(const std::string& result) const {
  const auto graph = unchecked_.find(&file_->proto.graph());
  if (graph == unchecked_.end()) return {};
  const auto type = graph->second.find(result);
  return type == graph->second.end() ? std::string() : type->second;
}

Result<NodeContent> ContentDigester::of_node(const ::onnx::NodeProto& node) {
  NodeContent content;
  Digester digester("opaque node");
  Walk walk{digester, opsets_, content, false};
  if (auto done = add_operator(walk, node); !done) return std::move(done).error();
  add_count(digester, node.input_size());
  for (const auto& name : node.input()) digester.add(name.empty() ? "absent" : "present");
  add_count(digester, node.output_size());
  for (const auto& name : node.output()) digester.add(name.empty() ? "absent" : "present");
  if (auto done = add_attributes(walk, node, nullptr); !done) return std::move(done).error();
  if (content.nested) add_opsets(digester, opsets_);
  content.digest = digester.finish();
  return content;
}

Status ContentDigester::add_operator(Walk& walk, const ::onnx::NodeProto& node) {
  const auto key = key_of(node);
  const std::string& domain = std::get<0>(key);
  const auto version = walk.opsets.find(domain);
  const bool is_function = functions_.contains(key);
  if (version == walk.opsets.end() && !is_function) {
    return Error{fmt::format("domain '{}' is not imported", printable(domain))};
  }
  const std::int64_t number = version == walk.opsets.end() ? 0 : version->second;
  walk.digester.add(domain).add(node.op_type()).add(static_cast<std::uint64_t>(number));
  add_unknown(walk.digester, node, kNodeMetadata);
  if (is_function) {
    const auto function = function_content(key);
    if (!function) return function.error();
    walk.digester.add(*(*function)->digest);
    walk.content.nested = true;
    if ((*function)->only_itself) walk.content.only_itself = (*function)->only_itself;
    if ((*function)->hidden) walk.content.hidden = (*function)->hidden;
  } else if (!domain.empty() && domain != "ai.onnx.ml") {
    walk.content.only_itself = fmt::format("nothing is known of domain '{}'", printable(domain));
  } else if (domain.empty() && is_random(node, number)) {
    walk.content.only_itself = node.op_type() + " is random";
  }
  return Done{};
}

Status ContentDigester::add_attributes(Walk& walk, const ::onnx::NodeProto& node,
                                       const Scope* scope) {
  std::map<std::string, const ::onnx::AttributeProto*> sorted;
  for (const auto& attribute : node.attribute()) {
    if (!sorted.emplace(attribute.name(), &attribute).second) {
      return Error{fmt::format("attribute '{}' stands twice", printable(attribute.name()))};
    }
  }
  walk.digester.add(std::uint64_t{sorted.size()});
  for (const auto& [name, attribute] : sorted) {
    if (auto done = add_attribute(walk, *attribute, scope); !done) {
      return std::move(done).error().within(fmt::format("attribute '{}'", printable(name)));
    }
  }
  return Done{};
}

Status ContentDigester::add_attribute(Walk& walk, const ::onnx::AttributeProto& attribute,
                                      const Scope* scope) {
  if (!attribute.has_type()) return Error{"no type"};
  if (holds_another_kind(attribute))
    return Error{"holds a value that is not of the type it says it has"};
  if (!attribute.ref_attr_name().empty() && !walk.in_function)
    return Error{"refers to an attribute of a function"};
  walk.digester.add(attribute.name())
      .add(static_cast<std::uint64_t>(attribute.type()))
      .add(attribute.ref_attr_name());
  add_unknown(walk.digester, attribute);
  return add_value(walk, attribute, scope);
}

Status ContentDigester::add_value(Walk& walk, const ::onnx::AttributeProto& attribute,
                                  const Scope* scope) {
  Digester& out = walk.digester;
  out.add(std::uint64_t{std::bit_cast<std::uint32_t>(attribute.f())})
      .add(static_cast<std::uint64_t>(attribute.i()));
  out.add(attribute.s());
  add_count(out, attribute.floats_size());
  for (const float x : attribute.floats()) out.add(std::uint64_t{std::bit_cast<std::uint32_t>(x)});
  add_count(out, attribute.ints_size());
  for (const auto x : attribute.ints()) out.add(static_cast<std::uint64_t>(x));
  add_count(out, attribute.strings_size());
  for (const auto& text : attribute.strings()) out.add(text);
  out.add(attribute.tp().SerializeAsString());
  add_count(out, attribute.type_protos_size());
  for (const auto& type : attribute.type_protos()) out.add(type.SerializeAsString());
  Status done = Done{};
  add_count(out, attribute.tensors_size() + (attribute.has_t() ? 1 : 0));
  if (attribute.has_t()) done = add_tensor(walk, attribute.t());
  for (int i = 0; done && i < attribute.tensors_size(); ++i)
    done = add_tensor(walk, attribute.tensors(i));
  add_count(out, attribute.sparse_tensors_size() + (attribute.has_sparse_tensor() ? 1 : 0));
  if (done && attribute.has_sparse_tensor()) done = add_sparse(walk, attribute.sparse_tensor());
  for (int i = 0; done && i < attribute.sparse_tensors_size(); ++i)
    done = add_sparse(walk, attribute.sparse_tensors(i));
  add_count(out, attribute.graphs_size() + (attribute.has_g() ? 1 : 0));
  if (done && attribute.has_g()) done = add_graph(walk, attribute.g(), scope);
  for (int i = 0; done && i < attribute.graphs_size(); ++i)
    done = add_graph(walk, attribute.graphs(i), scope);
  return done;
}

Status ContentDigester::add_tensor(Walk& walk, const ::onnx::TensorProto& tensor) {
  const auto read = read_tensor(tensor, file_);
  if (!read) return read.error();
  walk.digester.add((*read)->digest());
  add_unknown(walk.digester, tensor, kTensorMetadata);
  return Done{};
}

Status ContentDigester::add_sparse(Walk& walk, const ::onnx::SparseTensorProto& sparse) {
  add_count(walk.digester, sparse.dims_size());
  for (const auto extent : sparse.dims()) walk.digester.add(static_cast<std::uint64_t>(extent));
  if (auto done = add_tensor(walk, sparse.values()); !done) return done;
  return add_tensor(walk, sparse.indices());
}

// The format wants names to be unique across nested graphs; runtimes do not agree on what they mean
// where they are not. What a function calls its values nobody else can see.
void ContentDigester::define(Walk& walk, const std::string& name, Scope& scope) {
  if (name.empty()) return;
  if (scope.outer != nullptr && scope.outer->has(name)) walk.content.hidden = name;
  scope.names.insert(name);
  if (!walk.in_function) walk.content.inner.insert(name);
}

// A name that the nested graphs define is itself; any other is an outer value, by the order of its
// first use.
Status ContentDigester::add_read(Walk& walk, const std::string& name, const Scope& scope) {
  if (name.empty()) {
    walk.digester.add("absent");
    return Done{};
  }
  if (scope.has(name)) {
    walk.digester.add("local").add(name);
    return Done{};
  }
  if (walk.in_function) return Error{fmt::format("'{}' is not defined", printable(name))};
  auto& captured = walk.content.captured;
  const auto [it, is_new] = walk.places.emplace(name, captured.size());
  walk.digester.add("captured").add(static_cast<std::uint64_t>(it->second));
  if (is_new) captured.push_back(name);
  return Done{};
}

Status ContentDigester::add_nested_node(Walk& walk, const ::onnx::NodeProto& node,
                                        const Scope& scope) {
  if (auto done = add_operator(walk, node); !done) return done;
  add_count(walk.digester, node.input_size());
  for (const auto& name : node.input()) {
    if (auto done = add_read(walk, name, scope); !done) return done;
  }
  add_count(walk.digester, node.output_size());
  for (const auto& name : node.output()) walk.digester.add(name);
  return add_attributes(walk, node, &scope);
}

Status ContentDigester::add_graph(Walk& walk, const ::onnx::GraphProto& graph, const Scope* outer) {
  walk.content.nested = true;
  Scope scope{outer, {}};
  Digester& out = walk.digester;
  add_unknown(out, graph, kGraphMetadata);
  add_count(out, graph.input_size());
  for (const auto& input : graph.input()) {
    define(walk, input.name(), scope);
    out.add(input.name()).add(input.type().SerializeAsString());
  }
  add_count(out, graph.initializer_size());
  for (const auto& tensor : graph.initializer()) {
    define(walk, tensor.name(), scope);
    out.add(tensor.name());
    if (auto done = add_tensor(walk, tensor); !done) return done;
  }
  add_count(out, graph.sparse_initializer_size());
  for (const auto& sparse : graph.sparse_initializer()) {
    define(walk, sparse.values().name(), scope);
    out.add(sparse.values().name());
    if (auto done = add_sparse(walk, sparse); !done) return done;
  }
  if (const auto unchecked = unchecked_.find(&graph); unchecked != unchecked_.end()) {
    out.add("declared");
    for (const auto& [name, type] : unchecked->second) out.add(name).add(type);
  }
  add_count(out, graph.quantization_annotation_size());
  for (const auto& note : graph.quantization_annotation()) out.add(note.SerializeAsString());
  add_count(out, graph.node_size());
  for (const auto& node : graph.node()) {
    if (auto done = add_nested_node(walk, node, scope); !done) {
      return std::move(done).error().within(
          fmt::format("nested node '{}'", printable(node.name())));
    }
    for (const auto& name : node.output()) define(walk, name, scope);
  }
  add_count(out, graph.output_size());
  for (const auto& output : graph.output()) {
    if (auto done = add_read(walk, output.name(), scope); !done) return done;
    out.add(output.type().SerializeAsString());
  }
  return Done{};
}

Result<const ContentDigester::Function*> ContentDigester::function_content(const FunctionKey& key) {
  Function& function = functions_.at(key);
  if (function.digest) return &function;
  const auto where =
      fmt::format("function {}", printable(std::get<0>(key) + "::" + std::get<1>(key)));
  if (open_.contains(key)) return Error{fmt::format("{}: calls itself", where)};
  if (open_.size() >= kDeepestCall)
    return Error{fmt::format("{}: calls nested too deeply", where), ErrorKind::Unsupported};
  open_.insert(key);
  const auto& proto = *function.proto;
  const auto opsets = opset_table(proto.opset_import());
  if (!opsets) return opsets.error();
  if (auto plain = check_defaults(proto); !plain) return std::move(plain).error().within(where);
  NodeContent content;
  Digester digester("function");
  Walk walk{digester, *opsets, content, true};
  Scope scope{nullptr, {proto.input().begin(), proto.input().end()}};
  add_opsets(digester, *opsets);
  add_unknown(digester, proto, kFunctionMetadata);
  for (const auto* names : {&proto.input(), &proto.output(), &proto.attribute()}) {
    add_count(digester, names->size());
    for (const auto& name : *names) digester.add(name);
  }
  add_count(digester, proto.node_size());
  for (const auto& node : proto.node()) {
    if (auto done = add_nested_node(walk, node, scope); !done)
      return std::move(done).error().within(where);
    scope.names.insert(node.output().begin(), node.output().end());
  }
  for (const auto& output : proto.output()) {
    if (!scope.has(output))
      return Error{fmt::format("{}: nothing makes output '{}'", where, printable(output))};
  }
  open_.erase(key);
  function.digest = digester.finish();
  function.only_itself = content.only_itself;
  function.hidden = content.hidden;
  return &function;
}

}  // namespace pet::onnx_io
