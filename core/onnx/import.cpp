// Over 400 lines: the checks of a file stand in the order in which it is read.
#include "core/onnx/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ir/builder.h"
#include "core/onnx/content.h"
#include "core/onnx/declared.h"
#include "core/onnx/element_types.h"
#include "core/onnx/inlining.h"
#include "core/onnx/node_call.h"
#include "core/onnx/node_order.h"
#include "core/onnx/read_again.h"
#include "core/onnx/result_types.h"
#include "core/onnx/schema_check.h"
#include "core/onnx/shape_arithmetic.h"
#include "core/ops/ops.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

constexpr std::int64_t kOldestIr = 3;
constexpr std::int64_t kNewestIr = 14;
constexpr std::int64_t kFirstIrWithFixedInitialisers = 4;
constexpr std::size_t kMostMissing = 1000;  // sizes that an error asks for

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

// Of the default domain, without fields of nodes that are newer than what is read here.
bool is_of_the_standard(const ::onnx::NodeProto& node) {
  return plain_domain(node.domain()).empty() && !unknown_text(node, 8) && !unknown_text(node, 10);
}

class Importer {
 public:
  Importer(std::shared_ptr<const ParsedFile> file, const ReadOptions& options, Unknown unknown,
           Calls calls)
      : file_(std::move(file)),
        graph_(file_->proto.graph()),
        options_(options),
        unknown_(unknown),
        calls_(calls) {}

  Result<Model> run() && {
    for (const auto step :
         {&Importer::read_header, &Importer::read_inputs, &Importer::read_initialisers,
          &Importer::read_sparse, &Importer::read_nodes, &Importer::read_outputs}) {
      if (auto done = (this->*step)(); !done) return std::move(done).error();
    }
    auto stale = stale_declarations(graph_, model_.values, builder_);
    if (!stale) return std::move(stale).error();
    model_.stale = *std::move(stale);
    for (const std::string& name : inner_names_) {
      if (model_.values.contains(name)) hide(name);
    }
    model_.graph = std::move(builder_).build();
    model_.origins.resize(model_.graph.nodes().size());
    model_.readings.resize(model_.graph.nodes().size());
    model_.path = file_->path;
    model_.digest = file_->digest;
    model_.file = std::move(file_);
    return std::move(model_);
  }

 private:
  Status read_header();
  Status read_inputs();
  std::optional<Dim> asked_size(const ModelInput& input, const OpenDim& open) const;
  Status check_asked_extents(const ModelInput& input) const;
  Status read_input(const ::onnx::ValueInfoProto& value, std::vector<std::string>& missing);
  Status read_initialisers();
  Status read_sparse();
  Status read_nodes();
  Status read_node(const ::onnx::NodeProto& node);
  std::optional<InPlace> in_place(const ::onnx::NodeProto& node, const Operands& operands);
  Status read_in_place(const InPlace& body);
  Result<Operands> operands_of(const ::onnx::NodeProto& node);
  Status add_constant(const ::onnx::NodeProto& node);
  Result<std::optional<std::string>> add_known(const ::onnx::NodeProto& node,
                                               const Operands& operands);
  Result<std::optional<std::string>> add_operator(const ::onnx::NodeProto& node,
                                                  const Operands& operands);
  Status add_opaque(const ::onnx::NodeProto& node, const Operands& operands,
                    const NodeContent& content);
  Status read_outputs();
  Status define(const std::string& name, NodeId id);
  Result<NodeId> find(const std::string& name) const;
  void note_origin(NodeId id);
  void note_all_extents(NodeId id, const std::vector<NodeId>& operands);
  std::vector<TensorType> types_of_opaque(const ::onnx::NodeProto& node,
                                          const Operands& operands) const;
  Reading& reading_of(NodeId id);
  Reading reading_of(const OnnxCall& call, const Operands& operands);
  void hide(const std::string& name) {
    model_.unprovable =
        fmt::format("value {} of a nested graph hides another of that name", quoted(name));
  }

