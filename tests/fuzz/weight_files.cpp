#include "tests/fuzz/weight_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "core/program/subprogram.h"
#include "tests/fuzz/weight_numbers.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/weights.h"

namespace pet::fuzz {
namespace {

using Leaf = std::shared_ptr<const Tensor>;

// A copy of a graph inside a builder, leaf by leaf as `leaf` says; where its nodes stand.
template <class MakeLeaf>
std::vector<NodeId> copied(GraphBuilder& builder, const Graph& graph, MakeLeaf leaf) {
  std::vector<NodeId> place(graph.nodes().size());
  for (const NodeId id : graph.inputs()) place[id.index()] = leaf(builder, graph.node(id));
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (node.input() != nullptr) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    place[id.index()] =
        node.op() == nullptr ? leaf(builder, node) : *copy_node(builder, node, std::move(operands));
  }
  return place;
}

NodeId same_leaf(GraphBuilder& builder, const Node& node) {
  if (node.input() != nullptr) return builder.add_input(node.input()->name, node.type);
  return builder.add_constant(std::get<ConstantLeaf>(node.what));
}

template <class MakeLeaf>
Graph with_leaves(const Graph& graph, MakeLeaf leaf) {
  GraphBuilder builder;
  const auto place = copied(builder, graph, leaf);
  for (const NodeId id : graph.outputs()) builder.add_output(place[id.index()]);
  return std::move(builder).build();
}

Graph with_constant(const Graph& graph, const Digest& old, const Leaf& now) {
  return with_leaves(graph, [&](GraphBuilder& builder, const Node& node) {
    const bool here = node.constant() != nullptr && node.constant()->digest() == old;
    return here ? builder.add_constant(now) : same_leaf(builder, node);
  });
}

std::map<Digest, Leaf> constants_of(const Graph& graph) {
  std::map<Digest, Leaf> out;
  for (const Node& node : graph.nodes()) {
    if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what)) out[(*leaf)->digest()] = *leaf;
  }
  return out;
}

class Tampering {
 public:
  Tampering(const FilePair& honest, const WeightPrograms& other, Rng& rng)
      : honest_(honest),
        other_(other),
        rng_(rng),
        out_(honest),
        stored_(constants_of(honest.file)) {
    for (std::size_t i = 0; i < honest.programs.results.size(); ++i)
      if (stored_.contains(honest.programs.results[i])) folded_.push_back(i);
  }

