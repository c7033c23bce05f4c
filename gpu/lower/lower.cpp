#include "gpu/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ir/builder.h"
#include "core/util/printable.h"
#include "gpu/kernel/from_meaning.h"
#include "gpu/kernel/index.h"
#include "gpu/lower/arena.h"
#include "gpu/lower/library.h"

namespace pet::gpu {
namespace {

// Larger expressions become a kernel of their own, and so does what several read, unless it only
// moves elements.
constexpr std::size_t kMostWorkOnTheWay = 64;
constexpr std::size_t kMostWorkOfMovement = 12;
constexpr int kMostDepth = 48;

// A buffer as a node sees it. Loads of expressions name these by number.
struct Sight {
  BufferId buffer;
  Shape shape;
  auto operator<=>(const Sight&) const = default;
};

// What became of a node: elements of a buffer in their order, or what each is computed as.
struct Value {
  std::optional<BufferId> buffer;
  ExpressionRef deferred;  // of the axes of its shape
};

bool only_moves(const ExpressionRef& e) {
  return std::ranges::all_of(in_order(e), [](const Expression* node) {
    return node->kind == Expression::Kind::Load || node->kind == Expression::Kind::Number ||
           node->kind == Expression::Kind::Guarded;
  });
}

class Lowering {
 public:
  Lowering(const Graph& graph, const ConvolutionRefusal& refusal, Fusion fusion)
      : graph_(graph),
        refusal_(refusal),
        fusion_(fusion),
        needed_(graph.needed_by_outputs()),
        depends_(graph.depends_on_inputs()),
        readers_(needed_readers()),
        values_(graph.nodes().size()) {}

  Result<Plan> lower() {
    for (const NodeId id : graph_.ids()) {
      if (auto status = check(id); !status) return std::move(status).error();
    }
    find_library_forms();
    for (const NodeId id : graph_.ids()) {
      if (needed_[id.index()] == 0 && graph_.node(id).input() == nullptr) continue;
      if (auto status = lower_node(id); !status) return std::move(status).error();
    }
    for (const NodeId id : graph_.inputs()) plan_.inputs.push_back(*values_[id.index()].buffer);
    for (const NodeId id : graph_.outputs()) plan_.outputs.push_back(buffer_of(id));
    lay_out(plan_);
    return std::move(plan_);
  }

 private:
  class Operands;

  // An output has one reader more than nodes.
  std::vector<std::vector<NodeId>> needed_readers() const {
    std::vector<std::vector<NodeId>> out(graph_.nodes().size());
    for (const NodeId id : graph_.ids()) {
      if (needed_[id.index()] == 0) continue;
      for (const NodeId operand : graph_.node(id).operands) out[operand.index()].push_back(id);
    }
    for (const NodeId id : graph_.outputs()) out[id.index()].push_back(id);
    return out;
  }

  // Of one without a definition as its file has it: "domain::Operator output 0".
  static std::string name_of(const Op& op) {
    if (op.def != &opaque_operator()) return op.def->name;
    const std::string& name = op.text("what");
    return name.starts_with("::") ? name.substr(2) : name;
  }

  Status check(NodeId id) const {
    if (needed_[id.index()] == 0) return Done{};
    const Node& node = graph_.node(id);
    const std::string what =
        node.op() == nullptr ? "" : " (" + printable(name_of(*node.op())) + ")";
    if (node.op() != nullptr && !graph_.has_meaning(id))
      return Error{fmt::format("'{}'{} has no definition here, and no kernel can be made of it",
                               printable(node.name), what),
                   ErrorKind::Unsupported};
    if (node.type.dtype == DType::Float && node.type.shape) return Done{};
    return Error{fmt::format("'{}'{} holds {}, and kernels compute with floats alone",
                             printable(node.name), what, to_string(node.type.dtype)),
                 ErrorKind::Unsupported};
  }

