// Over 400 lines: one class, whose steps share what they know of the file.
//
// Replacing values of a file by other programs: new nodes in, nodes that only the old ones needed
// out, everything else as it was.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "core/onnx/emit.h"
#include "core/onnx/export.h"
#include "core/onnx/save.h"
#include "core/onnx/weight_programs.h"
#include "core/util/check.h"

namespace pet::onnx_io {
namespace {

// A node of the file to be written.
struct Item {
  ::onnx::NodeProto* proto = nullptr;
  std::vector<std::string> reads;
  std::size_t place = 0;    // where it wants to stand: the number of an original node
  bool was_needed = false;  // for an output of the original
  bool dropped = false;
  bool is_new = false;
};

using Names = std::set<std::string>;

// Every name used at any depth: a new one must differ from all of them.
void collect_names(const ::onnx::GraphProto& graph, Names& names) {
  for (const auto* list : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const auto& value : *list) names.insert(value.name());
  }
  for (const auto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) names.insert(tensor.values().name());
  for (const auto& node : graph.node()) {
    names.insert(node.name());
    names.insert(node.input().begin(), node.input().end());
    names.insert(node.output().begin(), node.output().end());
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) collect_names(attribute.g(), names);
      for (const auto& nested : attribute.graphs()) collect_names(nested, names);
    }
  }
}

void collect_reads(const ::onnx::GraphProto& graph, Names local, std::vector<std::string>& reads);

// The values that a node reads, those that its nested graphs capture included.
void collect_reads(const ::onnx::NodeProto& node, const Names& local,
                   std::vector<std::string>& reads) {
  for (const auto& name : node.input()) {
    if (!local.contains(name)) reads.push_back(name);
  }
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) collect_reads(attribute.g(), local, reads);
    for (const auto& nested : attribute.graphs()) collect_reads(nested, local, reads);
  }
}

void collect_reads(const ::onnx::GraphProto& graph, Names local, std::vector<std::string>& reads) {
  for (const auto& value : graph.input()) local.insert(value.name());
  for (const auto& tensor : graph.initializer()) local.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) local.insert(tensor.values().name());
  for (const auto& node : graph.node()) {
    collect_reads(node, local, reads);
    local.insert(node.output().begin(), node.output().end());
  }
  for (const auto& value : graph.output()) {
    if (!local.contains(value.name())) reads.push_back(value.name());
  }
}

class Rewriter {
 public:
  Rewriter(const Model& model, ::onnx::ModelProto& proto, OpenSizes sizes)
      : model_(model), graph_(*proto.mutable_graph()), sizes_(sizes) {}

  Status run(std::span<const Replacement> replacements) {
    take_stock();
    const auto needed = needed_items({});
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].was_needed = needed[i];
    const auto read_before = read_names();
    for (const auto& replacement : replacements) {
      if (auto done = replace(replacement); !done) return done;
    }
    drop_dead();
    std::vector<Item*> order;
    if (auto done = sort(order); !done) return done;
    put_nodes(order);
    put_initialisers(read_before);
    put_types();
    return Done{};
  }

 private:
  void take_stock();
  bool is_stored(const std::string& name) const;
  std::vector<bool> needed_items(std::vector<std::size_t> open) const;
  Names read_names() const;
  Status replace(const Replacement& replacement);
  std::string name_in_file(NodeId id, const std::string& base);
  std::vector<std::string> names_of(NodeId id) const;
  std::size_t unmake(const std::string& name);
  void drop_dead();
  Status sort(std::vector<Item*>& order);
  void put_nodes(const std::vector<Item*>& order);
  void put_initialisers(const Names& before);
  void put_types();
  void put_type(::onnx::ValueInfoProto& value) const;

  const Model& model_;
  ::onnx::GraphProto& graph_;
  OpenSizes sizes_;
  Sheet sheet_;
  std::deque<Item> items_;
  std::map<std::string, std::size_t> makers_;         // by value: the item that makes it
  std::map<NodeId, std::vector<std::string>> names_;  // of each value in the file
};