  std::optional<FilePair> run() {
    using Trick = bool (Tampering::*)();
    constexpr std::array<std::pair<const char*, Trick>, kTricks> kNamed = {{
        {"one float off", &Tampering::one_float_off},
        {"one float off, unexplained", &Tampering::one_float_off_unexplained},
        {"folded in floats", &Tampering::folded_in_floats},
        {"another program", &Tampering::another_program},
        {"another tensor", &Tampering::another_tensor},
        {"an operand that a caller gives", &Tampering::overridable},
        {"programs of another file", &Tampering::of_another_file},
        {"programs exchanged", &Tampering::exchanged},
        {"no programs", &Tampering::without_programs},
    }};
    if (folded_.empty()) return std::nullopt;
    const auto& [name, trick] = kNamed[rng_.below(kTricks)];
    out_.trick = name;
    if (!(this->*trick)()) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::size_t any_result() { return folded_[rng_.below(folded_.size())]; }
  Digest& digest(std::size_t result) { return out_.programs.results[result]; }

  // Result `number` is stored as `values` now. False where nothing changes.
  bool store(std::size_t number, std::vector<float> values, bool explained) {
    const Digest old = honest_.programs.results[number];
    const Leaf now = test::float_constant(stored_.at(old)->shape(), std::move(values));
    if (now->digest() == old) return false;
    out_.file = with_constant(out_.file, old, now);
    if (explained) digest(number) = now->digest();
    return true;
  }

  bool moved(bool explained) {
    const std::size_t number = any_result();
    const auto floats = stored_.at(digest(number))->floats();
    std::vector<float> values(floats.begin(), floats.end());
    if (values.empty()) return false;
    float& x = values[rng_.below(values.size())];
    x = std::nextafterf(x, rng_.below(2) == 0 ? INFINITY : -INFINITY);
    return store(number, std::move(values), explained);
  }
  bool one_float_off() { return moved(true); }
  bool one_float_off_unexplained() { return moved(false); }

  // As a runtime would compute them, one rounding after another.
  bool folded_in_floats() {
    const std::size_t number = any_result();
    const auto graph = bound(honest_.programs, honest_.original);
    const NodeId id = graph->outputs()[number];
    const auto values = values_of<long double>(*graph, {id}, in_floats({}));
    if (!values) return false;
    std::vector<float> floats;
    for (const long double x : (*values)[id.index()].data) floats.push_back(static_cast<float>(x));
    return store(number, std::move(floats), true);
  }

  // Something else, faithfully rounded.
  bool another_program() {
    const std::size_t number = any_result();
    constexpr std::array<float, 4> kFactors = {1.0000001F, 2147483648.0F, -1, 0.99999994F};
    const float factor = kFactors[rng_.below(kFactors.size())];
    GraphBuilder builder;
    auto place = copied(builder, honest_.programs.graph, same_leaf);
    for (std::size_t i = 0; i < honest_.programs.results.size(); ++i) {
      NodeId id = place[honest_.programs.graph.outputs()[i].index()];
      if (i == number) id = *builder.add(ops::mul(), {}, {id, builder.add_scalar(factor)});
      builder.add_output(id);
    }
    out_.programs.graph = std::move(builder).build();
    const auto graph = bound(out_.programs, honest_.original);
    auto values = rounded(*graph, graph->outputs()[number]);
    return values && store(number, *std::move(values), true);
  }

  // An operand that reads a tensor of the same type, of the original where there is one.
  bool another_tensor() {
    const Graph& programs = honest_.programs.graph;
    if (programs.inputs().empty()) return false;
    const Node& operand = programs.node(programs.inputs()[rng_.below(programs.inputs().size())]);
    std::vector<std::string> others = {digest_of("a tensor that nobody has", "").hex()};
    for (const auto& [digest, tensor] : constants_of(honest_.original)) {
      const bool is_other = digest.hex() != operand.input()->name;
      if (is_other && tensor->type() == operand.type) others.push_back(digest.hex());
    }
    for (const NodeId id : programs.inputs()) std::erase(others, programs.node(id).input()->name);
    if (others.empty()) return false;
    const std::string name = others.back();
    out_.programs.graph = with_leaves(programs, [&](GraphBuilder& builder, const Node& node) {
      return &node == &operand ? builder.add_input(name, node.type) : same_leaf(builder, node);
    });
    return true;
  }

  bool overridable() {
    const Graph& programs = honest_.programs.graph;
    if (programs.inputs().empty()) return false;
    const Node& operand = programs.node(programs.inputs()[rng_.below(programs.inputs().size())]);
    for (const auto& [digest, tensor] : constants_of(honest_.original))
      if (digest.hex() == operand.input()->name) out_.standard = tensor;
    const auto as_input = [&](GraphBuilder& builder) {
      return builder.add_input("given", out_.standard->type());
    };
    GraphBuilder original;
    std::optional<NodeId> given;
    for (const NodeId id : honest_.original.inputs())
      same_leaf(original, honest_.original.node(id));
    given = as_input(original);
    const auto place =
        copied(original, honest_.original, [&](GraphBuilder& builder, const Node& node) {
          const bool here =
              node.constant() != nullptr && node.constant()->digest() == out_.standard->digest();
          return here ? *given : same_leaf(builder, node);
        });
    for (const NodeId id : honest_.original.outputs()) original.add_output(place[id.index()]);
    out_.original = std::move(original).build();
    GraphBuilder file;
    for (const NodeId id : honest_.file.inputs()) same_leaf(file, honest_.file.node(id));
    as_input(file);
    const auto there = copied(file, honest_.file, same_leaf);
    for (const NodeId id : honest_.file.outputs()) file.add_output(there[id.index()]);
    out_.file = std::move(file).build();
    return true;
  }

  bool of_another_file() {
    if (other_.results.empty()) return false;
    out_.programs = other_;
    for (std::size_t i = 0; i < std::min(folded_.size(), other_.results.size()); ++i)
      out_.programs.results[i] = honest_.programs.results[folded_[i]];
    auto sorted = out_.programs.results;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }

  bool exchanged() {
    if (folded_.size() < 2) return false;
    const std::size_t first = any_result();
    const std::size_t second = any_result();
    if (first == second) return false;
    std::swap(digest(first), digest(second));
    return true;
  }

  bool without_programs() {
    out_.programs = {};
    return true;
  }

  const FilePair& honest_;
  const WeightPrograms& other_;
  Rng& rng_;
  FilePair out_;
  std::map<Digest, Leaf> stored_;
  std::vector<std::size_t> folded_;  // results that the file holds
};

Result<Model> read_back(const Graph& graph, const WeightPrograms& programs, const Leaf& standard,
                        const std::filesystem::path& path) {
  if (auto done = write_program(graph, 17, path); !done) return std::move(done).error();
  testing::OnnxBuilder file;
  PET_CHECK(file.model.ParseFromString(testing::read_bytes(path)), "a file just written");
  if (!programs.results.empty()) {
    auto text = encoded(programs);
    if (!text) return std::move(text).error();
    auto* entry = file.model.add_metadata_props();
    entry->set_key(std::string(kWeightProgramsKey));
    entry->set_value(*std::move(text));
  }
  if (standard != nullptr) {
    const auto& inputs = file.graph().input();
    const auto floats = standard->floats();
    file.floats(inputs[inputs.size() - 1].name(), standard->shape(),
                {floats.begin(), floats.end()});
  }
  return read_model(file.save(path));
}

}  // namespace

