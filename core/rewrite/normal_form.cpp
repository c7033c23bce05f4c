#include "core/rewrite/normal_form.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/ir/copy.h"
#include "core/ops/ops.h"

namespace pet::rules {
namespace {

// One node of a file in its normal form.
struct Normalising {
  GraphBuilder& builder;
  const Node& node;
  std::vector<char> weights;  // of its operands: not 0 where it follows from constants alone

  const Op& op() const { return *node.op(); }
};

using Made = Result<NodeId>;
using Ids = std::vector<NodeId>;

// A form that is another than the file's: whether a node has it, and what it is.
struct Form {
  const OpDef& (*of)();
  bool (*applies)(const Normalising& at);
  Made (*make)(const Normalising& at, const Ids& operands);
};

// Convolutions with a bias.

bool is_convolution(const Node& node, std::size_t operands) {
  return node.op() != nullptr && node.op()->def == &ops::conv() &&
         node.operands.size() == operands && node.type.shape;
}

Shape shape_of_bias(const Shape& result) {
  Shape out(result.size() - 1, 1);
  out[0] = result[1];
  return out;
}

bool has_bias(const Normalising& at) { return is_convolution(at.node, 3); }

Made with_bias_behind(const Normalising& at, const Ids& operands) {
  const auto product = at.builder.add(ops::conv(), at.op().attrs, {operands[0], operands[1]});
  if (!product) return product;
  const auto bias = at.builder.add(ops::reshape(), {{"shape", shape_of_bias(*at.node.type.shape)}},
                                   {operands[2]});
  if (!bias) return bias;
  return at.builder.add(ops::add(), {}, {*product, *bias}, at.node.name);
}

// Gemm.

bool is_float(double factor) { return static_cast<double>(static_cast<float>(factor)) == factor; }

// A factor goes to what is computed once: where no operand of the kind is a weight it stays.
bool is_product_of_weights(const Normalising& at) {
  const double alpha = at.op().real("alpha");
  const double beta = at.op().real("beta");
  const bool has_addend = at.node.operands.size() == 3;
  return at.node.type.shape && alpha != 0 && is_float(alpha) &&
         (alpha == 1 || at.weights[1] != 0) &&
         (!has_addend || beta == 1 || (beta != 0 && is_float(beta) && at.weights[2] != 0));
}

Made turned(GraphBuilder& builder, NodeId matrix, bool is_turned) {
  if (!is_turned) return matrix;
  return builder.add(ops::transpose(), {{"perm", std::vector<std::int64_t>{1, 0}}}, {matrix});
}

Made multiplied(GraphBuilder& builder, Made value, double factor) {
  if (!value || factor == 1) return value;
  return builder.add(ops::mul(), {}, {*value, builder.add_scalar(static_cast<float>(factor))});
}

Made product_and_addend(const Normalising& at, const Ids& operands) {
  const Op& op = at.op();
  const auto a = turned(at.builder, operands[0], op.integer("transA") != 0);
  if (!a) return a;
  const auto b = multiplied(at.builder, turned(at.builder, operands[1], op.integer("transB") != 0),
                            op.real("alpha"));
  if (!b) return b;
  const bool has_addend = operands.size() == 3;
  const auto product = at.builder.add(ops::mat_mul(), {}, {*a, *b}, has_addend ? "" : at.node.name);
  if (!product || !has_addend) return product;
  const auto addend = multiplied(at.builder, operands[2], op.real("beta"));
  if (!addend) return addend;
  return at.builder.add(ops::add(), {}, {*product, *addend}, at.node.name);
}

// Sum, and pieces of a Split.

bool has_addends(const Normalising& at) {
  return at.node.type.shape && at.node.operands.size() > 1;
}

Made one_after_another(const Normalising& at, const Ids& operands) {
  Made sum = operands[0];
  for (std::size_t i = 1; i < operands.size() && sum; ++i)
    sum = at.builder.add(ops::add(), {}, {*sum, operands[i]},
                         i + 1 == operands.size() ? at.node.name : "");
  return sum;
}

bool has_shape(const Normalising& at) { return at.node.type.shape.has_value(); }

Made piece(const Normalising& at, const Ids& operands) {
  using Ints = std::vector<std::int64_t>;
  const Op& op = at.op();
  return at.builder.add(ops::slice(),
                        {{"axes", Ints{op.integer("axis")}},
                         {"starts", Ints{op.integer("begin")}},
                         {"ends", Ints{op.integer("end")}},
                         {"steps", Ints{1}}},
                        operands, at.node.name);
}

constexpr std::array kForms = {Form{ops::conv, has_bias, with_bias_behind},
                               Form{ops::gemm, is_product_of_weights, product_and_addend},
                               Form{ops::sum, has_addends, one_after_another},
                               Form{ops::split, has_shape, piece}};

// Null: it stays as it is.
const Form* form_of(const Normalising& at) {
  if (at.node.op() == nullptr) return nullptr;
  const auto it = std::ranges::find_if(
      kForms, [&](const Form& form) { return at.op().def == &form.of() && form.applies(at); });
  return it == kForms.end() ? nullptr : it;
}

// What a program's values are made of, down to values that have a name: those are what they were in
// the file, whatever was rewritten before them.
class Expressions {
 public:
  explicit Expressions(const Graph& program) : program_(program) {
    for (const NodeId id : program.ids()) {
      const Node& node = program.node(id);
      Digester digester("made of");
      digester.add(node.name).add(program.what_is(id));
      for (const NodeId operand : node.operands) digester.add(read(operand));
      made_of_.push_back(digester.finish());
    }
  }

