#include "core/program/blocks.h"

#include <algorithm>
#include <optional>

namespace pet {
namespace {

using Nodes = std::vector<NodeId>;

// Operators between two values through which everything passes.
struct Segment {
  Nodes nodes;
  NodeId result;              // the value that it ends with
  std::optional<Digest> key;  // none: one of them has no meaning
};

// `count` windows of `period` segments each, from segment `first` on. The segments behind them go
// on for `more` in the same way.
struct Repeat {
  std::size_t first = 0, period = 0, count = 1, more = 0;
};

// What could be rewritten across a cut, were it not there: nothing linear goes through a function,
// and products of products are worth the most.
enum class Loss { None, Little, Much };

bool has_sum(const Meaning& meaning) {
  return std::ranges::any_of(meaning.sum.terms,
                             [](const Term& term) { return !term.reduce.empty(); });
}

class Blocks {
 public:
  explicit Blocks(const Graph& program)
      : program_(program),
        readers_(program.consumers()),
        extractor_(program),
        needed_(program.needed_by_outputs()),
        depends_(program.depends_on_inputs()) {
    cut();
    give_what_is_of_constants();
    for (Segment& segment : segments_) {
      std::ranges::sort(segment.nodes);
      const bool is_known =
          std::ranges::all_of(segment.nodes, [&](NodeId id) { return program_.has_meaning(id); });
      if (is_known) segment.key = extractor_.extract(segment.nodes).key;
      before_.push_back(before_.back() + segment.nodes.size());
    }
  }

  std::vector<SubprogramClass> run() {
    look_for_repeats(0, segments_.size());
    std::vector<SubprogramClass> out;
    for (const Repeat& one : found_) {
      for (std::size_t k = 0; k < one.count; ++k)
        add(extractor_.extract(nodes_of(one.first + k * one.period, one.period)), out);
    }
    return out;
  }

 private:
  bool is_computed(NodeId id) const {
    return needed_[id.index()] != 0 && depends_[id.index()] != 0 &&
           program_.node(id).op() != nullptr;
  }

  // A segment ends where one value alone is still to be read.
  void cut() {
    std::vector<std::size_t> left = times_read();
    std::size_t alive = 0;  // values
    for (const NodeId id : program_.inputs())
      alive += static_cast<std::size_t>(left[id.index()] != 0);
    segment_of_.assign(program_.nodes().size(), SIZE_MAX);
    bool is_open = false;
    for (const NodeId id : program_.ids()) {
      if (!is_computed(id)) continue;
      if (!is_open) segments_.emplace_back();
      segments_.back().nodes.push_back(id);
      segments_.back().result = id;
      segment_of_[id.index()] = segments_.size() - 1;
      for (const NodeId operand : program_.node(id).operands) {
        if (depends_[operand.index()] != 0 && --left[operand.index()] == 0) --alive;
      }
      alive += static_cast<std::size_t>(left[id.index()] != 0);
      is_open = alive != 1;
    }
  }

  // How often each value is read by what is computed; a program's outputs are read once more.
  std::vector<std::size_t> times_read() const {
    std::vector<std::size_t> out(program_.nodes().size(), 0);
    for (const NodeId id : program_.ids()) {
      if (!is_computed(id)) continue;
      for (const NodeId operand : program_.node(id).operands) ++out[operand.index()];
    }
    for (const NodeId id : program_.outputs()) ++out[id.index()];
    return out;
  }

  // What follows from constants alone belongs to the segment that reads it, if one alone does.
  void give_what_is_of_constants() {
    constexpr std::size_t kNobody = SIZE_MAX, kSeveral = SIZE_MAX - 1;
    std::vector<std::size_t> reader(program_.nodes().size(), kNobody);
    const auto read_by = [&](std::size_t segment, NodeId id) {
      std::size_t& at = reader[id.index()];
      at = at == kNobody || at == segment ? segment : kSeveral;
    };
    for (const NodeId id : program_.outputs()) read_by(kSeveral, id);
    for (std::size_t i = program_.nodes().size(); i-- > 0;) {
      const NodeId id(i);
      const Node& node = program_.node(id);
      if (node.op() == nullptr || needed_[i] == 0) continue;
      if (depends_[i] == 0 && reader[i] < kSeveral) {
        segments_[reader[i]].nodes.push_back(id);
        segment_of_[i] = reader[i];
      }
      const std::size_t owner = depends_[i] != 0 ? segment_of_[i] : reader[i];
      for (const NodeId operand : node.operands) read_by(owner, operand);
    }
  }

