// Over 400 lines: sizes, their partners and the comparison are one walk over both programs.
#include "verify/conditioning.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "core/eval/evaluate.h"
#include "core/eval/kernels/keyed_hash.h"
#include "verify/domain.h"

namespace pet {
namespace {

using Channels = std::vector<double>;
using Sizes = LaneTensor<double>;

struct ChannelAxis {
  std::size_t channels = 1;
  std::size_t inner = 1;

  // Axis 1; a tensor without one is a single channel.
  explicit ChannelAxis(const Shape& shape) {
    if (shape.size() < 2 || shape[1] <= 0) {
      inner = static_cast<std::size_t>(count(shape));
      return;
    }
    channels = static_cast<std::size_t>(shape[1]);
    for (std::size_t a = 2; a < shape.size(); ++a) inner *= static_cast<std::size_t>(shape[a]);
  }
  std::size_t of(std::size_t element) const { return inner == 0 ? 0 : element / inner % channels; }
};

Channels channel_maxima(const Sizes& sizes) {
  const ChannelAxis axis(sizes.shape);
  Channels out(axis.channels, 0);
  for (std::size_t i = 0; i < sizes.lanes[0].size(); ++i) {
    double& largest = out[axis.of(i)];
    const double x = sizes.lanes[0][i];
    largest = std::isnan(x) ? INFINITY : std::max(largest, x);
  }
  return out;
}

Sizes leaf(const Node& node) {
  Sizes out(*node.type.shape, 1);
  const Tensor* tensor = node.constant();
  if (tensor != nullptr && node.type.dtype == DType::Float && tensor->all_finite()) {
    std::transform(tensor->floats().begin(), tensor->floats().end(), out.lanes[0].begin(),
                   [](float x) { return std::abs(static_cast<double>(x)); });
  } else {
    std::fill(out.lanes[0].begin(), out.lanes[0].end(), 1.0);
  }
  return out;
}

// The operands that the sum itself reads; the arguments of functions do not matter to a result that
// counts as 1.
std::set<std::size_t> summed_operands(const Meaning& meaning, std::size_t operands) {
  std::set<std::size_t> out;
  for (const Term& term : meaning.sum.terms) {
    for (const Access& access : term.factors) {
      if (static_cast<std::size_t>(access.operand) < operands)
        out.insert(static_cast<std::size_t>(access.operand));
    }
  }
  return out;
}

// The sizes of what each application of a node yields.
using ResultSizes = std::function<Result<std::vector<Sizes>>(NodeId)>;

Result<std::vector<Sizes>> ones(const Graph& graph, NodeId id) {
  std::vector<Sizes> out;
  for (const Application& application : graph.meaning(id).applications) {
    auto& sizes = out.emplace_back(application.out, 1).lanes[0];
    std::fill(sizes.begin(), sizes.end(), 1.0);
  }
  return out;
}

// The largest and the smallest size that anything computed on the way has; 0 and infinity do not
// count (a zero stays a zero, and of an unbounded result only what is used matters).
struct Extremes {
  double largest = 1;
  double smallest = 1;

  void include(const Sizes& sizes) {
    for (const double x : sizes.lanes[0]) {
      if (x == 0 || !std::isfinite(x)) continue;
      largest = std::max(largest, x);
      smallest = std::min(smallest, x);
    }
  }
  // Far enough from the ends of float32 that ordinary inputs do not reach them either.
  bool leaves_floats(const Extremes& original) const {
    constexpr double kFar = 0x1p100;
    return largest > std::max(kFar, 4 * original.largest) ||
           smallest < std::min(1 / kFar, original.smallest / 4);
  }
};

// Sizes of the wanted nodes of one program, in order.
class SizeRun {
 public:
  SizeRun(const Graph& graph, ResultSizes results, std::size_t threads, const std::stop_token& stop)
      : graph_(graph),
        results_(std::move(results)),
        evaluator_(Signs::Absolute, Functions::One, threads),
        stop_(stop) {}

  // Of the operators evaluated for that, but for those marked in `skipped`.
  const Extremes& extremes() const { return extremes_; }

