#include "core/egraph/extract/reduce.h"

#include <algorithm>
#include <bit>

namespace pet::egraph {
namespace {

// Sets of classes.
class Set {
 public:
  Set() = default;
  Set(std::size_t size, bool is_full) : words_((size + 63) / 64, is_full ? ~std::uint64_t{0} : 0) {}

  bool has(Number number) const { return (words_[number / 64] >> (number % 64) & 1) != 0; }
  void put(Number number) { words_[number / 64] |= std::uint64_t{1} << (number % 64); }
  void unite(const Set& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void intersect(const Set& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  bool operator==(const Set&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

// Beyond this the sets would not fit into memory; fewer nodes are left out then.
constexpr std::size_t kMostClasses = 30'000;

class Reducer {
 public:
  explicit Reducer(const Problem& problem) : problem_(problem), classes_(problem.classes) {
    for (const Problem::Node& node : problem.nodes) {
      auto& children = children_.emplace_back(node.children);
      std::ranges::sort(children);
      children.erase(std::ranges::unique(children).begin(), children.end());
    }
    out_.is_mandatory.resize(problem.classes.size());
    out_.free.resize(problem.classes.size(), kNone);
  }

  Reduced run() {
    drop_what_cannot_be_computed();
    take_what_is_free();
    drop_what_is_not_reached();
    for (bool changed = true; changed;) {
      const bool passed = pass_through();
      drop_what_is_not_reached();
      find_components();
      find_what_is_required();
      changed = drop_needless() || passed;
      drop_what_is_not_reached();
    }
    find_components();
    find_what_is_required();
    write();
    return std::move(out_);
  }

 private:
  // A class that no node can compute, and nodes that read one, or their own class.
  void drop_what_cannot_be_computed() {
    for (Number number = 0; number < classes_.size(); ++number)
      std::erase_if(classes_[number], [&](Number node) {
        return std::ranges::binary_search(children_[node], number);
      });
    std::vector<char> is_done(classes_.size());
    for (bool changed = true; std::exchange(changed, false);) {
      for (Number number = 0; number < classes_.size(); ++number) {
        if (is_done[number] != 0 || !std::ranges::any_of(classes_[number], [&](Number node) {
              return are_all(children_[node], is_done);
            }))
          continue;
        is_done[number] = 1;
        changed = true;
      }
    }
    for (auto& nodes : classes_)
      std::erase_if(nodes, [&](Number node) { return !are_all(children_[node], is_done); });
  }
  static bool are_all(const std::vector<Number>& numbers, const std::vector<char>& marks) {
    return std::ranges::all_of(numbers, [&](Number number) { return marks[number] != 0; });
  }

  void take_what_is_free() {
    std::vector<char> is_free(classes_.size());
    for (bool changed = true; std::exchange(changed, false);) {
      for (Number number = 0; number < classes_.size(); ++number) {
        if (is_free[number] != 0) continue;
        const auto node = std::ranges::find_if(classes_[number], [&](Number one) {
          return problem_.nodes[one].cost == 0 && are_all(children_[one], is_free);
        });
        if (node == classes_[number].end()) continue;
        out_.free[number] = *node;
        is_free[number] = 1;
        changed = true;
      }
    }
    for (auto& children : children_)
      std::erase_if(children, [&](Number child) { return is_free[child] != 0; });
    for (Number number = 0; number < classes_.size(); ++number)
      if (is_free[number] != 0) classes_[number].clear();
  }

  // A class of one node that costs nothing: whoever reads it reads what that node reads.
  bool pass_through() {
    std::vector<char> is_passed(classes_.size());
    for (Number number = 0; number < classes_.size(); ++number)
      is_passed[number] = static_cast<char>(
          classes_[number].size() == 1 && problem_.nodes[classes_[number].front()].cost == 0 &&
          std::ranges::find(problem_.roots, number) == problem_.roots.end());
    if (std::ranges::count(is_passed, 1) == 0) return false;
    // None of them needs itself: such a class cannot be computed, and is gone.
    for (const Number number : children_first(is_passed)) {
      const Number node = classes_[number].front();
      look_through(children_[node], is_passed);
      out_.free[number] = node;
    }
    for (Number number = 0; number < classes_.size(); ++number) {
      if (is_passed[number] != 0) continue;
      for (const Number node : classes_[number]) look_through(children_[node], is_passed);
      std::erase_if(classes_[number], [&](Number node) {
        return std::ranges::binary_search(children_[node], number);
      });
    }
    for (Number number = 0; number < classes_.size(); ++number)
      if (is_passed[number] != 0) classes_[number].clear();
    return true;
  }
  void look_through(std::vector<Number>& children, const std::vector<char>& is_passed) const {
    std::vector<Number> out;
    for (const Number child : children) {
      if (is_passed[child] == 0) {
        out.push_back(child);
      } else {
        const auto& behind = children_[classes_[child].front()];
        out.insert(out.end(), behind.begin(), behind.end());
      }
    }
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    children = std::move(out);
  }
  // Of the marked classes, which have one node each.
  std::vector<Number> children_first(const std::vector<char>& marks) const {
    std::vector<Number> out;
    std::vector<char> is_seen(classes_.size());
    for (Number start = 0; start < classes_.size(); ++start) {
      std::vector<std::pair<Number, std::size_t>> way;
      const auto enter = [&](Number number) {
        if (marks[number] != 0 && std::exchange(is_seen[number], 1) == 0)
          way.emplace_back(number, 0);
      };
      enter(start);
      while (!way.empty()) {
        auto& [number, next] = way.back();
        const auto& children = children_[classes_[number].front()];
        if (next < children.size()) {
          enter(children[next++]);
        } else {
          out.push_back(number);
          way.pop_back();
        }
      }
    }
    return out;
  }

  void drop_what_is_not_reached() {
    std::vector<char> is_reached(classes_.size());
    std::vector<Number> open;
    const auto reach = [&](Number number) {
      if (std::exchange(is_reached[number], 1) == 0) open.push_back(number);
    };
    for (const Number root : problem_.roots) reach(root);
    while (!open.empty()) {
      const Number number = open.back();
      open.pop_back();
      for (const Number node : classes_[number])
        for (const Number child : children_[node]) reach(child);
    }
    for (Number number = 0; number < classes_.size(); ++number)
      if (is_reached[number] == 0) classes_[number].clear();
  }

  // Tarjan's components, without recursion; in order_, children before what reads them.
  void find_components() {
    const std::size_t count = classes_.size();
    out_.component.assign(count, kNone);
    out_.component_size.clear();
    order_.clear();
    std::vector<Number> index(count, kNone), low(count), stack;
    struct Frame {
      Number number;
      std::size_t node = 0, child = 0;
    };
    Number next = 0;
    for (Number start = 0; start < count; ++start) {
      if (index[start] != kNone) continue;
      std::vector<Frame> frames = {{start}};
      index[start] = low[start] = next++;
      stack.push_back(start);
      while (!frames.empty()) {
        Frame& at = frames.back();
        const auto& nodes = classes_[at.number];
        if (at.node < nodes.size() && at.child < children_[nodes[at.node]].size()) {
          const Number child = children_[nodes[at.node]][at.child++];
          if (index[child] == kNone) {
            index[child] = low[child] = next++;
            stack.push_back(child);
            frames.push_back({child});
          } else if (out_.component[child] == kNone) {
            low[at.number] = std::min(low[at.number], index[child]);
          }
          continue;
        }
        if (at.node + 1 < nodes.size()) {
          ++at.node;
          at.child = 0;
          continue;
        }
        const Number done = at.number;
        frames.pop_back();
        order_.push_back(done);
        if (!frames.empty())
          low[frames.back().number] = std::min(low[frames.back().number], low[done]);
        if (low[done] == index[done]) close(done, stack);
      }
    }
  }
  void close(Number root, std::vector<Number>& stack) {
    const auto number = static_cast<Number>(out_.component_size.size());
    out_.component_size.push_back(0);
    for (;;) {
      const Number member = stack.back();
      stack.pop_back();
      out_.component[member] = number;
      ++out_.component_size.back();
      if (member == root) return;
    }
  }

  // By class, the classes that every choice for it takes: itself, and what all of its nodes
  // require. The largest such sets, from above.
  void find_what_is_required() {
    required_.clear();
    if (classes_.size() > kMostClasses) return find_mandatory_alone();
    for (Number number = 0; number < classes_.size(); ++number)
      required_.emplace_back(classes_.size(), !classes_[number].empty());
    for (bool changed = true; std::exchange(changed, false);) {
      for (const Number number : order_) {
        if (classes_[number].empty()) continue;
        Set now(classes_.size(), true);
        for (const Number node : classes_[number]) now.intersect(required_by(node));
        now.put(number);
        if (now == required_[number]) continue;
        required_[number] = std::move(now);
        changed = true;
      }
    }
    for (const Number root : problem_.roots)
      for (Number number = 0; number < classes_.size(); ++number)
        if (!classes_[root].empty() && required_[root].has(number) && !classes_[number].empty())
          out_.is_mandatory[number] = 1;
  }
  Set required_by(Number node) const {
    Set out(classes_.size(), false);
    for (const Number child : children_[node]) out.unite(required_[child]);
    return out;
  }
  void find_mandatory_alone() {
    for (const Number root : problem_.roots)
      if (!classes_[root].empty()) out_.is_mandatory[root] = 1;
  }

  // A node is needless where it needs its own class, or where another of its class costs no more
  // and takes nothing that this one would not take as well. (What this one takes does not reach
  // its class, or it would need itself; nor does what is taken anyway and stands apart from it.)
  bool drop_needless() {
    bool changed = false;
    for (Number number = 0; number < classes_.size(); ++number) {
      auto& nodes = classes_[number];
      for (std::size_t i = 0; i < nodes.size();) {
        if (is_needless(number, nodes[i])) {
          nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
        } else {
          ++i;
        }
      }
    }
    return changed;
  }
  bool is_needless(Number number, Number node) const {
    Set takes(classes_.size(), false);
    if (!required_.empty()) {
      takes = required_by(node);
      if (takes.has(number)) return true;
    } else {
      for (const Number child : children_[node]) takes.put(child);
    }
    return std::ranges::any_of(classes_[number], [&](Number other) {
      return other != node && problem_.nodes[other].cost <= problem_.nodes[node].cost &&
             std::ranges::all_of(children_[other], [&](Number child) {
               return takes.has(child) || (out_.is_mandatory[child] != 0 &&
                                           out_.component[child] != out_.component[number]);
             });
    });
  }

  void write() {
    out_.classes = classes_;
    out_.needs.resize(children_.size());
    out_.before.resize(children_.size());
    for (Number number = 0; number < classes_.size(); ++number) {
      for (const Number node : classes_[number]) {
        for (const Number child : children_[node]) {
          if (out_.component[child] == out_.component[number]) out_.before[node].push_back(child);
          if (out_.is_mandatory[child] == 0 && !follows(child, node))
            out_.needs[node].push_back(child);
        }
      }
    }
  }
  // It is taken because another child is.
  bool follows(Number child, Number node) const {
    if (required_.empty()) return false;
    return std::ranges::any_of(children_[node], [&](Number other) {
      return other != child && required_[other].has(child) &&
             // Of two that require each other (neither can be computed, then) the first stays.
             (other < child || !required_[child].has(other));
    });
  }

  const Problem& problem_;
  std::vector<std::vector<Number>> classes_;
  std::vector<std::vector<Number>> children_;  // by node, each once; free ones left out
  std::vector<Number> order_;
  std::vector<Set> required_;  // empty: there are too many classes
  Reduced out_;
};

}  // namespace

Reduced reduce(const Problem& problem) { return Reducer(problem).run(); }

}  // namespace pet::egraph