  std::shared_ptr<const ParsedFile> file_;
  const ::onnx::GraphProto& graph_;
  std::set<std::string> inner_names_;  // of values in nested graphs
  const ReadOptions& options_;
  Unknown unknown_;
  Calls calls_;
  Bodies bodies_;
  std::size_t depth_ = 0;  // of bodies, one inside another
  GraphBuilder builder_;
  Infinities infinities_{builder_};
  Model model_;
  std::optional<ContentDigester> contents_;
  std::map<std::string, const ::onnx::TensorProto*> initialisers_;
  std::map<std::string, bool> open_;  // dimensions that the file leaves open: whether it names them
  std::map<std::string, std::size_t>
      makers_;  // of every value that a node makes: the node's number
  std::size_t node_number_ = 0;
};

Status Importer::read_header() {
  const auto& proto = file_->proto;
  model_.ir_version = proto.ir_version();
  if (model_.ir_version < kOldestIr || model_.ir_version > kNewestIr) {
    return Error{fmt::format("IR version {} is not supported ({} to {} are)", model_.ir_version,
                             kOldestIr, kNewestIr),
                 model_.ir_version <= 0 ? ErrorKind::Malformed : ErrorKind::Unsupported};
  }
  auto opsets = opset_table(proto.opset_import());
  if (!opsets) return std::move(opsets).error();
  if (!opsets->contains("")) return Error{"the default operator set is not imported"};
  model_.opset_imports = *opsets;
  const auto opset = opsets->at("");
  if (opset < kOldestOpset || opset > kNewestOpset) {
    return Error{
        fmt::format("operator set {} is not supported ({} to {} are){}", opset, kOldestOpset,
                    kNewestOpset,
                    opset > 0 && opset < kOldestOpset
                        ? "; --opset N has onnx.version_converter of the onnx package make "
                          "an older file newer"
                        : ""),
        opset <= 0 ? ErrorKind::Malformed : ErrorKind::Unsupported};
  }
  for (const auto& entry : proto.metadata_props()) model_.metadata[entry.key()] = entry.value();
  auto unchecked = check_types(*file_, *opsets);
  if (!unchecked) return std::move(unchecked).error();
  auto contents = ContentDigester::of_file(file_, *opsets, *std::move(unchecked));
  if (!contents) return std::move(contents).error();
  contents_ = *std::move(contents);
  if (proto.training_info_size() > 0) model_.unprovable = "the file has training information";
  for (const auto& tensor : graph_.initializer()) {
    if (!initialisers_.emplace(tensor.name(), &tensor).second) {
      return Error{fmt::format("initialiser {} stands twice", quoted(tensor.name()))};
    }
  }
  return Done{};
}

Status Importer::define(const std::string& name, NodeId id) {
  if (name.empty()) return Error{"a value without a name"};
  if (!model_.values.emplace(name, id).second)
    return Error{fmt::format("value {} is defined twice", quoted(name))};
  return Done{};
}

Result<NodeId> Importer::find(const std::string& name) const {
  if (const auto it = model_.values.find(name); it != model_.values.end()) return it->second;
  if (const auto it = makers_.find(name); it != makers_.end()) {
    const auto& maker = graph_.node(static_cast<int>(it->second));
    return Error{fmt::format(
        "reads {}, which node {} ({}) makes only of what follows: the nodes form a cycle",
        quoted(name), quoted(maker.name()), printable(maker.op_type()))};
  }
  return Error{fmt::format("reads {}, which nothing makes", quoted(name))};
}

Status Importer::read_inputs() {
  std::vector<std::string> missing;
  for (const auto& value : graph_.input()) {
    if (auto done = read_input(value, missing); !done) {
      return std::move(done).error().within(fmt::format("input {}", quoted(value.name())));
    }
  }
  if (missing.empty()) return Done{};
  std::string flags;
  for (const auto& name : missing) flags += fmt::format(" --shape {}=SIZE", printable(name));
  return Error{fmt::format("the file leaves sizes open; give them by{}", flags), ErrorKind::Usage};
}