  Status run(const std::vector<char>& wanted, const std::vector<char>& skipped,
             const std::function<Status(NodeId, const Sizes&)>& visit) {
    std::vector<std::set<std::size_t>> reads(wanted.size());
    std::vector<std::size_t> uses(wanted.size(), 0);
    for (std::size_t i = wanted.size(); i-- > 0;) {
      const NodeId id(i);
      if ((wanted[i] == 0 && uses[i] == 0) || !graph_.has_meaning(id)) continue;
      reads[i] = summed_operands(graph_.meaning(id), graph_.node(id).operands.size());
      for (const std::size_t k : reads[i]) ++uses[graph_.node(id).operands[k].index()];
    }
    std::vector<Sizes> values(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == 0 && uses[i] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      auto sizes = evaluate(NodeId(i), reads[i], values);
      if (!sizes) return std::move(sizes).error();
      if (graph_.has_meaning(NodeId(i)) && skipped[i] == 0) extremes_.include(*sizes);
      if (wanted[i] != 0) {
        if (auto done = visit(NodeId(i), *sizes); !done) return done;
      }
      if (uses[i] > 0) values[i] = *std::move(sizes);
      for (const std::size_t k : reads[i]) {
        const std::size_t operand = graph_.node(NodeId(i)).operands[k].index();
        if (--uses[operand] == 0) values[operand] = {};
      }
    }
    return Done{};
  }

 private:
  Result<Sizes> evaluate(NodeId id, const std::set<std::size_t>& reads,
                         const std::vector<Sizes>& values) const {
    const Node& node = graph_.node(id);
    if (!graph_.has_meaning(id)) return leaf(node);
    std::vector<Sizes> unread(node.operands.size());
    std::vector<const Sizes*> operands;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      unread[k].shape = *graph_.node(node.operands[k]).type.shape;
      operands.push_back(reads.contains(k) ? &values[node.operands[k].index()] : &unread[k]);
    }
    auto results = results_(id);
    if (!results) return std::move(results).error();
    for (const Sizes& sizes : *results) operands.push_back(&sizes);
    return evaluator_.evaluate(Meaning{{}, graph_.meaning(id).sum}, operands);
  }

  const Graph& graph_;
  ResultSizes results_;
  RealEvaluator<double> evaluator_;
  const std::stop_token& stop_;
  Extremes extremes_;
};

double ratio_of(double mutant, double original) {
  if (!std::isfinite(mutant)) return std::isfinite(original) ? INFINITY : 1;
  if (mutant <= original || mutant == 0) return 1;
  return original == 0 ? INFINITY : mutant / original;
}

// The operands of a node to which it applies functions.
std::set<std::size_t> argument_operands(const Graph& graph, NodeId id) {
  std::set<std::size_t> out;
  if (!graph.has_meaning(id)) return out;
  const std::size_t operands = graph.node(id).operands.size();
  const auto note = [&](const Access& access) {
    if (static_cast<std::size_t>(access.operand) < operands)
      out.insert(static_cast<std::size_t>(access.operand));
  };
  for (const Application& application : graph.meaning(id).applications) {
    std::for_each(application.elements.begin(), application.elements.end(), note);
    if (application.window) note(application.window->read);
  }
  return out;
}

std::vector<char> argument_nodes(const Graph& graph) {
  const auto needed = needed_by_outputs(graph);
  std::vector<char> out(needed.size(), 0);
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    for (const std::size_t k : argument_operands(graph, id))
      out[graph.node(id).operands[k].index()] = 1;
  }
  return out;
}

// Up to four residues of an element: enough to tell it from any other.
Hash128 key_of(const ResidueTensor& tensor, std::size_t element) {
  std::uint64_t words[2] = {0, 0};
  for (std::size_t lane = 0; lane < std::min<std::size_t>(4, tensor.lanes.size()); ++lane) {
    words[lane / 2] |= std::uint64_t{tensor.lanes[lane][element]} << (32 * (lane % 2));
  }
  return {words[0], words[1]};
}

class Comparison {
 public:
  Comparison(const Graph& original, const Graph& mutant, const ValueTable& table,
             ResidueStore& store, const ResidueEvaluator& evaluator, const NodesByDigest& originals,
             std::size_t threads, const std::stop_token& stop)
      : original_(original),
        mutant_(mutant),
        table_(table),
        store_(store),
        evaluator_(evaluator),
        originals_(originals),
        threads_(threads),
        stop_(stop) {}

  Result<double> run() {
    if (auto done = plan(); !done) return std::move(done).error();
    if (auto done = measure_original(); !done) return std::move(done).error();
    const auto results = [this](NodeId id) { return result_sizes(id); };
    SizeRun sizes_of_mutant(mutant_, results, threads_, stop_);
    auto done = sizes_of_mutant.run(
        wanted_, shared_nodes(), [&](NodeId id, const Sizes& sizes) { return compare(id, sizes); });
    if (!done) return std::move(done).error();
    if (sizes_of_mutant.extremes().leaves_floats(extremes_of_original_)) worst_ = INFINITY;
    return worst_;
  }