  void find_library_forms() {
    std::vector<char> taken(graph_.nodes().size(), 0);
    const std::vector<char> all(taken.size(), 1);  // what is taken cannot be added to a product
    for (const NodeId id : graph_.ids()) {
      if (needed_[id.index()] == 0 || taken[id.index()] != 0 || graph_.node(id).op() == nullptr)
        continue;
      if (count(shape(id)) == 0) continue;
      auto [found, remark] =
          library_form(graph_, id, readers_, fusion_ == Fusion::All ? taken : all, refusal_);
      if (!remark.empty()) remarks_[id] = std::move(remark);
      if (!found) continue;
      taken[id.index()] = 1;
      for (const EpilogueStep& step : found->steps) taken[step.node.index()] = 1;
      if (found->last() != id) absorbed_[id] = found->last();
      for (const EpilogueStep& step : found->steps) absorbed_[step.node] = found->last();
      libraries_.emplace(found->last(), *std::move(found));
    }
  }

  const Shape& shape(NodeId id) const { return *graph_.node(id).type.shape; }

  Status lower_node(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.input() != nullptr) {
      const bool holds_floats = node.type.dtype == DType::Float && node.type.shape;
      values_[id.index()] = {add_buffer({.role = Role::Input,
                                         .elements = holds_floats ? count(shape(id)) : 0,
                                         .name = node.input()->name,
                                         .constant = nullptr}),
                             nullptr};
      return Done{};
    }
    if (const auto* constant = std::get_if<ConstantLeaf>(&node.what)) {
      lower_constant(id, *constant);
      return Done{};
    }
    if (const auto found = libraries_.find(id); found != libraries_.end()) {
      lower_library(found->second);
      return Done{};
    }
    if (absorbed_.contains(id)) return Done{};
    return lower_meaning(id);
  }

  // Of one element it is a number of the code.
  void lower_constant(NodeId id, const ConstantLeaf& constant) {
    if (count(shape(id)) == 1) values_[id.index()].deferred = number(constant->floats()[0]);
    constants_[id] = constant;
  }

  BufferId buffer_of_constant(NodeId id) {
    const auto& tensor = constants_.at(id);
    return add_buffer({.role = Role::Constant,
                       .elements = count(shape(id)),
                       .name = graph_.node(id).name,
                       .constant = tensor});
  }

  BufferId add_buffer(Buffer buffer) {
    plan_.buffers.push_back(std::move(buffer));
    return BufferId(plan_.buffers.size() - 1);
  }

  BufferId new_buffer(Dim elements, const std::string& name) {
    return add_buffer(
        {.role = Role::Value, .elements = elements, .name = name, .constant = nullptr});
  }

  // Whatever it is now, from now on it is a buffer.
  BufferId buffer_of(NodeId id) {
    Value& value = values_[id.index()];
    if (!value.buffer && constants_.contains(id)) value.buffer = buffer_of_constant(id);
    if (!value.buffer)
      value.buffer = launch({.out = shape(id), .folds = {}, .value = value.deferred}, {id});
    if (!constants_.contains(id)) value.deferred = nullptr;
    return *value.buffer;
  }

  int sight_of(BufferId buffer, const Shape& as) {
    const auto [found, is_new] = sights_.emplace(Sight{buffer, as}, static_cast<int>(seen_.size()));
    if (is_new) seen_.push_back(found->first);
    return found->second;
  }

  // A kernel of its own; the buffer that it writes.
  BufferId launch(Body body, std::vector<NodeId> nodes) {
    const BufferId result = new_buffer(count(body.out), name_of(nodes));
    if (count(body.out) == 0) return result;
    if (body.folds.empty() && body.value->kind == Expression::Kind::Number) {
      add_launch(Fill{result, body.value->number}, std::move(nodes));
      return result;
    }
    KernelLaunch made{.kernel = {}, .reads = {}, .result = result};
    std::vector<Shape> reads;
    const auto numbers = local_numbers(body, made.reads, reads);
    for (FoldStep& fold : body.folds) {
      fold.element = with_buffers(fold.element, numbers);
      fold.result = with_buffers(fold.result, numbers);
    }
    body.value = with_buffers(body.value, numbers);
    made.kernel = make_kernel(std::move(body), std::move(reads));
    const auto why = nodes.empty() ? remarks_.end() : remarks_.find(nodes.front());
    add_launch(std::move(made), std::move(nodes), why == remarks_.end() ? "" : why->second);
    return result;
  }

  template <class What>
  void add_launch(What what, std::vector<NodeId> nodes, std::string remark = {}) {
    plan_.launches.push_back(
        {.what = std::move(what), .nodes = std::move(nodes), .remark = std::move(remark)});
  }