// What somebody asked for: the dimension by its name, the whole input, or the batch.
std::optional<Dim> Importer::asked_size(const ModelInput& input, const OpenDim& open) const {
  if (const auto it = options_.dimensions.find(open.name); it != options_.dimensions.end())
    return it->second;
  if (const auto it = options_.inputs.find(input.name); it != options_.inputs.end())
    return it->second.at(open.axis);
  if (open.axis == 0 && !input.standard) return options_.batch;
  return std::nullopt;
}

// Extents that were asked for say nothing else than the file does.
Status Importer::check_asked_extents(const ModelInput& input) const {
  const auto it = options_.inputs.find(input.name);
  if (it == options_.inputs.end()) return Done{};
  const auto& shape = input.type.shape;
  bool fits = shape && shape->size() == it->second.size();
  for (std::size_t i = 0; fits && i < shape->size(); ++i)
    fits = (*shape)[i] < 0 || (*shape)[i] == it->second[i];
  if (fits) return Done{};
  return Error{fmt::format("--shape asks for extents {}, the file says {}", to_string(it->second),
                           to_string(input.type)),
               ErrorKind::Usage};
}

Status Importer::read_input(const ::onnx::ValueInfoProto& value,
                            std::vector<std::string>& missing) {
  auto declared = declared_type(value);
  if (!declared) return std::move(declared).error();
  ModelInput input{.name = value.name(),
                   .type = {declared->dtype, declared->shape},
                   .standard = nullptr,
                   .other_type = declared->other,
                   .id = {}};
  if (const auto it = initialisers_.find(value.name()); it != initialisers_.end()) {
    auto tensor = read_tensor(*it->second, file_);
    if (!tensor) return std::move(tensor).error();
    input.standard = *std::move(tensor);
    if (const auto why = contradiction(*declared, input.standard->type())) return Error{*why};
  }
  if (auto fits = check_asked_extents(input); !fits) return fits;
  for (const OpenDim& open : declared->open) {
    // "x:0" is what axis 0 of x is called that the file has no name for.
    if (open_.emplace(open.name, open.is_named).first->second != open.is_named)
      return Error{
          fmt::format("a dimension has the name {} of one that has none", printable(open.name)),
          ErrorKind::Unsupported};
    if (const auto asked = asked_size(input, open)) {
      if (*asked < 0 || *asked > kMaxElements) {
        return Error{fmt::format("--shape {}={} is no size", printable(open.name), *asked),
                     ErrorKind::Usage};
      }
      (*input.type.shape)[open.axis] = *asked;
      const auto [known, is_new] = model_.dimensions.emplace(open.name, *asked);
      if (!is_new && known->second != *asked) {
        return Error{fmt::format("--shape: {} is {} here and {} for another input",
                                 printable(open.name), *asked, known->second),
                     ErrorKind::Usage};
      }
    } else if (input.standard) {
      const Dim size = (*input.type.shape)[open.axis] = input.standard->shape()[open.axis];
      const auto [known, is_new] = model_.dimensions.emplace(open.name, size);
      if (!is_new && known->second != size) {
        return Error{fmt::format("its initialiser has {} for {}, another one has {}", size,
                                 printable(open.name), known->second)};
      }
    } else if (missing.size() < kMostMissing &&
               std::find(missing.begin(), missing.end(), open.name) == missing.end()) {
      missing.push_back(open.name);
    }
  }
  const bool complete =
      !input.type.shape ||
      std::find(input.type.shape->begin(), input.type.shape->end(), -1) == input.type.shape->end();
  if (complete && input.type.shape && !checked_count(*input.type.shape)) {
    return Error{fmt::format("extents {} are too large", to_string(*input.type.shape))};
  }
  if (input.standard && input.type.shape && input.standard->shape() != *input.type.shape) {
    return Error{fmt::format("its initialiser has extents {}", to_string(input.standard->shape())),
                 ErrorKind::Usage};
  }
  input.id = builder_.add_input(input.name, input.type);
  auto defined = define(input.name, input.id);
  model_.inputs.push_back(std::move(input));
  return defined;
}