void Rewriter::take_stock() {
  sheet_.opset = model_.opset();
  sheet_.constants_as_nodes = model_.ir_version < 4;
  collect_names(graph_, sheet_.names);
  for (int i = 0; i < graph_.node_size(); ++i) {
    Item item{.proto = graph_.mutable_node(i), .reads = {}, .place = static_cast<std::size_t>(i)};
    collect_reads(*item.proto, {}, item.reads);
    for (const auto& name : item.proto->output()) makers_.emplace(name, items_.size());
    items_.push_back(std::move(item));
  }
  makers_.erase("");
  for (const auto& [name, id] : model_.values) {
    names_[id].push_back(name);
    const Tensor* tensor = model_.graph.node(id).constant();
    if (tensor != nullptr && is_stored(name)) sheet_.constants.emplace(tensor->digest(), name);
  }
}

// An initialiser or a Constant node. A constant that nodes of the file compute from shapes is none:
// whoever read it by name could come to depend on itself.
bool Rewriter::is_stored(const std::string& name) const {
  const auto it = makers_.find(name);
  return it == makers_.end() || items_[it->second].proto->op_type() == "Constant";
}

// What the outputs and some further items need, by item.
std::vector<bool> Rewriter::needed_items(std::vector<std::size_t> open) const {
  std::vector<bool> needed(items_.size(), false);
  for (const std::size_t number : open) needed[number] = true;
  const auto need = [&](const std::string& name) {
    const auto it = makers_.find(name);
    if (it == makers_.end() || needed[it->second]) return;
    needed[it->second] = true;
    open.push_back(it->second);
  };
  for (const auto& output : graph_.output()) need(output.name());
  while (!open.empty()) {
    const std::size_t number = open.back();
    open.pop_back();
    for (const auto& name : items_[number].reads) need(name);
  }
  return needed;
}

Names Rewriter::read_names() const {
  Names names;
  for (const Item& item : items_) {
    if (!item.dropped) names.insert(item.reads.begin(), item.reads.end());
  }
  for (const auto& output : graph_.output()) names.insert(output.name());
  return names;
}