  std::string name_of(const std::vector<NodeId>& nodes) const {
    return nodes.empty() ? "" : graph_.node(nodes.back()).name;
  }

  // By sight its number in the kernel, in the order in which the kernel meets them.
  std::vector<int> local_numbers(const Body& body, std::vector<BufferId>& buffers,
                                 std::vector<Shape>& shapes) const {
    std::vector<int> numbers(seen_.size(), -1);
    const auto meet = [&](const ExpressionRef& root) {
      for (const Expression* e : in_order(root)) {
        if (e->kind != Expression::Kind::Load) continue;
        int& number = numbers[static_cast<std::size_t>(e->which)];
        if (number >= 0) continue;
        number = static_cast<int>(buffers.size());
        buffers.push_back(seen_[static_cast<std::size_t>(e->which)].buffer);
        shapes.push_back(seen_[static_cast<std::size_t>(e->which)].shape);
      }
    };
    for (const FoldStep& fold : body.folds) {
      meet(fold.element);
      meet(fold.result);
    }
    meet(body.value);
    return numbers;
  }

  Status lower_meaning(NodeId id);

  // Read through where that is cheap, and no work is done twice.
  bool may_wait(NodeId id, const Body& body) const {
    if (!body.folds.empty() || body.value->depth > kMostDepth) return false;
    if (fusion_ == Fusion::None) return body.value->kind == Expression::Kind::Number;
    const bool moves = only_moves(body.value);
    if (depends_[id.index()] == 0 && body.value->kind != Expression::Kind::Number) return false;
    if (readers_[id.index()].size() > 1) return moves && work_of(body.value) <= kMostWorkOfMovement;
    return work_of(body.value) <= kMostWorkOnTheWay;
  }

  // The buffer whose elements it is, in their order.
  std::optional<BufferId> renamed(NodeId id, const Body& body) const {
    if (!body.folds.empty() || body.value->kind != Expression::Kind::Load) return std::nullopt;
    const Sight& sight = seen_[static_cast<std::size_t>(body.value->which)];
    if (count(sight.shape) != count(shape(id)) ||
        !is_position(offset_of(body.value->index, sight.shape, body.out), body.out) ||
        !guards_inside(body.value->index, sight.shape, body.out).empty())
      return std::nullopt;
    return sight.buffer;
  }

  void lower_library(const Library& it) {
    const auto operand = [&](NodeId id, View& view) { view.buffer = buffer_of(id); };
    std::vector<NodeId> nodes = {it.product.node};
    for (const EpilogueStep& step : it.steps) nodes.push_back(step.node);
    auto form = it.form;
    if (auto* c = std::get_if<Convolution>(&form)) {
      operand(it.product.data, c->data);
      operand(it.product.weight, c->weight);
      finish(it, *c, c->result.extents[1]);
      c->result.buffer = new_buffer(count(shape(it.last())), graph_.node(it.last()).name);
      values_[it.last().index()].buffer = c->result.buffer;
      add_launch(std::move(*c), std::move(nodes), it.remark);
      return;
    }
    MatrixProduct p = with_operands(it);
    finish(it, p, p.result.extents[2]);
    p.result.buffer = new_buffer(count(shape(it.last())), graph_.node(it.last()).name);
    values_[it.last().index()].buffer = p.result.buffer;
    add_launch(std::move(p), std::move(nodes));
  }

  // A value that waits, and is a buffer read with other strides.
  struct Strided {
    BufferId buffer;
    std::vector<Dim> strides;
  };
  std::optional<Strided> strided(NodeId id) const {
    const ExpressionRef& value = values_[id.index()].deferred;
    if (!value || value->kind != Expression::Kind::Load) return std::nullopt;
    const Sight& sight = seen_[static_cast<std::size_t>(value->which)];
    if (!guards_inside(value->index, sight.shape, shape(id)).empty()) return std::nullopt;
    const IndexExpr offset = offset_of(value->index, sight.shape, shape(id));
    Strided out{sight.buffer, std::vector<Dim>(shape(id).size(), 0)};
    for (const IndexExpr::Part& part : offset.parts()) {
      if (!part.is_plain_axis() || part.coefficient < 1) return std::nullopt;
      out.strides[static_cast<std::size_t>(part.axis)] = part.coefficient;
    }
    return offset.constant() == 0 ? std::optional(std::move(out)) : std::nullopt;
  }