Status Importer::read_initialisers() {
  for (const auto& proto : graph_.initializer()) {
    if (model_.values.contains(proto.name())) continue;  // an input's default
    const auto where = fmt::format("initialiser {}", quoted(proto.name()));
    if (model_.ir_version < kFirstIrWithFixedInitialisers) {
      return Error{
          fmt::format("{}: no input, as IR version {} asks for", where, model_.ir_version)};
    }
    auto tensor = read_tensor(proto, file_);
    if (!tensor) return std::move(tensor).error().within(where);
    if (auto done = define(proto.name(), builder_.add_constant(*std::move(tensor), proto.name()));
        !done) {
      return std::move(done).error().within(where);
    }
  }
  return Done{};
}

// A sparse constant is known by its content alone.
Status Importer::read_sparse() {
  for (const auto& sparse : graph_.sparse_initializer()) {
    const auto& name = sparse.values().name();
    Digester digester("sparse initialiser");
    for (const auto* part : {&sparse.values(), &sparse.indices()}) {
      const auto tensor = read_tensor(*part, file_);
      if (!tensor) return Error(tensor.error()).within(fmt::format("initialiser {}", quoted(name)));
      digester.add((*tensor)->digest());
    }
    for (const auto extent : sparse.dims()) digester.add(static_cast<std::uint64_t>(extent));
    digester.add(contents_->unchecked(name));
    const NodeId id = builder_.add_opaque("sparse initialiser", digester.finish(), {},
                                          {DType::Undefined, {}}, name);
    if (auto done = define(name, id); !done) return done;
  }
  return Done{};
}

Status Importer::read_nodes() {
  for (int i = 0; i < graph_.node_size(); ++i) {
    for (const auto& name : graph_.node(i).output())
      makers_.emplace(name, static_cast<std::size_t>(i));
  }
  makers_.erase("");
  for (const auto& node : graph_.node())
    model_.file_nodes.push_back({node.name(), node.op_type(), plain_domain(node.domain())});
  for (const std::size_t i : reading_order(graph_, makers_)) {
    const auto& node = graph_.node(static_cast<int>(i));
    node_number_ = i;
    if (auto done = read_node(node); !done) {
      const auto name = node.name().empty() ? fmt::format("number {}", i) : quoted(node.name());
      return std::move(done).error().within(
          fmt::format("node {} ({})", name, printable(node.op_type())));
    }
  }
  return Done{};
}

Result<Operands> Importer::operands_of(const ::onnx::NodeProto& node) {
  Operands operands;
  for (const auto& name : node.input()) {
    if (name.empty()) {
      operands.emplace_back();
      continue;
    }
    const auto id = find(name);
    if (!id) return id.error();
    operands.emplace_back(*id);
  }
  return operands;
}

// What stands for the node where its calls are read in their place.
std::optional<InPlace> Importer::in_place(const ::onnx::NodeProto& node, const Operands& operands) {
  constexpr std::size_t kDeepestBody = 100;
  if (calls_ == Calls::Opaque || depth_ >= kDeepestBody) return std::nullopt;
  if (const auto* function = contents_->function_of(node))
    return bodies_.of_call(node, *function, model_.opset_imports);
  if (!is_of_the_standard(node) || operands.size() != 1 || !operands[0]) return std::nullopt;
  const Tensor* condition = builder_.node(*operands[0]).constant();
  return condition == nullptr ? std::nullopt : bodies_.of_choice(node, *condition);
}

Status Importer::read_in_place(const InPlace& body) {
  for (const auto& constant : body.constants) {
    auto tensor = read_tensor(constant, file_);
    if (!tensor) return std::move(tensor).error();
    const NodeId id = builder_.add_constant(*std::move(tensor), constant.name());
    if (auto done = define(constant.name(), id); !done) return done;
  }
  ++depth_;
  for (const auto& node : body.nodes) {
    if (auto done = read_node(node); !done) return done;
  }
  --depth_;
  return Done{};
}