  const Digest& made_of(NodeId id) const { return made_of_[id.index()]; }
  // As whoever reads it knows it.
  Digest read(NodeId id) const {
    const std::string& name = program_.node(id).name;
    return name.empty() ? made_of(id) : Digester("named").add(name).finish();
  }

 private:
  const Graph& program_;
  std::vector<Digest> made_of_;
};

// A convolution and its bias that stand apart because the normal form put them so.
class Apart {
 public:
  explicit Apart(const Graph& program)
      : program_(program),
        readers_(program.consumers()),
        outputs_(program.outputs().begin(), program.outputs().end()) {}

  // By node: the convolution's operands and the bias; nothing where it is no such sum.
  std::optional<Ids> at(NodeId id) const {
    const Node& sum = program_.node(id);
    if (sum.op() == nullptr || sum.op()->def != &ops::add()) return std::nullopt;
    const Node& product = program_.node(sum.operands[0]);
    const Node& bias = program_.node(sum.operands[1]);
    const bool is_alone = readers_[sum.operands[0].index()].size() == 1 &&
                          std::ranges::find(outputs_, sum.operands[0]) == outputs_.end();
    if (!is_convolution(product, 2) || !product.name.empty() || !is_alone) return std::nullopt;
    if (bias.op() == nullptr || bias.op()->def != &ops::reshape() || !bias.name.empty() ||
        bias.type.shape != shape_of_bias(*product.type.shape))
      return std::nullopt;
    const auto& from = program_.node(bias.operands[0]).type.shape;
    if (!from || from->size() != 1) return std::nullopt;
    return Ids{product.operands[0], product.operands[1], bias.operands[0]};
  }

 private:
  const Graph& program_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<NodeId> outputs_;
};

// What stands in the place of a rewritten program's nodes when it is written.
class Writing {
 public:
  Writing(const Graph& program, const NormalForm& of, GraphBuilder& builder)
      : program_(program), of_(of), builder_(builder), apart_(program), expressions_(program) {
    for (const NodeId id : program.ids()) read_as_.emplace(expressions_.read(id), id);
  }

  Instead instead(NodeId id) const {
    if (auto kept = as_in_file(id)) return *std::move(kept);
    const auto operands = apart_.at(id);
    if (!operands) return AsItIs{};
    return MadeOf{*operands, [this, id](Ids made) {
                    const Node& sum = program_.node(id);
                    const Attrs& attrs = program_.node(sum.operands[0]).op()->attrs;
                    return builder_.add(ops::conv(), attrs, std::move(made), sum.name);
                  }};
  }

 private:
  std::optional<Instead> as_in_file(NodeId id) const {
    const auto found = of_.file_nodes.find(expressions_.made_of(id));
    if (found == of_.file_nodes.end()) return std::nullopt;
    const FileNode& node = found->second;
    Ids operands;
    for (const Digest& digest : node.operands) {
      const auto operand = read_as_.find(digest);
      if (operand == read_as_.end()) return std::nullopt;
      operands.push_back(operand->second);
    }
    return MadeOf{std::move(operands), [this, &node](Ids made) {
                    return builder_.add(node.op, std::move(made), node.name);
                  }};
  }

  const Graph& program_;
  const NormalForm& of_;
  GraphBuilder& builder_;
  Apart apart_;
  Expressions expressions_;
  std::map<Digest, NodeId> read_as_;
};

}  // namespace

Result<NormalForm> normal_form(const Graph& program) {
  GraphBuilder builder;
  const auto depends = program.depends_on_inputs();
  std::vector<NodeId> changed;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = program.node(id);
    Normalising at{builder, node, {}};
    for (const NodeId operand : node.operands)
      at.weights.push_back(static_cast<char>(depends[operand.index()] == 0));
    const Form* form = form_of(at);
    if (form == nullptr) return Instead(AsItIs{});
    changed.push_back(id);
    return Instead(MadeOf{node.operands,
                          [at, form](const Ids& operands) { return form->make(at, operands); }});
  };
  GraphCopy copy(program, builder, {.instead = instead});
  if (auto done = copy.run(); !done) return std::move(done).error();
  const std::map<NodeId, NodeId> places = copy.places();
  NormalForm out{std::move(builder).build(), {}};
  const Expressions expressions(out.program);
  for (const NodeId id : changed) {
    const Node& node = program.node(id);
    FileNode in_file{*node.op(), node.name, {}};
    for (const NodeId operand : node.operands)
      in_file.operands.push_back(expressions.read(places.at(operand)));
    out.file_nodes.emplace(expressions.made_of(places.at(id)), std::move(in_file));
  }
  return out;
}

Result<Graph> written_form(const Graph& rewritten, const NormalForm& of) {
  GraphBuilder builder;
  const Writing writing(rewritten, of, builder);
  const auto instead = [&](NodeId id) -> Result<Instead> { return writing.instead(id); };
  const auto keep = [](NodeId) { return false; };
  return GraphCopy(rewritten, builder, {.instead = instead, .keep = keep}).build();
}

}  // namespace pet::rules