// In the order in which the file makes them.
std::vector<std::string> Rewriter::names_of(NodeId id) const {
  std::vector<std::pair<std::size_t, std::string>> found;
  const auto names_there = names_.find(id);
  if (names_there == names_.end()) return {};
  for (const std::string& name : names_there->second) {
    const auto it = makers_.find(name);
    found.emplace_back(it == makers_.end() ? 0 : it->second, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [number, name] : found) names.push_back(std::move(name));
  return names;
}

std::string Rewriter::name_in_file(NodeId id, const std::string& base) {
  if (const Tensor* tensor = model_.graph.node(id).constant())
    return sheet_.constant(*tensor, base + "/constant");
  const auto names = names_of(id);
  PET_CHECK(!names.empty(), "every value but a constant has a name");
  return names.front();
}

// The old maker of a value no longer makes it.
std::size_t Rewriter::unmake(const std::string& name) {
  const auto it = makers_.find(name);
  PET_CHECK(it != makers_.end() && !items_[it->second].is_new,
            "only a node's value is replaced, and once");
  Item& item = items_[it->second];
  const std::size_t place = item.place;
  bool makes_more = false;
  for (auto& output : *item.proto->mutable_output()) {
    if (output == name) {
      output = sheet_.fresh(name + "/unused");
    } else {
      makes_more = makes_more || makers_.contains(output);
    }
  }
  if (!makes_more) item.dropped = true;
  makers_.erase(it);
  return place;
}

// What people and tools wrote beside the node that made a value goes to the node that makes it now.
void carry_over(const ::onnx::NodeProto& from, ::onnx::NodeProto& to) {
  constexpr int kMetadata = 9;  // NodeProto.metadata_props, which our library does not know yet
  if (from.has_doc_string()) to.set_doc_string(from.doc_string());
  const auto& more = from.GetReflection()->GetUnknownFields(from);
  for (int i = 0; i < more.field_count(); ++i) {
    if (more.field(i).number() == kMetadata)
      to.GetReflection()->MutableUnknownFields(&to)->AddField(more.field(i));
  }
}

Status Rewriter::replace(const Replacement& replacement) {
  const Graph& program = replacement.program;
  PET_CHECK(replacement.inputs.size() == program.inputs().size(),
            "a value for every input of the program");
  PET_CHECK(replacement.outputs.size() == program.outputs().size() && !replacement.outputs.empty(),
            "a value for every output");
  const auto& origin = model_.origins[replacement.outputs.front().index()];
  PET_CHECK(origin.has_value(), "only a node's value is replaced");
  const auto& node_name = model_.file_nodes[*origin].name;
  const auto base =
      (node_name.empty() ? names_of(replacement.outputs.front()).front() : node_name) + "/" +
      replacement.label;

  std::vector<std::string> reads;
  std::vector<std::string> makes;
  std::vector<std::pair<std::string, std::string>> copies;  // equal values under further names
  std::map<std::string, const ::onnx::NodeProto*> old_makers;
  std::size_t place = 0;
  for (std::size_t i = 0; i < replacement.inputs.size(); ++i) {
    PET_CHECK(
        model_.graph.node(replacement.inputs[i]).type == program.node(program.inputs()[i]).type,
        "inputs of the same types");
    reads.push_back(name_in_file(replacement.inputs[i], base));
  }
  for (std::size_t j = 0; j < replacement.outputs.size(); ++j) {
    PET_CHECK(
        model_.graph.node(replacement.outputs[j]).type == program.node(program.outputs()[j]).type,
        "outputs of the same types");
    const auto names = names_of(replacement.outputs[j]);
    makes.push_back(names.front());
    for (const auto& name : names) {
      if (const auto it = makers_.find(name); it != makers_.end())
        old_makers[name] = items_[it->second].proto;
      place = std::max(place, unmake(name));
      if (name != names.front()) copies.emplace_back(names.front(), name);
    }
  }
  if (auto done = emit(program, reads, makes, base, sheet_); !done) return done;
  for (const auto& [from, to] : copies) {
    auto& node = sheet_.nodes.emplace_back();
    node.set_op_type("Identity");
    node.set_name(sheet_.fresh(base + "/Identity"));
    node.add_input(from);
    node.add_output(to);
  }
  // The new nodes so far without an item are this replacement's.
  const std::size_t known = items_.size() - static_cast<std::size_t>(graph_.node_size());
  for (std::size_t i = known; i < sheet_.nodes.size(); ++i) {
    auto& node = sheet_.nodes[i];
    for (const auto& name : node.output()) {
      makers_[name] = items_.size();
      if (const auto it = old_makers.find(name); it != old_makers.end())
        carry_over(*it->second, node);
    }
    items_.push_back({.proto = &node,
                      .reads = {node.input().begin(), node.input().end()},
                      .place = place,
                      .is_new = true});
  }
  return Done{};
}

// Nodes that no output needed before stay; of the others those that no output needs now go.
void Rewriter::drop_dead() {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!items_[i].was_needed && !items_[i].is_new && !items_[i].dropped) kept.push_back(i);
  }
  const auto needed = needed_items(std::move(kept));
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i].dropped = !needed[i];
}

// Topological, as close to the wanted places as possible: each node right after what it still
// lacks.
Status Rewriter::sort(std::vector<Item*>& order) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!items_[i].dropped) wanted.push_back(i);
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](std::size_t a, std::size_t b) { return items_[a].place < items_[b].place; });
  enum class State { Waiting, Open, Placed };
  std::vector<State> states(items_.size(), State::Waiting);
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // item, next operand to look at
  for (const std::size_t root : wanted) {
    if (states[root] == State::Waiting) stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [number, next] = stack.back();
      Item& item = items_[number];
      states[number] = State::Open;
      if (next == item.reads.size()) {
        states[number] = State::Placed;
        order.push_back(&item);
        stack.pop_back();
        continue;
      }
      const auto maker = makers_.find(item.reads[next++]);
      if (maker == makers_.end() || maker->second == number ||
          states[maker->second] == State::Placed)
        continue;
      if (states[maker->second] == State::Open) {
        return Error{fmt::format("the replacement of '{}' would make a cycle", item.proto->name()),
                     ErrorKind::Tool};
      }
      stack.emplace_back(maker->second, 0);
    }
  }
  return Done{};
}