Status Importer::read_node(const ::onnx::NodeProto& node) {
  auto operands = operands_of(node);
  if (!operands) return std::move(operands).error();
  if (plain_domain(node.domain()).empty() && node.op_type() == "Constant")
    return add_constant(node);
  if (const auto body = in_place(node, *operands)) return read_in_place(*body);
  auto content = contents_->of_node(node);
  if (!content) return std::move(content).error();
  auto opaque_because = add_known(node, *operands);
  if (!opaque_because) return std::move(opaque_because).error();
  if (!*opaque_because) return Done{};
  if (unknown_ == Unknown::Refused) return Error{**opaque_because, ErrorKind::Unsupported};
  model_.opaque.push_back(
      {node_number_, content->only_itself ? *content->only_itself : **opaque_because});
  return add_opaque(node, *operands, *content);
}

// Nodes that are made twice were made from all that either was made from.
Reading& Importer::reading_of(NodeId id) {
  if (model_.readings.size() <= id.index()) model_.readings.resize(id.index() + 1);
  return model_.readings[id.index()];
}

// REQUIRES: the call was read
Reading Importer::reading_of(const OnnxCall& call, const Operands& operands) {
  Reading out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) continue;
    const bool is_number = builder_.node(*operands[i]).constant() != nullptr;
    if (is_number) out.computed = larger_degree(out.computed, reading_of(*operands[i]).computed);
    const auto& looked_at = call.operands[i].shape.looked_at();
    for (std::size_t axis = 0; axis < looked_at.size(); ++axis) {
      if (looked_at[axis] != 0) out.extents.emplace_back(*operands[i], axis);
    }
  }
  return out;
}

void Importer::note_origin(NodeId id) {
  if (model_.origins.size() <= id.index()) model_.origins.resize(id.index() + 1);
  if (!model_.origins[id.index()]) model_.origins[id.index()] = node_number_;
}

Status Importer::add_constant(const ::onnx::NodeProto& node) {
  auto tensor = constant_of(node, file_);
  if (!tensor && tensor.error().kind == ErrorKind::Unsupported && unknown_ == Unknown::Opaque) {
    const auto content = contents_->of_node(node);
    if (!content) return content.error();
    model_.opaque.push_back({node_number_, tensor.error().message});
    return add_opaque(node, {}, *content);
  }
  if (!tensor) return std::move(tensor).error();
  if (node.output(0).empty()) return Done{};
  const NodeId id = builder_.add_constant(*std::move(tensor), node.output(0));
  note_origin(id);
  return define(node.output(0), id);
}

// Adds the node as constants or by its definition. Gives the reason where that cannot be done and
// the node has to be opaque.
Result<std::optional<std::string>> Importer::add_known(const ::onnx::NodeProto& node,
                                                       const Operands& operands) {
  using Reason = std::optional<std::string>;
  if (!is_of_the_standard(node))
    return Reason{fmt::format("operator {} is not interpreted", printable(node.op_type()))};
  if (auto why = schema_objection(node, model_.opset(), operands, builder_))
    return Reason{std::move(why)};
  const auto constants = shape_arithmetic(node, model_.opset(), operands, builder_, file_);
  if (!constants || !*constants) {
    auto reason = add_operator(node, operands);
    if (!constants && reason && *reason) return Reason{constants.error().message};
    return reason;
  }
  if (reads_shapes(node)) model_.measured.push_back(node.input(0));
  std::vector<std::optional<int>> degrees;
  for (const auto& operand : operands)
    degrees.push_back(operand ? reading_of(*operand).computed : 0);
  const auto degree = degree_of(node, model_.opset(), operands, builder_, degrees);
  for (int k = 0; k < node.output_size(); ++k) {
    const auto& name = node.output(k);
    if (name.empty()) continue;
    const NodeId id = builder_.add_constant((**constants)[static_cast<std::size_t>(k)], name);
    note_origin(id);
    reading_of(id).computed = larger_degree(reading_of(id).computed, degree);
    if (auto done = define(name, id); !done) return std::move(done).error();
  }
  return Reason{};
}

