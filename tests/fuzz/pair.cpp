#include "tests/fuzz/pair.h"

#include <algorithm>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

constexpr Dim kLongestAxis = 6;
constexpr Dim kEnoughElements = 72;
constexpr Dim kMostElements = 240;
constexpr int kMostProducts = 2;

struct Value {
  NodeId original;
  NodeId mutant;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  Pair run() {
    Pair pair;
    rich_ = rng_.below(2) == 0;
    pair.rich = rich_;
    const Dim least = rng_.below(8) == 0 ? 1 : kEnoughElements;
    last_ = input(random_shape(rng_, kLongestAxis, least, kMostElements));
    const int steps = static_cast<int>(rng_.between(1, 4));
    // One step goes wrong in somewhat less than half of all pairs.
    const int wrong_step =
        rng_.below(20) < 9 ? static_cast<int>(rng_.below(static_cast<std::uint64_t>(steps))) : -1;
    for (int i = 0; i < steps; ++i) take(i == wrong_step, pair.steps);
    std::vector<NodeId> a = {last_.original};
    std::vector<NodeId> b = {last_.mutant};
    for (const Value& value : values_) {
      if (!rich_ || rng_.below(3) != 0) continue;
      a.push_back(value.original);
      b.push_back(value.mutant);
    }
    if (rich_ && rng_.below(8) == 0) {
      const Value none = nothing_of(any_of(values_, rng_));
      a.push_back(none.original);
      b.push_back(none.mutant);
      pair.steps.emplace_back("nothing of it");
    }
    pair.original = std::move(a_).finish(a);
    pair.mutant = std::move(b_).finish(b);
    return pair;
  }

 private:
  Value input(const Shape& shape) {
    const std::string name = "x" + std::to_string(inputs_++);
    const Value value{a_.input(name, shape), b_.input(name, shape)};
    values_.push_back(value);
    return value;
  }

  // Something of the same shape: an input, weights, or a value that is there already.
  Value companion(const Shape& shape) {
    if (rng_.below(3) == 0) {
      const auto values = random_weights(shape, rng_);
      return {weights(a_, shape, values), weights(b_, shape, values)};
    }
    std::vector<Value> same;
    for (const Value& value : values_) {
      if (a_.shape(value.original) == shape) same.push_back(value);
    }
    return same.empty() || rng_.below(2) == 0 ? input(shape) : any_of(same, rng_);
  }

  // An empty piece of a value, and what an operator without a meaning makes of it: of no element
  // there is anything to be said, however different the values are.
  Value nothing_of(const Value& value) {
    const auto axis = any_axis(a_.shape(value.original), rng_);
    const auto read = [&](Sketch& s, NodeId x) {
      const NodeId none = s.slice(x, axis, 0, 0);
      return s.opaque("F", {none}, float_tensor(s.shape(none)));
    };
    return {read(a_, value.original), read(b_, value.mutant)};
  }

  void take(bool goes_wrong, std::vector<std::string>& names) {
    const Shape shape = a_.shape(last_.original);
    Family family;
    Step step;
    do {
      family = any_of(families(), rng_);
      // There are more functions than sums of products.
      const bool is_left_out =
          rich_ ? family.kind == Kind::Linear && rng_.below(2) == 0 : family.kind == Kind::Function;
      if (is_left_out || (family.multiplies && products_ == kMostProducts)) continue;
      step = family.make(shape, rng_);
    } while (step.right.empty());
    products_ += family.multiplies ? 1 : 0;
    goes_wrong = goes_wrong && !step.wrong.empty();
    names.push_back(step.name + (goes_wrong ? " (wrong)" : ""));
    const Value y = companion(shape);
    const Form& form = any_of(step.right, rng_);
    const Form& other = goes_wrong ? any_of(step.wrong, rng_) : any_of(step.right, rng_);
    const Value next{form(a_, last_.original, y.original), other(b_, last_.mutant, y.mutant)};
    PET_CHECK(a_.shape(next.original) == b_.shape(next.mutant),
              "the forms of " + step.name + " differ in shape");
    values_.push_back(next);
    if (count(a_.shape(next.original)) <= kMostElements) last_ = next;
  }

  Rng rng_;
  Sketch a_;
  Sketch b_;
  bool rich_ = false;
  int inputs_ = 0;
  int products_ = 0;
  Value last_;
  std::vector<Value> values_;
};

// Where each element of the result comes from, if the operator does nothing but rearrange its
// operand.
std::optional<std::vector<Dim>> rearrangement(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id)) return std::nullopt;
  const Meaning& meaning = graph.meaning(id);
  const auto& terms = meaning.sum.terms;
  if (!is_data_movement(meaning) || terms.size() != 1 || !terms[0].guards.empty())
    return std::nullopt;
  const Shape& from = *graph.node(graph.node(id).operands[0]).type.shape;
  const Shape& to = meaning.sum.out;
  std::vector<Dim> source;
  Shape at(to.size(), 0);
  for (Dim i = 0; i < count(to); ++i) {
    Dim flat = 0;
    for (std::size_t d = 0; d < from.size(); ++d) {
      const Dim index = terms[0].factors[0].index[d].value(at);
      if (index < 0 || index >= from[d]) return std::nullopt;
      flat = flat * from[d] + index;
    }
    source.push_back(flat);
    for (std::size_t a = at.size(); a-- > 0 && ++at[a] == to[a];) at[a] = 0;
  }
  std::vector<Dim> sorted = source;
  std::sort(sorted.begin(), sorted.end());
  const bool each_once = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return each_once && count(from) == count(to) ? std::optional(source) : std::nullopt;
}

}  // namespace

Pair random_pair(std::uint64_t seed) { return Generator(seed).run(); }

Digest digest_without_views(const Graph& graph) {
  struct Seen {
    Digest base;
    std::string base_type;
    std::vector<Dim> source;  // of every element, in the base; empty: the base itself
    Digest digest;
  };
  std::vector<Seen> seen;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (const auto moved = rearrangement(graph, id)) {
      const Seen& from = seen[node.operands[0].index()];
      Seen view{from.base, from.base_type, {}, {}};
      bool in_place = to_string(node.type) == view.base_type;
      for (std::size_t i = 0; i < moved->size(); ++i) {
        const Dim at = (*moved)[i];
        view.source.push_back(from.source.empty() ? at : from.source[static_cast<std::size_t>(at)]);
        in_place = in_place && view.source.back() == static_cast<Dim>(i);
      }
      Digester digester("view");
      digester.add(view.base).add(to_string(node.type));
      for (const Dim at : view.source) digester.add(static_cast<std::uint64_t>(at));
      view.digest = in_place ? view.base : digester.finish();
      seen.push_back(std::move(view));
      continue;
    }
    Digester digester("node");
    digester.add(to_string(node.type));
    if (node.op() != nullptr) digest_into(digester, *node.op());
    if (node.input() != nullptr) digester.add(node.input()->name);
    if (node.constant() != nullptr) digester.add(node.constant()->digest());
    for (const NodeId operand : node.operands) digester.add(seen[operand.index()].digest);
    const Digest digest = digester.finish();
    seen.push_back({digest, to_string(node.type), {}, digest});
  }
  Digester all("outputs");
  for (const NodeId output : graph.outputs()) all.add(seen[output.index()].digest);
  return all.finish();
}

}  // namespace pet::fuzz
