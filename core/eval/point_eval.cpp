#include "core/eval/point_eval.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/ir/read.h"

namespace pet {
namespace {

using Slot =
    std::uint32_t;  // what has elements: the result of a node, or of an application inside it

std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15ULL * (word + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// What is computed by an application: everything but its geometry.
std::uint64_t salt_of(const Application& application, const Digest& secret) {
  Digester digester("point function");
  digester.add(secret).add(application.function->name);
  digester.add(static_cast<std::uint64_t>(application.parameters.size()));
  for (const double p : application.parameters) digester.add(std::bit_cast<std::uint64_t>(p));
  digester.add(static_cast<std::uint64_t>(application.elements.size()));
  digester.add(application.window ? 1 + static_cast<std::uint64_t>(application.window->symmetry)
                                  : 0);
  return digester.finish().word();
}

// Steps the axes from `first` on to the next point; false after the last.
bool next_point(std::vector<Dim>& at, std::size_t first, const Shape& extents) {
  for (std::size_t a = at.size(); a-- > first;) {
    if (++at[a] < extents[a - first]) return true;
    at[a] = 0;
  }
  return false;
}

bool is_empty(const Shape& extents) {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

// A coefficient modulo the prime.
struct TermCoef {
  std::uint32_t scale = 1;
  std::vector<std::vector<std::uint32_t>> tables;
};

// A node ready to be evaluated.
struct Code {
  const Meaning* meaning = nullptr;
  std::vector<Slot> sources;  // operands, then applications
  std::vector<TermCoef> coefs;
  std::vector<std::uint64_t> salts;  // of the applications
};

// One element under evaluation: how far it has come.
struct Frame {
  Slot slot = 0;
  Dim flat = 0;
  std::vector<Dim> at;   // the position, then the point of the reduction or of the window
  std::size_t rank = 0;  // of the position
  std::size_t term = 0;
  bool inside = false;  // at a point of the current term or of the window
  std::uint32_t sum = 0;
  std::vector<std::uint64_t> words;  // arguments of an application so far
};

constexpr std::uint64_t kHole = std::uint64_t{1} << 32;  // no residue

}  // namespace

class PointEvaluator::Machine {
 public:
  Machine(const Graph& graph, PrimeField field, Leaves leaves, const Digest& secret,
          std::uint64_t most_steps)
      : graph_(graph),
        field_(std::move(field)),
        leaves_(std::move(leaves)),
        secret_(secret),
        most_steps_(most_steps) {
    for (const Node& node : graph.nodes()) {
      slots_.push_back({node.type.shape.value_or(Shape{}),
                        slots_.size(),
                        std::nullopt,
                        node.op() == nullptr,
                        {}});
    }
    codes_.resize(graph.nodes().size());
  }

  Result<std::uint32_t> value(NodeId node, Dim flat) {
    stack_.clear();
    auto wanted = element(static_cast<Slot>(node.index()), flat);
    while (!stack_.empty()) {
      auto done = advance();
      if (!done) return std::move(done).error();
    }
    if (!wanted) wanted = element(static_cast<Slot>(node.index()), flat);
    return *wanted;
  }

  std::uint64_t steps() const { return steps_; }

 private:
  struct SlotInfo {
    Shape shape;
    std::size_t node = 0;
    std::optional<std::size_t> application;
    bool is_leaf = false;
    LeafElements leaf;  // once it was read
  };

  static std::uint64_t key_of(Slot slot, Dim flat) {
    return std::uint64_t{slot} << 40 | static_cast<std::uint64_t>(flat);
  }

  // The element if it is there; else it is put on the stack.
  std::optional<std::uint32_t> element(Slot slot, Dim flat) {
    SlotInfo& info = slots_[slot];
    if (info.is_leaf) {
      if (!info.leaf) info.leaf = leaves_(graph_.nodes()[info.node]);
      return info.leaf(flat);
    }
    if (const auto it = memo_.find(key_of(slot, flat)); it != memo_.end()) return it->second;
    Frame frame;
    frame.slot = slot;
    frame.flat = flat;
    frame.rank = info.shape.size();
    frame.at.resize(frame.rank);
    for (std::size_t a = frame.rank; a-- > 0;) {
      frame.at[a] = flat % info.shape[a];
      flat /= info.shape[a];
    }
    stack_.push_back(std::move(frame));
    return std::nullopt;
  }

  // The flat position that an access reads; nothing outside.
  std::optional<Dim> position(const Access& access, Slot source, const std::vector<Dim>& at) const {
    return position_read(access.index, slots_[source].shape, at);
  }

  // Carries the frame on top of the stack on until it is done or needs an element that is not
  // there.
  Status advance() {
    const std::size_t node = slots_[stack_.back().slot].node;
    auto code = code_of(node);
    if (!code) return std::move(code).error();
    const auto application = slots_[stack_.back().slot].application;
    return application ? advance_application(**code, *application) : advance_sum(**code);
  }

  Status count_step() {
    if (++steps_ <= most_steps_) return Done{};
    return Error{"evaluating a point takes too many steps", ErrorKind::Tool};
  }

  void finish(std::uint32_t value) {
    memo_.emplace(key_of(stack_.back().slot, stack_.back().flat), value);
    stack_.pop_back();
  }

  Status advance_sum(const Code& code) {
    const auto& terms = code.meaning->sum.terms;
    for (Frame* frame = &stack_.back(); frame->term < terms.size();) {
      const Term& term = terms[frame->term];
      if (!frame->inside) {
        frame->at.resize(frame->rank);
        frame->at.resize(frame->rank + term.reduce.size(), 0);
        frame->inside = !is_empty(term.reduce);
      }
      while (frame->inside) {
        auto counted = count_step();
        if (!counted) return counted;
        const std::size_t depth = stack_.size();
        const auto product = product_at(code, *frame);
        if (stack_.size() != depth) return Done{};
        frame->sum = field_.add(frame->sum, product);
        frame->inside = next_point(frame->at, frame->rank, term.reduce);
      }
      ++frame->term;
    }
    finish(stack_.back().sum);
    return Done{};
  }

  // Of the frame's current term and point. Where a factor is not there it is put on the stack, and
  // the result means nothing.
  std::uint32_t product_at(const Code& code, const Frame& frame) {
    const Term& term = code.meaning->sum.terms[frame.term];
    if (!all_hold(term.guards, frame.at)) return 0;
    const TermCoef& coef = code.coefs[frame.term];
    std::uint32_t product = coef.scale;
    for (std::size_t t = 0; t < coef.tables.size(); ++t) {
      const Dim along = frame.at[static_cast<std::size_t>(term.coef.tables[t].axis)];
      product = field_.mul(product, coef.tables[t][static_cast<std::size_t>(along)]);
    }
    for (const Access& access : term.factors) {
      const Slot source = code.sources[static_cast<std::size_t>(access.operand)];
      const auto flat = position(access, source, frame.at);
      if (!flat) return 0;
      const auto factor = element(source, *flat);
      if (!factor) return 0;
      product = field_.mul(product, *factor);
    }
    return product;
  }

  Status advance_application(const Code& code, std::size_t number) {
    const Application& application = code.meaning->applications[number];
    Frame* frame = &stack_.back();
    while (frame->words.size() < application.elements.size()) {
      const Access& access = application.elements[frame->words.size()];
      const auto word = argument(code, access, frame->at);
      if (!word) return Done{};
      frame->words.push_back(*word == kHole ? 0 : *word);
    }
    if (application.window && !frame->inside &&
        frame->words.size() == application.elements.size()) {
      frame->at.resize(frame->rank + application.window->extent.size(), 0);
      frame->inside = !is_empty(application.window->extent);
    }
    while (frame->inside) {
      auto counted = count_step();
      if (!counted) return counted;
      const Window& window = *application.window;
      const auto word =
          all_hold(window.guards, frame->at) ? argument(code, window.read, frame->at) : kHole;
      if (!word) return Done{};
      frame->words.push_back(*word);
      frame->inside = next_point(frame->at, frame->rank, window.extent);
    }
    auto& words = frame->words;
    if (application.window && application.window->symmetry == Symmetry::Multiset) {
      std::sort(words.begin() + static_cast<std::ptrdiff_t>(application.elements.size()),
                words.end());
    }
    std::uint64_t hash = mixed(code.salts[number], words.size());
    for (const std::uint64_t word : words) hash = mixed(hash, word);
    finish(field_.reduce(hash));
    return Done{};
  }

  // A residue or a hole; nothing where the element was put on the stack.
  std::optional<std::uint64_t> argument(const Code& code, const Access& access,
                                        const std::vector<Dim>& at) {
    const Slot source = code.sources[static_cast<std::size_t>(access.operand)];
    const auto flat = position(access, source, at);
    if (!flat) return kHole;
    const auto known = element(source, *flat);
    return known ? std::optional<std::uint64_t>(*known) : std::nullopt;
  }

  Result<const Code*> code_of(std::size_t node) {
    if (codes_[node]) return codes_[node].get();
    const NodeId id(node);
    if (!graph_.has_meaning(id))
      return Error{"an opaque operator has no single elements", ErrorKind::Unsupported};
    auto code = std::make_unique<Code>();
    code->meaning = &graph_.meaning(id);
    for (const NodeId operand : graph_.node(id).operands)
      code->sources.push_back(static_cast<Slot>(operand.index()));
    for (const Application& application : code->meaning->applications) {
      code->sources.push_back(static_cast<Slot>(slots_.size()));
      slots_.push_back({application.out, node, code->salts.size(), false, {}});
      code->salts.push_back(salt_of(application, secret_));
    }
    for (const Term& term : code->meaning->sum.terms) {
      auto coef = coef_of(term.coef);
      if (!coef) return Error{"a prime divides a coefficient's denominator", ErrorKind::Tool};
      code->coefs.push_back(*std::move(coef));
    }
    codes_[node] = std::move(code);
    return codes_[node].get();
  }

  std::optional<TermCoef> coef_of(const Coef& coef) const {
    TermCoef out;
    const auto scale = field_.residue(coef.scale);
    if (!scale) return std::nullopt;
    out.scale = *scale;
    for (const AxisTable& table : coef.tables) {
      auto& values = out.tables.emplace_back();
      for (const Rational& x : table.values) {
        const auto residue = field_.residue(x);
        if (!residue) return std::nullopt;
        values.push_back(*residue);
      }
    }
    return out;
  }

  const Graph& graph_;
  PrimeField field_;
  Leaves leaves_;
  Digest secret_;
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
  std::vector<SlotInfo> slots_;  // of the nodes by number, then of applications
  std::vector<std::unique_ptr<const Code>> codes_;
  std::unordered_map<std::uint64_t, std::uint32_t> memo_;
  std::vector<Frame> stack_;
};

PointEvaluator::PointEvaluator(const Graph& graph, PrimeField field, Leaves leaves,
                               const Digest& secret, std::uint64_t most_steps)
    : machine_(std::make_unique<Machine>(graph, std::move(field), std::move(leaves), secret,
                                         most_steps)) {}

PointEvaluator::~PointEvaluator() = default;

Result<std::uint32_t> PointEvaluator::value(NodeId node, Dim flat) {
  return machine_->value(node, flat);
}

std::uint64_t PointEvaluator::steps() const { return machine_->steps(); }

Leaves random_leaves(const PrimeField& field, const Digest& secret, const Graph& original) {
  std::set<Digest> symbols;
  for (const Node& node : original.nodes()) {
    if (node.constant() != nullptr) symbols.insert(node.constant()->digest());
  }
  return [=](const Node& leaf) -> LeafElements {
    Digester key("point leaf");
    key.add(secret);
    if (const InputLeaf* input = leaf.input()) {
      key.add("input").add(input->name).add(to_string(leaf.type));
    } else {
      const auto& tensor = std::get<ConstantLeaf>(leaf.what);
      const bool finite = tensor->type().dtype == DType::Float && tensor->all_finite();
      if (finite && (tensor->floats().size() <= 1 || !symbols.contains(tensor->digest()))) {
        return [field, tensor](Dim flat) {
          return field.residue(
              static_cast<double>(tensor->floats()[static_cast<std::size_t>(flat)]));
        };
      }
      key.add("symbol").add(tensor->digest());
    }
    return [field, state = key.finish().word()](Dim flat) {
      return field.reduce(mixed(state, static_cast<std::uint64_t>(flat)));
    };
  };
}

}  // namespace pet