  bool are_equal(std::size_t a, std::size_t b) const {
    return segments_[a].key && segments_[a].key == segments_[b].key;
  }
  std::size_t operators(std::size_t first, std::size_t segments) const {
    return before_[first + segments] - before_[first];
  }

  // In [from, to): the windows whose repetition leaves the least to look at.
  std::optional<Repeat> best_repeat(std::size_t from, std::size_t to) const {
    std::optional<Repeat> best;
    std::size_t saved = 0;  // operators
    for (std::size_t period = 1; 2 * period <= to - from; ++period) {
      std::size_t equal = 0;  // segments up to here that are as those one period later
      for (std::size_t i = from; i + period < to; ++i) {
        equal = are_equal(i, i + period) ? equal + 1 : 0;
        const std::size_t again = equal / period;
        const std::size_t first = i + 1 - equal;
        if (again == 0 || operators(first, period) < kSmallestBlock) continue;
        const std::size_t without = again * operators(first, period);
        const bool is_longer = best && best->first == first && best->period == period;
        if (without < saved || (without == saved && !is_longer)) continue;
        saved = without;
        best = Repeat{first, period, again + 1, equal % period};
      }
    }
    return best;
  }

  // Of the value that stands between a segment and the one before.
  Loss loss_before(std::size_t segment) const {
    if (segment == 0 || !segments_[segment - 1].key) return Loss::None;
    const Meaning& of_value = program_.meaning(segments_[segment - 1].result);
    if (!of_value.applications.empty()) return Loss::None;
    const auto& readers = readers_[segments_[segment - 1].result.index()];
    const bool is_summed_again = std::ranges::any_of(readers, [&](NodeId id) {
      return program_.has_meaning(id) && has_sum(program_.meaning(id));
    });
    return has_sum(of_value) && is_summed_again ? Loss::Much : Loss::Little;
  }

  // A layer may begin anywhere: where the least is lost, even if there is one less of them.
  Repeat turned(const Repeat& repeat) const {
    Repeat best = repeat;
    for (std::size_t shift = 1; shift < repeat.period; ++shift) {
      const bool is_one_less = shift > repeat.more;
      if (is_one_less && repeat.count == 2) break;
      if (loss_before(repeat.first + repeat.period + shift) >=
          loss_before(best.first + repeat.period))
        continue;
      best.first = repeat.first + shift;
      best.count = repeat.count - static_cast<std::size_t>(is_one_less);
    }
    return best;
  }

  void look_for_repeats(std::size_t from, std::size_t to) {
    if (from == to) return;
    auto repeat = best_repeat(from, to);
    if (!repeat) {
      add_what_is_left(from, to);
      return;
    }
    repeat = turned(*repeat);
    look_for_repeats(from, repeat->first);
    found_.push_back(*repeat);
    look_for_repeats(repeat->first + repeat->period * repeat->count, to);
  }

  // One block as long as every operator has a meaning.
  void add_what_is_left(std::size_t from, std::size_t to) {
    while (from < to) {
      std::size_t end = from;
      while (end < to && segments_[end].key) ++end;
      if (end > from) found_.push_back({from, end - from, 1});
      from = std::max(end, from + 1);
    }
  }

  Nodes nodes_of(std::size_t first, std::size_t segments) const {
    Nodes out;
    for (std::size_t i = first; i < first + segments; ++i)
      out.insert(out.end(), segments_[i].nodes.begin(), segments_[i].nodes.end());
    std::ranges::sort(out);
    return out;
  }

  static void add(Subprogram block, std::vector<SubprogramClass>& out) {
    const auto same = std::ranges::find_if(
        out, [&](const SubprogramClass& one) { return one.representative().key == block.key; });
    if (same != out.end()) {
      same->places.push_back(std::move(block));
    } else {
      out.push_back({{std::move(block)}});
    }
  }

  const Graph& program_;
  const std::vector<std::vector<NodeId>> readers_;  // by node
  const Extractor extractor_;
  const std::vector<char> needed_, depends_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> segment_of_;    // by node
  std::vector<std::size_t> before_ = {0};  // operators before a segment
  std::vector<Repeat> found_;              // in order of the program
};

}  // namespace

std::vector<SubprogramClass> blocks_of(const Graph& program) { return Blocks(program).run(); }

}  // namespace pet