Result<std::optional<std::string>> Importer::add_operator(const ::onnx::NodeProto& node,
                                                          const Operands& operands) {
  using Reason = std::optional<std::string>;
  const OpDef* def = ops::find(node.op_type());
  if (def == nullptr)
    return Reason{fmt::format("operator {} is not interpreted", printable(node.op_type()))};
  const auto refused = [](const Error& error) -> Result<Reason> {
    if (error.kind == ErrorKind::Unsupported) return Reason{error.message};
    return error;
  };
  auto call = make_call(node, model_.opset(), operands, builder_);
  if (!call) return refused(call.error());
  const auto imported = import_call(*def, *call);
  if (!imported) return refused(imported.error());
  std::vector<std::pair<std::string, NodeId>> results;
  for (int k = 0; k < node.output_size(); ++k) {
    if (node.output(k).empty()) continue;
    const auto id = add_imported(builder_, (*imported)[static_cast<std::size_t>(k)], operands,
                                 node.output(k), infinities_);
    if (!id) return refused(id.error());
    results.emplace_back(node.output(k), *id);
  }
  const Reading reading = reading_of(*call, operands);
  for (const auto& [name, id] : results) {
    note_origin(id);
    Reading& known = reading_of(id);
    known.extents.insert(known.extents.end(), reading.extents.begin(), reading.extents.end());
    known.computed = larger_degree(known.computed, reading.computed);
    if (auto done = define(name, id); !done) return std::move(done).error();
  }
  return Reason{};
}

Status Importer::add_opaque(const ::onnx::NodeProto& node, const Operands& operands,
                            const NodeContent& content) {
  std::vector<NodeId> read;
  for (const auto& id : operands) {
    if (id) read.push_back(*id);
  }
  for (const auto& name : content.captured) {
    const auto id = find(name);
    if (!id) return Error(id.error()).within("its nested graph");
    read.push_back(*id);
  }
  if (content.nested) {
    model_.nested = fmt::format("node '{}' ({}) holds nested graphs or calls a function",
                                printable(node.name()), printable(node.op_type()));
  }
  inner_names_.insert(content.inner.begin(), content.inner.end());
  if (content.hidden) hide(*content.hidden);
  const std::vector<TensorType> types = types_of_opaque(node, operands);
  const bool may_be_infinite = is_of_the_standard(node) && infinities_.are_among(read);
  const auto made = may_be_infinite
                        ? numbers_made(node, model_.opset(), operands, builder_, infinities_)
                        : std::nullopt;
  for (int k = 0; k < node.output_size(); ++k) {
    const auto& name = node.output(k);
    if (name.empty()) continue;
    const auto what =
        fmt::format("{}::{} output {}", plain_domain(node.domain()), node.op_type(), k);
    Digester digester("opaque result");
    digester.add(content.digest).add(static_cast<std::uint64_t>(k));
    if (content.only_itself) digester.add(name);
    if (const std::string type = contents_->unchecked(name); !type.empty())
      digester.add("declared").add(type);
    const NodeId id = builder_.add_opaque(what, digester.finish(), read,
                                          types[static_cast<std::size_t>(k)], name);
    note_origin(id);
    note_all_extents(id, read);
    infinities_.note_opaque(id, node, read, made);
    if (auto done = define(name, id); !done) return done;
  }
  return Done{};
}

// Nobody knows which of them decided what its results are.
void Importer::note_all_extents(NodeId id, const std::vector<NodeId>& operands) {
  for (const NodeId operand : operands) {
    const auto& shape = builder_.type(operand).shape;
    for (std::size_t axis = 0; shape && axis < shape->size(); ++axis)
      reading_of(id).extents.emplace_back(operand, axis);
    const bool is_number = builder_.node(operand).constant() != nullptr;
    Reading& mine = reading_of(id);
    if (is_number) mine.computed = larger_degree(mine.computed, reading_of(operand).computed);
  }
}

