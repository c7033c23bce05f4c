#include "tests/fuzz/sabotage.h"

#include <algorithm>

#include "core/ir/builder.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::fuzz {
namespace {

void claim_all(OutputVerdict& out) {
  out.outcome = Outcome::Equivalent;
  out.equal = out.elements;
  out.different = out.undecided = 0;
  out.wrong = {};
  out.witness.reset();
}

class Everywhere final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "everywhere"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    Verdict verdict = BitmapChecker().check(original, mutant, options);
    std::for_each(verdict.outputs.begin(), verdict.outputs.end(), claim_all);
    return verdict;
  }
};

class Last final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "last"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    Verdict verdict = BitmapChecker().check(original, mutant, options);
    for (OutputVerdict& out : verdict.outputs) {
      const Shape flat = out.wrong.basis.flat();
      Shape last;
      for (const Dim extent : flat) last.push_back(extent - 1);
      auto& boxes = out.wrong.boxes;
      const auto it =
          std::find_if(boxes.begin(), boxes.end(), [&](const Box& b) { return b.contains(last); });
      if (it == boxes.end() || out.wrong.volume() != 1) continue;
      claim_all(out);
    }
    return verdict;
  }
};

class Witness final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "witness"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    Verdict verdict = BitmapChecker().check(original, mutant, options);
    for (OutputVerdict& out : verdict.outputs) {
      if (out.witness) out.witness->mutant += 1e-3;
    }
    return verdict;
  }
};

class Parameters final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "parameters"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return BitmapChecker().check(defaulted(original), defaulted(mutant), options);
  }

 private:
  static Graph defaulted(const Graph& graph) {
    GraphBuilder builder;
    std::vector<NodeId> ids;
    for (const Node& node : graph.nodes()) {
      std::vector<NodeId> operands;
      for (const NodeId operand : node.operands) operands.push_back(ids[operand.index()]);
      if (node.input() != nullptr) {
        ids.push_back(builder.add_input(node.input()->name, node.type));
      } else if (const auto* constant = std::get_if<ConstantLeaf>(&node.what)) {
        ids.push_back(builder.add_constant(*constant));
      } else if (node.op()->def->lower == nullptr) {
        ids.push_back(
            builder.add_opaque(node.op()->text("what"), {}, std::move(operands), node.type));
      } else {
        Op op = *node.op();
        for (const AttrDef& attr : op.def->attrs) {
          if (attr.role == AttrRole::Parameter && !attr.required)
            op.attrs.set(attr.name, attr.standard);
        }
        ids.push_back(*builder.add(std::move(op), std::move(operands)));
      }
    }
    for (const NodeId output : graph.outputs()) builder.add_output(ids[output.index()]);
    return std::move(builder).build();
  }
};

}  // namespace

std::unique_ptr<EquivalenceChecker> sabotaged(std::string_view name) {
  if (name == "everywhere") return std::make_unique<Everywhere>();
  if (name == "last") return std::make_unique<Last>();
  if (name == "witness") return std::make_unique<Witness>();
  if (name == "parameters") return std::make_unique<Parameters>();
  return nullptr;
}

}  // namespace pet::fuzz