void Rewriter::put_nodes(const std::vector<Item*>& order) {
  google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
  nodes.Reserve(static_cast<int>(order.size()));
  for (Item* item : order) nodes.Add()->Swap(item->proto);
  graph_.mutable_node()->Swap(&nodes);
}

// An initialiser that something read before and nothing reads now goes, unless callers may set it.
void Rewriter::put_initialisers(const Names& before) {
  const auto now = read_names();
  Names inputs;
  for (const auto& value : graph_.input()) inputs.insert(value.name());
  google::protobuf::RepeatedPtrField<::onnx::TensorProto> kept;
  for (auto& tensor : *graph_.mutable_initializer()) {
    const auto& name = tensor.name();
    if (!before.contains(name) || now.contains(name) || inputs.contains(name))
      kept.Add()->Swap(&tensor);
  }
  for (auto& tensor : sheet_.initialisers) kept.Add()->Swap(&tensor);
  graph_.mutable_initializer()->Swap(&kept);
}

// Sizes that were given for reading hold for what was changed: they are written down.
void Rewriter::put_type(::onnx::ValueInfoProto& value) const {
  if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) return;
  auto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
  const auto it = model_.values.find(value.name());
  const auto* known =
      it == model_.values.end() ? nullptr : &model_.graph.node(it->second).type.shape;
  for (int i = 0; i < shape.dim_size(); ++i) {
    auto& dim = *shape.mutable_dim(i);
    if (dim.has_dim_value()) continue;
    if (known != nullptr && *known) {
      dim.set_dim_value((**known)[static_cast<std::size_t>(i)]);
    } else if (const auto given = model_.dimensions.find(dim.dim_param());
               given != model_.dimensions.end()) {
      dim.set_dim_value(given->second);
    }
  }
}

void Rewriter::put_types() {
  Names values;
  for (const auto& value : graph_.input()) values.insert(value.name());
  for (const auto& tensor : graph_.initializer()) values.insert(tensor.name());
  for (const auto& tensor : graph_.sparse_initializer()) values.insert(tensor.values().name());
  for (const auto& node : graph_.node()) values.insert(node.output().begin(), node.output().end());
  google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto> kept;
  for (auto& value : *graph_.mutable_value_info()) {
    if (values.contains(value.name())) kept.Add()->Swap(&value);
  }
  graph_.mutable_value_info()->Swap(&kept);
  if (sizes_ == OpenSizes::LeftOpen) return;
  for (auto* list :
       {graph_.mutable_input(), graph_.mutable_output(), graph_.mutable_value_info()}) {
    for (auto& value : *list) put_type(value);
  }
}

void add_metadata(::onnx::ModelProto& proto, const std::map<std::string, std::string>& metadata) {
  auto rest = metadata;
  for (auto& entry : *proto.mutable_metadata_props()) {
    const auto it = rest.find(entry.key());
    if (it == rest.end()) continue;
    entry.set_value(it->second);
    rest.erase(it);
  }
  for (const auto& [key, value] : rest) {
    auto* entry = proto.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
}

}  // namespace
}  // namespace pet::onnx_io

namespace pet {

Status write_rewritten(const Model& model, std::span<const Replacement> replacements,
                       const std::map<std::string, std::string>& metadata,
                       const std::filesystem::path& path, OpenSizes sizes) {
  auto copy = onnx_io::copy_for(*model.file, path);
  if (!copy) return std::move(copy).error();
  ::onnx::ModelProto& proto = *copy;
  if (!replacements.empty()) {
    // What explained this file's constants by those of another says nothing of the new one.
    auto& old = *proto.mutable_metadata_props();
    old.erase(std::remove_if(old.begin(), old.end(),
                             [](const auto& entry) { return entry.key() == kWeightProgramsKey; }),
              old.end());
    if (auto done = onnx_io::Rewriter(model, proto, sizes).run(replacements); !done) return done;
  }
  onnx_io::add_metadata(proto, metadata);
  return onnx_io::save(proto, path);
}

}  // namespace pet
