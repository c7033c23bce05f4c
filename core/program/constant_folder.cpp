#include "core/program/constant_folder.h"

#include <algorithm>

#include "core/eval/rounding.h"
#include "core/ir/copy.h"
#include "core/util/printable.h"

namespace pet {
ConstantFolder::ConstantFolder(const Graph& original, std::size_t threads, std::stop_token stop,
                               FoldedConstants* known)
    : threads_(threads), stop_(std::move(stop)), known_(known) {
  for (const Node& node : original.nodes()) {
    const Tensor* tensor = node.constant();
    if (tensor != nullptr && tensor->type().dtype == DType::Float && tensor->floats().size() > 1)
      symbols_.insert(tensor->digest());
  }
}

// One program.
class ConstantFolder::Folding {
 public:
  Folding(ConstantFolder& folder, const Graph& program)
      : folder_(folder),
        program_(program),
        depends_(program.depends_on_inputs()),
        reads_symbol_(program.nodes().size(), 0),
        programs_(program, folder.programs_,
                  {.instead = [this](NodeId id) { return in_programs(id); },
                   .name = [](NodeId) { return std::string(); }}) {
    for (const NodeId id : program.ids()) {  // operands come earlier and are known
      bool reads = is_symbol(id);
      for (const NodeId operand : program.node(id).operands)
        reads = reads || reads_symbol_[operand.index()] != 0;
      reads_symbol_[id.index()] = reads ? 1 : 0;
    }
  }

  // What is computed is kept, and everything else where that reads it.
  Result<Rewritten> run() {
    GraphBuilder builder;
    const auto instead = [&](NodeId id) { return folded(id, builder); };
    const auto keep = [&](NodeId id) {
      return program_.node(id).op() != nullptr && !is_foldable(id);
    };
    GraphCopy copy(program_, builder, {.instead = instead, .keep = keep});
    auto made = copy.build();
    if (!made) return std::move(made).error();
    return Rewritten{*std::move(made), copy.provenance()};
  }

 private:
  // An operator that constants alone decide.
  bool is_foldable(NodeId id) const {
    const Node& node = program_.node(id);
    return node.op() != nullptr && !node.operands.empty() && depends_[id.index()] == 0;
  }

  bool is_symbol(NodeId id) const {
    const Tensor* tensor = program_.node(id).constant();
    return tensor != nullptr && folder_.symbols_.contains(tensor->digest());
  }

  // Among the weight programs the original's constants are inputs.
  Result<Instead> in_programs(NodeId id) {
    if (!is_symbol(id)) return Instead(AsItIs{});
    const Node& node = program_.node(id);
    return Instead(folder_.programs_.add_input(node.constant()->digest().hex(), node.type));
  }

  Result<Instead> folded(NodeId id, GraphBuilder& builder) {
    if (!is_foldable(id)) return Instead(AsItIs{});
    const Node& node = program_.node(id);
    auto value = value_of(id);
    if (!value && value.error().kind == ErrorKind::Stopped)
      return std::move(value).error().within("a folded constant");
    if (!value) {
      folder_.left_.push_back({described(node), value.error().message});
      return Instead(AsItIs{});
    }
    // A number that is no weight is what it is, not the float nearest to it.
    const bool is_exact =
        reads_symbol_[id.index()] != 0 || is_exactly(id, (*value)->floats().size());
    if (!is_exact) {
      folder_.left_.push_back({described(node), "it follows from no weight and is no float"});
      return Instead(AsItIs{});
    }
    if (auto noted = note(id, (*value)->digest()); !noted) return std::move(noted).error();
    return Instead(builder.add_constant(*std::move(value)));
  }

  Result<std::shared_ptr<const Tensor>> value_of(NodeId id) {
    if (folder_.known_ == nullptr) return computed(id);
    const auto expression = expression_of(id);
    if (!expression) return expression.error();
    if (const auto it = folder_.known_->find(*expression); it != folder_.known_->end())
      return it->second;
    auto value = computed(id);
    if (value) folder_.known_->emplace(*expression, *value);
    return value;
  }

  Result<std::shared_ptr<const Tensor>> computed(NodeId id) {
    auto value = correctly_rounded(program_, id, folder_.threads_, folder_.stop_);
    if (!value) return std::move(value).error();
    return std::make_shared<const Tensor>(*std::move(value));
  }

  // The digest of the program that has this value alone as its output.
  Result<Digest> expression_of(NodeId id) const {
    GraphBuilder builder;
    GraphCopy copy(program_, builder);
    if (auto made = copy.make(id); !made) return std::move(made).error();
    builder.add_output(copy.at(id));
    return std::move(builder).build().digest();
  }

  // That the value, rounded, is the constant `digest`.
  Status note(NodeId id, const Digest& digest) {
    auto& results = folder_.results_;
    if (std::find(results.begin(), results.end(), digest) != results.end()) return Done{};
    if (auto made = programs_.make(id); !made) return made;
    folder_.programs_.add_output(programs_.at(id));
    results.push_back(digest);
    return Done{};
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
  std::vector<char> depends_;       // by node
  std::vector<char> reads_symbol_;  // by node
  GraphCopy programs_;              // where a value stands among the weight programs
};

Result<Rewritten> ConstantFolder::fold(const Graph& program) {
  return Folding(*this, program).run();
}

WeightPrograms ConstantFolder::programs() && {
  return {std::move(programs_).build(), std::move(results_)};
}

}  // namespace pet