 private:
  // What the mutant computes exactly as the original does, down to the inputs.
  std::vector<char> shared_nodes() const {
    std::vector<char> shared(mutant_.nodes().size(), 0);
    for (const NodeId id : mutant_.ids()) {
      const auto& operands = mutant_.node(id).operands;
      const bool all = std::all_of(operands.begin(), operands.end(),
                                   [&](NodeId o) { return shared[o.index()] != 0; });
      shared[id.index()] = all && !table_.is_new(table_.computed_by_mutant(id)) ? 1 : 0;
    }
    return shared;
  }

  Result<std::vector<std::vector<Hash128>>> argument_digests(ValueId id) const {
    const Value& value = table_.value(id);
    std::vector<std::shared_ptr<const ResidueTensor>> held;
    std::vector<const ResidueTensor*> operands;
    for (const ValueId operand : value.operands) {
      auto tensor = store_.residues(operand);
      if (!tensor) return std::move(tensor).error();
      held.push_back(*std::move(tensor));
      operands.push_back(held.back().get());
    }
    return evaluator_.argument_digests(value.graph->meaning(value.node), operands);
  }

  // Of everything to which the original applies functions.
  Status list_applications() {
    const auto needed = needed_by_outputs(original_);
    for (const NodeId id : original_.ids()) {
      if (needed[id.index()] == 0 || !original_.has_meaning(id)) continue;
      if (original_.meaning(id).applications.empty()) continue;
      const auto digests = argument_digests(table_.of_original(id));
      if (!digests) return digests.error();
      for (const auto& list : *digests) applied_.insert(applied_.end(), list.begin(), list.end());
    }
    std::sort(applied_.begin(), applied_.end());
    has_applied_ = true;
    return Done{};
  }

  // A result that the original has too counts as 1 in both. Of any other nothing bounds its size:
  // exp(x + 100) - exp(x + 100) is 0 over the reals alone.
  Result<std::vector<Sizes>> result_sizes(NodeId id) {
    auto sizes = ones(mutant_, id);
    const ValueId value = table_.computed_by_mutant(id);
    if (!sizes || sizes->empty() || !table_.is_new(value) || table_.of_mutant(id) != value)
      return sizes;
    if (!has_applied_) {
      if (auto done = list_applications(); !done) return std::move(done).error();
    }
    const auto digests = argument_digests(value);
    if (!digests) return digests.error();
    for (std::size_t k = 0; k < sizes->size(); ++k) {
      for (std::size_t i = 0; i < (*sizes)[k].size(); ++i) {
        const Hash128& digest = (*digests)[k][i];
        if (!std::binary_search(applied_.begin(), applied_.end(), digest))
          (*sizes)[k].lanes[0][i] = INFINITY;
      }
    }
    return sizes;
  }

  Status plan() {
    const auto shared = shared_nodes();
    const auto arguments = argument_nodes(mutant_);
    wanted_.assign(mutant_.nodes().size(), 0);
    theirs_.assign(original_.nodes().size(), 0);
    for (std::size_t i = 0; i < mutant_.outputs().size(); ++i) {
      const NodeId id = mutant_.outputs()[i];
      if (shared[id.index()] != 0 || !mutant_.node(id).type.shape) continue;
      if (!original_.node(original_.outputs()[i]).type.shape) continue;
      wanted_[id.index()] = 1;
      outputs_[id].push_back(original_.outputs()[i]);
      theirs_[original_.outputs()[i].index()] = 1;
    }
    for (const NodeId id : mutant_.ids()) {
      if (arguments[id.index()] == 0 || shared[id.index()] != 0) continue;
      wanted_[id.index()] = 1;
      const auto digest = store_.digest(table_.computed_by_mutant(id));
      if (!digest) return digest.error();
      const auto it = originals_.find(*digest);
      if (it == originals_.end()) {
        alone_.insert(id);
        continue;
      }
      partners_[id] = it->second;
      for (const NodeId partner : it->second) theirs_[partner.index()] = 1;
    }
    return Done{};
  }

  Status measure_original() {
    std::vector<char> arguments(original_.nodes().size(), 0);
    if (!alone_.empty()) arguments = argument_nodes(original_);
    for (std::size_t i = 0; i < theirs_.size(); ++i)
      theirs_[i] = theirs_[i] != 0 || arguments[i] != 0 ? 1 : 0;
    SizeRun sizes_of_original(
        original_, [this](NodeId id) { return ones(original_, id); }, threads_, stop_);
    const std::vector<char> none(theirs_.size(), 0);
    auto done = sizes_of_original.run(theirs_, none, [&](NodeId id, const Sizes& sizes) -> Status {
      const Channels& maxima = sizes_[id] = channel_maxima(sizes);
      return arguments[id.index()] == 0 ? Status(Done{}) : index_elements(id, maxima);
    });
    extremes_of_original_ = sizes_of_original.extremes();
    std::sort(elements_.begin(), elements_.end());
    return done;
  }