  // A transposition before a product is one of its strides, where a library takes those.
  MatrixProduct with_operands(const Library& it) {
    const Layouts packed = row_major(graph_, it.product);
    const auto data = strided(it.product.data);
    const auto weight = strided(it.product.weight);
    for (const auto& [through_data, through_weight] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
      if ((through_data && !data) || (through_weight && !weight)) continue;
      Layouts layouts = packed;
      if (through_data) layouts.data = data->strides;
      if (through_weight) layouts.weight = weight->strides;
      auto form = as_matrix_product(it.product, layouts);
      if (!form || (adds_bias(it) && !takes_bias(*form))) continue;
      form->left.buffer = through_data ? data->buffer : buffer_of(it.product.data);
      form->right.buffer = through_weight ? weight->buffer : buffer_of(it.product.weight);
      return *std::move(form);
    }
    MatrixProduct out = std::get<MatrixProduct>(it.form);
    out.left.buffer = buffer_of(it.product.data);
    out.right.buffer = buffer_of(it.product.weight);
    return out;
  }

  template <class Form>
  void finish(const Library& it, Form& form, Dim features) {
    const auto bias = [&](NodeId id) { form.bias = View{buffer_of(id), {features}, {1}}; };
    if (it.product.bias) bias(*it.product.bias);
    for (const EpilogueStep& step : it.steps) {
      if (step.kind == EpilogueStep::Kind::Relu) form.relu = true;
      if (step.kind == EpilogueStep::Kind::Bias) bias(*step.operand);
      if (step.kind != EpilogueStep::Kind::Residual) continue;
      form.residual = form.result;
      form.residual->buffer = buffer_of(*step.operand);
    }
  }

  const Graph& graph_;
  const ConvolutionRefusal& refusal_;
  const Fusion fusion_;
  std::vector<char> needed_;
  std::vector<char> depends_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<Value> values_;  // by node
  std::map<NodeId, ConstantLeaf> constants_;
  std::map<NodeId, NodeId> absorbed_;  // by node: the last one of its launch
  std::map<NodeId, Library> libraries_;
  std::map<NodeId, std::string> remarks_;  // by product that no library computes
  std::map<Sight, int> sights_;
  std::vector<Sight> seen_;  // by number
  Plan plan_;
};

// The operands of one node, for the body of its kernel.
class Lowering::Operands final : public Surroundings {
 public:
  Operands(Lowering& lowering, NodeId node) : lowering_(lowering), node_(node) {}

  ExpressionRef read(std::size_t operand, std::span<const IndexExpr> index, const Shape& extents,
                     bool in_fold) override {
    const NodeId id = lowering_.graph_.node(node_).operands[operand];
    const Value& value = lowering_.values_[id.index()];
    const bool on_the_way = value.deferred && (!in_fold || only_moves(value.deferred));
    if (!on_the_way)
      return load(lowering_.sight_of(lowering_.buffer_of(id), lowering_.shape(id)),
                  {index.begin(), index.end()});
    ExpressionRef moved = at(value.deferred, index);
    return guarded(guards_inside(index, lowering_.shape(id), extents), std::move(moved), number(0));
  }

  int keep(Body body) override {
    const Shape out = body.out;
    return lowering_.sight_of(lowering_.launch(std::move(body), {node_}), out);
  }

 private:
  Lowering& lowering_;
  NodeId node_;
};

Status Lowering::lower_meaning(NodeId id) {
  Operands operands(*this, id);
  const auto shapes = graph_.operand_shapes(id);
  auto made = body_of(graph_.meaning(id), shapes, operands);
  if (!made) return std::move(made).error().within(printable(graph_.node(id).name));
  std::optional<Body> body = with_equal_parts_shared(*std::move(made));
  Value& value = values_[id.index()];
  if (const auto buffer = renamed(id, *body)) {
    value.buffer = buffer;
  } else if (may_wait(id, *body)) {
    value.deferred = body->value;
  } else {
    value.buffer = launch(*std::move(body), {id});
  }
  return Done{};
}

}  // namespace

Result<Plan> lower(const Graph& graph, const ConvolutionRefusal& refusal, Fusion fusion) {
  return Lowering(graph, refusal, fusion).lower();
}

}  // namespace pet::gpu