std::vector<TensorType> Importer::types_of_opaque(const ::onnx::NodeProto& node,
                                                  const Operands& operands) const {
  const bool may_be_another = contents_->function_of(node) != nullptr ||
                              !is_of_the_standard(node) ||
                              schema_objection(node, model_.opset(), operands, builder_);
  if (!may_be_another) return result_types(node, model_.opset_imports, operands, builder_);
  return std::vector<TensorType>(static_cast<std::size_t>(node.output_size()),
                                 {DType::Undefined, std::nullopt});
}

Status Importer::read_outputs() {
  std::set<std::string> seen;
  for (const auto& value : graph_.output()) {
    const auto where = fmt::format("output {}", quoted(value.name()));
    if (!seen.insert(value.name()).second) return Error{fmt::format("{} stands twice", where)};
    const auto it = model_.values.find(value.name());
    if (it == model_.values.end()) return Error{fmt::format("{}: nothing makes it", where)};
    auto declared = declared_type(value);
    if (!declared) return std::move(declared).error().within(where);
    TensorType as_declared{declared->dtype, declared->shape};
    if (!declared->open.empty()) as_declared.shape.reset();
    model_.outputs.push_back(
        {value.name(), builder_.type(it->second), std::move(as_declared), it->second});
    builder_.add_output(it->second);
  }
  if (model_.outputs.empty()) return Error{"a graph without outputs"};
  return Done{};
}

}  // namespace

Result<Model> import_model(std::shared_ptr<const ParsedFile> file, const ReadOptions& options,
                           Unknown unknown, Calls calls) {
  const auto where = printable(file->path.string());
  auto model = Importer(std::move(file), options, unknown, calls).run();
  if (!model) return std::move(model).error().within(where);
  return model;
}

}  // namespace pet::onnx_io

namespace pet {

Result<Model> read_model(const std::filesystem::path& path, const ReadOptions& options) {
  auto file = onnx_io::parse_file(path);
  if (!file) return std::move(file).error();
  return onnx_io::import_model(*std::move(file), options, onnx_io::Unknown::Opaque);
}

Result<std::vector<std::string>> open_dimensions(const std::filesystem::path& path) {
  const auto file = onnx_io::parse_file(path);
  if (!file) return file.error();
  const ::onnx::GraphProto& graph = (*file)->proto.graph();
  std::set<std::string> known;  // their initialiser is there
  for (const auto& initialiser : graph.initializer()) known.insert(initialiser.name());
  std::set<std::string> asked;
  std::vector<std::string> out;
  for (const auto& input : graph.input()) {
    if (known.contains(input.name())) continue;
    auto declared = onnx_io::declared_type(input);
    if (!declared)
      return std::move(declared).error().within(
          fmt::format("{}: input {}", printable(path.string()), onnx_io::quoted(input.name())));
    for (const onnx_io::OpenDim& open : declared->open)
      if (asked.insert(open.name).second) out.push_back(open.name);
  }
  return out;
}

std::vector<std::string> batch_dimensions(const Model& model) {
  std::set<std::string> out;
  for (const auto& input : model.file->proto.graph().input()) {
    const auto declared = onnx_io::declared_type(input);
    if (!declared) continue;
    for (const onnx_io::OpenDim& open : declared->open)
      if (open.axis == 0 && model.dimensions.contains(open.name)) out.insert(open.name);
  }
  return {out.begin(), out.end()};
}

Result<Model> read_again(const Model& model, const ReadOptions& options) {
  return onnx_io::import_model(model.file, options, onnx_io::Unknown::Opaque);
}

Result<Model> read_in_place(const Model& model) {
  return onnx_io::import_model(model.file, {.dimensions = model.dimensions},
                               onnx_io::Unknown::Opaque, onnx_io::Calls::InPlace);
}

}  // namespace pet