  Status index_elements(NodeId id, const Channels& maxima) {
    const auto tensor = store_.residues(table_.of_original(id));
    if (!tensor) return tensor.error();
    const ChannelAxis axis((*tensor)->shape);
    for (std::size_t i = 0; i < (*tensor)->size(); ++i)
      elements_.emplace_back(key_of(**tensor, i), maxima[axis.of(i)]);
    return Done{};
  }

  Status compare(NodeId id, const Sizes& sizes) {
    if (const auto it = outputs_.find(id); it != outputs_.end()) {
      for (const NodeId node : it->second) {
        const auto equal = equal_positions(id, node, sizes);
        if (!equal) return equal.error();
        compare_channels(channel_maxima(*equal), node);
      }
    }
    if (const auto it = partners_.find(id); it != partners_.end()) {
      const Channels mine = channel_maxima(sizes);
      for (const NodeId node : it->second) compare_channels(mine, node);
    }
    return alone_.contains(id) ? compare_elements(id, sizes) : Done{};
  }

  void compare_channels(const Channels& mine, NodeId node) {
    const Channels& theirs = sizes_.at(node);
    for (std::size_t c = 0; c < mine.size(); ++c)
      worst_ = std::max(worst_, ratio_of(mine[c], theirs[c]));
  }

  // The sizes of an output where it is equal to the original's; 0 elsewhere, where nothing is
  // claimed.
  Result<Sizes> equal_positions(NodeId mine, NodeId theirs, Sizes sizes) const {
    if (table_.of_mutant(mine) == table_.of_original(theirs)) return sizes;
    const auto x = store_.residues(table_.computed_by_mutant(mine));
    if (!x) return x.error();
    const auto y = store_.residues(table_.of_original(theirs));
    if (!y) return y.error();
    for (std::size_t lane = 0; lane < (*x)->lanes.size(); ++lane) {
      for (std::size_t i = 0; i < (*x)->size(); ++i) {
        if ((*x)->lanes[lane][i] != (*y)->lanes[lane][i]) sizes.lanes[0][i] = 0;
      }
    }
    return sizes;
  }

  Status compare_elements(NodeId id, const Sizes& sizes) {
    const auto tensor = store_.residues(table_.computed_by_mutant(id));
    if (!tensor) return tensor.error();
    for (std::size_t i = 0; i < (*tensor)->size(); ++i) {
      const Hash128 key = key_of(**tensor, i);
      // Sorted by key, then by size: the first of a key is the smallest.
      const auto it = std::lower_bound(elements_.begin(), elements_.end(), std::pair(key, -1.0));
      // What only the mutant applies functions to makes results without a bound: they decide.
      if (it == elements_.end() || it->first != key) continue;
      worst_ = std::max(worst_, ratio_of(sizes.lanes[0][i], it->second));
    }
    return Done{};
  }

  const Graph& original_;
  const Graph& mutant_;
  const ValueTable& table_;
  ResidueStore& store_;
  const ResidueEvaluator& evaluator_;
  const NodesByDigest& originals_;
  std::size_t threads_;
  const std::stop_token& stop_;

  std::vector<char> wanted_;  // nodes of the mutant to be compared
  std::vector<char> theirs_;  // nodes of the original that they are compared with
  std::map<NodeId, std::vector<NodeId>> outputs_;
  std::map<NodeId, std::vector<NodeId>> partners_;  // of arguments, in the original
  std::set<NodeId> alone_;                          // arguments without partner
  std::map<NodeId, Channels> sizes_;                // of the original
  std::vector<std::pair<Hash128, double>>
      elements_;                  // of all arguments of the original, with their channel's size
  std::vector<Hash128> applied_;  // arguments of all functions of the original, sorted
  bool has_applied_ = false;
  Extremes extremes_of_original_;
  double worst_ = 1;
};

}  // namespace

Result<double> growth(const Graph& original, const Graph& mutant, const ValueTable& table,
                      ResidueStore& store, const ResidueEvaluator& evaluator,
                      const NodesByDigest& originals, std::size_t threads,
                      const std::stop_token& stop) {
  return Comparison(original, mutant, table, store, evaluator, originals, threads, stop).run();
}

}  // namespace pet