std::optional<Graph> bound(const WeightPrograms& programs, const Graph& original) {
  const auto constants = constants_of(original);
  std::map<std::string, Leaf> named;
  for (const auto& [digest, tensor] : constants) named[digest.hex()] = tensor;
  for (const NodeId id : programs.graph.inputs()) {
    const auto it = named.find(programs.graph.node(id).input()->name);
    if (it == named.end() || it->second->type() != programs.graph.node(id).type)
      return std::nullopt;
  }
  return with_leaves(programs.graph, [&](GraphBuilder& builder, const Node& node) {
    return node.input() != nullptr ? builder.add_constant(named.at(node.input()->name))
                                   : same_leaf(builder, node);
  });
}

Result<FilePair> folded(const Pair& pair) {
  ConstantFolder folder(pair.original, 1, {});
  auto file = folder.fold(pair.mutant);
  if (!file) return std::move(file).error();
  FilePair out{{}, pair.original, std::move(file->program), {}, nullptr, folder.left().size()};
  out.programs = std::move(folder).programs();
  return out;
}

std::optional<FilePair> tampered(const FilePair& honest, const WeightPrograms& other, Rng& rng) {
  return Tampering(honest, other, rng).run();
}

Result<Models> written(const FilePair& pair) {
  const testing::ScratchFolder folder;
  auto original = read_back(pair.original, {}, pair.standard, folder / "original.onnx");
  if (!original) return std::move(original).error().within("the original");
  auto file = read_back(pair.file, pair.programs, pair.standard, folder / "folded.onnx");
  if (!file) return std::move(file).error().within("the folded file");
  return Models{*std::move(original), *std::move(file)};
}

}  // namespace pet::fuzz
