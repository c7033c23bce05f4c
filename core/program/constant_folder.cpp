#include "core/program/constant_folder.h"

#include <algorithm>

#include "core/eval/rounding.h"
#include "core/program/subprogram.h"
#include "core/util/printable.h"

namespace pet {
namespace {

// Operators that constants alone decide.
bool is_foldable(const Node& node, bool depends_on_inputs) {
  return node.op() != nullptr && !node.operands.empty() && !depends_on_inputs;
}

}  // namespace

ConstantFolder::ConstantFolder(const Graph& original, std::size_t threads, std::stop_token stop)
    : threads_(threads), stop_(std::move(stop)) {
  for (const Node& node : original.nodes()) {
    const Tensor* tensor = node.constant();
    if (tensor != nullptr && tensor->type().dtype == DType::Float && tensor->floats().size() > 1)
      symbols_.insert(tensor->digest());
  }
}

// The value `id` of `program` inside the weight programs, with the original's constants as inputs.
Result<NodeId> ConstantFolder::copy_program(const Graph& program, NodeId id,
                                            std::map<NodeId, NodeId>& place) {
  if (const auto it = place.find(id); it != place.end()) return it->second;
  const Node& node = program.node(id);
  if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what)) {
    const Digest& digest = (*leaf)->digest();
    return place[id] = symbols_.contains(digest) ? programs_.add_input(digest.hex(), node.type)
                                                 : programs_.add_constant(*leaf);
  }
  std::vector<NodeId> operands;
  for (const NodeId operand : node.operands) {
    auto copied = copy_program(program, operand, place);
    if (!copied) return copied;
    operands.push_back(*copied);
  }
  auto made = programs_.add(*node.op(), std::move(operands));
  if (made) place[id] = *made;
  return made;
}

// One program.
class ConstantFolder::Folding {
 public:
  Folding(ConstantFolder& folder, const Graph& program) : folder_(folder), program_(program) {}

  Result<Graph> run() {
    const auto depends = program_.depends_on_inputs();
    for (const NodeId id : program_.inputs())
      place_[id] = builder_.add_input(program_.node(id).input()->name, program_.node(id).type);
    for (const NodeId id : program_.ids()) {
      const Node& node = program_.node(id);
      if (node.op() == nullptr || is_foldable(node, depends[id.index()] != 0)) continue;
      if (auto made = computed(id); !made) return std::move(made).error();
    }
    for (const NodeId id : program_.outputs()) {
      const auto output = operand(id);
      if (!output) return output.error();
      builder_.add_output(*output);
    }
    return std::move(builder_).build();
  }

 private:
  Result<NodeId> computed(NodeId id) {
    std::vector<NodeId> operands;
    for (const NodeId operand_id : program_.node(id).operands) {
      auto copied = operand(operand_id);
      if (!copied) return copied;
      operands.push_back(*copied);
    }
    auto made = copy_node(builder_, program_.node(id), std::move(operands));
    if (made) place_[id] = *made;
    return made;
  }

  Result<NodeId> operand(NodeId id) {
    if (const auto it = place_.find(id); it != place_.end()) return it->second;
    const Node& node = program_.node(id);
    if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what))
      return place_[id] = builder_.add_constant(*leaf, node.name);
    auto value = correctly_rounded(program_, id, folder_.threads_, folder_.stop_);
    if (!value && value.error().kind == ErrorKind::Stopped)
      return std::move(value).error().within("a folded constant");
    if (!value) {
      folder_.left_.push_back({described(node), value.error().message});
      return computed(id);
    }
    // A number that is no weight is what it is, not the float nearest to it.
    const bool is_exact = reads_symbol(id) || is_exactly(id, value->floats().size());
    if (!is_exact) {
      folder_.left_.push_back({described(node), "it follows from no weight and is no float"});
      return computed(id);
    }
    if (auto noted = folder_.note(program_, id, value->digest(), programs_); !noted)
      return std::move(noted).error();
    return place_[id] = builder_.add_constant(std::make_shared<const Tensor>(*std::move(value)));
  }

  bool reads_symbol(NodeId id) {
    if (const auto it = reads_symbol_.find(id); it != reads_symbol_.end()) return it->second;
    const Node& node = program_.node(id);
    const Tensor* tensor = node.constant();
    bool out = tensor != nullptr && folder_.symbols_.contains(tensor->digest());
    for (const NodeId operand : node.operands) out = reads_symbol(operand) || out;
    return reads_symbol_[id] = out;
  }

  bool is_exactly(NodeId id, std::size_t elements) const {
    for (std::size_t i = 0; i < elements; ++i) {
      const auto exactly = is_exactly_a_float(program_, id, static_cast<Dim>(i));
      if (!exactly || !*exactly) return false;
    }
    return true;
  }

  static std::string described(const Node& node) {
    const std::string name(node.op()->def->name);
    return node.name.empty() ? name : name + " '" + printable(node.name) + "'";
  }

  ConstantFolder& folder_;
  const Graph& program_;
  std::map<NodeId, NodeId> place_;
  std::map<NodeId, NodeId> programs_;  // where a value stands among the weight programs
  std::map<NodeId, bool> reads_symbol_;
  GraphBuilder builder_;
};

// That the value of `id` in `program`, rounded, is the constant `digest`.
Status ConstantFolder::note(const Graph& program, NodeId id, const Digest& digest,
                            std::map<NodeId, NodeId>& place) {
  if (std::find(results_.begin(), results_.end(), digest) != results_.end()) return Done{};
  const auto made = copy_program(program, id, place);
  if (!made) return made.error();
  programs_.add_output(*made);
  results_.push_back(digest);
  return Done{};
}

Result<Graph> ConstantFolder::fold(const Graph& program) { return Folding(*this, program).run(); }

WeightPrograms ConstantFolder::programs() && {
  return {std::move(programs_).build(), std::move(results_)};
}

}  // namespace pet
